// Two hosts, one of them late, over a feed in memory and a clock that the test moves: which waves
// come when, what is in them, and what becomes of the late host's lanes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>

#include "compiler/driver/driver.h"
#include "runtime/base/clock.h"
#include "runtime/exec/evaluator.h"
#include "runtime/testing/case_recording.h"
#include "tests/lib/lane_text.h"
#include "tests/lib/memory_source.h"
#include "tests/unit/feeds/memory_feed.h"

namespace pmjit::tests {
namespace {

constexpr Nanos kSecond = 1'000'000'000, kMillisecond = 1'000'000;
constexpr HostId kWeb1{{0}}, kWeb2{{1}};

Stamp at(Nanos since_start) { return stamp_from_nanos(nanos(cases::kEpoch) + since_start); }

Stamp now_of(const Clock& clock) {
  return stamp_from_nanos(clock.wall().time_since_epoch().count());
}

// The metrics that both hosts have.
constexpr std::string_view kMetrics =
    "disk.reads  u64 counter count  indom=disk[sda sdb sdc]\n"
    "disk.queue  u32 instant count  indom=disk\n"
    "load        f64 instant none\n";

using Lane = std::pair<int32_t, uint64_t>;

// One metric in an answer: instances and values; or an error code.
struct Given {
  std::vector<Lane> lanes{};
  int32_t status = kKnown;
};

class Fleet {
 public:
  explicit Fleet(std::string_view expression) {
    const cases::Section metrics{
        .title = "metrics", .arguments = {}, .body = std::string(kMetrics)};
    recording_ = cases::read_recordings(&metrics, nullptr)->front();
    program_ =
        compile({.expressions = {{"<test>", std::string(expression)}}}, source_.catalog(),
                {.evaluator = EvaluatorChoice::interpreter, .on_grid = true, .reasons = true})
            .program;
    EXPECT_EQ(refuses_hosts(*program_), std::nullopt);
  }

  // What a host answers at `due` (seconds) when `after` has gone; per operand of the program.
  void answers(HostId host, int64_t due, Nanos after, const std::vector<Given>& metrics) {
    ScriptedAnswer out{
        .host_id = host, .due = at(due * kSecond), .arrives = at(due * kSecond + after)};
    out.answer.stamp = out.arrives;
    for (size_t i = 0; i < metrics.size(); ++i) {
      out.answer.columns.push_back(column_of(program_->operands[i], metrics[i]));
    }
    script_.push_back(std::move(out));
  }
  void fails(HostId host, int64_t due, Nanos after, int32_t status) {
    script_.push_back({.host_id = host,
                       .due = at(due * kSecond),
                       .arrives = at(due * kSecond + after),
                       .status = status});
  }

  // A line per wave: when it came, the time that was due, who is missing, and the lanes by host.
  // The clock moves by 100 ms; a wave may take until 500 ms after its time.
  std::string run(int64_t last_due) {
    std::vector<FleetMetric> metrics;
    for (const ProgramOperand& operand : program_->operands) {
      metrics.push_back(
          {.elem = program_->slots[operand.slot].elem, .singular = operand.desc.indom == kNullId});
    }
    FakeClock clock(
        {.now = {}, .wall = WallTime(std::chrono::seconds(cases::kEpoch.sec)), .boot = {}});
    MemoryFeed feed(clock, {.origin = at(0), .step = 10 * kSecond, .end = at(last_due * kSecond)},
                    500 * kMillisecond, FleetRows({kWeb1, kWeb2}, metrics, rosters_),
                    std::move(script_));
    Evaluator evaluator(program_, source_.catalog(), rosters_,
                        {.step = 10 * kSecond, .reasons = true});
    std::string out;
    Wave wave;
    ResultBlock results;
    while (true) {
      evaluator.give_back(wave, results);
      const auto next = feed.next(wave);
      EXPECT_TRUE(next.has_value());
      if (*next == Feed::Next::end) return out;
      if (*next == Feed::Next::nothing_yet) {
        EXPECT_GT(feed.due(), now_of(clock));
        clock.advance(std::chrono::milliseconds(100));
        continue;
      }
      const std::string head = head_of(wave, now_of(clock));
      evaluator.step(wave, results);
      out += head + lanes_of(results) + "\n";
    }
  }

 private:
  Column column_of(const ProgramOperand& operand, const Given& given) {
    Column out;
    out.elem = program_->slots[operand.slot].elem;
    const size_t bytes = elem_bytes(out.elem);
    std::vector<int32_t> instances;
    for (const auto& [instance, value] : given.lanes) {
      const auto number = static_cast<double>(value);
      const uint64_t where = out.grow(1);
      std::memcpy(out.values.data() + where * bytes,
                  out.elem == Elem::f64 ? static_cast<const void*>(&number) : &value, bytes);
      instances.push_back(instance);
    }
    out.rows.push_back({.roster_id = rosters_.intern(instances), .status = given.status});
    return out;
  }

  static std::string head_of(const Wave& wave, Stamp now) {
    const auto since = [](Stamp stamp) {
      return static_cast<int64_t>((nanos(stamp) - nanos(cases::kEpoch)) / kMillisecond);
    };
    std::string out = fmt::format("{}ms of {}s{}{}", since(now), since(wave.groups[0].t) / 1000,
                                  wave.last ? " last" : "", wave.late ? " late" : "");
    for (const MissingHost& host : wave.missing) {
      out += fmt::format(" -web{}({})", host.host_id.index + 1, host.status);
    }
    return out + ":";
  }

  std::string lanes_of(const ResultBlock& results) const {
    const Column& column = results.columns[0];
    const Row& row = column.rows[0];
    std::string out;
    for (const RosterSegment& host : rosters_.segments(row.roster_id)) {
      out += fmt::format(" web{}", host.host_id.index + 1);
      for (uint32_t lane = 0; lane < host.lanes; ++lane) {
        const uint64_t index = row.offset + host.first_lane + lane;
        const int32_t instance = rosters_.instances(host.roster_id)[lane];
        out += fmt::format(" {}=", instance);
        out += row.status == kKnown && column.is_valid(index) ? cases::lane_text(column, index)
                                                              : reason(results, row, index);
      }
    }
    return out;
  }

  static std::string reason(const ResultBlock& results, const Row& row, uint64_t index) {
    return fmt::format("?({})", row.status != kKnown ? row.status : results.reasons[0].at(index));
  }

  cases::CaseRecording recording_;
  cases::MemorySource source_{recording_};
  std::shared_ptr<const Program> program_;
  Rosters rosters_;
  std::vector<ScriptedAnswer> script_;
};

// 13 is kHostDown, 4 kFirstSample.
TEST(Fleet, OneLateHostIsMissingAndItsRateResumes) {
  Fleet fleet("rate(disk.reads)");
  // 0 s: both, one after the other. 10 s: web2 is late. 20 s and 30 s: it is back.
  fleet.answers(kWeb1, 0, 0, {{.lanes = {{0, 100}, {1, 200}}}});
  fleet.answers(kWeb2, 0, 200 * kMillisecond, {{.lanes = {{0, 10}}}});
  fleet.answers(kWeb1, 10, 100 * kMillisecond, {{.lanes = {{0, 200}, {1, 250}}}});
  fleet.answers(kWeb2, 10, 800 * kMillisecond, {{.lanes = {{0, 20}}}});
  fleet.answers(kWeb1, 20, 100 * kMillisecond, {{.lanes = {{0, 300}, {1, 300}}}});
  fleet.answers(kWeb2, 20, 100 * kMillisecond, {{.lanes = {{0, 30}, {2, 7}}}});
  fleet.answers(kWeb1, 30, 100 * kMillisecond, {{.lanes = {{0, 400}}}});
  fleet.answers(kWeb2, 30, 100 * kMillisecond, {{.lanes = {{0, 50}, {2, 17}}}});
  EXPECT_EQ(fleet.run(30),
            "0ms of 0s -web2(13): web1 0=?(4) 1=?(4) web2\n"
            "200ms of 0s last: web1 0=?(4) 1=?(4) web2 0=?(4)\n"
            "10100ms of 10s -web2(13): web1 0=10 1=5 web2 0=?(13)\n"
            "10500ms of 10s last -web2(13): web1 0=10 1=5 web2 0=?(13)\n"
            "20100ms of 20s last: web1 0=10 1=5 web2 0=?(4)\n"
            "30100ms of 30s last: web1 0=10 web2 0=2 2=1\n");
}

TEST(Fleet, ReasonsAreThoseOfTheHostAndOfItsMetric) {
  Fleet fleet("disk.queue + disk.queue * 2");
  fleet.answers(kWeb1, 0, 0, {{.lanes = {{0, 1}, {1, 2}}}});
  fleet.answers(kWeb2, 0, 0, {{.lanes = {{1, 5}}}});
  fleet.answers(kWeb1, 10, 0, {{.status = cases::kErrorCode}});
  fleet.fails(kWeb2, 10, 100 * kMillisecond, -12366);
  fleet.answers(kWeb1, 20, 0, {{.lanes = {}}});
  fleet.answers(kWeb2, 20, 0, {{.lanes = {{1, 6}, {2, 7}}}});
  EXPECT_EQ(fleet.run(20),
            "0ms of 0s last: web1 0=3 1=6 web2 1=15\n"
            "10000ms of 10s -web2(13): web1 0=?(-12387) 1=?(-12387) web2 1=?(13)\n"
            "10100ms of 10s last -web2(-12366): web1 0=?(-12387) 1=?(-12387) web2 1=?(-12366)\n"
            "20000ms of 20s last: web1 web2 1=18 2=21\n");
}

TEST(Fleet, SingularMetricsHaveALanePerHost) {
  Fleet fleet("delta(load) > 1");
  fleet.answers(kWeb1, 0, 0, {{.lanes = {{kSingular, 1}}}});
  fleet.answers(kWeb2, 0, 0, {{.lanes = {{kSingular, 4}}}});
  fleet.answers(kWeb1, 10, 0, {{.lanes = {{kSingular, 5}}}});
  fleet.answers(kWeb2, 10, 0, {{.lanes = {}}});
  fleet.answers(kWeb1, 20, 0, {{.lanes = {{kSingular, 5}}}});
  EXPECT_EQ(fleet.run(20),
            "0ms of 0s last: web1 -1=?(4) web2 -1=?(4)\n"
            "10000ms of 10s last: web1 -1=1 web2 -1=?(5)\n"
            "20000ms of 20s -web2(13): web1 -1=0 web2 -1=?(13)\n"
            "20500ms of 20s last -web2(13): web1 -1=0 web2 -1=?(13)\n");
}

// What needs one list of instances says so, and is not evaluated wrongly.
TEST(Fleet, RefusesWhatKnowsOneHostOnly) {
  const cases::Section metrics{.title = "metrics", .arguments = {}, .body = std::string(kMetrics)};
  const cases::CaseRecording recording = cases::read_recordings(&metrics, nullptr)->front();
  const cases::MemorySource source(recording);
  for (const char* text : {"sum(disk.queue)", "disk.queue > load", "known(disk.queue)",
                           "disk.queue > 3 ? disk.queue : disk.reads"}) {
    const Compilation made = compile({.expressions = {{"<test>", text}}}, source.catalog(),
                                     {.evaluator = EvaluatorChoice::interpreter});
    if (!made.ok()) continue;
    const auto refused = refuses_hosts(*made.program);
    ASSERT_TRUE(refused) << text;
    EXPECT_NE(refused->text().find("not evaluated over several hosts"), std::string::npos);
  }
}

}  // namespace
}  // namespace pmjit::tests
