// The module's logins: Cyrus SASL.
#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "runtime/client/net/secure/cyrus_library.h"
#include "runtime/client/net/secure/secure_entry.h"

namespace pmjit {

namespace {

int begin_logins() {
  static const int begun = sasl_client_init(sasl_callbacks());
  return begun;
}

// A proof by SCRAM takes as many rounds as the other side likes. These take a second; servers ask
// for 4,096 to 100,000. Source: RFC 5802.
constexpr uint32_t kScramRoundsMax = 2'000'000;

bool asks_for_too_much(std::string_view challenge) {
  const size_t at = challenge.find(",i=");
  if (!challenge.starts_with("r=") || at == std::string_view::npos) return false;
  const std::string_view rounds = challenge.substr(at + 3);
  uint32_t count = 0;
  const auto read = std::from_chars(rounds.data(), rounds.data() + rounds.size(), count);
  return read.ec != std::errc() || count > kScramRoundsMax;
}

bool same_word(std::string_view a, std::string_view b) {
  return a.size() == b.size() && strncasecmp(a.data(), b.data(), a.size()) == 0;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> out;
  for (;;) {
    const size_t begin = text.find_first_not_of(' ');
    if (begin == std::string_view::npos) return out;
    text.remove_prefix(begin);
    out.push_back(text.substr(0, text.find(' ')));
    text.remove_prefix(out.back().size());
  }
}

bool is_clear(std::string_view method) {
  return same_word(method, "PLAIN") || same_word(method, "LOGIN");
}

class CyrusLogin final : public SaslLogin {
 public:
  CyrusLogin(std::string host, Credentials credentials)
      : host_(std::move(host)), credentials_(std::move(credentials)) {}
  ~CyrusLogin() override {
    const std::scoped_lock locked(sasl_lock());
    if (connection_ != nullptr) sasl_dispose(&connection_);
  }
  CyrusLogin(const CyrusLogin&) = delete;
  CyrusLogin& operator=(const CyrusLogin&) = delete;

  Result<std::string> start(std::string_view offered) override;
  Result<std::string> step(std::string_view challenge) override;
  bool done() const override { return done_; }

 private:
  [[nodiscard]] Error failure(int code) const;
  [[nodiscard]] Result<bool> open();
  void answer(sasl_interact_t* prompts);
  [[nodiscard]] Result<std::string> list_of(std::string_view offered) const;

  std::string host_;
  Credentials credentials_;
  std::vector<sasl_callback_t> wants_{};
  sasl_conn_t* connection_ = nullptr;
  bool done_ = false, is_scram_ = false;
};

Error CyrusLogin::failure(int code) const {
  const char* const detail = connection_ != nullptr ? sasl_errdetail(connection_) : nullptr;
  const std::string why = detail != nullptr ? detail : sasl_errstring(code, nullptr, nullptr);
  const std::string& method = credentials_.method;
  if (!method.empty() && !needs_password(method)) {
    return sasl_error(code, fmt::format("the login by {} fails: {}", method, why),
                      kerberos_help(host_));
  }
  return sasl_error(code, fmt::format("the login of \"{}\" fails: {}", credentials_.user, why),
                    "check the user name, the password and the method");
}

Result<bool> CyrusLogin::open() {
  if (const int begun = begin_logins(); begun != SASL_OK) return fail(failure(begun));
  // Without functions: the library asks for these by SASL_INTERACT.
  for (const int id :
       {SASL_CB_USER, SASL_CB_AUTHNAME, SASL_CB_PASS, SASL_CB_GETREALM, SASL_CB_LIST_END}) {
    wants_.push_back({static_cast<unsigned long>(id), nullptr, nullptr});
  }
  int made = sasl_client_new(kCollectorService, host_.c_str(), nullptr, nullptr, wants_.data(), 0,
                             &connection_);
  if (made != SASL_OK) return fail(failure(made));
  made = refuse_layers(connection_);
  if (made != SASL_OK) return fail(failure(made));
  return true;
}

// What to choose from.
Result<std::string> CyrusLogin::list_of(std::string_view offered) const {
  const auto offers = words_of(offered);
  const std::string& method = credentials_.method;
  if (!method.empty()) {
    if (std::ranges::any_of(offers, [&](auto one) { return same_word(one, method); })) {
      return method;
    }
    return fail(sasl_error(SASL_NOMECH,
                           fmt::format("the collector does not offer the method {}", method),
                           fmt::format("write method=… with one of its own: {}", offered)));
  }
  // A password is there to be used: Kerberos without a ticket would fail in its place.
  const bool by_password = !credentials_.password.empty();
  std::string out;
  for (const std::string_view one : offers) {
    if (by_password && !needs_password(one)) continue;
    if (credentials_.may_send_clear || !is_clear(one)) out += fmt::format("{} ", one);
  }
  if (!out.empty() || offers.empty()) return out;
  return fail(sasl_error(
      SASL_NOMECH, fmt::format("the collector takes the password in clear only ({})", offered),
      "use an encrypted connection (pcps://), or write method=plain to send it "
      "all the same"));
}

void CyrusLogin::answer(sasl_interact_t* prompts) {
  for (; prompts->id != SASL_CB_LIST_END; ++prompts) {
    const std::string* value = &credentials_.user;
    if (prompts->id == SASL_CB_PASS) value = &credentials_.password;
    if (prompts->id == SASL_CB_GETREALM) value = &credentials_.realm;
    const bool is_default = value->empty() && prompts->defresult != nullptr;
    prompts->result = is_default ? prompts->defresult : value->c_str();
    prompts->len = static_cast<unsigned>(is_default ? std::string_view(prompts->defresult).size()
                                                    : value->size());
  }
}

Result<std::string> CyrusLogin::start(std::string_view offered) {
  const std::scoped_lock locked(sasl_lock());
  if (auto opened = open(); !opened) return fail(opened.error());
  const auto list = list_of(offered);
  if (!list) return fail(list.error());
  sasl_interact_t* prompts = nullptr;
  const char *said = nullptr, *mechanism = nullptr;
  unsigned bytes = 0;
  int code = SASL_INTERACT;
  for (int asked = 0; code == SASL_INTERACT && asked < 4; ++asked) {
    if (prompts != nullptr) answer(prompts);
    code = sasl_client_start(connection_, list->c_str(), &prompts, &said, &bytes, &mechanism);
  }
  if (code == SASL_NOMECH) {
    return fail(sasl_error(code,
                           fmt::format("pmjit has none of the collector's methods ({})", *list),
                           "install the plug-in of one of them (Debian: libsasl2-modules, "
                           "libsasl2-modules-gssapi-mit)"));
  }
  if (code != SASL_OK && code != SASL_CONTINUE) return fail(failure(code));
  done_ = code == SASL_OK;
  std::string out(mechanism);
  is_scram_ = out.starts_with("SCRAM-");
  out += '\0';
  if (said != nullptr) out.append(said, bytes);
  return out;
}

Result<std::string> CyrusLogin::step(std::string_view challenge) {
  const std::scoped_lock locked(sasl_lock());
  if (is_scram_ && asks_for_too_much(challenge)) {
    return fail(sasl_error(SASL_BADPROT, "the collector wants a proof that takes far too long",
                           "is it a collector? Its proof may have 2,000,000 rounds at most"));
  }
  sasl_interact_t* prompts = nullptr;
  const char* said = nullptr;
  unsigned bytes = 0;
  int code = SASL_INTERACT;
  for (int asked = 0; code == SASL_INTERACT && asked < 4; ++asked) {
    if (prompts != nullptr) answer(prompts);
    code = sasl_client_step(connection_, challenge.data(), static_cast<unsigned>(challenge.size()),
                            &prompts, &said, &bytes);
  }
  if (code != SASL_OK && code != SASL_CONTINUE) return fail(failure(code));
  done_ = code == SASL_OK;
  return said != nullptr ? std::string(said, bytes) : std::string();
}

}  // namespace

std::unique_ptr<SaslLogin> cyrus_login(std::string host, Credentials credentials) {
  return std::make_unique<CyrusLogin>(std::move(host), std::move(credentials));
}

}  // namespace pmjit
