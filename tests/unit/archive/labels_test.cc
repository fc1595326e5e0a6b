// Label records: what is delivered for a time, what a dump shows, how levels merge. What the tests
// expect was seen with the real library and pmdumplog.
#include "runtime/archive/reader/labels.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "runtime/archive/reader/hash_order.h"
#include "tests/unit/archive/meta_file.h"

namespace pmjit::test {
namespace {

constexpr Stamp at(int64_t sec, int32_t nsec = 0) { return {1'600'000'000 + sec, nsec}; }

MetaFile meta() { return MetaFile().desc({"m"}, 1, 2); }

std::string delivered(const ArchiveLabels& labels, Stamp when) {
  std::string out;
  for (const LabelSet* set : labels.delivered(LabelType::instances, 2, when)) {
    out += fmt::format("{}{} ", set->instance, set->json);
  }
  return out;
}

std::string dumped(const ArchiveLabels& labels) {
  std::string out;
  for (const DumpedLabels& one : label_dump(labels)) {
    if (one.new_stamp) out += fmt::format("@{}.{} ", one.stamp.sec % 100, one.stamp.nsec);
    for (const LabelSet* set : one.sets) {
      out += fmt::format("{}:{}{} ", static_cast<uint32_t>(one.type), one.ident % 1000, set->json);
    }
  }
  return out;
}

MetaFile two_instances() {
  return meta()
      .labels(at(0), LabelType::instances, 2, {{1, {{"a", "1"}, {"b", "2"}}}, {2, {{"a", "1"}}}})
      .labels(at(1), LabelType::instances, 2, {{1, {{"b", "2"}, {"a", "1"}}}, {2, {{"a", "2"}}}})
      .labels(at(2), LabelType::instances, 2, {{2, {{"a", "2"}}}, {1, {{"b", "2"}, {"a", "1"}}}});
}

TEST(ArchiveLabels, WhatTheRecordBeforeSaidIsLeftOut) {
  const MetaFile file = two_instances();
  const Metadata metadata = file.metadata();
  EXPECT_EQ(delivered(metadata.labels, at(-1)), "");
  EXPECT_EQ(delivered(metadata.labels, at(0)), R"(1{"a":1,"b":2} 2{"a":1} )");
  EXPECT_EQ(delivered(metadata.labels, at(1)), R"(2{"a":2} )");
  EXPECT_EQ(delivered(metadata.labels, at(9)), R"(2{"a":2} )");  // nothing is left of the newest
  EXPECT_EQ(metadata.labels.find(LabelType::instances, 2, 1, at(1)), nullptr);
  EXPECT_EQ(metadata.labels.find(LabelType::instances, 2, 2, at(1))->json, R"({"a":2})");
  EXPECT_EQ(metadata.labels.newest(LabelType::instances, 2, at(9))->stamp, at(2));
  EXPECT_EQ(dumped(metadata.labels), R"(@0.0 32:2{"a":1,"b":2} 32:2{"a":1} @1.0 32:2{"a":2} )");
}

TEST(ArchiveLabels, OfOneStampTheFirstIsTheNewest) {
  MetaFile file = meta();
  for (const char* value : {"1", "2", "1", "1"}) {
    file.labels(at(1), LabelType::context, kContextIdent, {{kNoInstance, {{"x", value}}}});
  }
  file.labels(at(2), LabelType::context, 7, {{kNoInstance, {{"x", "1"}}}});
  const Metadata metadata = file.metadata();
  EXPECT_EQ(metadata.labels.find(LabelType::context, kContextIdent, kNoInstance, at(1))->json,
            R"({"x":1})");
  EXPECT_EQ(dumped(metadata.labels), R"(@1.0 1:295{"x":1} 1:295{"x":2} 1:295{"x":1} )");
}

TEST(ArchiveLabels, TheDumpsOrderOfTypesAndIdentifiers) {
  MetaFile file = meta();
  for (const Stamp stamp : {at(3), at(1)}) {
    for (const auto& [type, ident] : {std::pair{LabelType::instances, 2u},
                                      {LabelType::item, 5u},
                                      {LabelType::item, 1u},
                                      {LabelType::indom, 2u},
                                      {LabelType::cluster, 4u},
                                      {LabelType::domain, 9u}}) {
      const std::string value = fmt::format("{}", stamp.sec % 10);
      file.labels(stamp, type, ident, {{kNoInstance, {{"v", value}}}});
    }
  }
  const Metadata metadata = file.metadata();
  EXPECT_EQ(dumped(metadata.labels),
            R"(@1.0 2:9{"v":1} 8:4{"v":1} 16:1{"v":1} 16:5{"v":1} 4:2{"v":1} 32:2{"v":1} )"
            R"(@3.0 2:9{"v":3} 8:4{"v":3} 16:1{"v":3} 16:5{"v":3} 4:2{"v":3} 32:2{"v":3} )");
}

// The reference measures the first stamp from zero, where a double cannot tell them apart.
TEST(ArchiveLabels, TheFirstStampsOfADumpMayBeTooCloseToTell) {
  const auto dump_of = [](LabelType first, int32_t nsec, LabelType second, int32_t second_nsec) {
    const MetaFile file = meta()
                              .labels(at(1, nsec), first, 9, {{kNoInstance, {{"a", "1"}}}})
                              .labels(at(1, second_nsec), second, 9, {{kNoInstance, {{"a", "2"}}}});
    return dumped(file.metadata().labels);
  };
  EXPECT_EQ(dump_of(LabelType::item, 0, LabelType::domain, 100), R"(@1.100 2:9{"a":2} )");
  EXPECT_EQ(dump_of(LabelType::item, 100, LabelType::domain, 0),
            R"(@1.0 2:9{"a":2} @1.100 16:9{"a":1} )");
  EXPECT_EQ(dump_of(LabelType::item, 0, LabelType::domain, 1000),
            R"(@1.0 16:9{"a":1} @1.1000 2:9{"a":2} )");
}

TEST(ArchiveLabels, LevelsMerge) {
  const MetaFile file =
      meta()
          .labels(at(0), LabelType::context, kContextIdent,
                  {{kNoInstance, {{"b", "1"}, {"c", "2"}}}})
          .labels(at(0), LabelType::item, 1, {{kNoInstance, {{"a", "\"x\""}, {"c", "{\"d\":1}"}}}});
  const Metadata metadata = file.metadata();
  const LabelSet* sets[] = {
      metadata.labels.find(LabelType::context, kContextIdent, kNoInstance, at(0)), nullptr,
      metadata.labels.find(LabelType::item, 1, kNoInstance, at(0))};
  EXPECT_EQ(merge_label_sets(sets), R"({"a":"x","b":1,"c":{"d":1}})");
  EXPECT_EQ(merge_label_sets(std::span(sets).subspan(1, 1)), "");
  const HostnameLabel hostname("h.example");
  const LabelSet made = hostname.set();
  const LabelSet* with_host[] = {&made, sets[2]};
  EXPECT_EQ(merge_label_sets(with_host), R"({"a":"x","c":{"d":1},"hostname":"h.example"})");
  EXPECT_EQ(made.json, R"({"hostname":"h.example"})");
}

TEST(ArchiveLabels, EntriesThatPointOutsideTheText) {
  const LabelSet set{.count = 1, .json = "{}"};
  EXPECT_EQ(set.name({.name_offset = 9, .name_length = 3}), "");
  EXPECT_EQ(set.value({.value_offset = 1, .value_length = 60'000}), "}");
}

}  // namespace
}  // namespace pmjit::test
