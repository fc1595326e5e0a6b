// AlertReason: why an alert, a binding or a host is unknown, or why an alert ended. The closed set
// stands in reasons.def. Source: spec alerting.md §4.2.
//
//   AlertReason{ReasonKind::host_down}                        "host down"
//   AlertReason{ReasonKind::pm_error, pm_err::E_PERMISSION}   "error PM_ERR_PERMISSION"
//
// The state is kept in a database as text, so a reason reads back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pmjit {

enum class ReasonKind : uint8_t {
#define REASON(name, text) name,
#include "rules/alerts/reasons.def"
#undef REASON
};

struct AlertReason {
  ReasonKind kind = ReasonKind::none;
  int pm_code = 0;  // of pm_error: a PM_ERR_* or a negative errno

  friend bool operator==(const AlertReason&, const AlertReason&) = default;
};

// An errno has no name of its own: "error -13".
[[nodiscard]] std::string alert_reason_text(AlertReason reason);
// None: no reason is written so.
[[nodiscard]] std::optional<AlertReason> read_alert_reason(std::string_view text);

// From what the runtime says of a row or a lane (runtime/model/results.h): kHostDown, kFirstSample,
// …, or a negative PM_ERR_*. What has no reason of its own here is `no value`: that a number is
// none, or that there are several.
[[nodiscard]] AlertReason alert_reason(int32_t status);

}  // namespace pmjit
