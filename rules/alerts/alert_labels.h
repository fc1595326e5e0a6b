// Labels of an alert, and what they identify. Source: spec alerting.md §4.3.
//
//   const AlertLabels labels = alert_labels(
//       {.global = global, .host = host, .binding = block, .rule = rule},
//       {.rule = "fs.full", .host = "web1", .instance = "/var", .severity = "critical"});
//   fingerprint_text(fingerprint(labels))     "9e400ed033d945c4": Alertmanager's own
//   episode_id(labels, since)                 "9e400ed033d945c4-1764056400000"
//
// Names are bytes and sorted as bytes. An empty value drops the label, so a rule can take away what
// its host has.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/clock.h"

namespace pmjit {

using AlertLabels = std::map<std::string, std::string, std::less<>>;

// [a-zA-Z_][a-zA-Z0-9_]*: Alertmanager refuses others.
[[nodiscard]] bool is_label_name(std::string_view name);

// alertname, severity: nobody else sets them.
[[nodiscard]] bool is_label_of_all(std::string_view name);

// Later ones win.
struct LabelLayers {
  const AlertLabels& global;   // [alerts] labels
  const AlertLabels& host;     // of the host, with its group
  const AlertLabels& binding;  // of the [[rules]] block
  const AlertLabels& rule;
};

// Wins over all layers.
struct AlertIdentity {
  std::string rule, host;
  std::optional<std::string> instance{};  // none: the alert is about the host
  std::string severity;                   // as labels say it ([alerts] severity_label)
  std::string label_host = "host", label_instance = "instname";
};

[[nodiscard]] AlertLabels alert_labels(const LabelLayers& layers, const AlertIdentity& identity);

// FNV-1a 64, over bytes that may come in parts.
inline constexpr uint64_t kFnv1aStart = 0xcbf29ce484222325;
[[nodiscard]] uint64_t fnv1a(std::string_view bytes, uint64_t hash = kFnv1aStart);

// FNV-1a over `name 0xFF value 0xFF` of each label, by name.
[[nodiscard]] uint64_t fingerprint(const AlertLabels& labels);
[[nodiscard]] std::string fingerprint_text(uint64_t fingerprint);  // 16 hexadecimal digits

// One firing of one alert: `since` is the first true tick of the level that is shown.
[[nodiscard]] std::string episode_id(const AlertLabels& labels, WallTime since);

}  // namespace pmjit
