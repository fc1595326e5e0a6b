// Volumes behind the first that cannot be entered: PCP's tools pass over them, readers of our own
// tell. What PCP 6.0.3 does with each was observed (its archive vols-v3 with .1 or .2 damaged).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <functional>

#include "runtime/client/archive_context/archive_context.h"
#include "runtime/model/pm_codes.h"
#include "tests/unit/archive/folder.h"
#include "tests/unit/archive/support.h"

namespace pmjit::test {
namespace {

// Counts 0, 100 … 800 at 0, 10 … 80 s; three records a volume.
constexpr std::string_view kAll = "0 10 20 30 40 50 60 70 80 ";
constexpr std::string_view kWithoutSecond = "0 10 20 60 70 80 ";
constexpr std::string_view kWithoutThird = "0 10 20 30 40 50 ";

using Damaging = std::function<void(std::vector<std::byte>&)>;
Damaging flip(size_t offset) {
  return [offset](std::vector<std::byte>& bytes) { bytes[offset] ^= std::byte{4}; };
}
constexpr size_t kVersion = 7, kPid = 11, kLabelStart = 20, kHost = 36;

std::unique_ptr<Archives> damaged(int32_t volume, const Damaging& damage) {
  ArchiveParts parts = golden_parts("vols-v3");
  damage(parts.at({volume}));
  std::vector<std::unique_ptr<Archive>> members;
  members.push_back(*open_parts(parts));
  return *Archives::of(std::move(members));
}

// The seconds of the records, and what ends them.
std::string seconds(RecordReader& reader, Result<bool> (RecordReader::*step)(), Stamp start) {
  std::string out;
  while (true) {
    const auto more = (reader.*step)();
    if (!more) return out + fmt::format("error {}", more.error().pm_code());
    if (!*more) return out;
    out += fmt::format("{} ", seconds_between(reader.record().stamp, start));
  }
}
std::string forward(const Archives& archives, BadVolumes bad) {
  RecordReader reader(archives, bad);
  return seconds(reader, &RecordReader::next, archives.start());
}
std::string backward(const Archives& archives, BadVolumes bad) {
  RecordReader reader(archives, bad);
  reader.move_to_end();
  return seconds(reader, &RecordReader::previous, archives.start());
}
std::string backwards(std::string_view forward) {
  std::string out;
  for (size_t end = forward.size(); end > 0;) {
    const size_t from = end < 2 ? 0 : forward.rfind(' ', end - 2) + 1;
    out += forward.substr(from, end - from);
    end = from;
  }
  return out;
}

TEST(LaterVolumes, ADamagedLabelIsPassedOver) {
  const std::pair<const char*, Damaging> kDamages[] = {
      {"length", flip(3)},
      {"magic number", flip(4)},
      {"volume number", flip(27)},
      {"feature", flip(31)},
      {"trailing word", flip(807)},
      {"cut", [](auto& bytes) { bytes.resize(400); }},
      {"cut in its first word", [](auto& bytes) { bytes.resize(3); }},
      {"nothing else", [](auto& bytes) { bytes.resize(808); }},
      {"empty", [](auto& bytes) { bytes.clear(); }},
  };
  for (const auto& [what, damage] : kDamages) {
    const auto second = damaged(1, damage), third = damaged(2, damage);
    EXPECT_EQ(forward(*second, BadVolumes::pass_over), kWithoutSecond) << what;
    EXPECT_EQ(backward(*second, BadVolumes::pass_over), backwards(kWithoutSecond)) << what;
    EXPECT_EQ(forward(*third, BadVolumes::pass_over), kWithoutThird) << what;
    EXPECT_EQ(backward(*third, BadVolumes::pass_over), backwards(kWithoutThird)) << what;
    EXPECT_EQ(seconds_between(*third->end(), third->start()), 50) << what;
  }
}

TEST(LaterVolumes, WhoeverImitatesNobodyTells) {
  const auto archives = damaged(1, flip(4));
  EXPECT_EQ(forward(*archives, BadVolumes::refuse), "0 10 20 error -12372");
  EXPECT_EQ(backward(*archives, BadVolumes::refuse), "80 70 60 error -12372");
  EXPECT_EQ(content((*archives)[0]),
            "+0.000 vo.c 0\n+10.000 vo.c 100\n+20.000 vo.c 200\nerror -12372\n");
}

// Nobody asks when a later volume says that the archive starts.
TEST(LaterVolumes, AnImpossibleStartTimeHurtsInTheFirstVolumeOnly) {
  const auto impossible = [](auto& bytes) { bytes[kLabelStart] = std::byte{0xff}; };
  for (const int32_t volume : {1, 2}) {
    EXPECT_EQ(forward(*damaged(volume, impossible), BadVolumes::refuse), kAll);
  }
  ArchiveParts parts = golden_parts("vols-v3");
  for (const int32_t file : {kMetaVolume, kIndexVolume}) impossible(parts.at({file}));
  EXPECT_TRUE(open_parts(parts).has_value());
  impossible(parts.at({0}));
  EXPECT_EQ(content(open_parts(parts)), "refused -12372\n");
}

// The reference compares pid and host of the first volume, the index and the metadata only.
TEST(LaterVolumes, AnotherWriterIsEnteredAllTheSame) {
  for (const size_t offset : {kPid, kHost}) {
    const auto archives = damaged(1, flip(offset));
    EXPECT_EQ(forward(*archives, BadVolumes::pass_over), kAll);
    EXPECT_EQ(forward(*archives, BadVolumes::refuse), "0 10 20 error -12372");
    const auto last = damaged(2, flip(offset));
    EXPECT_EQ(seconds_between(*last->end(), last->start()), 80);
  }
}

TEST(LaterVolumes, AnotherVersionEndsAReadingUnlessItIsTheLast) {
  for (const int version : {0, 2, 9, 255}) {
    const auto damage = [&](auto& bytes) { bytes[kVersion] = static_cast<std::byte>(version); };
    const auto second = damaged(1, damage), third = damaged(2, damage);
    EXPECT_EQ(forward(*second, BadVolumes::pass_over), "0 10 20 error -12373");
    EXPECT_EQ(backward(*second, BadVolumes::pass_over), "80 70 60 error -12373");
    EXPECT_EQ(forward(*third, BadVolumes::pass_over), kWithoutThird);
    EXPECT_EQ(backward(*third, BadVolumes::pass_over), backwards(kWithoutThird));
  }
}

TEST(LaterVolumes, InterpolationGoesStraightAcross) {
  const auto archives = damaged(1, flip(4));
  const PmId metric = *archives->metadata().names.find("vo.c");
  for (const int64_t step : {1, -1}) {
    ReplayContext context(*archives, BadVolumes::pass_over);
    Stamp when = archives->start();
    when.sec += 45;
    context.set_mode(ReplayMode::interpolated, when, {step, 0});
    Fetched result;
    ASSERT_TRUE(context.fetch({&metric, 1}, {}, result));
    ASSERT_EQ(result.sets[0].count, 1);
    EXPECT_EQ(result.sets[0].values[0].word, 450);
  }
}

TEST(LaterVolumes, WhatIsGoneIsPassedOver) {
  Folder folder;
  for (const char* member : {"0", "1", "2", "meta", "index"}) {
    folder.copy(golden("vols-v3.") + member, std::string("foo.") + member);
  }
  const auto archives = Archives::open(folder.path("foo"));
  ASSERT_TRUE(archives.has_value()) << archives.error().text();
  std::filesystem::remove(folder.path("foo.1"));
  EXPECT_EQ(forward(**archives, BadVolumes::pass_over), kWithoutSecond);
  EXPECT_EQ(forward(**archives, BadVolumes::refuse), fmt::format("0 10 20 error {}", -ENOENT));
  std::filesystem::create_directory(folder.path("foo.1"));
  EXPECT_EQ(backward(**archives, BadVolumes::pass_over), backwards(kWithoutSecond));
}

// The index leads to a volume that is not there: forwards to the next that is, or the start, and on
// from there to the time; backwards the reference finds nothing.
TEST(LaterVolumes, TheIndexLeadsToOneThatIsMissing) {
  for (const int32_t missing : {1, 2}) {
    ArchiveParts parts = golden_parts("vols-v3");
    parts.erase({missing});
    std::vector<std::unique_ptr<Archive>> members;
    members.push_back(*open_parts(parts));
    const auto archives = *Archives::of(std::move(members));
    const PmId metric = *archives->metadata().names.find("vo.c");
    Stamp when = archives->start();
    when.sec += missing == 1 ? 35 : 47;
    Fetched result;
    ReplayContext context(*archives, BadVolumes::pass_over);
    context.set_mode(ReplayMode::forward, when);
    ASSERT_TRUE(context.fetch({&metric, 1}, {}, result));
    EXPECT_EQ(result.sets[0].values[0].word, missing == 1 ? 600 : 500);
    context.set_mode(ReplayMode::interpolated, when, {1, 0});
    ASSERT_TRUE(context.fetch({&metric, 1}, {}, result));
    EXPECT_EQ(result.sets[0].values[0].word, missing == 1 ? 350 : 470);
    context.set_mode(ReplayMode::backward, when);
    const auto done = context.fetch({&metric, 1}, {}, result);
    ASSERT_FALSE(done.has_value());
    EXPECT_EQ(done.error().pm_code(), pm_err::E_EOL);
  }
}

TEST(LaterVolumes, WhatDoesNotDecompressIsPassedOver) {
  Folder folder;
  for (const char* member : {"0", "2", "meta", "index"}) {
    folder.copy(golden("vols-v3.") + member, std::string("foo.") + member);
  }
  folder.write("foo.1.xz", "this is no xz file");
  const auto archives = Archives::open(folder.path("foo"));
  ASSERT_TRUE(archives.has_value()) << archives.error().text();
  EXPECT_EQ(forward(**archives, BadVolumes::pass_over), kWithoutSecond);
  EXPECT_EQ(forward(**archives, BadVolumes::refuse), "0 10 20 error -12373");
}

}  // namespace
}  // namespace pmjit::test
