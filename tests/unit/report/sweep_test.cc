// Summaries of a sweep, beside a plain count of the same states; and its formats.
#include "runtime/report/sweep/sweep.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "runtime/report/sweep/sweep_summary.h"
#include "tests/unit/report/fixture.h"

namespace pmjit {
namespace {

constexpr int64_t kNoonSeconds = 1'700'000'000;

TEST(TruthRow, IsWhatALaneByLaneCountSays) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2'000; ++round) {
    Column column{.elem = Elem::truth};
    const uint64_t offset = random() % 130, lanes = random() % 200;
    column.grow(offset + lanes);
    for (uint64_t i = 0; i < offset + lanes; ++i) {
      const bool known = round % 3 == 0 || random() % 4 != 0;
      column.values.as<uint8_t>()[i] = static_cast<uint8_t>(known ? random() % 2 : random());
      if (!known) column.mark_invalid(i, 1);
    }
    std::vector<uint64_t> ever(bits::words_for(lanes), 0), wanted = ever;
    RowTruth plain;
    for (uint64_t i = 0; i < lanes; ++i) {
      const bool known = column.is_valid(offset + i);
      const bool yes = known && column.values.as<uint8_t>()[offset + i] != 0;
      plain.unknown += known ? 0 : 1;
      plain.trues += yes ? 1 : 0;
      if (yes) bits::set(wanted.data(), i);
    }
    const RowTruth found = fold_truths(column, offset, lanes, ever.data());
    ASSERT_EQ(found.trues, plain.trues);
    ASSERT_EQ(found.unknown, plain.unknown);
    ASSERT_EQ(ever, wanted);
  }
}

// A sweep of one point: rows of lanes 0, 1 and -1 (unknown), and an empty row where nobody is
// there.
struct Sweep : Lab {
  void add(int64_t at, const std::vector<int>& lanes, bool after_gap = false) {
    block.times.push_back({kNoonSeconds + at, 0});
    block.after_gap.push_back(after_gap);
    std::vector<int32_t> instances(lanes.size());
    for (size_t i = 0; i < lanes.size(); ++i) instances[i] = static_cast<int32_t>(i);
    Column& target = block.columns[0];
    const uint64_t first = target.count;
    add_row<uint8_t>(0, rosters.intern(instances), std::vector<uint8_t>(lanes.size()));
    for (size_t i = 0; i < lanes.size(); ++i) {
      target.values.as<uint8_t>()[first + i] = lanes[i] == 1;
      if (lanes[i] < 0) target.mark_invalid(first + i, 1);
    }
  }
  std::string print_as(std::string_view format) {
    std::string out;
    Sink sink(out);
    const auto writer = find_sweep_format(format)->make(
        sink, {.width = 120}, {.expression = "x > $t", .parameters = {"t"}, .values = {{"5"}}});
    writer->begin({.infos = infos, .host = "app1", .catalog = &catalog, .rosters = &rosters});
    EXPECT_TRUE(dynamic_cast<BlockWriter&>(*writer).write(block));
    EXPECT_TRUE(writer->end());
    return out;
  }
};

TEST(Sweep, CountsTimeUntilTheNextEvaluation) {
  Sweep sweep;
  sweep.add_column({.name = "x > 5", .elem = Elem::truth, .domain = kDiskDomain});
  sweep.add(0, {0, 0});
  sweep.add(10, {1, 0});
  sweep.add(20, {0, 1});   // another instance, one episode
  sweep.add(30, {0, -1});  // none is true, and one may be
  sweep.add(45, {1, -1});
  sweep.add(55, {1, 1, 1}, true);  // nothing is known before it
  sweep.add(65, {});               // nobody is there
  sweep.add(75, {1, 0});           // the last one stands for no time
  EXPECT_EQ(sweep.print_as("csv"),
            "$t,first,last,true_seconds,longest_seconds,episodes,instances_most,instances_ever,"
            "share_true,share_unknown,seconds\n"
            "5,2023-11-14T22:13:30Z,2023-11-14T22:14:35Z,30,20,4,3,3,"
            "0.46153846153846156,0.38461538461538464,65\n");
  EXPECT_EQ(sweep.print_as("json"),
            "{\"host\":\"app1\",\"expression\":\"x > $t\",\"parameters\":[\"t\"],"
            "\"indom\":\"60.1\",\"evaluations\":8}\n"
            "{\"values\":{\"t\":5},\"first\":\"2023-11-14T22:13:30Z\","
            "\"last\":\"2023-11-14T22:14:35Z\",\"true_seconds\":30,\"longest_seconds\":20,"
            "\"episodes\":4,\"instances_most\":3,\"instances_ever\":3,"
            "\"share_true\":0.46153846153846156,\"share_unknown\":0.38461538461538464,"
            "\"seconds\":65}\n");
}

TEST(Sweep, OfOneValueAndOfOneTime) {
  Sweep sweep;
  sweep.add_column({.name = "x > 5", .elem = Elem::truth});
  sweep.block.times.push_back({kNoonSeconds, 0});
  sweep.block.after_gap.push_back(0);
  sweep.add_unknown(0, kFirstSample);
  EXPECT_EQ(sweep.print_as("table"),
            "host app1, 2023-11-14T22:13:20Z, 1 time\nx > $t\nover 0 s\n\n"
            "$t  true  share  unknown  episodes  longest  first true  last true\n"
            " 5   0 s                         0      0 s  never\n");
}

// Rosters change, episodes come and go: the same from a plain loop over the states.
TEST(Sweep, IsWhatAPlainCountSays) {
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    Rosters rosters;
    InstanceNumbers numbers(rosters);
    SweepSummary summary;
    std::set<int32_t> ever;
    Nanos yes = 0, longest = 0, episode = 0;
    uint64_t episodes = 0, most = 0;
    bool was = false;
    for (int step = 0; step < 60; ++step) {
      std::vector<int32_t> instances;
      for (int32_t i = 0; i < 100; ++i) {
        if (random() % 8 != 0 || step % 7 != 0) instances.push_back(i);
      }
      Column column{.elem = Elem::truth};
      column.grow(instances.size());
      uint64_t trues = 0;
      const bool often = random() % 2 == 0;
      for (size_t i = 0; i < instances.size(); ++i) {
        const bool is = often && random() % 20 == 0;
        column.values.as<uint8_t>()[i] = is;
        trues += is ? 1 : 0;
        if (is) ever.insert(instances[i]);
      }
      const bool joined = step > 0 && random() % 9 != 0;
      const Nanos since = joined ? 1 + random() % 5 : 0;
      if (joined && was) {
        yes += since;
        episode += since;
        longest = std::max(longest, episode);
      }
      if (trues > 0 && (!joined || !was)) ++episodes, episode = 0;
      was = trues > 0;
      most = std::max(most, trues);
      summary.add({.time = {step, 0}, .joined = joined, .since = since}, column,
                  {.roster_id = rosters.intern(instances)}, rosters, numbers);
    }
    EXPECT_EQ(summary.true_time, yes);
    EXPECT_EQ(summary.longest, longest);
    EXPECT_EQ(summary.episodes, episodes);
    EXPECT_EQ(summary.most, most);
    EXPECT_EQ(summary.ever.count(), ever.size());
  }
}

}  // namespace
}  // namespace pmjit
