#include "runtime/client/net/secure/tls_context.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <system_error>
#include <utility>

#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

constexpr std::chrono::seconds kFilesAreKept(60);

std::string reason_of(unsigned long code) {
  if (ERR_SYSTEM_ERROR(code)) return std::generic_category().message(ERR_GET_REASON(code));
  const char* const text = ERR_reason_error_string(code);
  return text != nullptr ? text : fmt::format("error {:#x}", code);
}

// The first error is the cause; those after it say where it was met.
std::string take_reason() {
  const unsigned long first = ERR_get_error();
  ERR_clear_error();
  return first == 0 ? "unknown error" : reason_of(first);
}

Error bad_setting(const TlsSettings& settings, std::string_view key, const std::string& value) {
  return Error(Fault::io, fmt::format("{} = {}: {}", key, value, take_reason()))
      .at("TLS settings", settings.path)
      .pm_code(pm_err::E_NOTCONN)
      .help("correct the file; PCP_TLSCONF_PATH names another");
}

const char* or_null(const std::string& text) { return text.empty() ? nullptr : text.c_str(); }

int no_passphrase(char*, int, int, void*) { return 0; }

Result<void> load_certificate(ssl_ctx_st* context, const TlsSettings& settings) {
  if (SSL_CTX_use_certificate_chain_file(context, settings.certificate_file.c_str()) != 1) {
    return fail(bad_setting(settings, "tls-cert-file", settings.certificate_file));
  }
  if (SSL_CTX_use_PrivateKey_file(context, settings.key_file.c_str(), SSL_FILETYPE_PEM) != 1 ||
      SSL_CTX_check_private_key(context) != 1) {
    return fail(bad_setting(settings, "tls-key-file", settings.key_file));
  }
  return {};
}

Result<TlsContext> make_context(const TlsSettings& settings, const SSL_METHOD* side) {
  ERR_clear_error();
  TlsContext out(SSL_CTX_new(side), SSL_CTX_free);
  if (out == nullptr) {
    return fail(Error(Fault::io, fmt::format("OpenSSL does not begin: {}", take_reason()))
                    .pm_code(pm_err::E_NOTCONN)
                    .help("is its configuration right (openssl.cnf, OPENSSL_CONF)?"));
  }
  SSL_CTX_set_min_proto_version(out.get(), TLS1_2_VERSION);
  SSL_CTX_set_options(out.get(), SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_mode(out.get(), SSL_MODE_RELEASE_BUFFERS);  // 34 KB of each host that waits
  SSL_CTX_set_default_passwd_cb(out.get(), no_passphrase);
  if (settings.trusts_anybody() &&
      SSL_CTX_load_verify_locations(out.get(), or_null(settings.ca_file),
                                    or_null(settings.ca_folder)) != 1) {
    return fail(bad_setting(settings, "tls-ca-cert-file", settings.ca_file));
  }
  if (settings.has_certificate() && !settings.key_file.empty()) {
    if (auto loaded = load_certificate(out.get(), settings); !loaded) return fail(loaded.error());
  }
  if (!settings.ciphers.empty() &&
      SSL_CTX_set_cipher_list(out.get(), settings.ciphers.c_str()) != 1) {
    return fail(bad_setting(settings, "tls-ciphers", settings.ciphers));
  }
  if (!settings.cipher_suites.empty() &&
      SSL_CTX_set_ciphersuites(out.get(), settings.cipher_suites.c_str()) != 1) {
    return fail(bad_setting(settings, "tls-ciphersuites", settings.cipher_suites));
  }
  return out;
}

// Clients begin anew with each connection, and learn whose certificates are taken.
Result<TlsContext> make_collector_context(const TlsSettings& settings) {
  if (!settings.has_certificate() || settings.key_file.empty()) {
    const char* const missing = settings.has_certificate() ? "tls-key-file" : "tls-cert-file";
    return fail(Error(Fault::usage, fmt::format("{} is missing", missing))
                    .at("TLS settings", settings.path)
                    .pm_code(pm_err::E_NOTCONN)
                    .help("a collector needs both of tls-cert-file and tls-key-file"));
  }
  auto out = make_context(settings, TLS_server_method());
  if (!out) return out;
  SSL_CTX_set_session_cache_mode(out->get(), SSL_SESS_CACHE_OFF);
  SSL_CTX_set_options(out->get(), SSL_OP_NO_TICKET);
  SSL_CTX_set_num_tickets(out->get(), 0);
  if (!settings.ca_file.empty()) {
    SSL_CTX_set_client_CA_list(out->get(), SSL_load_client_CA_file(settings.ca_file.c_str()));
  }
  return out;
}

// As a certificate has it: of fe80::1%eth0 it knows no interface. Empty: the host is a name.
std::string address_in(const std::string& host) {
  unsigned char bytes[sizeof(in6_addr)];
  if (inet_pton(AF_INET, host.c_str(), bytes) == 1) return host;
  std::string out = host.substr(0, host.find('%'));
  return inet_pton(AF_INET6, out.c_str(), bytes) == 1 ? out : std::string();
}

std::string text_of(BIO* bio) {
  char* bytes = nullptr;
  const long count = BIO_get_mem_data(bio, &bytes);
  std::string out = count > 0 ? std::string(bytes, static_cast<size_t>(count)) : std::string();
  // A stranger has written it, and it goes to a terminal.
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 127; };
  std::ranges::replace_if(out, is_control, '?');
  constexpr size_t kShown = 400;
  if (out.size() > kShown) out = out.substr(0, kShown) + "…";
  return out;
}

using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;

std::string name_text(const X509_NAME* name) {
  const Bio out(BIO_new(BIO_s_mem()), BIO_free);
  X509_NAME_print_ex(out.get(), name, 0, XN_FLAG_ONELINE & ~ASN1_STRFLGS_ESC_MSB);
  return text_of(out.get());
}

std::string time_text(const ASN1_TIME* time) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return "a time that cannot be read";
  return fmt::format("{}-{:02}-{:02} {:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

// "DNS:web1, IP Address:10.0.0.1"; of a certificate without such names its subject.
std::string names_in(const X509* certificate) {
  const int at = X509_get_ext_by_NID(certificate, NID_subject_alt_name, -1);
  if (at < 0) return name_text(X509_get_subject_name(certificate));
  const Bio out(BIO_new(BIO_s_mem()), BIO_free);
  X509V3_EXT_print(out.get(), X509_get_ext(certificate, at), 0, 0);
  return text_of(out.get());
}

// Where a handshake finds the TlsCheck that it belongs to.
int check_index() {
  static const int index = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return index;
}

// The other side does not take our certificate, or misses one.
bool refuses_ours(unsigned long code) {
  if (ERR_GET_LIB(code) != ERR_LIB_SSL) return false;
  switch (ERR_GET_REASON(code)) {
    case SSL_R_TLSV1_ALERT_UNKNOWN_CA:
    case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED:
    case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN:
    case SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE:
    case SSL_R_TLSV1_ALERT_ACCESS_DENIED: return true;
    default: return false;
  }
}

}  // namespace

Result<TlsContext> TlsContexts::of(const TlsSettings& settings, Instant now) {
  const auto found = kept_.find(settings);
  if (found != kept_.end() && now - found->second.made < kFilesAreKept) {
    return found->second.context;
  }
  auto made = make_context(settings, TLS_client_method());
  if (!made) return fail(made.error());
  kept_[settings] = {.context = *made, .made = now};
  return made;
}

Result<TlsContext> TlsContexts::of_collector(const TlsSettings& settings, Instant now) {
  const auto found = of_collector_.find(settings);
  const bool known = found != of_collector_.end();
  if (known && now - found->second.made < kFilesAreKept) return found->second.context;
  auto made = make_collector_context(settings);
  if (!made && !known) return fail(made.error());
  if (!made) made = found->second.context;
  of_collector_[settings] = {.context = *made, .made = now};
  return made;
}

bool TlsCheck::attach(ssl_st& ssl) {
  if (SSL_set_ex_data(&ssl, check_index(), this) != 1) return false;
  if (side_ != TlsSide::client) {
    const int wanted = side_ == TlsSide::strict_collector ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0;
    SSL_set_verify(&ssl, SSL_VERIFY_PEER | wanted, verify);
    return true;
  }
  SSL_set_verify(&ssl, peer_.settings.checks_peer ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, verify);
  X509_VERIFY_PARAM* const wanted = SSL_get0_param(&ssl);
  if (const std::string address = address_in(peer_.host); !address.empty()) {
    return X509_VERIFY_PARAM_set1_ip_asc(wanted, address.c_str()) == 1;
  }
  X509_VERIFY_PARAM_set_hostflags(wanted, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  // To OpenSSL an empty name is any name.
  return !peer_.host.empty() && SSL_set_tlsext_host_name(&ssl, peer_.host.c_str()) == 1 &&
         X509_VERIFY_PARAM_set1_host(wanted, peer_.host.c_str(), 0) == 1;
}

bool TlsCheck::passes_over(int problem) const {
  switch (problem) {
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH: return peer_.settings.any_name;
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE: return peer_.settings.any_issuer;
    default: return false;
  }
}

int TlsCheck::verify(int good, X509_STORE_CTX* chain) {
  const auto* const ssl = static_cast<const SSL*>(
      X509_STORE_CTX_get_ex_data(chain, SSL_get_ex_data_X509_STORE_CTX_idx()));
  auto* const self = static_cast<TlsCheck*>(SSL_get_ex_data(ssl, check_index()));
  if (good == 1 || !self->peer_.settings.checks_peer) return 1;
  const int problem = X509_STORE_CTX_get_error(chain);
  if (self->passes_over(problem)) {
    X509_STORE_CTX_set_error(chain, X509_V_OK);
    return 1;
  }
  self->problem_ = problem;
  if (const X509* const certificate = X509_STORE_CTX_get_current_cert(chain)) {
    self->seen_ = {.names = names_in(certificate),
                   .issuer = name_text(X509_get_issuer_name(certificate)),
                   .begins = time_text(X509_get0_notBefore(certificate)),
                   .ends = time_text(X509_get0_notAfter(certificate))};
  }
  return 0;
}

Error TlsCheck::unknown_issuer() const {
  const TlsSettings& settings = peer_.settings;
  std::string help =
      settings.trusts_anybody()
          ? fmt::format("is that issuer among the authorities of {} (tls-ca-cert-file)?",
                        settings.path)
          : fmt::format("get the issuer's certificate, and name it in {}: tls-ca-cert-file = PATH",
                        settings.path);
  return Error(Fault::io, fmt::format("its certificate is by an unknown issuer ({})", seen_.issuer))
      .help(help + "; PCP_ALLOW_SERVER_SELF_CERT=1 takes any issuer");
}

Error TlsCheck::refused_name() const {
  return Error(Fault::io, fmt::format("its certificate is for another name ({}), not for {}",
                                      seen_.names, peer_.host))
      .help(
          "name the host as its certificate does, or have a certificate made for this name; "
          "PCP_ALLOW_BAD_CERT_DOMAIN=1 takes any name");
}

Error TlsCheck::refused_certificate() const {
  switch (problem_) {
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH: return refused_name();
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE: return unknown_issuer();
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return Error(Fault::io, fmt::format("its certificate has expired ({})", seen_.ends))
          .help("the host needs a new certificate; or is this machine's clock wrong?");
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return Error(Fault::io, fmt::format("its certificate is not valid before {}", seen_.begins))
          .help("wait until then; or is this machine's clock wrong?");
    default:
      return Error(Fault::io, fmt::format("its certificate is refused: {}",
                                          X509_verify_cert_error_string(problem_)))
          .help("the host needs another certificate");
  }
}

Error TlsCheck::failure(unsigned long code) const {
  if (problem_ != 0) return refused_certificate().at("host", to_).pm_code(pm_err::E_TLS);
  if (refuses_ours(code)) return tls_stream_error(code, to_, side_).pm_code(pm_err::E_TLS);
  const std::string why = code == 0 ? "it closes the connection" : reason_of(code);
  return Error(Fault::io, fmt::format("encryption cannot begin: {}", why))
      .at("host", to_)
      .pm_code(pm_err::E_TLS)
      .help("its log (pmcd.log) may say more; does it support TLS 1.2 or 1.3?");
}

Error tls_stream_error(unsigned long code, const std::string& to, TlsSide side) {
  if (refuses_ours(code) && side != TlsSide::client) {
    return Error(Fault::io, fmt::format("it does not accept the certificate of this collector: {}",
                                        reason_of(code)))
        .at("client", to);
  }
  if (refuses_ours(code)) {
    return Error(Fault::io,
                 fmt::format("the collector does not accept our certificate: {}", reason_of(code)))
        .at("host", to)
        .pm_code(pm_err::E_IPC)
        .help(
            "tls-cert-file and tls-key-file of tls.conf name ours; an authority that the "
            "collector trusts has to sign it");
  }
  return Error(Fault::io, fmt::format("the encrypted connection is broken: {}", reason_of(code)))
      .at("host", to)
      .pm_code(pm_err::E_IPC)
      .help("the collector was stopped or restarted, or somebody between changes what is sent");
}

}  // namespace pmjit
