// What both sides of a login have of Cyrus SASL. Its state is the process' own, and nobody guards
// it: who calls the library holds sasl_lock().
#pragma once

#include <sasl/sasl.h>

#include <mutex>
#include <string>

#include "runtime/base/result.h"

namespace pmjit {

[[nodiscard]] std::mutex& sasl_lock();

// For sasl_client_init() and sasl_server_init(), which keep them: no lines in the system's log, and
// the folders of $PCP_SASL2_PLUGIN_PATH and $PCP_SASL2_CONFIG_PATH.
[[nodiscard]] const sasl_callback_t* sasl_callbacks();

// PDUs go as they are: no layer of SASL's below them. A code of SASL's.
[[nodiscard]] int refuse_layers(sasl_conn_t* connection);

[[nodiscard]] Error sasl_error(int code, std::string what, std::string help);

}  // namespace pmjit
