#include "runtime/client/derived_names.h"

#include <algorithm>

#include "runtime/base/limits.h"

namespace pmjit {

void DerivedNames::add(std::string_view name) {
  if (std::ranges::count(name, '.') >= limits::kNestingMax) return;
  size_t part = 0;
  while (true) {
    const std::string_view above = name.substr(0, part == 0 ? 0 : part - 1);
    const size_t end = std::min(name.find('.', part), name.size());
    const std::string_view word = name.substr(part, end - part);
    const bool known = nodes_.contains(name.substr(0, end));
    if (!known) nodes_[std::string(above)].children.emplace_back(word);
    Node& node = nodes_[std::string(name.substr(0, end))];
    if (end == name.size()) {
      node.metric = true;
      return;
    }
    part = end + 1;
  }
}

std::optional<std::span<const std::string>> DerivedNames::children(std::string_view name) const {
  const auto found = nodes_.find(name);
  if (found == nodes_.end()) return std::nullopt;
  if (found->second.metric) return std::span<const std::string>{};
  return found->second.children;
}

}  // namespace pmjit
