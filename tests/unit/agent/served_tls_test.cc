// An encrypted connection without sockets: both sides of TLS in memory, certificates that are
// wanted, wrong or missing, and clients that stop half-way.
#include <fmt/format.h>

#include <fstream>

#include "agent/collector/served_client.h"
#include "runtime/client/net/secure_module.h"
#include "tests/unit/agent/scripted_agent.h"
#include "tests/unit/client_net/tls_server.h"

namespace pmjit {
namespace {

using std::chrono::seconds;
using test::TestAuthority;
using wire::Feature;

class ServedTlsTest : public testing::Test {
 protected:
  ServedTlsTest() {
    state_.encrypts = true;
    ours_ = settings_of(authority_, "localhost", authority_);
    theirs_ = {.ca_file = authority_.path()};
  }

  static TlsSettings settings_of(const TestAuthority& by, const std::string& name,
                                 const TestAuthority& trusted) {
    const std::string base = by.write({.name = name});
    return {
        .ca_file = trusted.path(), .certificate_file = base + ".crt", .key_file = base + ".key"};
  }

  // In CREDS.
  void greet(wire::FeatureSet wishes) {
    served_.emplace(core_, AgentAsker{.client = 1}, ClientLimits{});
    if (remote_) served_->require_certificate();
    greeting_ = pdus_text(served_->unsent());
    served_->sent(served_->unsent().size());
    const wire::Credential version{.version = 2, .wishes = wishes};
    ByteWriter out;
    wire::encode({.body = wire::CredsMessage{.credentials = {version}}}, out);
    give(out.written());
  }
  void give(Bytes bytes) {
    while (!bytes.empty() && !served_->closing()) {
      const auto room = served_->room();
      const size_t now = std::min(room.size(), bytes.size());
      std::ranges::copy(bytes.first(now), room.begin());
      served_->received(now);
      bytes = bytes.subspan(now);
    }
  }
  std::vector<std::byte> taken() {
    const Bytes unsent = served_->unsent();
    std::vector<std::byte> out(unsent.begin(), unsent.end());
    served_->sent(out.size());
    return out;
  }

  // Both ways until nothing more comes. Empty: the client is content; else why not.
  std::string shake_hands() {
    served_->encrypt(secure_->accept(ours_, served_->wants_certificate(), "test", clock_.now()));
    client_ = *secure_->begin({.settings = theirs_, .host = "localhost"}, "test", clock_.now());
    for (int turn = 0; turn < 10; ++turn) {
      const auto stands = client_->shake_hands();
      std::vector<std::byte> sent;
      client_->take_to_send(sent);
      give(sent);
      const auto answer = taken();
      client_->arrived(answer);
      if (!stands) return stands.error().what();
      if (*stands && sent.empty() && answer.empty()) return "";
    }
    return "it does not end";
  }
  // The answers in clear to one PDU, or why there are none.
  std::string ask(wire::PduBody body) {
    ByteWriter request;
    wire::encode({.body = std::move(body)}, request);
    std::vector<std::byte> sent;
    if (!client_->write(request.written())) return "cannot write";
    client_->take_to_send(sent);
    give(sent);
    client_->arrived(taken());
    std::vector<std::byte> room(100'000);
    const auto got = client_->read(room);
    if (!got) return got.error().what();
    return *got ? pdus_text(Bytes(room).first(**got)) : "nothing";
  }

  FakeClock clock_;
  CollectorState state_{};
  ScriptedAgent agent_;
  CollectorCore core_{clock_, {&agent_}, state_};
  TestAuthority authority_{"good"}, stranger_{"stranger"};
  std::unique_ptr<TlsSessions> secure_ = (*load_secure())->tls_sessions();
  TlsSettings ours_, theirs_;
  std::optional<ServedClient> served_;
  std::unique_ptr<TlsSession> client_;
  std::string greeting_;
  bool remote_ = false;
};

TEST_F(ServedTlsTest, AnswersGoThroughIt) {
  greet({Feature::secure, Feature::secure_ack});
  EXPECT_NE(greeting_.find("SECURE|SECURE_ACK"), std::string::npos) << greeting_;
  EXPECT_EQ(taken().size(), 16u);  // the go-ahead, in clear
  ASSERT_TRUE(served_->begins_tls());
  ASSERT_EQ(shake_hands(), "");
  EXPECT_FALSE(served_->deadline());
  EXPECT_TRUE(ask(wire::DescRequest{.pmid = ScriptedAgent::kOne}).starts_with("DESC from"));
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(ask(wire::TraverseRequest{}).starts_with("PMNS_NAMES")) << i;
  }
}

TEST_F(ServedTlsTest, WithoutGoAheadTheHandshakeComesWithCreds) {
  client_ = *secure_->begin({.settings = theirs_, .host = "localhost"}, "test", clock_.now());
  (void)client_->shake_hands();
  const wire::Credential version{.version = 2, .wishes = {Feature::secure}};
  ByteWriter both;
  wire::encode({.body = wire::CredsMessage{.credentials = {version}}}, both);
  std::vector<std::byte> hello;
  client_->take_to_send(hello);
  both.bytes(hello);
  served_.emplace(core_, AgentAsker{.client = 1}, ClientLimits{});
  (void)taken();
  give(both.written());
  ASSERT_TRUE(served_->begins_tls());
  served_->encrypt(secure_->accept(ours_, false, "test", clock_.now()));
  client_->arrived(taken());
  const auto stands = client_->shake_hands();
  EXPECT_TRUE(stands && *stands);
}

TEST_F(ServedTlsTest, AClientMayHaveToShowACertificate) {
  state_.certificates_required = true;
  greet({Feature::secure});
  EXPECT_NE(greeting_.find("CERT_REQD"), std::string::npos) << greeting_;
  (void)shake_hands();  // in TLS 1.3 the client hears of it later
  ASSERT_TRUE(served_->closing());
  EXPECT_EQ(served_->closing()->why, "encryption cannot begin: peer did not return a certificate");

  theirs_ = settings_of(stranger_, "me", authority_);
  greet({Feature::secure});
  (void)shake_hands();
  ASSERT_TRUE(served_->closing());
  EXPECT_EQ(served_->closing()->why, "its certificate is by an unknown issuer (CN = stranger)");

  theirs_ = settings_of(authority_, "me", authority_);
  greet({Feature::secure});
  ASSERT_EQ(shake_hands(), "");
  EXPECT_TRUE(ask(wire::DescRequest{.pmid = ScriptedAgent::kOne}).starts_with("DESC from"));
}

TEST_F(ServedTlsTest, WhoIsFarCannotGoOnInClear) {
  state_.certificates_required = remote_ = true;
  greet({});
  EXPECT_EQ(pdus_text(taken()), "ERROR from=0 code=-12408\n");
  ASSERT_TRUE(served_->closing());
  EXPECT_EQ(served_->closing()->why, "it has to use TLS and to show a certificate");
  remote_ = false;
  greet({});
  EXPECT_FALSE(served_->closing());
}

TEST_F(ServedTlsTest, AClientThatDoesNotTrustUsIsNamed) {
  theirs_.ca_file = stranger_.path();
  greet({Feature::secure});
  EXPECT_NE(shake_hands().find("unknown issuer (CN = good)"), std::string::npos);
  ASSERT_TRUE(served_->closing());
  EXPECT_EQ(served_->closing()->why,
            "it does not accept the certificate of this collector: tlsv1 alert unknown ca");
}

TEST_F(ServedTlsTest, AHandshakeThatStopsHasADeadline) {
  greet({Feature::secure});
  served_->encrypt(secure_->accept(ours_, false, "test", clock_.now()));
  clock_.advance(seconds(10));
  served_->look_at_time();
  ASSERT_TRUE(served_->closing());
  EXPECT_EQ(served_->closing()->why, "its TLS handshake did not end within 10000 ms");
}

TEST_F(ServedTlsTest, GarbageAndEndsCloseIt) {
  greet({Feature::secure});
  served_->encrypt(secure_->accept(ours_, false, "test", clock_.now()));
  give(std::vector<std::byte>(100, std::byte('x')));
  ASSERT_TRUE(served_->closing());
  EXPECT_EQ(served_->closing()->why, "encryption cannot begin: wrong version number");

  greet({Feature::secure});
  served_->encrypt(secure_->accept(ours_, false, "test", clock_.now()));
  served_->ended();
  EXPECT_EQ(served_->closing()->why, "encryption cannot begin: it closes the connection");

  greet({Feature::secure});
  ASSERT_EQ(shake_hands(), "");
  give(std::vector<std::byte>(100, std::byte('x')));
  ASSERT_TRUE(served_->closing());
  EXPECT_TRUE(served_->closing()->why.starts_with("the encrypted connection is broken"))
      << served_->closing()->why;
}

TEST_F(ServedTlsTest, WithoutACertificateItIsRefused) {
  state_.encrypts = false;
  greet({Feature::secure});
  EXPECT_EQ(greeting_.find("SECURE"), std::string::npos);
  EXPECT_EQ(pdus_text(taken()), "ERROR from=0 code=-12391\n");
  EXPECT_TRUE(served_->closing());
}

TEST_F(ServedTlsTest, FilesThatAreReplacedBadlyLeaveWhatWas) {
  const std::string path = ours_.certificate_file;
  ASSERT_TRUE(secure_->accept(ours_, false, "test", clock_.now()));
  std::ofstream(path, std::ios::trunc) << "no certificate\n";
  clock_.advance(seconds(61));
  EXPECT_TRUE(secure_->accept(ours_, false, "test", clock_.now()));
  const auto fresh = (*load_secure())->tls_sessions();
  const auto refused = fresh->accept(ours_, false, "test", clock_.now());
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().what().find("tls-cert-file = "), std::string::npos);
}

}  // namespace
}  // namespace pmjit
