#include "runtime/archive/reader/merge_label_sets.h"

#include <map>

namespace pmjit {

std::string merge_label_sets(std::span<const LabelSet* const> sets) {
  std::map<std::string_view, std::string_view> merged;
  for (const LabelSet* set : sets) {
    for (size_t i = 0; set != nullptr && i < set->size(); ++i) {
      const LabelEntry entry = set->entry(i);
      merged.insert_or_assign(set->name(entry), set->value(entry));
    }
  }
  std::string out;
  for (const auto& [name, value] : merged) {
    out += out.empty() ? "{\"" : ",\"";
    out.append(name).append("\":").append(value);
  }
  return out.empty() ? out : out + "}";
}

HostnameLabel::HostnameLabel(std::string_view host) {
  constexpr std::string_view kBefore = "{\"hostname\":";
  constexpr size_t kName = 2, kNameBytes = 8;
  json_.append(kBefore).append("\"").append(host).append("\"}");
  const size_t value_bytes = host.size() + 2;
  entry_ = {std::byte{0},
            std::byte{kName},
            std::byte{kNameBytes},
            static_cast<std::byte>(LabelType::context),
            std::byte{0},
            std::byte{kBefore.size()},
            static_cast<std::byte>(value_bytes >> 8),
            static_cast<std::byte>(value_bytes & 0xff)};
}

LabelSet HostnameLabel::set() const { return {.count = 1, .json = json_, .entries = entry_}; }

}  // namespace pmjit
