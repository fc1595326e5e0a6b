// TlsSettings: how a stream is encrypted, and whom we trust. Source: pcp's tls.conf, which
// PCP_TLSCONF_PATH names; spec wire-protocol.md §3.4, §14.3.
//
//   auto settings = read_tls_settings("/etc/pcp/tls.conf");      // one that is not there is empty
//   transport.encrypt({.settings = *settings, .host = "web1"}, deadline, done);
//
//   tls-ca-cert-file = /etc/pcp/tls/ca.crt     authorities that we trust, as PEM; or a folder:
//   tls-ca-cert-dir = /etc/ssl/certs           named by hashes (c_rehash)
//   tls-cert-file, tls-key-file                our own certificate, for those that want one; a
//                                              collector encrypts where it has one
//   tls-ciphers, tls-ciphersuites              for TLS 1.2, for TLS 1.3
//
// Without an authority nobody is trusted: those of the system do not count, as with PCP.
#pragma once

#include <compare>
#include <string>

#include "runtime/base/result.h"

namespace pmjit {

struct TlsSettings {
  std::string path{};  // of the file that says so: for messages
  std::string ca_file{}, ca_folder{};
  std::string certificate_file{}, key_file{};
  std::string ciphers{}, cipher_suites{};
  bool checks_peer = true;  // false: whoever answers is taken
  bool any_issuer = false;  // PCP_ALLOW_SERVER_SELF_CERT
  bool any_name = false;    // PCP_ALLOW_BAD_CERT_DOMAIN

  auto operator<=>(const TlsSettings&) const = default;
  [[nodiscard]] bool has_certificate() const { return !certificate_file.empty(); }
  [[nodiscard]] bool trusts_anybody() const { return !ca_file.empty() || !ca_folder.empty(); }
};

// Unknown keys are passed over: collectors have more of them.
[[nodiscard]] Result<TlsSettings> read_tls_settings(const std::string& path);

}  // namespace pmjit
