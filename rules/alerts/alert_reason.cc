#include "rules/alerts/alert_reason.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "runtime/model/pm_codes.h"
#include "runtime/model/results.h"

namespace pmjit {
namespace {

constexpr auto kReasonTexts = std::to_array<std::string_view>({
#define REASON(name, text) text,
#include "rules/alerts/reasons.def"
#undef REASON
});

struct PmErrorName {
  int code;
  std::string_view name;
};
constexpr auto kPmErrorNames = std::to_array<PmErrorName>({
#define PM_ERROR(name, code, text) {code, "PM_ERR_" #name},
#include "runtime/model/pm_errors.def"
#undef PM_ERROR
});

constexpr std::string_view kErrorHead = "error ";

std::optional<AlertReason> read_pm_error(std::string_view name) {
  for (const PmErrorName& row : kPmErrorNames) {
    if (row.name == name) return AlertReason{ReasonKind::pm_error, row.code};
  }
  int code = 0;
  const auto [end, wrong] = std::from_chars(name.data(), name.data() + name.size(), code);
  if (wrong != std::errc{} || end != name.data() + name.size() || code >= 0) return std::nullopt;
  return AlertReason{ReasonKind::pm_error, code};
}

}  // namespace

std::string alert_reason_text(AlertReason reason) {
  const std::string_view text = kReasonTexts.at(static_cast<size_t>(reason.kind));
  if (reason.kind != ReasonKind::pm_error) return std::string(text);
  for (const PmErrorName& row : kPmErrorNames) {
    if (row.code == reason.pm_code) return fmt::format("{} {}", text, row.name);
  }
  return fmt::format("{} {}", text, reason.pm_code);
}

std::optional<AlertReason> read_alert_reason(std::string_view text) {
  if (text.starts_with(kErrorHead)) return read_pm_error(text.substr(kErrorHead.size()));
  for (size_t kind = 0; kind < kReasonTexts.size(); ++kind) {
    const AlertReason reason{static_cast<ReasonKind>(kind)};
    if (kReasonTexts.at(kind) == text && reason.kind != ReasonKind::pm_error) return reason;
  }
  return std::nullopt;
}

AlertReason alert_reason(int32_t status) {
  switch (status) {
    case kKnown: return {};
    case kStale: return {ReasonKind::late};
    case kGap: return {ReasonKind::gap};
    case kFirstSample: return {ReasonKind::first_sample};
    case kReset: return {ReasonKind::counter_reset};
    case kNoTime: return {ReasonKind::clock};
    case kHostDown: return {ReasonKind::host_down};
    case pm_err::E_NAME:
    case pm_err::E_PMID: return {ReasonKind::no_metric};
    default: break;
  }
  if (status < 0) return {ReasonKind::pm_error, status};
  return {ReasonKind::no_value};  // there is none, or none of the kind that was asked for
}

}  // namespace pmjit
