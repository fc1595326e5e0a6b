// A connection against a scripted collector: the handshake, and every way in which the other side
// may be something else, or lie.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/client/host_context.h"
#include "tests/unit/client_net/scripted_network.h"

namespace pmjit::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class ConnectionTest : public testing::Test {
 protected:
  ConnectionTest() { network.collector.add_load_and_reads(); }

  // What connecting says, and its code.
  std::string refusal(const std::string& spec = "web1") {
    HostClient client(network, *parse_host_spec(spec), settings);
    HostContext context(client);
    const auto connected = context.connect();
    if (connected) return "connected";
    return fmt::format("{} {}", connected.error().pm_code(), connected.error().text());
  }

  FakeClock clock;
  ScriptedNetwork network{clock};
  ClientSettings settings{.jitter_seed = 1};
};

TEST_F(ConnectionTest, GreetsAndAsks) {
  HostClient client(network, *parse_host_spec("web1?container=box"), settings);
  network.collector.features = wire::kPlainFeatures.with(wire::Feature::container);
  HostContext context(client);
  EXPECT_EQ(*context.look_up("load"), kLoad);
  EXPECT_EQ(*context.look_up("load"), kLoad);
  EXPECT_EQ(context.look_up("lead").error(), pm_err::E_NAME);
  EXPECT_EQ(context.describe(kReads)->indom, kDisks);
  EXPECT_EQ(*context.instance_name(kDisks, 1), "sdb");
  EXPECT_EQ(network.attempts, std::vector<std::string>{"web1:44321"});
  EXPECT_EQ(network.collector.container, "box");
  const std::vector<std::string> log{"CREDS",      "ATTR",     "PMNS_NAMES",
                                     "PMNS_NAMES", "DESC_REQ", "INSTANCE_REQ"};
  EXPECT_EQ(network.collector.log, log) << "names are asked for once";
}

TEST_F(ConnectionTest, SendsAProfileWhenItIsAnother) {
  HostClient client(network, *parse_host_spec("web1"), settings);
  HostContext context(client);
  Profile profile;
  profile.restrict(kDisks, {1});
  Fetched fetched;
  for (const Profile& each : {Profile(), Profile(), profile, profile, Profile()}) {
    ASSERT_TRUE(context.fetch({&kLoad, 1}, each, fetched));
    EXPECT_EQ(fetched.sets[0].values[0].word, 7u);
    EXPECT_EQ(fetched.stamp, network.collector.time);
  }
  EXPECT_EQ(std::ranges::count(network.collector.log, "PROFILE"), 3);
  EXPECT_EQ(std::ranges::count(network.collector.log, "HIGHRES_FETCH"), 5);
}

TEST_F(ConnectionTest, ManagesWithoutFeatures) {
  network.collector.features = {};
  HostClient client(network, *parse_host_spec("web1"), settings);
  HostContext context(client);
  Fetched fetched;
  const std::vector<PmId> both{kReads, kLoad};
  EXPECT_EQ(context.describe_metrics(both)[1]->pmid, kLoad);
  ASSERT_TRUE(context.fetch(both, {}, fetched));
  EXPECT_EQ(fetched.sets[0].values.size(), 2u);
  EXPECT_EQ(fetched.stamp, network.collector.time);
  EXPECT_EQ(context.labels(LabelLevel::context, kNullId).error(), pm_err::E_NOLABELS);
  EXPECT_EQ(std::ranges::count(network.collector.log, "FETCH"), 1);
}

TEST_F(ConnectionTest, DescribesManyInOneRequestWhereItMay) {
  const std::vector<PmId> both{kReads, kLoad};
  for (const bool may : {true, false}) {
    network.collector.log.clear();
    if (!may) network.collector.features = {};
    HostClient client(network, *parse_host_spec("web1"), settings);
    HostContext context(client);
    EXPECT_EQ(context.describe_metrics(both)[1]->pmid, kLoad);
    EXPECT_EQ(std::ranges::count(network.collector.log, "DESC_IDS"), may ? 1 : 0);
    EXPECT_EQ(std::ranges::count(network.collector.log, "DESC_REQ"), may ? 0 : 2);
  }
}

TEST_F(ConnectionTest, MatchesValueSetsByMetric) {
  HostClient client(network, *parse_host_spec("web1"), settings);
  HostContext context(client);
  // The answer is that to the metrics in the other order.
  network.collector.garble = [](std::vector<std::byte>& bytes) {
    if (bytes.size() != 72) return;
    std::rotate(bytes.begin() + 32, bytes.begin() + 52, bytes.end());
  };
  const std::vector<PmId> asked{kLoad, kReads};
  Fetched fetched;
  ASSERT_TRUE(context.fetch(asked, {}, fetched));
  EXPECT_EQ(fetched.sets[0].values.size(), 1u);
  EXPECT_EQ(fetched.sets[1].values.size(), 2u);
}

TEST_F(ConnectionTest, SaysWhatIsWrongWithTheOtherSide) {
  network.refuses = true;
  EXPECT_EQ(refusal("web1:1,2"),
            fmt::format("{} host web1:2: connection refused\n  help: is a collector (pmcd) running "
                        "there, and on this port? PMCD_PORT or HOST:PORT name another",
                        -ECONNREFUSED));
  EXPECT_EQ(network.attempts.size(), 2u);
  network.refuses = false;
  ScriptedCollector& collector = network.collector;
  collector.greeting = "SSH-2.0-OpenSSH_9.2\r\n";
  EXPECT_NE(refusal().find("this is not a PCP collector: it says \"SSH-2.0-OpenSSH_9.2\""),
            std::string::npos);
  collector.greeting = std::string("\xff\xff\xff\xff\0\0\x70\0\0\0\0\0", 12);
  EXPECT_NE(refusal().find("a PDU claims a length of -1 bytes"), std::string::npos) << refusal();
  collector.greeting = std::string("\x40\0\0\0\0\0\x70\0\0\0\0\0", 12);
  EXPECT_NE(refusal().find("more than the limit"), std::string::npos) << refusal();
  collector.greeting.clear();
  collector.version = 3;
  EXPECT_NE(refusal().find("the collector speaks version 3"), std::string::npos) << refusal();
  collector.version = 2;
  collector.hello_status = pm_err::E_PERMISSION;
  EXPECT_TRUE(refusal().starts_with(
      fmt::format("{} host web1:44321: the collector refuses", int{pm_err::E_PERMISSION})));
  collector.hello_status = 0;
  collector.features = {wire::Feature::creds_required};
  EXPECT_NE(refusal().find("wants a user to log in"), std::string::npos);
  EXPECT_EQ(refusal("unix:"), "connected");
  EXPECT_TRUE(collector.wishes.has(wire::Feature::creds_required));
  collector.features = {wire::Feature::cert_required};
  EXPECT_NE(refusal().find("client certificate"), std::string::npos);
  EXPECT_EQ(refusal("localhost"), "connected") << "the collector does not mean these";
  collector.features = {};
  EXPECT_NE(refusal("web1?container=x").find("knows no containers"), std::string::npos);
  collector.silent = true;
  settings.request_timeout = kNoTimeLimit;  // of requests; a greeting has its own
  const Instant before = clock.now();
  EXPECT_NE(refusal().find("it accepts connections, but does not greet"), std::string::npos);
  EXPECT_EQ(clock.now() - before, seconds(10));
}

TEST_F(ConnectionTest, RefusesWhatCannotBe) {
  for (const char* spec : {"pcps://web1?secure=perhaps", "web1?compress", ""}) {
    EXPECT_NE(refusal(spec), "connected") << spec;
    EXPECT_NE(refusal(spec).find("help: "), std::string::npos) << spec;
  }
  settings.proxy = "gate";
  EXPECT_TRUE(refusal("unix:/here").starts_with(fmt::format("{} ", -EPERM))) << "as PCP's library";
  EXPECT_TRUE(network.attempts.empty());
}

TEST_F(ConnectionTest, RefusesAContainerThatFitsNoRequest) {
  network.collector.features = wire::kPlainFeatures.with(wire::Feature::container);
  const std::string longest(4'095, 'x');
  EXPECT_EQ(refusal("web1?container=" + longest), "connected");
  network.attempts.clear();
  EXPECT_NE(refusal("web1?container=" + longest + "x").find("4096 bytes, and 4095 fit"),
            std::string::npos);
  settings.container = longest + "x";
  EXPECT_NE(refusal().find("PCP_CONTAINER"), std::string::npos) << refusal();
  EXPECT_TRUE(network.attempts.empty());
  EXPECT_EQ(refusal("web1?container=box"), "connected") << "the environment's does not count";
  settings.fails_as_pcp = true;
  EXPECT_TRUE(refusal().starts_with(fmt::format("{} ", int{pm_err::E_IPC}))) << refusal();
  EXPECT_EQ(network.attempts.size(), 2u) << "PCP's tools connect first";
}

TEST_F(ConnectionTest, AnEndlessAnswerHasAnEnd) {
  settings.request_timeout = kNoTimeLimit;
  HostClient client(network, *parse_host_spec("web1"), settings);
  HostContext context(client);
  Fetched fetched;
  const auto flood_of = [](int pdus) {
    return [pdus](std::vector<std::byte>& bytes) {
      ByteWriter changes;
      for (int i = 0; i < pdus; ++i) wire::encode({.body = wire::ErrorMessage{.code = 4}}, changes);
      bytes.insert(bytes.begin(), changes.written().begin(), changes.written().end());
    };
  };
  ASSERT_TRUE(context.connect());
  network.collector.garble = flood_of(100);
  EXPECT_TRUE(context.fetch({&kLoad, 1}, {}, fetched));
  network.collector.garble = flood_of(101);
  const auto done = context.fetch({&kLoad, 1}, {}, fetched);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().pm_code(), pm_err::E_IPC);
  EXPECT_NE(done.error().text().find("told of changes more than 100 times"), std::string::npos);
  EXPECT_FALSE(client.connected());
}

TEST_F(ConnectionTest, RefusesMoreMetricsThanARequestHolds) {
  HostClient client(network, *parse_host_spec("web1"), settings);
  HostContext context(client);
  Fetched fetched;
  std::vector<PmId> many(16'378, kLoad);
  const auto refused = context.fetch(many, {}, fetched);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().pm_code(), pm_err::E_TOOBIG);
  EXPECT_NE(refused.error().text().find("16378 metrics in one fetch"), std::string::npos);
  many.pop_back();
  EXPECT_TRUE(context.fetch(many, {}, fetched));
  EXPECT_EQ(client.connections(), 1u) << "the connection is kept";
}

TEST_F(ConnectionTest, LosesAConnectionThatLies) {
  settings.reconnect_delays = {seconds(4)};
  HostClient client(network, *parse_host_spec("web1"), settings);
  HostContext context(client);
  ASSERT_TRUE(context.connect());
  Fetched fetched;
  // Each answer in turn, and what becomes of the fetch.
  const std::vector<std::pair<std::function<void(std::vector<std::byte>&)>, int>> lies{
      {[](auto& bytes) { bytes.resize(14); }, pm_err::E_TIMEOUT},        // never whole
      {[](auto& bytes) { bytes[7] = std::byte{5}; }, pm_err::E_IPC},     // a DESC
      {[](auto& bytes) { bytes[15] = std::byte{9}; }, pm_err::E_IPC},    // nine metrics
      {[](auto& bytes) { bytes[0] = std::byte{0x7f}; }, pm_err::E_IPC},  // two gigabytes
  };
  uint64_t connections = client.connections();
  for (const auto& [lie, code] : lies) {
    network.collector.garble = lie;
    const auto done = context.fetch({&kLoad, 1}, {}, fetched);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().pm_code(), code) << done.error().text();
    network.collector.garble = nullptr;
    EXPECT_TRUE(context.fetch({&kLoad, 1}, {}, fetched)) << "over a new connection";
    EXPECT_EQ(client.connections(), ++connections);
  }
}

TEST_F(ConnectionTest, ClientsOfOneHostHaveDelaysOfTheirOwn) {
  network.refuses = true;
  const auto delay = [&](const std::string& host, std::optional<uint32_t> seed) {
    settings.jitter_seed = seed;
    HostClient client(network, *parse_host_spec(host), settings);
    HostContext context(client);
    EXPECT_FALSE(context.connect());
    return client.next_attempt() - clock.now();
  };
  EXPECT_EQ(delay("web1", 1), delay("web1", 1));
  EXPECT_NE(delay("web1", 1), delay("web1", 2));
  EXPECT_NE(delay("web1", 1), delay("web2", 1));
  EXPECT_NE(delay("web1", 0), delay("web1", std::nullopt)) << "the host is not all of the seed";
}

TEST_F(ConnectionTest, WaitsBetweenAttempts) {
  settings.reconnect_delays = {seconds(4), seconds(8)};
  settings.jitter_seed = 1;
  HostClient client(network, *parse_host_spec("web1"), settings);
  HostContext context(client);
  ASSERT_TRUE(context.connect());
  network.hang_up();
  network.refuses = true;
  Fetched fetched;
  EXPECT_EQ(context.fetch({&kLoad, 1}, {}, fetched).error().pm_code(), pm_err::E_IPC);
  std::vector<int64_t> tried;  // tenths of seconds
  const Instant start = clock.now();
  for (int tenth = 0; tenth < 400; ++tenth) {
    const size_t before = network.attempts.size();
    EXPECT_EQ(context.connect().error().pm_code(), -ECONNREFUSED);
    if (network.attempts.size() != before) tried.push_back(tenth);
    clock.advance(milliseconds(100));
  }
  ASSERT_GE(tried.size(), 4u);
  EXPECT_EQ(tried[0], 0);
  EXPECT_TRUE(tried[1] >= 30 && tried[1] <= 50) << tried[1];
  EXPECT_TRUE(tried[2] - tried[1] >= 60 && tried[2] - tried[1] <= 100) << tried[2];
  EXPECT_NE(tried[2] - tried[1], tried[3] - tried[2]) << "delays are not all alike";
  network.refuses = false;
  clock.advance(seconds(20));
  EXPECT_TRUE(context.fetch({&kLoad, 1}, {}, fetched));
  EXPECT_EQ(clock.now() - start, seconds(60));
}

// Asked once a second, at times that are not quite whole seconds apart.
TEST_F(ConnectionTest, WaitsAsPcpDoesWithoutJitter) {
  settings.reconnect_delays = {seconds(4), seconds(8)};
  settings.reconnect_jitter = 0;
  network.refuses = true;
  HostClient client(network, *parse_host_spec("web1"), settings);
  HostContext context(client);
  std::vector<int> tried;
  for (int second = 0; second < 30; ++second) {
    const size_t before = network.attempts.size();
    EXPECT_EQ(context.connect().error().pm_code(), -ECONNREFUSED);
    if (network.attempts.size() != before) tried.push_back(second);
    clock.advance(milliseconds(second % 2 == 0 ? 990 : 1010));
  }
  EXPECT_EQ(tried, (std::vector{0, 4, 12, 20, 28}));
}

TEST_F(ConnectionTest, ForgetsWhatAgentsHaveChanged) {
  HostClient client(network, *parse_host_spec("web1"), settings);
  HostContext context(client);
  ASSERT_EQ(*context.look_up("load"), kLoad);
  network.collector.changes = wire::kAgentRestarted | wire::kAgentAdded;
  network.collector.metrics["load"].desc.pmid = kLoad + 4;
  Fetched fetched;
  ASSERT_TRUE(context.fetch({&kLoad, 1}, {}, fetched));
  EXPECT_EQ(fetched.sets[0].count, pm_err::E_PMID);
  EXPECT_EQ(context.take_changes(), 3u);
  EXPECT_EQ(context.take_changes(), 0u);
  EXPECT_EQ(*context.look_up("load"), kLoad + 4);
}

}  // namespace
}  // namespace pmjit::test
