// Strict expressions over a host, tick by tick: the compiler asks the host's catalog, the evaluator
// reads its feed. Values, rates, instances that come and go, a host that is down and comes back.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compiler/driver/driver.h"
#include "runtime/client/host_feed.h"
#include "runtime/exec/evaluation.h"
#include "tests/lib/lane_text.h"
#include "tests/unit/client_net/scripted_network.h"

namespace pmjit::test {
namespace {

using std::chrono::seconds;

class LiveEval : public testing::Test {
 protected:
  LiveEval() {
    network.collector.metrics["reads"] = {.desc = {.pmid = kReads,
                                                   .pm_type = pm_type::u32,
                                                   .indom = kDisks,
                                                   .semantics = Semantics::counter,
                                                   .units = Units{.dim_count = 1}}};
    network.collector.instances[kDisks] = {{0, "sda"}, {1, "sdb"}};
  }

  void begin(const std::string& expression) {
    program = compile({.expressions = {{"<test>", expression}}}, feeds.catalog(),
                      {.evaluator = EvaluatorChoice::interpreter, .on_grid = true, .reasons = true})
                  .program;
    ASSERT_TRUE(program);
    const FeedTimes times{.origin = {.sec = kStart + 1}, .step = kSecond};
    evaluation.emplace(
        program, feeds.catalog(),
        [this, times](std::vector<WantedMetric> wanted) {
          return feeds.open(std::move(wanted), times, rosters);
        },
        rosters, EvaluationOptions{.step = kSecond, .reasons = true});
  }

  // The result at the next tick, of these readings.
  std::string tick(std::vector<std::pair<int32_t, uint32_t>> values) {
    network.collector.metrics["reads"].values = std::move(values);
    while (true) {
      network.collector.time = stamp_from_nanos(clock.wall().time_since_epoch().count());
      const auto next = evaluation->next_wave(results);
      EXPECT_TRUE(next) << next.error().text();
      if (!next || *next == Feed::Next::end) return "end";
      if (*next == Feed::Next::wave) return text();
      feeds.wait(evaluation->due());
    }
  }

  std::string text() {
    const Column& column = results.columns[0];
    const Row& row = column.rows[0];
    std::string out = fmt::format("{}s", results.times[0].sec - kStart);
    if (row.status != kKnown) return out + fmt::format(" ?({})", row.status);
    const auto instances = rosters.instances(row.roster_id);
    for (size_t i = 0; i < instances.size(); ++i) {
      const auto name = evaluation->names().instance_name(kDisks, instances[i], results.times[0]);
      out += " " + (instances[i] == kSingular ? std::string() : name.value_or("?") + "=");
      out += column.is_valid(row.offset + i) ? cases::lane_text(column, row.offset + i) : "?";
    }
    return out;
  }

  FakeClock clock{{.now = {}, .wall = WallTime(seconds(kStart)), .boot = {}}};
  ScriptedNetwork network{clock};
  ClientSettings settings{.reconnect_delays = {seconds(1)}, .jitter_seed = 1};
  HostClient client{network, *parse_host_spec("web1"), settings};
  HostContext context{client};
  HostFeeds feeds{context};
  Rosters rosters;
  std::shared_ptr<const Program> program;
  std::optional<Evaluation> evaluation;
  ResultBlock results;
};

TEST_F(LiveEval, RatesFollowTheHost) {
  begin("rate(reads)");
  const std::string first = fmt::format(" ?({})", int{kFirstSample});
  EXPECT_EQ(tick({{0, 100}, {1, 7}}), "1s" + first);
  EXPECT_EQ(tick({{0, 110}, {1, 7}}), "2s sda=10 sdb=0");
  EXPECT_EQ(tick({{0, 130}}), "3s sda=20") << "a disk has gone";
  network.collector.instances[kDisks] = {{0, "sda"}, {2, "sdc"}};
  EXPECT_EQ(tick({{0, 131}, {2, 50}}), "4s sda=1") << "another has come";
  EXPECT_EQ(tick({{0, 133}, {2, 51}}), "5s sda=2 sdc=1");
  network.hang_up();
  network.refuses = true;
  EXPECT_EQ(tick({{0, 140}, {2, 60}}), fmt::format("6s ?({})", int{kHostDown}));
  network.refuses = false;
  const std::string down = fmt::format(" ?({})", int{kHostDown});
  std::string line = down;
  uint32_t ticks = 0;
  const auto next = [&] {
    line = tick({{0, 200 + 5 * ticks}, {2, 60 + 3 * ticks}});
    ++ticks;
  };
  while (ticks < 5 && line.ends_with(down)) next();
  EXPECT_EQ(line.substr(2), first) << "nothing is known of the time between";
  next();
  EXPECT_EQ(line.substr(2), " sda=5 sdc=3");
}

TEST_F(LiveEval, SumsAreOfWhatIsThere) {
  begin("sum(rate(reads))");
  EXPECT_EQ(tick({{0, 100}, {1, 7}}), fmt::format("1s ?({})", int{kFirstSample}));
  EXPECT_EQ(tick({{0, 101}, {1, 9}}), "2s 3");
  EXPECT_EQ(tick({{0, 105}}), "3s 4");
}

}  // namespace
}  // namespace pmjit::test
