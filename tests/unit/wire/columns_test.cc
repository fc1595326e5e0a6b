// Results as columns, and results made of values.
#include <gtest/gtest.h>

#include <cstring>

#include "runtime/model/fetched_values.h"
#include "runtime/model/pm_codes.h"
#include "runtime/wire/result_columns.h"
#include "runtime/wire/result_encoder.h"
#include "tests/unit/wire/round_trip.h"
#include "tests/unit/wire/wire_files.h"

namespace pmjit::wire {
namespace {

constexpr Stamp kWhen{.sec = 1'795'195'902, .nsec = 970'627'000};

template <class T>
Bytes bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}
Bytes bytes_of_text(std::string_view text) { return std::as_bytes(std::span(text)); }

FetchedSet blocks(PmId pmid, uint8_t type, std::vector<std::pair<int32_t, Bytes>> values) {
  FetchedSet set{
      .pmid = pmid, .count = static_cast<int32_t>(values.size()), .format = ValueFormat::block};
  for (const auto& [instance, block] : values) {
    set.values.push_back({.instance = instance, .type = type, .block = block});
  }
  return set;
}

std::vector<std::byte> made(PduType type, std::span<const FetchedSet> sets) {
  ResultEncoder encoder(type, result_time(type, kWhen));
  for (const FetchedSet& set : sets) encoder.add(set);
  ByteWriter out;
  const size_t bytes = encoder.bytes();
  encoder.finish(0, out);
  EXPECT_EQ(out.size(), bytes);
  return out.take();
}

struct Plan {
  Rosters rosters{};
  ResultColumns results{rosters};
  Block block{};

  explicit Plan(std::initializer_list<Desc> descs) {
    for (const Desc& desc : descs) results.add_metric(desc, *elem_from_pm(desc.pm_type));
    results.prepare(block);
  }
};

TEST(WireColumns, EveryTypeGoesIntoItsColumn) {
  const uint64_t big = UINT64_MAX - 1;
  const double real = 2.5;
  const float small = 0.25F;
  const int64_t negative = -7;
  const std::vector<FetchedSet> sets = {
      blocks(6, pm_type::string, {{-1, bytes_of_text(std::string_view("hullo\0", 6))}}),
      {.pmid = 1, .count = 2, .values = {{.instance = 4, .word = 40}, {.instance = 9, .word = 90}}},
      blocks(2, pm_type::u64, {{-1, bytes_of(big)}}),
      blocks(3, pm_type::f64, {{4, bytes_of(real)}, {9, bytes_of(real)}}),
      blocks(4, pm_type::f32, {{-1, bytes_of(small)}}),
      blocks(5, pm_type::i64, {{-1, bytes_of(negative)}}),
      blocks(7, pm_type::aggregate, {{-1, bytes_of_text("abc")}}),
  };
  for (const PduType type : {PduType::result, PduType::highres_result}) {
    const auto bytes = made(type, sets);
    EXPECT_TRUE(round_trip(bytes, {}).decoded) << round_trip(bytes, {}).text;
    Plan plan({{.pmid = 1, .pm_type = pm_type::i32, .indom = 1},
               {.pmid = 2, .pm_type = pm_type::u64},
               {.pmid = 3, .pm_type = pm_type::f64, .indom = 1},
               {.pmid = 4, .pm_type = pm_type::f32},
               {.pmid = 5, .pm_type = pm_type::i64},
               {.pmid = 6, .pm_type = pm_type::string},
               {.pmid = 7, .pm_type = pm_type::aggregate}});
    const auto stamp = plan.results.append(bytes, plan.block);
    ASSERT_TRUE(stamp) << stamp.error().text();
    EXPECT_EQ(*stamp, kWhen);
    const auto& columns = plan.block.columns;
    EXPECT_EQ(columns[0].values.as<int32_t>()[1], 90);
    EXPECT_EQ(columns[1].values.as<uint64_t>()[0], big);
    EXPECT_EQ(columns[2].values.as<double>()[1], real);
    EXPECT_EQ(columns[3].values.as<float>()[0], small);
    EXPECT_EQ(columns[4].values.as<int64_t>()[0], -7);
    EXPECT_EQ(columns[5].dictionary[columns[5].values.as<uint32_t>()[0]], "hullo");
    EXPECT_EQ(columns[6].dictionary[columns[6].values.as<uint32_t>()[0]], "abc");
    EXPECT_EQ(columns[0].rows[0].roster_id, columns[2].rows[0].roster_id);
    EXPECT_EQ(columns[1].rows[0].roster_id, Rosters::kSingularId);
  }
}

TEST(WireColumns, ErrorsMisfitsAndAbsentMetricsAreRows) {
  const double real = 1;
  const std::vector<FetchedSet> sets = {
      {.pmid = 9, .count = 1, .values = {{.word = 1}}},  // nobody asked
      {.pmid = 2, .count = pm_err::E_NOAGENT},
      {.pmid = 3, .count = 0},
      blocks(4, pm_type::f64, {{-1, bytes_of(real)}}),
      {.pmid = 1, .count = 1, .values = {{.word = 7}}},
      {.pmid = 1, .count = 1, .values = {{.word = 8}}},  // again
  };
  Plan plan({{.pmid = 1}, {.pmid = 2}, {.pmid = 3}, {.pmid = 4}, {.pmid = 5}});
  const auto bytes = made(PduType::highres_result, sets);
  ASSERT_TRUE(plan.results.append(bytes, plan.block));
  ASSERT_TRUE(plan.results.append(bytes, plan.block));
  EXPECT_EQ(plan.block.records.size(), 2u);
  const auto& columns = plan.block.columns;
  EXPECT_EQ(columns[0].values.as<int32_t>()[1], 7);
  EXPECT_EQ(columns[1].rows[1].status, pm_err::E_NOAGENT);
  EXPECT_EQ(columns[2].rows[1].status, 0);
  EXPECT_EQ(columns[2].rows[1].roster_id, Rosters::kNobodyId);
  EXPECT_EQ(columns[3].rows[1].status, pm_err::E_TYPE);
  EXPECT_EQ(columns[3].count, 0u);
  EXPECT_TRUE(columns[4].rows.empty());
}

TEST(WireColumns, WhatIsRefusedLeavesTheBlockAsItWas) {
  Plan plan({{.pmid = 1}});
  const std::vector<FetchedSet> sets = {{.pmid = 1, .count = 1, .values = {{.word = 7}}}};
  auto bytes = made(PduType::result, sets);
  bytes[16] = std::byte{0x7f};  // microseconds
  EXPECT_NE(plan.results.append(bytes, plan.block).error().text().find("nanoseconds"),
            std::string::npos);
  EXPECT_FALSE(plan.results.append(Bytes(bytes).first(20), plan.block));
  const auto error = bytes_of_hex("00000010 00007000 00000000 00000000");
  EXPECT_FALSE(plan.results.append(error, plan.block));
  EXPECT_TRUE(plan.block.records.empty());
}

// What real PCP recorded: events to host order and back, sets copied as they are.
TEST(WireColumns, ResultsAreMadeAgainFromTheirValues) {
  size_t results = 0;
  for (const RecordedPdu& recorded : recorded_pdus()) {
    const auto pdu = decode(recorded.bytes, recorded.channel);
    if (!pdu) continue;
    const auto* highres = std::get_if<HighresResultMessage>(&pdu->body);
    if (highres == nullptr) continue;
    Arena arena;
    ResultEncoder of_values(PduType::highres_result, {highres->seconds, highres->nanoseconds});
    const ResultSets& sets = highres->sets;
    for (const ValueSet& set : sets.layout.sets) {
      FetchedSet fetched;
      take_set(sets.head, sets.layout, set, arena, fetched, [](int32_t) { return true; });
      of_values.add(fetched);
    }
    ByteWriter out;
    of_values.finish(pdu->from, out);
    const auto again = decode(out.written(), recorded.channel);
    ASSERT_TRUE(again) << recorded.place << again.error().text();
    EXPECT_EQ(message_text(*again), message_text(*pdu)) << recorded.place;
    ++results;
  }
  EXPECT_GT(results, 20u);
}

}  // namespace
}  // namespace pmjit::wire
