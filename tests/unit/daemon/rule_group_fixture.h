// RuleGroupTest: a [[rules]] block at work over scripted hosts and a clock that moves by what
// happens.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <thread>
#include <tuple>
#include "rules/daemon/generation.h"
#include "rules/daemon/overflow_watch.h"
#include "rules/daemon/rule_group.h"
#include "tests/unit/client_net/scripted_network.h"

namespace pmjit {

using namespace std::chrono_literals;
using test::kStart;

class RuleGroupTest : public testing::Test {
 protected:
  RuleGroupTest() {
    std::string name = testing::TempDir() + "pmjit_group_XXXXXX";
    folder_ = ::mkdtemp(name.data());
    config.fetch = {.connect_timeout = 5s, .backoff = 1s, .backoff_max = 60s, .connections = 100};
    config.alerts = {.stale = 5min, .label_host = "host", .label_instance = "instname", .max = 100};
    config.host_down = {.hold_for = 30s};
    config.sinks.push_back({.name = "am"});
  }
  ~RuleGroupTest() override { std::filesystem::remove_all(folder_); }

  void add_host(const std::string& name) {
    test::ScriptedCollector& host = scripted_[name];
    host.metrics["load"] = {
        .desc = {.pmid = 1, .pm_type = pm_type::u32, .semantics = Semantics::instant},
        .values = {{kSingular, 1}}};
    config.hosts.push_back({.name = name, .spec = name, .labels = {{"host", name}}});
  }

  // Strict rules of that interval, and an alert of each of them.
  void open(std::chrono::seconds interval, const std::string& rules, RuleAlertBlock alert = {}) {
    open_text(interval,
              fmt::format("// pmjit: dialect=strict\ndelta = {} sec;\n{}", interval.count(), rules),
              std::move(alert));
  }
  void open_text(std::chrono::seconds interval, const std::string& text,
                 RuleAlertBlock alert = {}) {
    const RuleBlock read = read_block(interval, text, std::move(alert));
    GroupWorld world{
        .post = [this](StateBatch batch) { posted.append(std::move(batch)); },
        .act = [this](const std::string& rule, const std::string& host,
                      const std::vector<ActionPlan>& plans) { note_acts(rule, host, plans); },
        .log = [this](LogLevel, const std::string& message, const auto&) { log += message + "\n"; },
        .stop = [this] { return stops; },
        .network =
            [this](const Clock&) {
              auto made = std::make_unique<test::ScriptedNetwork>(clock);
              made->others = scripted_;
              made->refuses = all_down;
              network = made.get();
              return made;
            },
        .board = board,
        .metrics = metrics};
    group = std::make_unique<RuleGroup>(read, setup(), world, clock);
    const auto opened = group->open();
    ASSERT_TRUE(opened) << opened.error().text();
  }

  RuleBlock read_block(std::chrono::seconds interval, const std::string& text,
                       RuleAlertBlock alert = {}) {
    const std::string path = folder_ + "/rules.pmie";
    std::ofstream(path) << text;
    alert.glob = "*";
    RulesBlock block{.files = {path}, .interval = interval, .alerts = {alert}};
    if (!second_file.empty()) {
      block.files.push_back(folder_ + "/second.pmie");
      std::ofstream(block.files.back()) << second_file;
    }
    for (uint32_t i = 0; i < config.hosts.size(); ++i) block.host_ids.push_back(i);
    config.rules = {block};
    ConfigProblems problems;
    auto blocks = read_rule_blocks(config, problems);
    EXPECT_FALSE(problems.has_errors()) << problems.text();
    return blocks.front();
  }

  // Before open().
  test::ScriptedCollector& scripted(const std::string& host) { return scripted_.at(host); }

  [[nodiscard]] GroupSetup setup() const {
    GroupSetup out{.config = std::make_shared<DaemonConfig>(config)};
    for (uint32_t i = 0; i < config.hosts.size(); ++i) out.watched.push_back(i);
    return out;
  }

  void set_load(const std::string& host, uint32_t load) {
    network->of(host).metrics["load"].values[0].second = load;
  }

  // Hosts tell the time of the clock, so it moves along in small steps.
  void run_for(std::chrono::seconds time) {
    const Instant end = clock.now() + time;
    while (clock.now() < end) {
      for (auto& [name, host] : network->others) {
        host.time = stamp_from_nanos(clock.wall().time_since_epoch().count());
      }
      group->run_round();
    }
  }

  // It waits for a clock that somebody else moves. Then it is stopped.
  // `then`: what happens so long after its start.
  void run_in_its_thread(std::chrono::seconds time,
                         std::map<std::chrono::seconds, std::function<void()>> then = {}) {
    group->start();
    const Instant begin = clock.now(), end = begin + time;
    while (clock.now() < end) {
      while (!then.empty() && clock.now() >= begin + then.begin()->first) {
        then.begin()->second();
        then.erase(then.begin());
      }
      clock.advance(100ms);
      // It may wait for the next step already.
      for (int i = 0; i < 20 && group->alive_at() < clock.now(); ++i) {
        std::this_thread::sleep_for(1ms);
      }
    }
    std::atomic<bool> stopped = false;
    std::thread stopping([&] {
      (void)group->stop();
      stopped = true;
    });
    while (!stopped) {
      clock.advance(100ms);
      std::this_thread::sleep_for(1ms);
    }
    stopping.join();
  }

  // So often, or one time more or less, is each host asked for values in the next so many seconds.
  void expect_fetches(int64_t count, std::chrono::seconds time) {
    for (auto& [name, host] : network->others) host.log.clear();
    run_for(time);
    for (auto& [name, host] : network->others) {
      const int64_t found = std::ranges::count_if(host.log, [](const std::string& pdu) {
        return pdu == "FETCH" || pdu == "HIGHRES_FETCH";
      });
      EXPECT_GE(found, count - 1) << name;
      EXPECT_LE(found, count + 1) << name;
    }
  }

  // `second event rule host[instance]`, a line each; of the time since the start.
  std::string history() {
    std::string out;
    for (const HistoryEntry& entry : posted.history) {
      const auto since = entry.at - WallTime(std::chrono::seconds(kStart));
      const std::string& instance = entry.key.instance;
      out += fmt::format(
          "{} {} {} {}{}{}\n", std::chrono::duration_cast<std::chrono::seconds>(since).count(),
          entry.event, entry.key.rule, entry.key.host, instance.empty() ? "" : "[" + instance + "]",
          entry.reason.empty() ? "" : " (" + entry.reason + ")");
    }
    posted.history.clear();
    return out;
  }

  // The sum of a metric over its labels.
  double counted(const std::string& name) {
    double out = 0;
    const std::string text = metrics.text();
    for (size_t at = 0, end = 0; at < text.size(); at = end + 1) {
      end = text.find('\n', at);
      const std::string_view line(text.data() + at, end - at);
      if (!line.starts_with("pmjit_" + name)) continue;
      const char next = line[6 + name.size()];
      if (next == ' ' || next == '{') out += std::stod(std::string(line.substr(line.rfind(' '))));
    }
    return out;
  }
  // Two disks, and how full they are.
  void add_disks(const std::string& host) {
    test::ScriptedCollector& to = scripted_.at(host);
    to.instances[test::kDisks] = {{0, "sda"}, {1, "sdb"}};
    to.metrics["used"] = {.desc = {.pmid = 3,
                                   .pm_type = pm_type::u32,
                                   .indom = test::kDisks,
                                   .semantics = Semantics::instant},
                          .values = {{0, 10}, {1, 10}}};
  }
  void set_used(const std::string& host, std::vector<std::pair<int32_t, uint32_t>> values) {
    network->of(host).metrics["used"].values = std::move(values);
  }
  // Each of a line; `!`: whatever holds it off.
  std::string take_acts() { return std::exchange(acts_, {}); }

  // Of times that were evaluated since the last call: all, and those that were at most 5 ms late.
  std::pair<int, int> ticks() {
    const std::string text = metrics.text();
    const auto value = [&](const std::string& row) {
      const size_t at = text.find(row);
      return at == text.npos ? 0 : std::atoi(text.c_str() + text.find(' ', at + row.size() - 1));
    };
    const std::pair now(value("pmjit_ticks_total{group=\"rules.pmie\"}"),
                        value("pmjit_tick_late_seconds_bucket{group=\"rules.pmie\",le=\"0.005\"}"));
    const std::pair out(now.first - ticks_.first, now.second - ticks_.second);
    ticks_ = now;
    return out;
  }

  FakeClock clock{{.now = {}, .wall = WallTime(std::chrono::seconds(kStart)), .boot = {}}};
  DaemonConfig config;
  std::string second_file{};  // of rules, beside the first one; empty: there is none
  AlertBoard board;
  MetricSheet metrics;
  StateBatch posted;
  std::string log;
  bool stops = false;
  bool all_down = false;  // before open()
  std::unique_ptr<RuleGroup> group;
  test::ScriptedNetwork* network = nullptr;  // the group's

 private:
  // Of one rule on a host and one time there is one job: its performer leaves others out.
  void note_acts(const std::string& rule, const std::string& host,
                 const std::vector<ActionPlan>& plans) {
    EXPECT_TRUE(jobs_.emplace(rule, host, plans.front().when).second) << rule << " on " << host;
    for (const ActionPlan& plan : plans) {
      for (const PlannedAction& action : plan.steps) {
        acts_ += fmt::format("{} {} {} {}{}: {}\n", std::llround(plan.when) - kStart, rule, host,
                             action.verb, plan.begins ? "!" : "", action.text.value_or(""));
      }
    }
  }

  std::string folder_, acts_;
  std::set<std::tuple<std::string, std::string, double>> jobs_;
  std::map<std::string, test::ScriptedCollector> scripted_;  // until the network is made
  std::pair<int, int> ticks_{};
};

}  // namespace pmjit
