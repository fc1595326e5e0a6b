#include <gtest/gtest.h>

#include <cmath>

#include "runtime/report/reason.h"
#include "runtime/report/text/quoting.h"
#include "tests/unit/report/fixture.h"

namespace pmjit {
namespace {

TEST(Json, MetadataFirstThenAnObjectAValue) {
  Lab lab;
  lab.block.times = {{1'700'000'000, 0}};
  const size_t reads = lab.add_column({.name = "disk.read",
                                       .elem = Elem::u64,
                                       .semantics = Semantics::counter,
                                       .units = {.dim_space = 1, .scale_space = 1},
                                       .domain = kDiskDomain});
  const size_t odd = lab.add_column({.name = "odd", .elem = Elem::f64, .domain = kDiskDomain});
  const size_t hot = lab.add_column({.name = "hot", .elem = Elem::truth});
  const size_t text = lab.add_column({.name = "text", .elem = Elem::text});
  const size_t gone = lab.add_column({.name = "gone", .elem = Elem::i32});
  lab.add_row<uint64_t>(reads, lab.rosters.intern(std::vector<int32_t>{0, 2}), {17, 0});
  lab.block.columns[reads].mark_invalid(1, 1);
  lab.add_row<double>(odd, lab.rosters.intern(std::vector<int32_t>{0, 1, 2}),
                      {NAN, -INFINITY, 0.5});
  lab.add_row<uint8_t>(hot, Rosters::kSingularId, {1});
  lab.add_texts(text, {"a\"b\\c\n\x01\xc3\xa9\xff"});
  lab.add_unknown(gone, kFirstSample);
  const std::string t = "{\"time\":\"2023-11-14T22:13:20Z\",\"host\":\"app1\",\"metric\":";
  EXPECT_EQ(
      lab.print("json"),
      "{\"host\":\"app1\",\"metrics\":["
      "{\"name\":\"disk.read\",\"type\":\"u64\",\"semantics\":\"counter\",\"units\":\"Kbyte\","
      "\"indom\":\"60.1\"},"
      "{\"name\":\"odd\",\"type\":\"f64\",\"semantics\":\"instant\",\"units\":\"\",\"indom\":\"60."
      "1\"},"
      "{\"name\":\"hot\",\"type\":\"truth\",\"semantics\":\"instant\",\"units\":\"\",\"indom\":"
      "null},"
      "{\"name\":\"text\",\"type\":\"text\",\"semantics\":\"instant\",\"units\":\"\",\"indom\":"
      "null},"
      "{\"name\":\"gone\",\"type\":\"i32\",\"semantics\":\"instant\",\"units\":\"\",\"indom\":null}"
      "]}\n" +
          t + "\"disk.read\",\"instance\":\"sda\",\"value\":17}\n" + t +
          "\"disk.read\",\"instance\":\"x \\\"y\\\"\",\"value\":null}\n" + t +
          "\"odd\",\"instance\":\"sda\",\"value\":\"NaN\"}\n" + t +
          "\"odd\",\"instance\":\"sd,b\",\"value\":\"-inf\"}\n" + t +
          "\"odd\",\"instance\":\"x \\\"y\\\"\",\"value\":0.5}\n" + t +
          "\"hot\",\"instance\":null,\"value\":true}\n" + t +
          "\"text\",\"instance\":null,\"value\":\"a\\\"b\\\\c\\n\\u0001\xc3\xa9\xef\xbf\xbd\"}\n" +
          t +
          "\"gone\",\"instance\":null,\"value\":null,"
          "\"reason\":\"first sample: nothing to compare with\"}\n");
}

TEST(JsonText, DamagedUtf8IsReplaced) {
  EXPECT_EQ(json_text("\xed\xa0\x80"), "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");  // a surrogate
  EXPECT_EQ(json_text("\xc0\x80"), "\"\xef\xbf\xbd\xef\xbf\xbd\"");  // too long a form
  EXPECT_EQ(json_text("\xe2\x82"), "\"\xef\xbf\xbd\xef\xbf\xbd\"");  // cut short
  EXPECT_EQ(json_text("\xf0\x9f\x92\xbe"), "\"\xf0\x9f\x92\xbe\"");
  EXPECT_EQ(json_text(""), "\"\"");
}

TEST(Reason, OursAndTheReferences) {
  EXPECT_EQ(reason_text(kGap), "a gap in the recording");
  EXPECT_EQ(reason_text(-12351), "Missing metric value(s)");
  EXPECT_EQ(reason_text(4'711), "unknown");
}

TEST(None, CountsTheKnownValues) {
  Lab lab;
  lab.block.times = {{0, 0}, {1, 0}};
  const size_t a = lab.add_column({.name = "a", .elem = Elem::i32, .domain = kDiskDomain});
  const RosterId disks = lab.rosters.intern(std::vector<int32_t>{0, 1, 2});
  lab.add_row<int32_t>(a, disks, {1, 2, 3});
  lab.block.columns[a].mark_invalid(1, 1);
  lab.add_unknown(a, kGap);
  std::string out;
  Sink sink(out);
  const auto writer = make_none_writer(sink, {});
  writer->begin({.infos = lab.infos, .catalog = &lab.catalog, .rosters = &lab.rosters});
  ASSERT_TRUE(write(*writer, lab.block));
  EXPECT_EQ(writer->values(), 2u);
  ASSERT_TRUE(writer->end());
  EXPECT_EQ(out, "");
}

}  // namespace
}  // namespace pmjit
