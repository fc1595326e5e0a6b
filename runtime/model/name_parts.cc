#include "runtime/model/name_parts.h"

#include <algorithm>

#include "runtime/base/limits.h"
#include "runtime/model/catalog.h"

namespace pmjit {

std::vector<std::string> names_with_part(const Catalog& catalog, std::string_view wanted) {
  while (wanted.ends_with('.') || wanted.ends_with('*')) wanted.remove_suffix(1);
  if (wanted.empty()) return {};
  if (!catalog.leaves(wanted).empty()) return {std::string(wanted)};
  const std::string part = "." + std::string(wanted) + ".";
  std::vector<std::string> out;
  for (const std::string& name : catalog.leaves("")) {
    const size_t at = ("." + name).find(part);
    if (at == std::string::npos) continue;
    std::string above = name.substr(0, at + wanted.size());
    if (std::ranges::find(out, above) == out.end()) out.push_back(std::move(above));
    if (out.size() == limits::kNearNamesMax) break;
  }
  return out;
}

}  // namespace pmjit
