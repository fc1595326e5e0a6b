// HostRules: rules of the dialect pmie over scripted hosts, tick by tick, and what is told of hosts
// and metrics meanwhile.
//
//   begin("a = load; b = disk > 4;");
//   EXPECT_EQ(tick(), "0sa: 7 b: false true");   when it was due, from the start, and the values
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "compiler/compat/pmie/rule_reader.h"
#include "compiler/compat/registry/derive.h"
#include "rules/compat/fetched_elements.h"
#include "rules/compat/host_sources.h"
#include "rules/compat/run.h"
#include "runtime/model/pm_codes.h"
#include "tests/unit/client_net/scripted_network.h"

namespace pmjit::test {

inline constexpr PmId kDisk = 0x0f000002;

class HostRules : public testing::Test, public pmie::RuleReader::Messages {
 protected:
  struct As {
    bool retries = true;   // as pmie does
    bool follows = false;  // metrics, as pmjit does
  };
  explicit HostRules(As as) : as_(as) {
    network.collector.metrics["load"] = {
        .desc = {.pmid = kLoad, .pm_type = pm_type::u32, .semantics = Semantics::instant},
        .values = {{kSingular, 7}}};
    network.collector.metrics["disk"] = {.desc = {.pmid = kDisk,
                                                  .pm_type = pm_type::u32,
                                                  .indom = kDisks,
                                                  .semantics = Semantics::instant},
                                         .values = {{0, 3}, {1, 5}}};
    network.collector.instances[kDisks] = {{0, "sda"}, {1, "sdb"}};
    sources.add_default("web1");
  }
  HostRules() : HostRules(As{}) {}

  void put(std::string_view text) override { said += text; }
  void log(std::string_view severity, std::string_view text) override {
    said += fmt::format("{}: {}\n", severity, text);
  }

  void tell(const pmie::HostChange& change) {
    static constexpr std::string_view kWhats[] = {"unreachable", "lost", "back"};
    told += fmt::format("{} {}; ", change.connection, kWhats[static_cast<size_t>(change.what)]);
  }

  void tell_metric(const pmie::MetricChange& change) {
    told += fmt::format("{} {} {}; ", change.connection, change.metric,
                        change.status == 0 ? "there again" : pm_error_text(change.status));
  }

  void begin(const std::string& rules) {
    ASSERT_TRUE(reader.read(rules, "rules"));
    run.emplace(reader.program(), sources, zone,
                pmie::RunOptions{
                    .verbose = pmie::Verbose::plain,
                    .stamps = false,
                    .act = [](const pmie::PmieNode&, const auto&, const auto&) { return true; },
                    .bind_waiting = [this] { return reader.bind_waiting(); },
                    .retries = as_.retries},
                [this](std::string_view text) { put_out += text; });
    run->begin(now());
  }

  [[nodiscard]] double now() const {
    return static_cast<double>(clock.wall().time_since_epoch().count()) / 1e9;
  }

  // The values of the next evaluation, and when it was: seconds from the start.
  std::string tick() {
    const double due = run->due().value_or(0);
    const auto left = std::chrono::nanoseconds(static_cast<int64_t>((due - now()) * 1e9));
    if (left.count() > 0) clock.advance(left);
    return fmt::format("{}s", due - static_cast<double>(kStart)) + evaluate();
  }

  void pass(double to) {
    const auto left = std::chrono::nanoseconds(static_cast<int64_t>((to - now()) * 1e9));
    if (left.count() > 0) clock.advance(left);
  }

  // The same with hosts that are asked at once, and when the values were there.
  std::string ask() {
    const double due = run->due().value_or(0);
    pass(due);
    run->ask(std::max(due, now()));
    while (const auto until = run->waits_until(now())) {
      const auto left = std::chrono::nanoseconds(static_cast<int64_t>((*until - now()) * 1e9) + 1);
      (void)network.run_some(network.now() + left);
    }
    const double when = now() - static_cast<double>(kStart);
    return fmt::format("{}s {} at {:.2f}s", due - static_cast<double>(kStart), evaluate(), when);
  }

  // The values of the task that is due, which was waited for.
  std::string evaluate() {
    put_out.clear();
    EXPECT_TRUE(run->tick());
    std::string out;
    for (const char c : put_out) out += c == '\n' ? ' ' : c;
    while (out.ends_with(' ')) out.pop_back();
    return out;
  }

  const As as_;
  FakeClock clock{{.now = {}, .wall = WallTime(std::chrono::seconds(kStart)), .boot = {}}};
  ScriptedNetwork network{clock};
  bool stops = false;
  ClientSettings settings{.request_timeout = std::chrono::seconds(20),
                          .reconnect_delays = {std::chrono::seconds(1)},
                          .jitter_seed = 1,
                          .stop = [this] { return stops; }};
  std::unique_ptr<DerivedMetrics> derived = make_derived_metrics({});
  pmie::HostSources sources{network,
                            settings,
                            *derived,
                            {.tell = [this](const auto& change) { tell(change); },
                             .tell_metric = [this](const auto& change) { tell_metric(change); },
                             .follow_metrics = as_.follows}};
  pmie::RuleReader reader{sources, *this, {.delta = 20}};
  Zone zone;
  std::optional<pmie::RuleRun> run;
  std::string said, told, put_out;
};

}  // namespace pmjit::test
