// One fetch per host and interval, whatever rules of a [[rules]] block want.
#include "tests/unit/daemon/rule_group_fixture.h"

namespace pmjit {
namespace {

class MergedFetch : public RuleGroupTest {
 protected:
  void add_hosts(int count) {
    for (int i = 1; i <= count; ++i) add_host(fmt::format("web{}", i));
  }
  // Rules `own` and `of_pmie`, where the load rises.
  void expect_both_fire(const std::string& host) {
    (void)history();
    set_load(host, 9);
    run_for(5s);
    const std::string fired = history();
    for (const char* const rule : {"own", "of_pmie"}) {
      EXPECT_NE(fired.find(fmt::format("firing {} {}\n", rule, host)), std::string::npos) << fired;
    }
  }
};

constexpr std::string_view kStrict =
    "// pmjit: dialect=strict\n"
    "delta = 1 sec;\n"
    "own = load > 5 -> print \"x\";\n"
    "all = sum_host(load) > 20 -> print \"x\";\n";

TEST_F(MergedFetch, OfBothDialectsAndOfAllHosts) {
  add_hosts(3);
  second_file = "delta = 1 sec;\nof_pmie = load > 7 -> print \"x\";\n";
  open_text(1s, std::string(kStrict));
  run_for(5s);
  expect_fetches(20, 20s);
  (void)history();
  set_load("web1", 6);
  set_load("web2", 8);
  set_load("web3", 3);
  run_for(4s);
  const std::string fired = history();
  EXPECT_NE(fired.find("firing own web1\n"), std::string::npos) << fired;
  EXPECT_NE(fired.find("firing own web2\n"), std::string::npos) << fired;
  EXPECT_EQ(fired.find("firing own web3\n"), std::string::npos) << fired;
  EXPECT_NE(fired.find("firing of_pmie web2\n"), std::string::npos) << fired;
  EXPECT_EQ(fired.find("firing of_pmie web1\n"), std::string::npos) << fired;
  EXPECT_EQ(fired.find("firing all"), std::string::npos) << "17: " << fired;
  set_load("web3", 7);
  run_for(4s);
  const std::string more = history();
  EXPECT_NE(more.find("firing all"), std::string::npos) << more;
}

TEST_F(MergedFetch, OfRulesBetweenWhichOthersStand) {
  add_hosts(2);
  open_text(1s,
            "delta = 1 sec;\na = load > 5 -> print \"x\";\n"
            "delta = 2 sec;\nb = load > 5 -> print \"x\";\n"
            "delta = 1 sec;\nc = load > 5 -> print \"x\";\n");
  run_for(5s);
  expect_fetches(20, 20s);
  (void)history();
  set_load("web2", 9);
  run_for(5s);
  const std::string fired = history();
  for (const char* const rule : {"a", "b", "c"}) {
    EXPECT_NE(fired.find(fmt::format("firing {} web2\n", rule)), std::string::npos) << fired;
  }
}

// A rule sees the instances that it lists, whatever others want of the domain.
TEST_F(MergedFetch, OfSomeInstancesAndOfAll) {
  add_hosts(1);
  add_disks("web1");
  second_file =
      "delta = 1 sec;\n"
      "listed = some_inst used #'sda' > 50 -> print \"x\";\n"
      "delta = 2 sec;\n"
      "other = some_inst used #'sdb' > 50 -> print \"x\";\n";
  open_text(1s,
            "// pmjit: dialect=strict\ndelta = 1 sec;\n"
            "both = some_inst(used > 50) -> print \"x\";\n");
  run_for(5s);
  expect_fetches(20, 20s);
  (void)history();
  set_used("web1", {{0, 10}, {1, 90}});
  run_for(5s);
  const std::string fired = history();
  EXPECT_NE(fired.find("firing both web1"), std::string::npos) << fired;
  EXPECT_NE(fired.find("firing other web1"), std::string::npos) << fired;
  EXPECT_EQ(fired.find("firing listed web1"), std::string::npos) << fired;
}

// What one asks tells that agents have changed: all look metrics up again.
TEST_F(MergedFetch, GoesOnBehindAChangeOfAgents) {
  add_hosts(2);
  second_file = "delta = 1 sec;\nof_pmie = load > 5 -> print \"x\";\n";
  open_text(1s, std::string(kStrict));
  run_for(5s);
  network->of("web1").metrics["load"].desc.pmid = 9;  // as after a restart with others
  network->of("web1").changes = wire::kAgentRestarted;
  run_for(5s);
  expect_fetches(20, 20s);
  expect_both_fire("web1");
}

// A host whose answers take longer than the interval costs its own times.
TEST_F(MergedFetch, OfASlowHost) {
  add_hosts(3);
  scripted("web1").delay = 800ms;
  second_file = "delta = 1 sec;\nof_pmie = load > 5 -> print \"x\";\n";
  open_text(1s, std::string(kStrict));
  run_for(10s);
  expect_fetches(20, 20s);
  expect_both_fire("web1");
}

}  // namespace
}  // namespace pmjit
