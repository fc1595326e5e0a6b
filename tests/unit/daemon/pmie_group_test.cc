// Rules of pmie of a [[rules]] block: a host that is slow, mute or lacks a metric costs itself
// alone.
#include "tests/unit/daemon/rule_group_fixture.h"

namespace pmjit {
namespace {

// Its answers take longer than the metadata of all may. It cannot be evaluated in time either.
TEST_F(RuleGroupTest, OfPmieOneThatIsSlowFromTheStartCostsItself) {
  for (const char* const host : {"web1", "web2", "web3"}) add_host(host);
  scripted("web1").delay = 800ms;
  open_text(1s, "high = load > 5 -> print \"x\";\nlow = late < 5 -> print \"x\";\n");
  run_for(10s);
  (void)ticks();
  run_for(20s);
  const auto [all, in_time] = ticks();
  EXPECT_GE(all, 59);
  EXPECT_GE(in_time, 40) << "those of web2 and web3";
  for (const char* const host : {"web1", "web2", "web3"}) set_load(host, 9);
  run_for(3s);
  const std::string fired = history();
  for (const char* const host : {"web1", "web2", "web3"}) {
    EXPECT_NE(fired.find(fmt::format("firing high {}", host)), std::string::npos) << fired;
  }
}

TEST_F(RuleGroupTest, OfPmieMuteHostsHoldUpNobody) {
  for (const char* const host : {"mute1", "web2", "mute3", "mute4", "mute5"}) add_host(host);
  for (const char* const host : {"mute1", "mute3", "mute4", "mute5"}) scripted(host).silent = true;
  open_text(1s, "high = load > 5 -> print \"x\";\n");
  run_for(5s);
  (void)ticks();
  run_for(60s);
  const auto [all, in_time] = ticks();
  EXPECT_GE(all, 5 * 60);
  EXPECT_EQ(all, in_time) << "of a host that is down a time is over at once";
  network->of("mute3").silent = false;
  set_load("mute3", 9);
  run_for(90s);
  const std::string back = history();
  EXPECT_NE(back.find("firing high mute3"), std::string::npos) << back;
}

// Its error shows when it is bound to a host: its alert must not go on as if nothing was.
TEST_F(RuleGroupTest, OfPmieOneThatCannotBeBoundIsUnknown) {
  add_host("web1");
  open_text(1s, "high = load > 5 -> print \"x\";\nbad = load == \"abc\" -> print \"x\";\n",
            {.stale = 2s});
  run_for(10s);
  set_load("web1", 9);
  run_for(5s);
  const std::string told = history();
  EXPECT_NE(told.find("firing high web1"), std::string::npos) << told;
  const auto unknown = group->unknown();
  size_t all = 0;
  for (const auto& [reason, count] : unknown) all += count;
  EXPECT_EQ(all, 1u) << log;
}

TEST_F(RuleGroupTest, OfPmieOneThatLacksAMetricMakesNobodyLate) {
  for (const char* const host : {"web1", "web2", "web3"}) add_host(host);
  for (const char* const host : {"web1", "web2"}) {
    scripted(host).metrics["late"] = scripted(host).metrics["load"];
    scripted(host).metrics["late"].desc.pmid = 2;
  }
  open_text(1s, "high = load > 5 -> print \"x\";\nlow = late > 5 -> print \"x\";\n");
  (void)ticks();
  run_for(20s);
  const auto [all, in_time] = ticks();
  EXPECT_GE(all, 59);
  EXPECT_EQ(all, in_time);
  EXPECT_NE(log.find("web3 has no late"), std::string::npos) << log;
  EXPECT_EQ(log.find("web2 has"), std::string::npos) << log;
  network->of("web3").metrics["late"] = network->of("web3").metrics["load"];
  network->of("web3").metrics["late"].desc.pmid = 2;
  network->of("web3").metrics["late"].values[0].second = 9;
  run_for(35s);
  const std::string come = history();
  EXPECT_NE(come.find("firing low web3"), std::string::npos) << come;
}

}  // namespace
}  // namespace pmjit
