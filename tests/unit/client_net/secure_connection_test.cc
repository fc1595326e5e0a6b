// Encrypted and indirect connections, and users who log in, against a scripted collector: what goes
// out in which order, and what is said where the other side refuses.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

#include "runtime/client/hello_answer.h"
#include "runtime/client/host_context.h"
#include "runtime/model/pm_codes.h"
#include "tests/unit/client_net/scripted_network.h"

namespace pmjit::test {
namespace {

using wire::Feature;
using wire::FeatureSet;

constexpr FeatureSet kTls{Feature::secure, Feature::secure_ack};

class SecureConnectionTest : public testing::Test {
 protected:
  SecureConnectionTest() {
    collector.add_load_and_reads();
    collector.features = wire::kPlainFeatures.with(Feature::auth).with(Feature::container);
  }

  // What connecting says, and its code.
  std::string refusal(const std::string& spec) {
    HostClient client(network, *parse_host_spec(spec), settings);
    HostContext context(client);
    const auto connected = context.connect();
    if (connected) return "connected";
    return fmt::format("{} {}", connected.error().pm_code(), connected.error().text());
  }
  // It begins with this code, and says this.
  void expect_refusal(const std::string& spec, int code, const std::string& what) {
    const std::string said = refusal(spec);
    EXPECT_TRUE(said.starts_with(fmt::format("{} ", code))) << said;
    EXPECT_NE(said.find(what), std::string::npos) << said;
    EXPECT_NE(said.find("help: "), std::string::npos) << said;
  }
  void offer_tls() {
    collector.features = collector.features.with(Feature::secure).with(Feature::secure_ack);
  }

  FakeClock clock;
  ScriptedNetwork network{clock};
  ScriptedCollector& collector = network.collector;
  ClientSettings settings{.jitter_seed = 1};
};

TEST(HelloAnswer, FollowsTheTable) {
  const auto flags = [](FeatureSet offered, const HelloWishes& wishes) {
    const auto out = answer_to_hello(offered, wishes);
    return out ? wire::features_text(*out) : std::to_string(out.error().pm_code());
  };
  const std::string unsupported = std::to_string(-EOPNOTSUPP);
  EXPECT_EQ(flags({}, {}), "");
  EXPECT_EQ(flags(wire::kPlainFeatures, {}), "");
  EXPECT_EQ(flags({Feature::creds_required}, {}), "CREDS_REQD");
  EXPECT_EQ(flags(kTls, {}), "");
  EXPECT_EQ(flags(kTls, {.tls = TlsWish::enforced}), "SECURE|SECURE_ACK");
  EXPECT_EQ(flags({Feature::secure}, {.tls = TlsWish::relaxed}), "SECURE");
  EXPECT_EQ(flags({}, {.tls = TlsWish::relaxed}), "");
  EXPECT_EQ(flags({}, {.tls = TlsWish::enforced}), unsupported);
  EXPECT_EQ(flags({}, {.login = true}), unsupported);
  EXPECT_EQ(flags({Feature::auth}, {.login = true}), "AUTH");
  EXPECT_EQ(flags({}, {.container = "box"}), unsupported);
  EXPECT_EQ(flags({Feature::container}, {.container = "box"}), "CONTAINER");
  EXPECT_EQ(flags({Feature::cert_required}, {}), std::to_string(int{pm_err::E_NEEDCLIENTCERT}));
  EXPECT_EQ(flags({Feature::cert_required}, {.seems_local = true}), "");
  EXPECT_EQ(flags(FeatureSet{kTls}.with(Feature::cert_required), {.tls = TlsWish::enforced}),
            "SECURE|SECURE_ACK|CERT_REQD");
  EXPECT_TRUE(begins_login({Feature::creds_required}, {}));
  EXPECT_FALSE(begins_login({Feature::creds_required}, {.by_unix = true}));
  EXPECT_TRUE(begins_login({Feature::auth}, {.by_unix = true}));
}

TEST(HelloAnswer, WishesAreOfTheSpecificationAndTheEnvironment) {
  const auto wish = [](const char* spec, TlsWish environment = TlsWish::none) {
    return wishes_of(*parse_host_spec(spec), {.secure = environment}, false).tls;
  };
  EXPECT_EQ(wish("web1"), TlsWish::none);
  EXPECT_EQ(wish("web1?secure=enforce"), TlsWish::none) << "as PCP's library";
  EXPECT_EQ(wish("pcps://web1"), TlsWish::enforced);
  EXPECT_EQ(wish("pcps://web1?secure"), TlsWish::enforced);
  EXPECT_EQ(wish("pcps://web1?secure=relaxed", TlsWish::enforced), TlsWish::relaxed);
  EXPECT_EQ(wish("web1", TlsWish::enforced), TlsWish::enforced);
  EXPECT_EQ(wishes_of(*parse_host_spec("unix:"), {.secure = TlsWish::enforced}, true).tls,
            TlsWish::none);
  EXPECT_TRUE(wishes_of(*parse_host_spec("web1?local"), {}, false).seems_local);
}

TEST_F(SecureConnectionTest, Encrypts) {
  offer_tls();
  settings.any_name = true;
  settings.tls_path = "none.conf";
  EXPECT_EQ(refusal("pcps://web1?container=box"), "connected");
  ASSERT_EQ(collector.encrypted.size(), 1u);
  const TlsPeer& peer = collector.encrypted.front();
  EXPECT_EQ(peer.host, "web1");
  EXPECT_TRUE(peer.settings.checks_peer);
  EXPECT_TRUE(peer.settings.any_name);
  EXPECT_FALSE(peer.settings.any_issuer);
  EXPECT_EQ(collector.container, "box");
  EXPECT_EQ(collector.log, (std::vector<std::string>{"CREDS", "ATTR"}));
  EXPECT_EQ(refusal("pcps://web1?secure=relaxed"), "connected");
  EXPECT_FALSE(collector.encrypted.back().settings.checks_peer);
  EXPECT_EQ(refusal("web1"), "connected");
  EXPECT_EQ(refusal("pcp://web1"), "connected");
  EXPECT_EQ(collector.encrypted.size(), 2u);
}

// pmcd 6.0.3 would wait for ever for the second one of a record.
TEST_F(SecureConnectionTest, SendsEachPduByItself) {
  offer_tls();
  HostClient client(network, *parse_host_spec("pcps://web1?user=bob&pass=word&container=box"),
                    settings);
  HostContext context(client);
  Fetched fetched;
  ASSERT_TRUE(context.fetch({&kLoad, 1}, {}, fetched));
  EXPECT_EQ(std::ranges::count(collector.log, "PROFILE"), 1);
  EXPECT_EQ(collector.pdus_of_a_write, 1);
}

TEST_F(SecureConnectionTest, SaysWhyItCannotEncrypt) {
  expect_refusal("pcps://web1", -EOPNOTSUPP, "the collector cannot encrypt");
  EXPECT_EQ(refusal("pcps://web1?secure=relaxed"), "connected");
  offer_tls();
  collector.secure_status = pm_err::E_NOTCONN;
  expect_refusal("pcps://web1", pm_err::E_NOTCONN, "cannot encrypt now");
  collector.secure_status = 0;
  collector.tls_problem =
      Error(Fault::io, "its certificate has expired").pm_code(pm_err::E_TLS).help("renew it");
  expect_refusal("pcps://web1", pm_err::E_TLS, "its certificate has expired");
  collector.tls_problem.reset();
  // Somebody between adds to what is said before the encryption.
  collector.garble = [](std::vector<std::byte>& bytes) {
    const std::vector<std::byte> once = bytes;
    bytes.insert(bytes.end(), once.begin(), once.end());
  };
  expect_refusal("pcps://web1", pm_err::E_IPC, "goes on in clear");
  collector.garble = nullptr;
  settings.tls_path = "/";
  EXPECT_EQ(refusal("pcps://web1"), "connected") << "a folder holds no settings";
}

TEST_F(SecureConnectionTest, LogsIn) {
  EXPECT_EQ(refusal("web1?user=bob&pass=word&method=plain&container=box"), "connected");
  EXPECT_EQ(collector.logins, std::vector<std::string>{std::string("PLAIN\0bob\0bob\0word", 18)});
  EXPECT_EQ(collector.log, (std::vector<std::string>{"CREDS", "ATTR", "ATTR", "PMNS_CHILD"}))
      << "success is silent: a request shows it";
  EXPECT_EQ(collector.container, "box");
  expect_refusal("web1?user=bob&pass=word", pm_err::E_NYI - 4,
                 "the password in clear only (PLAIN)");
  expect_refusal("web1?user=bob&pass=word&method=scram-sha-256", pm_err::E_NYI - 4,
                 "does not offer the method scram-sha-256");
  offer_tls();
  EXPECT_EQ(refusal("pcps://web1?user=bob&pass=word"), "connected") << "nobody else sees it";
  expect_refusal("pcps://web1?user=bob&pass=word&secure=relaxed", pm_err::E_NYI - 4,
                 "the password in clear only");
  collector.features = {};
  expect_refusal("web1?user=bob&pass=word", -EOPNOTSUPP, "users cannot log in");
}

TEST_F(SecureConnectionTest, SaysWhyAUserIsRefused) {
  const std::string spec = "web1?user=bob&pass=word&method=plain";
  const std::vector<std::pair<int, std::string>> refusals{
      {pm_err::E_NYI - 13, "refuses the user \"bob\": wrong password"},
      {pm_err::E_NYI - 20, "knows no user \"bob\""},
      {pm_err::E_NYI - 18, "refuses the user \"bob\": Authentication - passphrase expired"},
      {-ESRCH, "the collector's machine has no user \"bob\""},
      {pm_err::E_PERMISSION, "does not let the user \"bob\" read metrics"}};
  for (const auto& [code, what] : refusals) {
    collector.login_status = code;
    expect_refusal(spec, code, what);
    EXPECT_EQ(refusal(spec).find("word&"), std::string::npos) << "no password in messages";
  }
}

// Its tools connect, and are told by the answer to what they ask first.
TEST_F(SecureConnectionTest, UnderPcpsNamesTheFirstRequestIsRefused) {
  settings.fails_as_pcp = true;
  collector.login_status = pm_err::E_NYI - 13;
  HostClient client(network, *parse_host_spec("web1?user=bob&pass=word"), settings);
  HostContext context(client);
  ASSERT_TRUE(context.connect());
  EXPECT_EQ(context.look_up("load").error(), pm_err::E_NYI - 13);
  EXPECT_FALSE(client.connected()) << "its answers would be one behind";
}

TEST_F(SecureConnectionTest, AsksTheUserOnce) {
  std::vector<std::string> asked;
  settings.ask = [&](const std::string& prompt, bool is_secret) -> std::optional<std::string> {
    asked.push_back(fmt::format("{}{}", prompt, is_secret ? "*" : ""));
    return is_secret ? "word" : "bob";
  };
  collector.features = collector.features.with(Feature::creds_required);
  HostClient client(network, *parse_host_spec("web1?method=plain"), settings);
  HostContext context(client);
  ASSERT_TRUE(context.connect());
  network.hang_up();
  Fetched fetched;
  EXPECT_FALSE(context.fetch({&kLoad, 1}, {}, fetched));
  EXPECT_TRUE(context.fetch({&kLoad, 1}, {}, fetched)) << "over another connection";
  EXPECT_EQ(asked, (std::vector<std::string>{"user name at web1:44321: ",
                                             "password of bob at web1:44321: *"}));
  EXPECT_EQ(collector.logins.size(), 2u);
  collector.login_status = pm_err::E_NYI - 13;
  EXPECT_NE(refusal("web1?method=plain"), "connected");
  settings.ask = nullptr;
  expect_refusal("web1", pm_err::E_NYI - 7, "wants a user to log in");
  expect_refusal("web1?user=bob", pm_err::E_PERMISSION, "no password for the user \"bob\"");
}

TEST_F(SecureConnectionTest, GoesThroughAProxy) {
  collector.proxy_line = "pmproxy-server 1\n";
  EXPECT_EQ(refusal("web1:7@gate"), "connected");
  EXPECT_EQ(network.attempts, std::vector<std::string>{"gate:44322"});
  EXPECT_EQ(collector.beyond, "web1 7\n");
  settings.proxy = "other";
  settings.proxy_port = 9;
  EXPECT_EQ(refusal("web1"), "connected");
  EXPECT_EQ(network.attempts.back(), "other:9");
  EXPECT_EQ(collector.beyond, "web1 44321\n");
  EXPECT_EQ(refusal("web1@gate:8@far"), "connected") << "the first of several, as with PCP";
  EXPECT_EQ(network.attempts.back(), "gate:8");
  offer_tls();
  EXPECT_EQ(refusal("pcps://web1@gate"), "connected");
  EXPECT_EQ(collector.encrypted.back().host, "web1") << "the collector's certificate counts";
}

TEST_F(SecureConnectionTest, SaysWhatIsWrongWithAProxy) {
  collector.proxy_line = "pmproxy-server 1\n";
  collector.is_out_of_reach = true;
  expect_refusal("web1:7@gate", pm_err::E_IPC, "host web1 7@gate:44322: the proxy cannot reach");
  collector.proxy_line = "220 smtp.example.org ready\r\n";
  expect_refusal("web1@gate", pm_err::E_IPC, "does not greet as a pmproxy does");
  network.refuses = true;
  expect_refusal("web1@gate", -ECONNREFUSED, "gate:44322");
}

}  // namespace
}  // namespace pmjit::test
