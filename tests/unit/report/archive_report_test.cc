// Lengths, sizes, lines of blocks, and the summary of an archive as text.
#include "runtime/report/archive_info/archive_report.h"

#include <gtest/gtest.h>

#include "runtime/report/text/human_text.h"

namespace pmjit {
namespace {

Stamp at(int64_t sec) { return {.sec = sec}; }

TEST(Quantities, Durations) {
  EXPECT_EQ(human_duration(0), "0 s");
  EXPECT_EQ(human_duration(0.0000025), "2.5 us");
  EXPECT_EQ(human_duration(0.25), "250 ms");
  EXPECT_EQ(human_duration(0.99999), "1 s");
  EXPECT_EQ(human_duration(1.5), "1.5 s");
  EXPECT_EQ(human_duration(59.97), "1 min");
  EXPECT_EQ(human_duration(70), "1 min 10 s");
  EXPECT_EQ(human_duration(3'599.7), "1 h");
  EXPECT_EQ(human_duration(86'399), "1 d");
  EXPECT_EQ(human_duration(93'784), "1 d 2 h");
  EXPECT_EQ(human_duration(-10), "-10 s");
}

TEST(Quantities, Sizes) {
  EXPECT_EQ(human_bytes(0), "0 B");
  EXPECT_EQ(human_bytes(999), "999 B");
  EXPECT_EQ(human_bytes(1'000), "1 kB");
  EXPECT_EQ(human_bytes(10'440), "10.4 kB");
  EXPECT_EQ(human_bytes(999'600), "1 MB");
  EXPECT_EQ(human_bytes(288'380'968), "288 MB");
  EXPECT_EQ(human_bytes(UINT64_MAX), "18.4 EB");
}

TEST(Timeline, DataAndGaps) {
  const TimeSpan all{at(0), at(100)};
  const std::vector<Gap> gaps = {{.from = at(20), .to = at(45)}, {.from = at(71), .to = at(72)}};
  EXPECT_EQ(timeline(all, {.span = all, .gaps = {}}, 10), "██████████");
  EXPECT_EQ(timeline(all, {.span = all, .gaps = gaps}, 10), "██░·▒██▓██");
  EXPECT_EQ(timeline(all, {.span = {at(50), at(60)}, .gaps = gaps}, 10), "·····█░···");
  EXPECT_EQ(timeline({at(5), at(5)}, {.span = {at(5), at(5)}, .gaps = {}}, 3), "█··");
}

ArchiveSummary example() {
  ArchiveSummary out{.host = "h\x1b[1m"};
  out.members.push_back({.name = "a", .timezone = "UTC", .pid = 7});
  out.members[0].volumes.push_back({.file = {.path = "a.0", .bytes = 2'000, .stored = 1'000}});
  out.span = TimeSpan{at(0), at(100)};
  out.records = 3, out.values = 3, out.bytes = 80;
  out.gaps.push_back({.from = at(10), .to = at(100), .cause = GapCause::mark});
  out.metrics.push_back({.name = "m", .pmid = 0x0f000401, .records = 3, .values = 3, .bytes = 60});
  out.groups.push_back(
      {.metrics = {0}, .records = 3, .values = 3, .bytes = 80, .interval = std::nullopt});
  out.left_out.push_back({.name = "b", .why = "it begins before a ends"});
  return out;
}

TEST(ArchiveText, HasNoControlCharactersAndKeepsToItsWidth) {
  const std::string text = archive_text(example(), {.zone = Zone("UTC"), .width = 60});
  EXPECT_EQ(text.find('\x1b'), text.npos);
  EXPECT_NE(text.find("data 2 kB (stored in 1 kB) in 1 volume"), text.npos) << text;
  EXPECT_NE(text.find("1970-01-01T00:00:10Z  1970-01-01T00:01:40Z  1 min 30 s  mark"), text.npos);
}

TEST(ArchiveText, AnArchiveWithoutRecords) {
  ArchiveSummary empty{.host = "h"};
  empty.damage.push_back(Error(Fault::format, "broken").at("file", "a.0"));
  const std::string text = archive_text(empty, {.zone = Zone("UTC"), .width = 60});
  EXPECT_NE(text.find("there is no record that can be read"), text.npos);
  EXPECT_NE(text.find("damage\nfile a.0: broken\n"), text.npos);
}

TEST(ArchiveJson, OneObject) {
  EXPECT_EQ(
      archive_json(example(), {}),
      R"({"host":"h\u001b[1m","first":"1970-01-01T00:00:00Z","last":"1970-01-01T00:01:40Z",)"
      R"("seconds":100,"records":3,"marks":0,"values":3,"record_bytes":80,)"
      R"("metrics_described":0,"metrics_undescribed":0,)"
      R"("interval":null,"archives":[{"name":"a","version":3,"pid":7,"timezone":"UTC",)"
      R"("metadata":{"path":"","bytes":0,"stored_bytes":0},"index":null,"volumes":[{"number":0,)"
      R"("path":"a.0","bytes":2000,"stored_bytes":1000,"records":0,"first":null,"last":null,)"
      R"("seconds":null}]}],"gaps":[{"from":"1970-01-01T00:00:10Z","to":"1970-01-01T00:01:40Z",)"
      R"("seconds":90,"cause":"mark"}],"more_gaps":false,"groups":[{"interval":null,"records":3,)"
      R"("values":3,"bytes":80,"metrics":["m"]}],"other_records":0,"metrics":[{"name":"m",)"
      R"("pmid":"60.1.1","records":3,"values":3,"errors":0,"bytes":60}],"domains":[],)"
      R"("warnings":[],"damage":[],"left_out":[{"archive":"b","why":"it begins before a ends"}]})"
      "\n");
}

}  // namespace
}  // namespace pmjit
