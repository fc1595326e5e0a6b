#include "tests/unit/client_net/tls_server.h"

#include <netinet/in.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <string_view>

namespace pmjit::test {
namespace {

using Key = std::shared_ptr<EVP_PKEY>;
using Certificate = std::shared_ptr<X509>;

void add_extension(X509* certificate, int what, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* const made = X509V3_EXT_conf_nid(nullptr, &context, what, value.c_str());
  X509_add_ext(certificate, made, -1);
  X509_EXTENSION_free(made);
}

TestAuthority::Signed make(const TestCertificate& what, const TestAuthority::Signed* by) {
  const Key key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const Certificate out(X509_new(), X509_free);
  static std::atomic<long> serial = 0;
  X509_set_version(out.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(out.get()), ++serial);
  X509_gmtime_adj(X509_getm_notBefore(out.get()), -7'200);
  X509_gmtime_adj(X509_getm_notAfter(out.get()), what.valid_seconds);
  X509_set_pubkey(out.get(), key.get());
  X509_NAME_add_entry_by_txt(X509_get_subject_name(out.get()), "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(what.name.c_str()), -1, -1, 0);
  X509_set_issuer_name(out.get(),
                       X509_get_subject_name(by != nullptr ? by->certificate.get() : out.get()));
  add_extension(out.get(), NID_basic_constraints, by != nullptr ? "CA:FALSE" : "critical,CA:TRUE");
  if (!what.alternatives.empty()) {
    add_extension(out.get(), NID_subject_alt_name, what.alternatives);
  }
  X509_sign(out.get(), by != nullptr ? by->key.get() : key.get(), EVP_sha256());
  return {.key = key, .certificate = out};
}

using File = std::unique_ptr<FILE, decltype(&std::fclose)>;

void write_certificate(const std::filesystem::path& path, X509* certificate) {
  const File out(std::fopen(path.c_str(), "w"), std::fclose);
  PEM_write_X509(out.get(), certificate);
}

}  // namespace

TestAuthority::TestAuthority(const std::string& name)
    : self_(make({.name = name, .alternatives = ""}, nullptr)) {
  std::string made = (std::filesystem::temp_directory_path() / "pmjit_tls.XXXXXX").string();
  folder_ = mkdtemp(made.data());
  write_certificate(path(), self_.certificate.get());
}

TestAuthority::~TestAuthority() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

TestAuthority::Signed TestAuthority::sign(const TestCertificate& what) const {
  return make(what, &self_);
}

std::string TestAuthority::write(const TestCertificate& what) const {
  const Signed made = sign(what);
  const std::string base = (folder_ / what.name).string();
  write_certificate(base + ".crt", made.certificate.get());
  const File out(std::fopen((base + ".key").c_str(), "w"), std::fclose);
  PEM_write_PrivateKey(out.get(), made.key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  return base;
}

TlsServer::TlsServer(const TestAuthority& authority, const TestCertificate& what, Manner manner)
    : context_(SSL_CTX_new(TLS_server_method()), SSL_CTX_free),
      listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
  const TestAuthority::Signed own = authority.sign(what);
  SSL_CTX_use_certificate(context_.get(), own.certificate.get());
  SSL_CTX_use_PrivateKey(context_.get(), own.key.get());
  if (manner == Manner::wants_certificate) {
    SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
    SSL_CTX_load_verify_locations(context_.get(), authority.path().c_str(), nullptr);
  }
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  (void)::bind(listener_, reinterpret_cast<const sockaddr*>(&address), size);
  (void)::listen(listener_, 1);
  (void)::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this, manner] { serve(manner); });
}

TlsServer::~TlsServer() {
  ::shutdown(listener_, SHUT_RDWR);
  thread_.join();
  ::close(listener_);
}

void TlsServer::serve(Manner manner) const {
  const int fd = ::accept(listener_, nullptr, nullptr);
  if (fd < 0) return;
  if (manner == Manner::is_mute) {
    char byte = 0;
    while (::recv(fd, &byte, 1, 0) > 0) continue;
  } else if (manner == Manner::speaks_clear) {
    constexpr std::string_view kClear = "this is no TLS at all, and never will be";
    (void)::send(fd, kClear.data(), kClear.size(), MSG_NOSIGNAL);
    char byte = 0;
    while (::recv(fd, &byte, 1, 0) > 0) continue;
  } else if (manner != Manner::hangs_up) {
    const std::unique_ptr<SSL, decltype(&SSL_free)> ssl(SSL_new(context_.get()), SSL_free);
    SSL_set_fd(ssl.get(), fd);
    char bytes[256];
    if (SSL_accept(ssl.get()) == 1) {
      for (int got = 0; (got = SSL_read(ssl.get(), bytes, sizeof bytes)) > 0;) {
        if (manner == Manner::renews_keys) SSL_key_update(ssl.get(), SSL_KEY_UPDATE_REQUESTED);
        SSL_write(ssl.get(), bytes, got);
      }
    } else {  // what is on its way there must not be lost with a reset
      ::shutdown(fd, SHUT_WR);
      while (::recv(fd, bytes, sizeof bytes, 0) > 0) continue;
    }
  }
  ::close(fd);
}

}  // namespace pmjit::test
