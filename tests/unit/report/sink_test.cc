#include "runtime/report/sink/sink.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <thread>

#include "tests/unit/report/fixture.h"

namespace pmjit {
namespace {

TEST(Sink, KeepsTheOrderOverManyBuffers) {
  std::string out, expected;
  Sink sink(out);
  for (int i = 0; i < 100'000; ++i) {
    const std::string line = std::to_string(i) + "\n";
    sink.put(line);
    expected += line;
  }
  sink.put(std::string(1u << 20, 'x'));  // larger than the buffer
  expected += std::string(1u << 20, 'x');
  ASSERT_TRUE(sink.flush());
  EXPECT_EQ(out, expected);
}

TEST(Sink, BlocksStayInOrderWithLines) {
  std::string out, expected;
  Sink sink(out);
  for (const size_t bytes : {10u, 1u << 20, 100u, 64u << 10, 300u << 10}) {
    const std::string block(bytes, '\n');
    sink.put("line, and the start of another\n...");
    sink.put_block(block);
    expected += "line, and the start of another\n..." + block;
  }
  ASSERT_TRUE(sink.flush());
  EXPECT_EQ(out, expected);
}

TEST(Sink, WritesWholeLinesAndSaysSoBefore) {
  std::string out;
  Sink sink(out);
  size_t written = 0;
  sink.before_writing([&] {
    EXPECT_TRUE(out.empty() || out.ends_with('\n'));
    ++written;
  });
  for (int i = 0; i < 100'000; ++i) {
    sink.put("half a line");
    sink.put(" and the other half\n");
  }
  EXPECT_GT(written, 1u);
  ASSERT_TRUE(sink.flush());
  EXPECT_EQ(out.size(), 3'100'000u);
}

TEST(Sink, AFullDiskIsAnErrorAndStaysOne) {
  const int fd = ::open("/dev/full", O_WRONLY);
  if (fd < 0) GTEST_SKIP() << "no /dev/full here";
  Sink blocks(fd);
  blocks.put_block(std::string(1u << 20, 'x'));
  EXPECT_FALSE(blocks.status());  // such go past the buffer
  Sink sink(fd);
  sink.put("values");
  EXPECT_TRUE(sink.status());
  const auto flushed = sink.flush();
  ASSERT_FALSE(flushed);
  EXPECT_EQ(flushed.error().fault(), Fault::io);
  EXPECT_EQ(flushed.error().what(), "cannot write the output: No space left on device");
  EXPECT_FALSE(sink.flush());
  ::close(fd);
}

TEST(Sink, AClosedPipeIsAnError) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  Lab lab;
  lab.block.times = {{0, 0}};
  const size_t a = lab.add_column({.name = "a", .elem = Elem::i32});
  lab.add_row<int32_t>(a, Rosters::kSingularId, {1});
  Sink sink(ends[1]);
  const auto writer = make_csv_writer(sink, {});
  writer->begin(
      {.infos = lab.infos, .host = "h", .catalog = &lab.catalog, .rosters = &lab.rosters});
  // The pipe is noticed when a buffer is full: a writer stops early, and its end always tells.
  bool stopped = false;
  for (int i = 0; i < 100'000 && !stopped; ++i) stopped = !write(*writer, lab.block);
  EXPECT_TRUE(stopped);
  EXPECT_FALSE(writer->end());
  ::close(ends[1]);
  std::signal(SIGPIPE, before);
}

// A disk that is full after some bytes, by the process's limit of file sizes.
TEST(Sink, AFileThatIsFullEndsWithAWholeRow) {
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  const int fd = ::fileno(file);
  rlimit old{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  const rlimit full{.rlim_cur = 1'003, .rlim_max = old.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &full), 0);
  Sink sink(fd);
  sink.put("time,value\n");
  for (int i = 0; i < 1'000; ++i) sink.put("twelve bytes\n");
  const auto flushed = sink.flush();
  ::setrlimit(RLIMIT_FSIZE, &old);
  ASSERT_FALSE(flushed);
  EXPECT_EQ(flushed.error().fault(), Fault::io);
  EXPECT_EQ(::lseek(fd, 0, SEEK_END), 11 + 13 * 76);  // the next line would end at 1012
  std::fclose(file);
  std::signal(SIGXFSZ, before);
}

// Row by row, as a page has them: "a\nb" in quotes, and a number.
std::string quoted_rows(int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += "\"a\nb\"," + std::to_string(i % 10) + "\n";
  return out;
}

// What a file holds that may have that many bytes.
std::string left_of(size_t bytes, RowEnds how,
                    const std::vector<std::pair<std::string, size_t>>& pages) {
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  std::FILE* file = std::tmpfile();
  rlimit old{};
  EXPECT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  const rlimit full{.rlim_cur = bytes, .rlim_max = old.rlim_max};
  EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &full), 0);
  {
    Sink sink(::fileno(file));
    sink.rows_end(how);
    sink.put("head\n");
    for (const auto& [text, whole] : pages) sink.put_page(text, whole);
    EXPECT_FALSE(sink.flush());
    EXPECT_TRUE(sink.whole());
  }
  ::setrlimit(RLIMIT_FSIZE, &old);
  std::string out(bytes, '\0');
  out.resize(static_cast<size_t>(::pread(::fileno(file), out.data(), bytes, 0)));
  std::fclose(file);
  std::signal(SIGXFSZ, before);
  return out;
}

TEST(Sink, ALineFeedInQuotesEndsNoRow) {
  const std::string rows = quoted_rows(20);  // of 8 bytes each
  EXPECT_EQ(left_of(5 + 8 * 3 + 3, RowEnds::csv, {{rows, rows.size()}}), "head\n" + quoted_rows(3));
  EXPECT_EQ(left_of(5 + 8 * 3, RowEnds::csv, {{rows, rows.size()}}), "head\n" + quoted_rows(3));
}

TEST(Sink, ARowOfSeveralPagesIsCutAsAWhole) {
  // The second row goes over three pages, and the file is full in the last of them.
  const std::vector<std::pair<std::string, size_t>> pages{
      {"1,2\n3,", 4}, {"4,\"\n\",", 0}, {"5\n", 2}};
  EXPECT_EQ(left_of(15, RowEnds::csv, pages), "head\n1,2\n");
  EXPECT_EQ(left_of(12, RowEnds::csv, pages), "head\n1,2\n");
  EXPECT_EQ(left_of(10, RowEnds::csv, pages), "head\n1,2\n");
}

TEST(Sink, ItWaitsForAReaderOfWhatDoesNotBlock) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_NONBLOCK), 0);
  std::string got;
  std::jthread reader([&] {
    char part[4096];
    for (;;) {
      const ssize_t bytes = ::read(ends[0], part, sizeof part);
      if (bytes == 0) return;
      if (bytes > 0) got.append(part, static_cast<size_t>(bytes));
    }
  });
  const std::string rows = quoted_rows(100'000);
  {
    Sink sink(ends[1]);
    sink.put_page(rows, rows.size());
    EXPECT_TRUE(sink.flush());
  }
  ::close(ends[1]);
  reader.join();
  EXPECT_TRUE(got == rows);
  ::close(ends[0]);
}

TEST(Sink, NobodyReadsAndItIsAskedToStop) {
  int pipe_ends[2], socket_ends[2];
  ASSERT_EQ(::pipe(pipe_ends), 0);
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, socket_ends), 0);
  const std::string rows = quoted_rows(100'000);
  for (const int* ends : {pipe_ends, socket_ends}) {
    {
      Sink sink(ends[1]);
      sink.rows_end(RowEnds::csv);
      int asked = 0;
      const SystemClock clock;
      sink.stop_when([&] { return ++asked == 2; }, clock);
      sink.put_page(rows, rows.size());
      EXPECT_EQ(asked, 2);
      EXPECT_TRUE(sink.stopped());
      EXPECT_FALSE(sink.status());
    }
    ::close(ends[0]);
    ::close(ends[1]);
  }
}

TEST(Formats, EachIsFoundByItsName) {
  for (const Format& format : formats()) {
    EXPECT_EQ(find_format(format.name), &format);
    EXPECT_FALSE(format.what.empty());
  }
  EXPECT_EQ(find_format("xml"), nullptr);
}

}  // namespace
}  // namespace pmjit
