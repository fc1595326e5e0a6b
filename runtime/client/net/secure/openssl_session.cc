// The module's sessions: OpenSSL between two pieces of memory.
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <climits>
#include <utility>

#include "runtime/client/net/secure/secure_entry.h"
#include "runtime/client/net/secure/tls_context.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

constexpr size_t kKeptOutput = 1'000;

int bytes_of_a_call(size_t bytes) { return static_cast<int>(std::min<size_t>(bytes, INT_MAX)); }

class OpenSslSession final : public TlsSession {
 public:
  OpenSslSession(const TlsContext& context, const TlsPeer& peer, std::string to, TlsSide side)
      : to_(std::move(to)),
        side_(side),
        check_(peer, to_, side),
        ssl_(SSL_new(context.get()), SSL_free) {}

  // False: there is no memory.
  [[nodiscard]] bool begin() {
    if (ssl_ == nullptr) return false;
    in_ = BIO_new(BIO_s_mem());
    out_ = BIO_new(BIO_s_mem());
    if (in_ == nullptr || out_ == nullptr) {
      BIO_free(in_);
      BIO_free(out_);
      return false;
    }
    SSL_set_bio(ssl_.get(), in_, out_);  // they go with it
    side_ == TlsSide::client ? SSL_set_connect_state(ssl_.get()) : SSL_set_accept_state(ssl_.get());
    return check_.attach(*ssl_);
  }

  Result<bool> shake_hands() override {
    ERR_clear_error();
    const int done = SSL_do_handshake(ssl_.get());
    if (done == 1) {
      shrink_input();
      return true;
    }
    if (SSL_get_error(ssl_.get(), done) == SSL_ERROR_WANT_READ) return false;
    return fail(check_.failure(ERR_get_error()));
  }

  Error closed_early() const override { return check_.failure(0); }

  Result<std::optional<size_t>> read(std::span<std::byte> room) override {
    ERR_clear_error();
    size_t got = 0;
    const int done = SSL_read_ex(ssl_.get(), room.data(), room.size(), &got);
    if (done == 1) return got;
    switch (SSL_get_error(ssl_.get(), done)) {
      case SSL_ERROR_WANT_READ: return std::nullopt;
      case SSL_ERROR_ZERO_RETURN: return size_t{0};
      default: return fail(tls_stream_error(ERR_get_error(), to_, side_));
    }
  }

  Result<bool> write(Bytes clear) override {
    ERR_clear_error();
    size_t taken = 0;
    if (clear.empty() || SSL_write_ex(ssl_.get(), clear.data(), clear.size(), &taken) == 1) {
      return true;
    }
    return fail(tls_stream_error(ERR_get_error(), to_, side_));
  }

  void arrived(Bytes encrypted) override {
    while (!encrypted.empty()) {
      const int taken = BIO_write(in_, encrypted.data(), bytes_of_a_call(encrypted.size()));
      if (taken <= 0) return;  // no memory: what is missing does not decrypt
      encrypted = encrypted.subspan(static_cast<size_t>(taken));
    }
  }

  void take_to_send(std::vector<std::byte>& out) override {
    while (const size_t waiting = BIO_ctrl_pending(out_)) {
      const size_t before = out.size();
      out.resize(before + waiting);
      const int got = BIO_read(out_, out.data() + before, bytes_of_a_call(waiting));
      out.resize(before + static_cast<size_t>(std::max(got, 0)));
      if (got <= 0) return;
      if (waiting > kKeptOutput) shrink_output();
    }
  }

 private:
  // Its memory never shrinks, and a handshake is larger than most of what follows. A stream may
  // wait for days.
  void shrink_input() {
    if (BIO_ctrl_pending(in_) != 0) return;
    BIO* const fresh = BIO_new(BIO_s_mem());
    if (fresh != nullptr) SSL_set0_rbio(ssl_.get(), in_ = fresh);
  }
  void shrink_output() {
    if (!SSL_is_init_finished(ssl_.get())) return;
    BIO* const fresh = BIO_new(BIO_s_mem());
    if (fresh != nullptr) SSL_set0_wbio(ssl_.get(), out_ = fresh);
  }

  std::string to_;
  TlsSide side_;
  TlsCheck check_;
  std::unique_ptr<SSL, decltype(&SSL_free)> ssl_;
  BIO* in_ = nullptr;
  BIO* out_ = nullptr;
};

class OpenSslSessions final : public TlsSessions {
 public:
  Result<std::unique_ptr<TlsSession>> begin(const TlsPeer& peer, const std::string& to,
                                            Instant now) override {
    const auto context = contexts_.of(peer.settings, now);
    if (!context) return fail(context.error().at("host", to));
    auto session = std::make_unique<OpenSslSession>(*context, peer, to, TlsSide::client);
    if (session->begin()) return session;
    return fail(no_memory().at("host", to).help("ask fewer hosts at once"));
  }

  Result<std::unique_ptr<TlsSession>> accept(const TlsSettings& settings, bool wants_certificate,
                                             const std::string& from, Instant now) override {
    const auto context = contexts_.of_collector(settings, now);
    if (!context) return fail(context.error());
    auto session = std::make_unique<OpenSslSession>(
        *context, TlsPeer{.settings = settings}, from,
        wants_certificate ? TlsSide::strict_collector : TlsSide::collector);
    if (session->begin()) return session;
    return fail(no_memory().at("client", from));
  }

 private:
  static Error no_memory() {
    return Error(Fault::limit, "there is no memory for an encrypted stream").pm_code(pm_err::E_TLS);
  }

  TlsContexts contexts_;
};

}  // namespace

std::unique_ptr<TlsSessions> openssl_sessions() { return std::make_unique<OpenSslSessions>(); }

}  // namespace pmjit
