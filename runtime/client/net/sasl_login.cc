#include "runtime/client/net/sasl_login.h"

#include <fmt/format.h>
#include <sasl/sasl.h>
#include <strings.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/client/net/library_versions.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

constexpr const char* kService = "PCP Collector";

// Its plug-ins would write to the system's log.
int say_nothing(void*, int, const char*) { return SASL_OK; }

using SaslCallback = int (*)();
template <class Function>
SaslCallback as_callback(Function* function) {
  return reinterpret_cast<SaslCallback>(reinterpret_cast<void (*)()>(function));
}

int plugin_folder(void*, const char** path) {
  *path = std::getenv("PCP_SASL2_PLUGIN_PATH");
  return SASL_OK;
}

// The library is the process' own, and its state is guarded by nobody.
std::mutex& sasl_lock() {
  static std::mutex lock;
  return lock;
}

int begin_sasl() {
  static const int begun = [] {
    static std::array<sasl_callback_t, 3> callbacks{};
    size_t used = 0;
    callbacks[used++] = {SASL_CB_LOG, as_callback(say_nothing), nullptr};
    if (std::getenv("PCP_SASL2_PLUGIN_PATH") != nullptr) {
      callbacks[used++] = {SASL_CB_GETPATH, as_callback(plugin_folder), nullptr};
    }
    callbacks[used] = {SASL_CB_LIST_END, nullptr, nullptr};
    return sasl_client_init(callbacks.data());
  }();
  return begun;
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

Error sasl_error(int code, std::string what, std::string help) {
  return Error(Fault::io, std::move(what)).pm_code(sasl_pm_code(code)).help(std::move(help));
}

}  // namespace

// "M.m.s", of its headers.
#define PMJIT_TEXT_OF(number) #number
#define PMJIT_TEXT(number) PMJIT_TEXT_OF(number)
const char* sasl_version() {
  return PMJIT_TEXT(SASL_VERSION_MAJOR) "." PMJIT_TEXT(SASL_VERSION_MINOR) "." PMJIT_TEXT(
      SASL_VERSION_STEP);
}
#undef PMJIT_TEXT
#undef PMJIT_TEXT_OF

int sasl_pm_code(int sasl_code) { return pm_err::E_NYI + sasl_code; }

bool needs_password(std::string_view method) {
  constexpr std::array<std::string_view, 4> kWithout{"GSSAPI", "GS2-KRB5", "GSS-SPNEGO",
                                                     "EXTERNAL"};
  return !same_word(method, "ANONYMOUS") &&
         std::ranges::none_of(kWithout,
                              [&](std::string_view one) { return same_word(one, method); });
}

struct SaslLogin::State {
  std::string host;
  Credentials credentials;
  std::vector<sasl_callback_t> wants{};
  sasl_conn_t* connection = nullptr;
  bool done = false;

  [[nodiscard]] Error failure(int code) const;
  [[nodiscard]] Result<void> open();
  void answer(sasl_interact_t* prompts);
  [[nodiscard]] Result<std::string> list_of(std::string_view offered) const;
};

SaslLogin::SaslLogin(std::string host, Credentials credentials)
    : state_(std::make_unique<State>(
          State{.host = std::move(host), .credentials = std::move(credentials)})) {}

SaslLogin::~SaslLogin() {
  const std::scoped_lock locked(sasl_lock());
  if (state_->connection != nullptr) sasl_dispose(&state_->connection);
}

bool SaslLogin::done() const { return state_->done; }

Error SaslLogin::State::failure(int code) const {
  const char* const detail = connection != nullptr ? sasl_errdetail(connection) : nullptr;
  return sasl_error(
      code,
      fmt::format("the login of \"{}\" fails: {}", credentials.user,
                  detail != nullptr ? detail : sasl_errstring(code, nullptr, nullptr)),
      "check the user name, the password and the method");
}

Result<void> SaslLogin::State::open() {
  if (const int begun = begin_sasl(); begun != SASL_OK) return fail(failure(begun));
  // Without functions: the library asks for these by SASL_INTERACT.
  for (const int id :
       {SASL_CB_USER, SASL_CB_AUTHNAME, SASL_CB_PASS, SASL_CB_GETREALM, SASL_CB_LIST_END}) {
    wants.push_back({static_cast<unsigned long>(id), nullptr, nullptr});
  }
  int made =
      sasl_client_new(kService, host.c_str(), nullptr, nullptr, wants.data(), 0, &connection);
  if (made != SASL_OK) return fail(failure(made));
  // PDUs go as they are: no layer of SASL's below them.
  sasl_security_properties_t properties{};
  made = sasl_setprop(connection, SASL_SEC_PROPS, &properties);
  if (made != SASL_OK) return fail(failure(made));
  return {};
}

// What to choose from.
Result<std::string> SaslLogin::State::list_of(std::string_view offered) const {
  const auto offers = words_of(offered);
  const std::string& method = credentials.method;
  if (!method.empty()) {
    if (std::ranges::any_of(offers, [&](auto one) { return same_word(one, method); })) {
      return method;
    }
    return fail(sasl_error(SASL_NOMECH,
                           fmt::format("the collector does not offer the method {}", method),
                           fmt::format("write method=… with one of its own: {}", offered)));
  }
  std::string out;
  for (const std::string_view one : offers) {
    if (credentials.may_send_clear || !is_clear(one)) out += fmt::format("{} ", one);
  }
  if (!out.empty() || offers.empty()) return out;
  return fail(sasl_error(
      SASL_NOMECH, fmt::format("the collector takes the password in clear only ({})", offered),
      "use an encrypted connection (pcps://), or write method=plain to send it "
      "all the same"));
}

void SaslLogin::State::answer(sasl_interact_t* prompts) {
  for (; prompts->id != SASL_CB_LIST_END; ++prompts) {
    const std::string* value = &credentials.user;
    if (prompts->id == SASL_CB_PASS) value = &credentials.password;
    if (prompts->id == SASL_CB_GETREALM) value = &credentials.realm;
    const bool is_default = value->empty() && prompts->defresult != nullptr;
    prompts->result = is_default ? prompts->defresult : value->c_str();
    prompts->len = static_cast<unsigned>(is_default ? std::string_view(prompts->defresult).size()
                                                    : value->size());
  }
}

Result<std::string> SaslLogin::start(std::string_view offered) {
  const std::scoped_lock locked(sasl_lock());
  if (auto opened = state_->open(); !opened) return fail(opened.error());
  const auto list = state_->list_of(offered);
  if (!list) return fail(list.error());
  sasl_interact_t* prompts = nullptr;
  const char *said = nullptr, *mechanism = nullptr;
  unsigned bytes = 0;
  int code = SASL_INTERACT;
  for (int asked = 0; code == SASL_INTERACT && asked < 4; ++asked) {
    if (prompts != nullptr) state_->answer(prompts);
    code =
        sasl_client_start(state_->connection, list->c_str(), &prompts, &said, &bytes, &mechanism);
  }
  if (code == SASL_NOMECH) {
    return fail(sasl_error(code,
                           fmt::format("pmjit has none of the collector's methods ({})", *list),
                           "install the plug-in of one of them (Debian: libsasl2-modules, "
                           "libsasl2-modules-gssapi-mit)"));
  }
  if (code != SASL_OK && code != SASL_CONTINUE) return fail(state_->failure(code));
  state_->done = code == SASL_OK;
  std::string out(mechanism);
  out += '\0';
  if (said != nullptr) out.append(said, bytes);
  return out;
}

Result<std::string> SaslLogin::step(std::string_view challenge) {
  const std::scoped_lock locked(sasl_lock());
  sasl_interact_t* prompts = nullptr;
  const char* said = nullptr;
  unsigned bytes = 0;
  int code = SASL_INTERACT;
  for (int asked = 0; code == SASL_INTERACT && asked < 4; ++asked) {
    if (prompts != nullptr) state_->answer(prompts);
    code = sasl_client_step(state_->connection, challenge.data(),
                            static_cast<unsigned>(challenge.size()), &prompts, &said, &bytes);
  }
  if (code != SASL_OK && code != SASL_CONTINUE) return fail(state_->failure(code));
  state_->done = code == SASL_OK;
  return said != nullptr ? std::string(said, bytes) : std::string();
}

}  // namespace pmjit
