#include "runtime/client/net/secure/cyrus_library.h"

#include <array>
#include <cstdlib>
#include <utility>

#include "runtime/client/net/sasl_login.h"

namespace pmjit {

namespace {

// Its plug-ins would write to the system's log.
int say_nothing(void*, int, const char*) { return SASL_OK; }

using SaslCallback = int (*)();
template <class Function>
SaslCallback as_callback(Function* function) {
  return reinterpret_cast<SaslCallback>(reinterpret_cast<void (*)()>(function));
}

constexpr const char* kPluginFolder = "PCP_SASL2_PLUGIN_PATH";
constexpr const char* kSettingsFolder = "PCP_SASL2_CONFIG_PATH";

int plugin_folder(void*, const char** path) {
  *path = std::getenv(kPluginFolder);
  return SASL_OK;
}

int settings_folder(void*, const char** path) {
  *path = std::getenv(kSettingsFolder);
  return SASL_OK;
}

std::array<sasl_callback_t, 4> make_callbacks() {
  std::array<sasl_callback_t, 4> out{};
  size_t used = 0;
  out[used++] = {SASL_CB_LOG, as_callback(say_nothing), nullptr};
  if (std::getenv(kPluginFolder) != nullptr) {
    out[used++] = {SASL_CB_GETPATH, as_callback(plugin_folder), nullptr};
  }
  if (std::getenv(kSettingsFolder) != nullptr) {
    out[used++] = {SASL_CB_GETCONFPATH, as_callback(settings_folder), nullptr};
  }
  out[used] = {SASL_CB_LIST_END, nullptr, nullptr};
  return out;
}

}  // namespace

std::mutex& sasl_lock() {
  static std::mutex lock;
  return lock;
}

const sasl_callback_t* sasl_callbacks() {
  static const std::array<sasl_callback_t, 4> callbacks = make_callbacks();
  return callbacks.data();
}

int refuse_layers(sasl_conn_t* connection) {
  const sasl_security_properties_t properties{};
  return sasl_setprop(connection, SASL_SEC_PROPS, &properties);
}

Error sasl_error(int code, std::string what, std::string help) {
  return Error(Fault::io, std::move(what)).pm_code(sasl_pm_code(code)).help(std::move(help));
}

}  // namespace pmjit
