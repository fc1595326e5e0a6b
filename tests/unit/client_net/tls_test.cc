// Encryption over real sockets: whom the client trusts, what it says of those whom it does not, and
// files of settings. The other side is a server of the test itself.
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <cstring>
#include <fstream>
#include <functional>
#include <optional>
#include <thread>

#include "runtime/client/net/asio_network.h"
#include "runtime/client/net/secure_module.h"
#include "runtime/model/pm_codes.h"
#include "tests/unit/client_net/tls_server.h"

namespace pmjit::test {
namespace {

using std::chrono::seconds;
using Manner = TlsServer::Manner;

class TlsTest : public testing::Test {
 protected:
  TlsTest() { (void)::signal(SIGPIPE, SIG_IGN); }  // of the server's OpenSSL

  template <class T, class Begin>
  Result<T> wait(Begin begin) {
    std::optional<Result<T>> out;
    begin([&](Result<T> got) { out = std::move(got); });
    while (!out) (void)network->run_some(network->now() + seconds(1));
    return *std::move(out);
  }
  [[nodiscard]] Instant soon() const { return network->now() + seconds(10); }

  Result<bool> encrypt(const TlsServer& server) {
    auto opened = wait<std::unique_ptr<Transport>>([&](auto done) {
      network->connect({.host = "127.0.0.1", .port = server.port()}, soon(), std::move(done));
    });
    if (!opened) return fail(opened.error());
    transport = *std::move(opened);
    return wait<bool>([&](auto done) { transport->encrypt(peer, soon(), std::move(done)); });
  }
  Result<std::string> exchange(const std::string& text) {
    const auto written = wait<size_t>([&](auto done) {
      transport->write(std::as_bytes(std::span(text)), soon(), std::move(done));
    });
    if (!written) return fail(written.error());
    std::vector<std::byte> room(100);
    const auto got =
        wait<size_t>([&](auto done) { transport->read(room, soon(), std::move(done)); });
    if (!got) return fail(got.error());
    return std::string(reinterpret_cast<const char*>(room.data()), *got);
  }
  // What is said where a certificate is refused.
  std::string refusal(const TestCertificate& what, const TestAuthority& by) {
    const TlsServer server(by, what);
    const auto done = encrypt(server);
    transport.reset();
    if (done) return "encrypted";
    EXPECT_EQ(done.error().pm_code(), pm_err::E_TLS);
    EXPECT_NE(done.error().help(), "");
    return done.error().text();
  }

  SystemClock clock;
  std::unique_ptr<Network> network = make_network(clock);
  TestAuthority authority, other{"somebody else"};
  TlsPeer peer{.settings = {.path = "tls.conf", .ca_file = authority.path()}, .host = "localhost"};
  std::unique_ptr<Transport> transport;
};

TEST_F(TlsTest, CarriesBytesBothWays) {
  for (const char* const host : {"localhost", "127.0.0.1"}) {
    peer.host = host;
    const TlsServer server(authority, {});
    const auto done = encrypt(server);
    ASSERT_TRUE(done) << done.error().text();
    EXPECT_EQ(*exchange("hello"), "hello");
    EXPECT_EQ(*exchange("again"), "again");
    transport.reset();
  }
}

TEST_F(TlsTest, SaysWhyItDoesNotTrust) {
  const TestCertificate elsewhere{.name = "elsewhere", .alternatives = "DNS:elsewhere.example"};
  const TestCertificate old{.valid_seconds = -3'600};
  EXPECT_EQ(refusal({}, authority), "encrypted");
  EXPECT_NE(refusal(elsewhere, authority)
                .find("its certificate is for another name (DNS:elsewhere.example), not for "
                      "localhost"),
            std::string::npos);
  EXPECT_NE(refusal(old, authority).find("its certificate has expired (20"), std::string::npos);
  EXPECT_NE(refusal({}, other).find("by an unknown issuer (CN = somebody else)"),
            std::string::npos);
  peer.settings.any_name = true;
  EXPECT_EQ(refusal(elsewhere, authority), "encrypted");
  peer.settings.any_issuer = true;
  EXPECT_EQ(refusal(elsewhere, other), "encrypted");
  EXPECT_NE(refusal(old, other).find("has expired"), std::string::npos) << "dates count still";
  peer.settings = {.path = "tls.conf"};
  EXPECT_NE(refusal({}, authority).find("name it in tls.conf: tls-ca-cert-file = PATH"),
            std::string::npos);
  peer.settings.checks_peer = false;
  EXPECT_EQ(refusal(old, other), "encrypted");
}

TEST_F(TlsTest, ACertificateWithoutNamesIsForItsSubject) {
  EXPECT_EQ(refusal({.alternatives = ""}, authority), "encrypted");
  peer.host = "web1";
  EXPECT_NE(refusal({.alternatives = ""}, authority).find("(CN = localhost), not for web1"),
            std::string::npos);
}

TEST_F(TlsTest, ShowsACertificateWhereOneIsWanted) {
  {
    const TlsServer server(authority, {}, Manner::wants_certificate);
    auto done = encrypt(server);
    const auto answer = done ? exchange("hello") : fail(done.error());
    ASSERT_FALSE(answer) << *answer;
    EXPECT_NE(answer.error().text().find("does not accept our certificate"), std::string::npos)
        << answer.error().text();
    transport.reset();
  }
  const std::string own = authority.write({.name = "me"});
  peer.settings.certificate_file = own + ".crt";
  peer.settings.key_file = own + ".key";
  const TlsServer server(authority, {}, Manner::wants_certificate);
  ASSERT_TRUE(encrypt(server));
  EXPECT_EQ(*exchange("hello"), "hello");
  transport.reset();
}

TEST_F(TlsTest, SaysThatTheOtherSideDoesNotEncrypt) {
  for (const Manner manner : {Manner::speaks_clear, Manner::hangs_up}) {
    const TlsServer server(authority, {}, manner);
    const auto done = encrypt(server);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().pm_code(), pm_err::E_TLS);
    EXPECT_NE(done.error().text().find("encryption cannot begin: "), std::string::npos)
        << done.error().text();
    transport.reset();
  }
}

TEST_F(TlsTest, SaysWhichFileIsWrong) {
  const auto wrong = [&](const TlsSettings& settings) {
    peer.settings = settings;
    const TlsServer server(authority, {});
    const auto done = encrypt(server);
    transport.reset();
    if (done) return std::string("encrypted");
    EXPECT_EQ(done.error().pm_code(), pm_err::E_NOTCONN);
    return done.error().text();
  };
  const std::string own = authority.write({.name = "me"}), its = authority.write({.name = "it"});
  EXPECT_NE(wrong({.ca_file = "/none.crt"}).find("tls-ca-cert-file = /none.crt: "),
            std::string::npos);
  EXPECT_NE(wrong({.certificate_file = "/none.crt", .key_file = "/none.key"})
                .find("tls-cert-file = /none.crt: "),
            std::string::npos);
  EXPECT_NE(
      wrong({.certificate_file = own + ".crt", .key_file = its + ".key"}).find("tls-key-file = "),
      std::string::npos)
      << "another one's";
  EXPECT_NE(wrong({.ciphers = "none-such"}).find("tls-ciphers = none-such: "), std::string::npos);
  EXPECT_NE(wrong({.cipher_suites = "none-such"}).find("tls-ciphersuites = none-such: "),
            std::string::npos);
}

TEST_F(TlsTest, WaitsForAHandshakeNoLongerThanItMay) {
  const TlsServer server(authority, {}, Manner::is_mute);
  auto opened = wait<std::unique_ptr<Transport>>([&](auto done) {
    network->connect({.host = "127.0.0.1", .port = server.port()}, soon(), std::move(done));
  });
  ASSERT_TRUE(opened);
  transport = *std::move(opened);
  const auto done = wait<bool>([&](auto callback) {
    transport->encrypt(peer, network->now() + std::chrono::milliseconds(100), std::move(callback));
  });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().pm_code(), pm_err::E_TIMEOUT);
  transport.reset();
}

TEST_F(TlsTest, EndsInTheMiddleOfAHandshake) {
  const TlsServer server(authority, {}, Manner::is_mute);
  auto opened = wait<std::unique_ptr<Transport>>([&](auto done) {
    network->connect({.host = "127.0.0.1", .port = server.port()}, soon(), std::move(done));
  });
  ASSERT_TRUE(opened);
  bool called = false;
  (*opened)->encrypt(peer, soon(), [&](const auto&) { called = true; });
  for (int i = 0; i < 3; ++i) (void)network->run_some(network->now());
  opened->reset();
  (void)network->run_some(network->now() + std::chrono::milliseconds(20));
  EXPECT_FALSE(called);
}

// The server echoes, so its buffers are full unless both go on at once.
TEST_F(TlsTest, ReadsAndWritesAtOnce) {
  for (const Manner manner : {Manner::echoes, Manner::renews_keys}) {
    const TlsServer server(authority, {}, manner);
    ASSERT_TRUE(encrypt(server));
    std::string text(manner == Manner::echoes ? 8'000'000 : 100'000, 'x');
    for (size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i * i >> 7);
    bool inside = true;
    std::optional<size_t> written;
    transport->write(std::as_bytes(std::span(text)), soon(), [&](Result<size_t> bytes) {
      EXPECT_FALSE(inside);
      ASSERT_TRUE(bytes);
      written = *bytes;
    });
    inside = false;
    std::string back;
    std::vector<std::byte> room(100'000);
    while (back.size() < text.size()) {
      const auto got =
          wait<size_t>([&](auto done) { transport->read(room, soon(), std::move(done)); });
      ASSERT_TRUE(got) << got.error().text();
      ASSERT_NE(*got, 0u);
      back.append(reinterpret_cast<const char*>(room.data()), *got);
    }
    EXPECT_EQ(written, text.size());
    EXPECT_TRUE(back == text);
    transport.reset();
  }
}

TEST_F(TlsTest, ANameMayStandForOneLabel) {
  peer.host = "web1.example.org";
  EXPECT_EQ(refusal({.alternatives = "DNS:*.example.org"}, authority), "encrypted");
  EXPECT_NE(refusal({.alternatives = "DNS:w*.example.org"}, authority).find("for another name"),
            std::string::npos);
  EXPECT_NE(refusal({.alternatives = "DNS:*.org"}, authority).find("for another name"),
            std::string::npos);
  peer.host = "";
  const TlsServer server(authority, {});
  EXPECT_FALSE(encrypt(server)) << "to OpenSSL no name is any name";
  transport.reset();
}

TEST_F(TlsTest, PrintsNoControlsOfAStranger) {
  const std::string said = refusal({.alternatives = "DNS:a\x1b[31mb"}, authority);
  EXPECT_NE(said.find("for another name (DNS:a?[31mb)"), std::string::npos) << said;
}

// Each with a network of its own, and the module's statics for all.
TEST(TlsThreads, DoNotMeet) {
  (void)::signal(SIGPIPE, SIG_IGN);
  const TestAuthority authority;
  std::atomic<int> good = 0;
  constexpr int kThreads = 16;
  const auto run = [&] {
    const SystemClock clock;
    const auto network = make_network(clock);
    const TlsServer server(authority, {});
    std::unique_ptr<Transport> transport;
    const std::string text(50'000, 'x');
    size_t back = 0;
    std::vector<std::byte> room(4'096);
    bool done = false;
    const Instant end = network->now() + seconds(60);
    std::function<void()> read = [&] {
      transport->read(room, end, [&](Result<size_t> got) {
        back += got.value_or(0);
        done = !got || *got == 0 || back == text.size();
        if (!done) read();
      });
    };
    network->connect({.host = "127.0.0.1", .port = server.port()}, end, [&](auto opened) {
      transport = *std::move(opened);
      const TlsPeer peer{.settings = {.path = "tls.conf", .ca_file = authority.path()},
                         .host = "localhost"};
      transport->encrypt(peer, end, [&](Result<bool> stands) {
        done = !stands;
        if (done) return;
        transport->write(std::as_bytes(std::span(text)), end, [](const auto&) {});
        read();
      });
    });
    while (!done) (void)network->run_some(end);
    good += back == text.size() ? 1 : 0;
    transport.reset();
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(run);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, kThreads);
}

// A collector that is none could keep us busy for hours.
TEST(SaslLogins, DoNoMoreWorkThanIsUsual) {
  const auto module = load_secure();
  ASSERT_TRUE(module) << module.error().text();
  for (const char* const rounds : {"2000000001", "99999999999", "+2000000001", ""}) {
    const auto login = (*module)->log_in("web1", {.user = "bob", .password = "word"});
    const auto first = login->start("SCRAM-SHA-256");
    ASSERT_TRUE(first) << first.error().text();
    const std::string nonce = first->substr(first->find("r=") + 2);
    const auto second = login->step("r=" + nonce + "x,s=c2FsdA==,i=" + rounds);
    ASSERT_FALSE(second);
    EXPECT_NE(second.error().text().find("far too long"), std::string::npos);
  }
  const auto login = (*module)->log_in("web1", {.user = "bob", .password = "word"});
  const auto first = login->start("SCRAM-SHA-256");
  const std::string nonce = first->substr(first->find("r=") + 2);
  EXPECT_TRUE(login->step("r=" + nonce + "x,s=c2FsdA==,i=4096"));
}

TEST(SaslLogins, UseThePasswordThatThereIs) {
  const auto module = load_secure();
  ASSERT_TRUE(module) << module.error().text();
  const auto login = (*module)->log_in("web1", {.user = "bob", .password = "word"});
  const auto first = login->start("ANONYMOUS EXTERNAL GSSAPI PLAIN");
  ASSERT_TRUE(first) << first.error().text();
  EXPECT_TRUE(first->starts_with("PLAIN"));
}

TEST(TlsSettings, AreReadFromAFile) {
  const std::string path = testing::TempDir() + "/pmjit_tls_test.conf";
  std::ofstream(path) << "# tls-ca-cert-file = /no\n\n  tls-ca-cert-file =  /a b.crt \r\n"
                         "tls-ca-cert-dir=/certs\ntls-cert-file = /c\ntls-key-file = /k\n"
                         "tls-ciphers = A:B\ntls-ciphersuites = C\ntls-verify-clients = true\nx\n";
  const auto read = read_tls_settings(path);
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, (TlsSettings{.path = path,
                                .ca_file = "/a b.crt",
                                .ca_folder = "/certs",
                                .certificate_file = "/c",
                                .key_file = "/k",
                                .ciphers = "A:B",
                                .cipher_suites = "C"}));
  std::remove(path.c_str());
  EXPECT_EQ(*read_tls_settings(path), TlsSettings{.path = path}) << "which is not there";
  EXPECT_FALSE(read_tls_settings("/etc/passwd/x"));
}

}  // namespace
}  // namespace pmjit::test
