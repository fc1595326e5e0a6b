#include "agent/collector/label_sets.h"

#include <algorithm>

namespace pmjit {

namespace {

constexpr uint8_t kOptionalLabel = 0x80, kFileLabel = 0x40;
constexpr size_t kLabelsMax = 254, kLabelJsonMax = 65'534, kLabelNameMax = 255;

void sort_labels(std::vector<AgentLabel>& labels) {
  std::ranges::sort(labels, {}, &AgentLabel::name);
}

}  // namespace

void LabelSheets::add(int32_t instance, AgentLabelLevel level, std::vector<AgentLabel> labels) {
  sort_labels(labels);
  wire::SentLabels set{.instance = instance};
  std::string json;
  for (const AgentLabel& label : labels) {
    const size_t more = label.name.size() + label.value.size() + 5;  // {,"":}
    if (set.places.size() == kLabelsMax || json.size() + more > kLabelJsonMax) break;
    if (label.name.empty() || label.name.size() > kLabelNameMax) continue;
    json += json.empty() ? "{\"" : ",\"";
    const auto name_at = static_cast<uint16_t>(json.size());
    json.append(label.name).append("\":");
    const auto more_flags = static_cast<uint8_t>((label.optional ? kOptionalLabel : 0) |
                                                 (label.of_file ? kFileLabel : 0));
    set.places.push_back({.name_at = name_at,
                          .name_bytes = static_cast<uint8_t>(label.name.size()),
                          .flags = static_cast<uint8_t>(static_cast<uint32_t>(level) | more_flags),
                          .value_at = static_cast<uint16_t>(json.size()),
                          .value_bytes = static_cast<uint16_t>(label.value.size())});
    json += label.value;
  }
  if (!json.empty()) json += '}';
  set.json = texts_.emplace_back(std::move(json));
  sets_.push_back(std::move(set));
}

std::string labels_json(std::vector<AgentLabel> labels) {
  sort_labels(labels);
  std::string out;
  for (const AgentLabel& label : labels) {
    out += out.empty() ? "{" : ",";
    out += json_string(label.name) + ":" + label.value;
  }
  return out.empty() ? "{}" : out + "}";
}

}  // namespace pmjit
