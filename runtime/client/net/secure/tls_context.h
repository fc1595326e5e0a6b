// TlsContexts set OpenSSL up for a handshake; TlsCheck reads its verdict. openssl_session.cc uses
// both.
//
//   TlsContexts contexts;                                     // one per network
//   const auto context = contexts.of(peer.settings, now);
//   TlsCheck check(peer, "web1:44321", TlsSide::client);
//   if (!check.attach(*ssl)) …                                // of a stream of that context
//   …                                                         // the handshake
//   if (failed) return fail(check.failure(code));
#pragma once

#include <map>
#include <memory>
#include <string>

#include "runtime/base/clock.h"
#include "runtime/client/net/network.h"

struct ssl_ctx_st;  // OpenSSL's
struct ssl_st;
struct x509_store_ctx_st;

namespace pmjit {

using TlsContext = std::shared_ptr<ssl_ctx_st>;

// Files are read once for all streams of the same settings, and again after a minute.
class TlsContexts {
 public:
  [[nodiscard]] Result<TlsContext> of(const TlsSettings& settings, Instant now);
  // The same of a collector's side, which needs a certificate. Files that cannot be read any more
  // leave what they said.
  [[nodiscard]] Result<TlsContext> of_collector(const TlsSettings& settings, Instant now);

 private:
  struct Kept {
    TlsContext context;
    Instant made{};
  };
  std::map<TlsSettings, Kept> kept_, of_collector_;
};

enum class TlsSide : uint8_t { client, collector, strict_collector };  // which wants a certificate

// One handshake. It stays where it is from attach() until the handshake has ended.
class TlsCheck {
 public:
  TlsCheck(TlsPeer peer, std::string to, TlsSide side)
      : peer_(std::move(peer)), to_(std::move(to)), side_(side) {}
  TlsCheck(const TlsCheck&) = delete;
  TlsCheck& operator=(const TlsCheck&) = delete;

  // False: there is no memory, and nothing may be sent that is to be secret.
  [[nodiscard]] bool attach(ssl_st& ssl);
  // Why it failed. `code`: OpenSSL's; 0: the other side has closed the stream.
  [[nodiscard]] Error failure(unsigned long code) const;

 private:
  static int verify(int good, x509_store_ctx_st* chain);
  [[nodiscard]] bool passes_over(int problem) const;
  [[nodiscard]] Error refused_certificate() const;
  [[nodiscard]] Error refused_name() const;
  [[nodiscard]] Error unknown_issuer() const;

  TlsPeer peer_;
  std::string to_;
  TlsSide side_;
  int problem_ = 0;  // X509_V_ERR_*
  struct Seen {
    std::string names, issuer, begins, ends;
  } seen_;  // of the certificate that has it
};

// What came of an established stream in place of bytes, such as the alert that our certificate is
// not accepted, which comes behind a handshake that went well.
[[nodiscard]] Error tls_stream_error(unsigned long code, const std::string& to, TlsSide side);

}  // namespace pmjit
