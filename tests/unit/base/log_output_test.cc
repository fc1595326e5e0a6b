// Logs that nobody reads, and that somebody reads again: pipes, sockets, files.
#include "runtime/base/log_output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <sstream>

namespace pmjit::test {
namespace {

std::string lost(uint64_t lines) { return fmt::format("{} lost\n", lines); }

// What there is to read now.
std::string drain(int fd) {
  (void)::fcntl(fd, F_SETFL, O_NONBLOCK);
  std::string out;
  std::array<char, 4'096> room{};
  for (ssize_t got = 0; (got = ::read(fd, room.data(), room.size())) > 0;) {
    out.append(room.data(), static_cast<size_t>(got));
  }
  return out;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

// More lines than a pipe or a socket holds, then a reader, then one more line.
void expect_all_accounted(int reader, int writer) {
  constexpr uint64_t kLines = 20'000;
  std::string first, second;
  {
    LogOutput output(lost, writer);
    for (uint64_t i = 0; i < kLines; ++i) output.write(fmt::format("line {} of a log\n", i));
    first = drain(reader);
    output.write("the last\n");
    second = drain(reader);
  }
  const auto whole = lines_of(first + second);
  uint64_t next = 0, notes = 0;
  for (const std::string& line : whole) {
    if (line.ends_with(" lost")) {
      next += std::stoull(line);
      ++notes;
    } else if (line != "the last") {
      ASSERT_EQ(line, fmt::format("line {} of a log", next++)) << "each is whole, in its order";
    }
  }
  EXPECT_EQ(next, kLines);
  EXPECT_GE(notes, 1u);
  EXPECT_LT(notes, 10u);
  EXPECT_EQ(whole.back(), "the last");
}

TEST(LogOutputTest, APipeThatNobodyReadsIsNotWaitedFor) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  expect_all_accounted(ends[0], ends[1]);
  EXPECT_EQ(::fcntl(ends[1], F_GETFL) & O_NONBLOCK, 0) << "others have this descriptor, too";
  for (const int fd : ends) ::close(fd);
}

TEST(LogOutputTest, ASocketThatNobodyReadsIsNotWaitedFor) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  expect_all_accounted(ends[0], ends[1]);
  for (const int fd : ends) ::close(fd);
}

TEST(LogOutputTest, ALineLongerThanThePipeIsWholeOrEndsWhereItWasCut) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const std::string line = std::string(300'000, 'x') + "\n";
  std::string got;
  {
    LogOutput output(lost, ends[1]);
    output.write(line);
    for (int i = 0; i < 10; ++i) {
      got += drain(ends[0]);
      output.write("short\n");
    }
    got += drain(ends[0]);
  }
  EXPECT_EQ(got.substr(0, line.size()), line);
  const auto rest = lines_of(got.substr(line.size()));
  ASSERT_GT(rest.size(), 1u);
  EXPECT_EQ(rest.front() + "\n", lost(10 - (rest.size() - 1)));
  for (int fd : ends) ::close(fd);
}

TEST(LogOutputTest, WhatWasLostIsSaidAtTheEnd) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  std::string got;
  {
    LogOutput output(lost, ends[1]);
    for (int i = 0; i < 20'000; ++i) output.write("a line of a log\n");
    got = drain(ends[0]);
  }
  const std::string end = drain(ends[0]);
  EXPECT_TRUE(end.ends_with(" lost\n")) << end;
  for (const int fd : ends) ::close(fd);
}

TEST(LogOutputTest, AFileIsAppendedToAndMayBeOpenedAgain) {
  const std::string path = testing::TempDir() + "log_output_test.log";
  ::unlink(path.c_str());
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  {
    LogOutput output(lost, ends[1]);
    output.write("standard\n");
    ASSERT_EQ(output.open(path), 0);
    output.write("one\n");
    ASSERT_EQ(output.open(path), 0);
    output.write("two\n");
    EXPECT_EQ(output.open(testing::TempDir() + "no/such/folder"), ENOENT);
    output.write("three\n");
    output.use_standard();
    output.write("standard again\n");
  }
  EXPECT_EQ(drain(ends[0]), "standard\nstandard again\n");
  std::ifstream in(path);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  EXPECT_EQ(text, "one\ntwo\nthree\n");
  ::unlink(path.c_str());
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  LogOutput output(lost, ends[1]);
  EXPECT_EQ(output.open(path), ENXIO) << "nobody has the pipe open; it does not wait for one";
  ::unlink(path.c_str());
  for (const int fd : ends) ::close(fd);
}

}  // namespace
}  // namespace pmjit::test
