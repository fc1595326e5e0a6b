// TlsServer: one encrypted connection on loopback, with a certificate that the test describes, in a
// thread of its own. What it reads it sends back.
//
//   TestAuthority authority;                               // its certificate is in a file
//   TlsServer server(authority, {.name = "localhost"});
//   … connect to server.port(), encrypt with tls-ca-cert-file = authority.path() …
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

struct ssl_ctx_st;
struct evp_pkey_st;
struct x509_st;

namespace pmjit::test {

struct TestCertificate {
  std::string name = "localhost";
  std::string alternatives = "DNS:localhost,IP:127.0.0.1";
  long valid_seconds = 3'600;  // from an hour ago; below 0: it has expired
};

class TestAuthority {
 public:
  explicit TestAuthority(const std::string& name = "authority");
  ~TestAuthority();
  TestAuthority(const TestAuthority&) = delete;
  TestAuthority& operator=(const TestAuthority&) = delete;

  [[nodiscard]] std::string path() const { return (folder_ / "authority.crt").string(); }
  struct Signed {
    std::shared_ptr<evp_pkey_st> key;
    std::shared_ptr<x509_st> certificate;
  };
  [[nodiscard]] Signed sign(const TestCertificate& what) const;
  // As files of this folder: NAME.crt and NAME.key.
  [[nodiscard]] std::string write(const TestCertificate& what) const;

 private:
  std::filesystem::path folder_;
  Signed self_;
};

class TlsServer {
 public:
  enum class Manner : uint8_t {
    echoes,
    wants_certificate,
    renews_keys,  // and wants the client to do so, with each answer
    speaks_clear,
    hangs_up,
    is_mute,
  };

  TlsServer(const TestAuthority& authority, const TestCertificate& what,
            Manner manner = Manner::echoes);
  ~TlsServer();
  TlsServer(const TlsServer&) = delete;
  TlsServer& operator=(const TlsServer&) = delete;

  [[nodiscard]] uint16_t port() const { return port_; }

 private:
  void serve(Manner manner) const;

  std::shared_ptr<ssl_ctx_st> context_;
  int listener_ = -1;
  uint16_t port_ = 0;
  std::thread thread_;
};

}  // namespace pmjit::test
