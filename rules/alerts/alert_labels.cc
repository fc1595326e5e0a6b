#include "rules/alerts/alert_labels.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/base/chars.h"

namespace pmjit {

bool is_label_name(std::string_view name) {
  const auto fits = [](char c) { return is_letter(c) || is_digit(c) || c == '_'; };
  return !name.empty() && !is_digit(name.front()) && std::ranges::all_of(name, fits);
}

bool is_label_of_all(std::string_view name) { return name == "alertname" || name == "severity"; }

AlertLabels alert_labels(const LabelLayers& layers, const AlertIdentity& identity) {
  AlertLabels out;
  for (const AlertLabels* layer : {&layers.global, &layers.host, &layers.binding, &layers.rule}) {
    for (const auto& [name, value] : *layer) out.insert_or_assign(name, value);
  }
  out.insert_or_assign("alertname", identity.rule);
  out.insert_or_assign(identity.label_host, identity.host);
  if (identity.instance) out.insert_or_assign(identity.label_instance, *identity.instance);
  out.insert_or_assign("severity", identity.severity);
  std::erase_if(out, [](const auto& label) { return label.second.empty(); });
  return out;
}

uint64_t fnv1a(std::string_view bytes, uint64_t hash) {
  for (const char byte : bytes) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 0x100000001b3;
  }
  return hash;
}

uint64_t fingerprint(const AlertLabels& labels) {
  uint64_t hash = kFnv1aStart;
  for (const auto& [name, value] : labels) {
    hash = fnv1a("\xff", fnv1a(name, hash));
    hash = fnv1a("\xff", fnv1a(value, hash));
  }
  return hash;
}

std::string fingerprint_text(uint64_t fingerprint) { return fmt::format("{:016x}", fingerprint); }

std::string episode_id(const AlertLabels& labels, WallTime since) {
  const auto since_ms = std::chrono::floor<std::chrono::milliseconds>(since.time_since_epoch());
  return fmt::format("{}-{}", fingerprint_text(fingerprint(labels)), since_ms.count());
}

}  // namespace pmjit
