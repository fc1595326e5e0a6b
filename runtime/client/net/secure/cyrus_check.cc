// The module's checks of logins at a collector: Cyrus SASL with the settings of pmcd.conf in its
// own folder (/etc/sasl2), as PCP's pmcd has them. Source: spec wire-protocol.md §3.5.
#include <fmt/format.h>

#include <utility>

#include "runtime/client/net/secure/cyrus_library.h"
#include "runtime/client/net/secure/secure_entry.h"

namespace pmjit {

namespace {

constexpr const char* kSettings = "pmcd";  // the name of SASL's file of settings

int begin_checks() {
  static const int begun = sasl_server_init(sasl_callbacks(), kSettings);
  return begun;
}

class CyrusCheck final : public SaslCheck {
 public:
  CyrusCheck() = default;
  ~CyrusCheck() override {
    const std::scoped_lock locked(sasl_lock());
    if (connection_ != nullptr) sasl_dispose(&connection_);
  }
  CyrusCheck(const CyrusCheck&) = delete;
  CyrusCheck& operator=(const CyrusCheck&) = delete;

  Result<std::string> offer() override;
  Result<std::string> take(std::string_view said) override;
  const std::string& user() const override { return user_; }

 private:
  [[nodiscard]] Error failure(int code) const;

  sasl_conn_t* connection_ = nullptr;
  bool begun_ = false;
  std::string user_;
};

Error CyrusCheck::failure(int code) const {
  const char* const detail = connection_ != nullptr ? sasl_errdetail(connection_) : nullptr;
  return sasl_error(code, detail != nullptr ? detail : sasl_errstring(code, nullptr, nullptr),
                    "users and methods are in SASL's pmcd.conf (Debian: /etc/sasl2/pmcd.conf)");
}

Result<std::string> CyrusCheck::offer() {
  const std::scoped_lock locked(sasl_lock());
  int code = begin_checks();
  if (code == SASL_OK) {
    code = sasl_server_new(kCollectorService, nullptr, nullptr, nullptr, nullptr, nullptr, 0,
                           &connection_);
  }
  if (code == SASL_OK) code = refuse_layers(connection_);
  const char* list = nullptr;
  unsigned bytes = 0;
  int count = 0;
  if (code == SASL_OK) {
    code = sasl_listmech(connection_, nullptr, "", " ", "", &list, &bytes, &count);
  }
  if (code == SASL_OK && count == 0) code = SASL_NOMECH;
  if (code != SASL_OK) return fail(failure(code));
  return std::string(list, bytes);
}

Result<std::string> CyrusCheck::take(std::string_view said) {
  const std::scoped_lock locked(sasl_lock());
  const char* answer = nullptr;
  unsigned bytes = 0;
  int code = SASL_OK;
  if (std::exchange(begun_, true)) {
    code = sasl_server_step(connection_, said.data(), static_cast<unsigned>(said.size()), &answer,
                            &bytes);
  } else {
    const size_t end = said.find('\0');
    const std::string method(said.substr(0, end));
    const bool says_more = end != said.npos;
    const std::string_view first = says_more ? said.substr(end + 1) : "";
    code = said.empty()
               ? SASL_BADPARAM
               : sasl_server_start(connection_, method.c_str(), says_more ? first.data() : nullptr,
                                   static_cast<unsigned>(first.size()), &answer, &bytes);
  }
  if (code != SASL_OK && code != SASL_CONTINUE) return fail(failure(code));
  if (code == SASL_OK) {
    const void* name = nullptr;
    const int named = sasl_getprop(connection_, SASL_USERNAME, &name);
    if (named != SASL_OK || name == nullptr) return fail(failure(SASL_NOUSER));
    user_ = static_cast<const char*>(name);
    if (user_.empty()) return fail(failure(SASL_NOUSER));
  }
  return answer != nullptr ? std::string(answer, bytes) : std::string();
}

}  // namespace

std::unique_ptr<SaslCheck> cyrus_check() { return std::make_unique<CyrusCheck>(); }

}  // namespace pmjit
