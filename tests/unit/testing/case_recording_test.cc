// Recordings of several hosts, and what is refused because an archive could not hold it or nobody
// could have meant it. What single words of the notation mean is shown by the cases.
#include "runtime/testing/case_recording.h"

#include <gtest/gtest.h>

namespace pmjit::cases {
namespace {

Result<std::vector<CaseRecording>> read(const std::string& metrics, const std::string& samples,
                                        const std::string& rhythm = "every 10s") {
  const Section described{.title = "metrics", .body = metrics, .line = 3};
  const Section recorded{.title = "samples", .arguments = rhythm, .body = samples, .line = 10};
  return read_recordings(&described, &recorded);
}

std::string refusal(const std::string& metrics, const std::string& samples,
                    const std::string& rhythm = "every 10s") {
  const auto read_back = read(metrics, samples, rhythm);
  return read_back ? "" : read_back.error().text();
}

constexpr const char* kMetric = "m u32 instant none\n";

std::vector<std::string> times(const CaseRecording& recording) {
  std::vector<std::string> out;
  for (const SampleRecord& record : recording.records) {
    out.push_back((record.mark ? "mark " : "") + time_text(record.stamp));
  }
  return out;
}

TEST(CaseRecording, HasARecordingAHostInTheOrderInWhichTheyAreNamed) {
  const auto all = read(kMetric,
                        "web2 m 1 2\n"
                        "web1 m 3\n"
                        "web2 mark at 5s\n"
                        "mark at 7s\n");
  ASSERT_TRUE(all) << all.error().text();
  ASSERT_EQ(all->size(), 2u);
  EXPECT_EQ((*all)[0].host, "web2");
  EXPECT_EQ(times((*all)[0]), (std::vector<std::string>{"0s", "mark 5s", "mark 7s", "10s"}));
  EXPECT_EQ((*all)[1].host, "web1");
  EXPECT_EQ(times((*all)[1]), (std::vector<std::string>{"0s", "mark 7s"}));
}

TEST(CaseRecording, IsOfAnUnnamedHostWhereLinesNameNone) {
  const auto all = read(kMetric, "m 1 2\n");
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 1u);
  EXPECT_EQ(all->front().host, kUnnamedHost);
}

TEST(CaseRecording, SaysWhichLineIsWrong) {
  EXPECT_EQ(refusal("m u33 instant none\n", "m 1\n"),
            "line 3: no such type: u33; did you mean u32?");
  EXPECT_EQ(refusal("m u32 gauge none\n", "m 1\n"),
            "line 3: no such semantics: gauge; did you mean instant?");
  EXPECT_EQ(refusal("m u32 instant none\nm u32 instant none\n", "m 1\n"),
            "line 4: there are two metrics m");
  EXPECT_EQ(refusal("m u32 instant none indom=d[a a]\n", "m 1\n"),
            "line 3: `d` has two instances a or two of identifier 1");
  EXPECT_EQ(refusal("m u32 instant none indom=d[a:4 b:4]\n", "m 1\n"),
            "line 3: `d` has two instances b or two of identifier 4");
  EXPECT_EQ(refusal(kMetric, "n 1 2\n"), "line 10: no metric `n` here; there are: m");
  EXPECT_EQ(refusal(kMetric, "\nm at 1e30s: 1\n"),
            "line 11: `1e30s` is not a duration (10s, 20ms, 2min)");
}

TEST(CaseRecording, NeedsTimesForSeveralValues) {
  const char* const needed =
      "line 10: several values, and nothing says when: `--- samples every 10s`";
  EXPECT_EQ(refusal(kMetric, "m 1 2\n", ""), needed);
  EXPECT_EQ(refusal(kMetric, "m 1 2\n", "every 0s"), needed);
  EXPECT_EQ(refusal(kMetric, "m 1\n", ""), "");
  EXPECT_EQ(refusal(kMetric, "m at 1s 4s: 1 2\n", ""), "");
}

TEST(RecordedArchive, IsThatOfTheHost) {
  const auto all = read(kMetric, "web1 m 1 2\n");
  ASSERT_TRUE(all);
  const auto archive = archive_of(all->front(), Version::v3);
  ASSERT_TRUE(archive) << archive.error().text();
  EXPECT_EQ((*archive)->host(), "web1");
  EXPECT_EQ((*archive)->start(), kEpoch);
}

TEST(RecordedArchive, CannotSayThatAHostDidNotAnswer) {
  const auto all = read(kMetric, "web1 m 1 !! 2\n");
  ASSERT_TRUE(all);
  const auto archive = archive_of(all->front(), Version::v3);
  ASSERT_FALSE(archive);
  EXPECT_EQ(archive.error().what(), "no archive holds that web1 did not answer (`!!`)");
}

}  // namespace
}  // namespace pmjit::cases
