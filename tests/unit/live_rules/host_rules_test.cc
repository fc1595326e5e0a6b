// Rules of the dialect pmie over hosts that go and come, tick by tick: what waits, what is told,
// and when a task is evaluated again. Source: spec rules-language.md §16.
#include "tests/unit/live_rules/host_rules.h"

namespace pmjit::test {
namespace {

TEST_F(HostRules, WaitForAHostThatIsNotThere) {
  network.refuses = true;
  begin("a = load; b = some_inst disk > 4; c = disk; d = load @0..1; e = disk + load;");
  EXPECT_EQ(told, "web1 unreachable; ");
  EXPECT_EQ(said, "");
  EXPECT_EQ(tick(), "0sa: ? b: unknown c: ? d: ? ? e: ?");
  EXPECT_EQ(tick(), "5sa: ? b: unknown c: ? d: ? ? e: ?") << "again sooner than its interval";
  EXPECT_EQ(tick(), "15sa: ? b: unknown c: ? d: ? ? e: ?");
  network.refuses = false;
  EXPECT_EQ(tick(), "35sa: 7 b: true c: 3 5 d: 7 ? e: 10 12");
  EXPECT_EQ(told, "web1 unreachable; web1 back; ");
  EXPECT_EQ(tick(), "55sa: 7 b: true c: 3 5 d: 7 7 e: 10 12") << "its own rhythm from there";
}

TEST_F(HostRules, LoseTheirValuesWithTheHost) {
  begin("a = load @0..1; b = disk; c = disk #sda > 1;");
  EXPECT_EQ(tick(), "0sa: 7 ? b: 3 5 c: true");
  EXPECT_EQ(tick(), "20sa: 7 7 b: 3 5 c: true");
  network.hang_up();
  network.refuses = true;
  EXPECT_EQ(tick(), "40sa: ? ? b: ? c: unknown");
  EXPECT_EQ(told, "web1 lost; ");
  network.refuses = false;
  EXPECT_EQ(tick(), "45sa: 7 ? b: 3 5 c: true");
  EXPECT_EQ(tick(), "65sa: 7 7 b: 3 5 c: true");
  EXPECT_EQ(told, "web1 lost; web1 back; ");
}

TEST_F(HostRules, GoOnWhereAMetricIsNotThere) {
  begin("a = load @0..1; b = more > 1; c = disk #sdc;");
  EXPECT_NE(said.find("metric more not in namespace for pmcd web1 (host web1)"), said.npos) << said;
  EXPECT_NE(said.find("does not (currently) have instance \"sdc\""), said.npos) << said;
  EXPECT_EQ(tick(), "0sa: 7 ? b: unknown c: ?");
  EXPECT_EQ(tick(), "5sa: 7 7 b: unknown c: ?");
  said.clear();
  network.collector.metrics["more"] = network.collector.metrics["load"];
  network.collector.metrics["more"].desc.pmid = 0x0f000003;
  network.collector.instances[kDisks][2] = "sdc";
  network.collector.metrics["disk"].values.emplace_back(2, 9);
  EXPECT_EQ(tick(), "15sa: 7 7 b: true c: 9") << "the others keep their history";
  EXPECT_EQ(tick(), "35sa: 7 7 b: true c: 9");
  EXPECT_EQ(said, "");
  EXPECT_EQ(told, "");
}

TEST_F(HostRules, NameInstancesThatCome) {
  begin("a = disk > 4 -> print \"%i\"; b = match_inst \"sdc\" (disk > 0);");
  EXPECT_NE(said.find("single boolean value"), said.npos) << "a set is no condition";
  EXPECT_EQ(tick(), "0sb: false false");
  network.collector.instances[kDisks][2] = "sdc";
  network.collector.metrics["disk"].values.emplace_back(2, 9);
  EXPECT_EQ(tick(), "20sb: false false true");
}

TEST_F(HostRules, OneHostDoesNotStopAnother) {
  begin("a = load;");
  network.refuses = true;
  ASSERT_TRUE(reader.read("b = load :web2; c = some_host load :web1 :web2 > 1;", "more"));
  EXPECT_EQ(told, "web2 unreachable; ");
  EXPECT_EQ(reader.program().statements.size(), 3U);
}

TEST_F(HostRules, TakeNamesOfAFile) {
  const auto names = std::make_shared<NameSpace>();
  ASSERT_TRUE(names->add("mine", kLoad));
  pmie::HostSources named{network, settings, *derived, {.names = names}};
  named.add_default("web1");
  EXPECT_EQ(named.look_up(0, "mine"), OrPmError<PmId>(kLoad));
  EXPECT_EQ(named.look_up(0, "load").error(), pm_err::E_NAME);
  EXPECT_TRUE(named.describe(0, kLoad));
}

TEST_F(HostRules, RefuseANameThatIsNone) {
  const auto read = reader.read("a = load :'web1:x';", "rules");
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().text().find("web1:x"), std::string::npos) << read.error().text();
}

}  // namespace
}  // namespace pmjit::test
