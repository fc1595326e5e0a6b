// The Arrow stream byte by byte, and what cannot stand in one. tests/readers reads it with Arrow's
// own library.
#include <gtest/gtest.h>

#include <numeric>

#include "runtime/base/sanitized.h"
#include "runtime/report/arrow/value_columns.h"
#include "tests/unit/report/arrow_stream.h"
#include "tests/unit/report/fixture.h"

namespace pmjit {
namespace {

using Rows = std::vector<std::string>;
constexpr size_t kBatchRows = 64u << 10;

TEST(Arrow, ARowAKnownValueWithItsNames) {
  Lab lab;
  lab.block.times = {kNoon, {1'700'000'000, 250'000'001}};
  const size_t reads = lab.add_column({.name = "disk.read",
                                       .elem = Elem::u64,
                                       .semantics = Semantics::counter,
                                       .domain = kDiskDomain});
  const size_t big = lab.add_column({.name = "big", .elem = Elem::u32});
  const RosterId disks = lab.rosters.intern(std::vector<int32_t>{2, 0, 7});
  lab.add_row<uint64_t>(reads, disks, {5, UINT64_MAX, 0});
  lab.block.columns[reads].mark_invalid(0, 1);
  lab.add_row<uint64_t>(reads, Rosters::kNobodyId, {});
  lab.add_unknown(big, -12351);
  lab.add_row<uint32_t>(big, Rosters::kSingularId, {4'000'000'000});

  const std::string bytes = lab.print("arrow");
  const ArrowStream stream(bytes);
  EXPECT_EQ(stream.rows, (Rows{"1700000000000000000 app1 disk.read sda value=18446744073709551615",
                               "1700000000000000000 app1 disk.read [7] value=0",
                               "1700000000250000001 app1 big - value=4000000000"}));
  EXPECT_EQ(stream.metadata, "host=app1");
  ASSERT_EQ(stream.fields.size(), 5u);
  EXPECT_EQ(stream.fields[0].type, "timestamp");
  EXPECT_EQ(stream.fields[4].type, "u64");
  EXPECT_FALSE(stream.fields[4].nullable);
  EXPECT_EQ(stream.fields[4].metadata,
            R"(metrics=[{"name":"disk.read","type":"u64","semantics":"counter","units":"",)"
            R"("indom":"60.1"},{"name":"big","type":"u32","semantics":"instant","units":"",)"
            R"("indom":null}])");
  EXPECT_EQ(stream.messages.size(), 5u);  // schema, three dictionaries, a batch
}

TEST(Arrow, ValuesOfEveryType) {
  Lab lab;
  lab.block.times = {kNoon};
  const auto add = [&]<class T>(Elem elem, T value) {
    const size_t column =
        lab.add_column({.name = std::string(elem_text(elem)), .elem = elem, .domain = kNullId});
    lab.add_row<T>(column, Rosters::kSingularId, {value});
  };
  add(Elem::i32, INT32_MIN);
  add(Elem::u64, UINT64_MAX);
  add(Elem::i64, INT64_MIN);
  add(Elem::f32, 0.1f);
  add(Elem::f64, 5e-324);
  add(Elem::truth, uint8_t{1});
  lab.add_texts(lab.add_column({.name = "text", .elem = Elem::text}), {"zwölf"});
  lab.add_texts(lab.add_column({.name = "bytes", .elem = Elem::bytes}), {std::string("\0\xff", 2)});
  const std::string bytes = lab.print("arrow");
  const std::string at = "1700000000000000000 app1 ";
  EXPECT_EQ(
      ArrowStream(bytes).rows,
      (Rows{at + "i32 - value_int64=-2147483648", at + "u64 - value_uint64=18446744073709551615",
            at + "i64 - value_int64=-9223372036854775808",
            at + "f32 - value_float64=0.10000000149011612", at + "f64 - value_float64=5e-324",
            at + "truth - value_bool=true", at + "text - value_text=zwölf",
            at + "bytes - value_binary=" + std::string("\0\xff", 2)}));
}

TEST(Arrow, EachTimeOfALiveHostIsABatch) {
  Lab lab;
  const size_t load = lab.add_column({.name = "load", .elem = Elem::u32});
  std::string text;
  Sink sink(text);
  const auto writer = find_format("arrow")->make(sink, {});
  writer->begin({.infos = lab.infos,
                 .host = "app1",
                 .catalog = &lab.catalog,
                 .rosters = &lab.rosters,
                 .live = true});
  for (int64_t second = 0; second < 3; ++second) {
    const size_t before = text.size();
    lab.block.times = {{kNoon.sec + second, 0}};
    lab.block.columns[load].clear();
    lab.add_row<uint32_t>(load, Rosters::kSingularId, {7});
    ASSERT_TRUE(dynamic_cast<BlockWriter&>(*writer).write(lab.block));
    ASSERT_TRUE(sink.flush());
    EXPECT_GT(text.size(), before) << "it leaves at once";
  }
  ASSERT_TRUE(writer->end());
  const ArrowStream stream(text);
  EXPECT_EQ(stream.rows, (Rows{"1700000000000000000 app1 load - value=7",
                               "1700000001000000000 app1 load - value=7",
                               "1700000002000000000 app1 load - value=7"}));
  EXPECT_EQ(stream.messages.size(), 7u);  // schema, three dictionaries, three batches
}

std::string column_names(const std::vector<Elem>& elems) {
  std::vector<ResultInfo> infos;
  for (const Elem elem : elems) infos.push_back({.elem = elem});
  std::string out;
  for (const auto& column : arrow::value_columns(infos)) {
    out += (out.empty() ? "" : " ") + column.name + ":" + std::string(elem_text(column.elem));
  }
  return out;
}

TEST(Arrow, ATypeThatHoldsAllExactlyOrAColumnEach) {
  for (const Elem elem : {Elem::i32, Elem::u32, Elem::i64, Elem::u64, Elem::f32, Elem::f64,
                          Elem::truth, Elem::text, Elem::bytes}) {
    EXPECT_EQ(column_names({elem, elem}), "value:" + std::string(elem_text(elem)));
  }
  EXPECT_EQ(column_names({Elem::i32, Elem::u32}), "value:i64");
  EXPECT_EQ(column_names({Elem::i64, Elem::u32}), "value:i64");
  EXPECT_EQ(column_names({Elem::u64, Elem::u32}), "value:u64");
  EXPECT_EQ(column_names({Elem::f32, Elem::u32}), "value:f64");
  EXPECT_EQ(column_names({Elem::f32, Elem::f64, Elem::i32}), "value:f64");
  EXPECT_EQ(column_names({Elem::f64, Elem::u64}), "value_float64:f64 value_uint64:u64");
  EXPECT_EQ(column_names({Elem::f32, Elem::i64, Elem::u32}), "value_float32:f32 value_int64:i64");
  EXPECT_EQ(column_names({Elem::i32, Elem::u64}), "value_int64:i64 value_uint64:u64");
  EXPECT_EQ(column_names({Elem::truth, Elem::u32}), "value_bool:truth value_uint32:u32");
}

TEST(Arrow, WithoutAValueThereAreNoDictionaries) {
  Lab lab;
  lab.block.times = {kNoon};
  lab.add_unknown(lab.add_column({.name = "m"}), -12351);
  const std::string bytes = lab.print("arrow");
  EXPECT_EQ(ArrowStream(bytes).messages.size(), 1u);
}

// Every tick a hundred instances are there, and one of them is new.
TEST(Arrow, NamesThatComeLateAndDoNotStay) {
  constexpr size_t kTicks = kSanitized ? 1'000 : 3'000, kInstances = 100;
  constexpr size_t kBatches = kTicks * kInstances / kBatchRows + 1;
  Lab lab;
  const size_t column = lab.add_column({.name = "m", .elem = Elem::i32, .domain = kDiskDomain});
  lab.catalog.names.clear();
  Rows expected;
  for (size_t tick = 0; tick < kTicks; ++tick) {
    lab.block.times.push_back({static_cast<int64_t>(tick), 0});
    std::vector<int32_t> ids(kInstances);
    std::iota(ids.begin(), ids.end(), static_cast<int32_t>(tick));
    for (const int32_t id : ids) {
      lab.catalog.names[id] = "i" + std::to_string(id);
      const std::string time = tick == 0 ? "0" : std::to_string(tick) + "000000000";
      expected.push_back(time + " app1 m i" + std::to_string(id) + " value=" + std::to_string(id));
    }
    lab.add_row(column, lab.rosters.intern(ids), ids);
  }
  const std::string bytes = lab.print("arrow");
  const ArrowStream stream(bytes);
  ASSERT_EQ(stream.rows.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(stream.rows[i], expected[i]) << i;
  std::vector<size_t> batches(kBatches, kBatchRows);
  batches.back() = kTicks * kInstances % kBatchRows;
  EXPECT_EQ(stream.batch_rows, batches);
  ASSERT_EQ(stream.instance_names.size(), kBatches);
  for (const size_t names : stream.instance_names) EXPECT_LE(names, 1'600u);
}

TEST(Arrow, ADictionaryThatIsCompleteIsPutOnce) {
  Lab lab;
  const size_t column = lab.add_column({.name = "m", .elem = Elem::i32, .domain = kDiskDomain});
  const RosterId roster = lab.rosters.intern(std::vector<int32_t>{0, 1});
  for (size_t tick = 0; tick < kBatchRows; ++tick) {
    lab.block.times.push_back({static_cast<int64_t>(tick), 0});
    lab.add_row<int32_t>(column, roster, {1, 2});
  }
  const std::string bytes = lab.print("arrow");
  const ArrowStream stream(bytes);
  EXPECT_EQ(stream.batch_rows, (std::vector<size_t>{kBatchRows, kBatchRows}));
  EXPECT_EQ(stream.instance_names, (std::vector<size_t>{2}));
}

TEST(Arrow, ABatchOfLongTextsEndsEarly) {
  Lab lab;
  const size_t column = lab.add_column({.name = "t", .elem = Elem::text});
  const std::string long_text(3u << 20, 'x');
  for (int tick = 0; tick < 7; ++tick) {
    lab.block.times.push_back({tick, 0});
    lab.add_texts(column, {long_text});
  }
  const std::string bytes = lab.print("arrow");
  EXPECT_EQ(ArrowStream(bytes).batch_rows, (std::vector<size_t>{6, 1}));
}

// What a writer says of the block at hand, and what it has written when it ends.
struct Refusal {
  std::string message, bytes;
};
Refusal refusal(Lab& lab, const std::string& host) {
  Refusal out;
  Sink sink(out.bytes);
  const auto writer = make_arrow_writer(sink, {});
  writer->begin(
      {.infos = lab.infos, .host = host, .catalog = &lab.catalog, .rosters = &lab.rosters});
  const auto written = write(*writer, lab.block);
  EXPECT_FALSE(written);
  if (!written) out.message = written.error().text();
  (void)writer->end();  // a second message would be of the same
  return out;
}

TEST(Arrow, WhatIsNotUtf8IsRefused) {
  Lab lab;
  lab.block.times = {kNoon, {1'700'000'010, 0}};
  const size_t text = lab.add_column({.name = "t", .elem = Elem::text});
  lab.add_texts(text, {"fine"});
  lab.add_texts(text, {"not \xff fine"});
  const Refusal late = refusal(lab, "app1");
  EXPECT_EQ(late.message,
            "metric t: the text \"not \uFFFD fine\" is not UTF-8, as texts in Arrow are\n"
            "  help: -o csv has it byte by byte");
  EXPECT_EQ(ArrowStream(late.bytes).rows, (Rows{"1700000000000000000 app1 t - value=fine"}));

  const Refusal host = refusal(lab, "\xff");
  EXPECT_EQ(host.message.substr(0, host.message.find('\n')),
            "the name \"\uFFFD\" is not UTF-8, as texts in Arrow are");
  EXPECT_EQ(host.bytes, "");

  Lab disks;
  disks.block.times = {kNoon};
  disks.catalog.names[0] = "sd\xe4";
  const size_t reads = disks.add_column({.name = "m", .elem = Elem::i32, .domain = kDiskDomain});
  disks.add_row<int32_t>(reads, disks.rosters.intern(std::vector<int32_t>{0}), {1});
  EXPECT_EQ(refusal(disks, "app1").message.substr(0, 14), "instance of m:");
}

TEST(Arrow, ATimeBeyondNanosecondsIsRefused) {
  Lab lab;
  lab.block.times = {{9'223'372'036, 854'775'807}, {9'223'372'036, 854'775'808}};
  const size_t m = lab.add_column({.name = "m", .elem = Elem::i32});
  lab.add_row<int32_t>(m, Rosters::kSingularId, {1});
  lab.add_row<int32_t>(m, Rosters::kSingularId, {2});
  const Refusal got = refusal(lab, "app1");
  EXPECT_EQ(got.message,
            "2262-04-11T23:47:16.854775808Z is beyond the times of Arrow: 64 bits of nanoseconds "
            "are the years 1678 to 2262\n  help: -o csv has no such bound");
  EXPECT_EQ(ArrowStream(got.bytes).rows, (Rows{"9223372036854775807 app1 m - value=1"}));
}

}  // namespace
}  // namespace pmjit
