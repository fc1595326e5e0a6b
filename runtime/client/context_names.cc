#include "runtime/client/context_names.h"

namespace pmjit {

std::vector<OrPmError<PmId>> look_up_in(const NameSpace& in,
                                        std::span<const std::string_view> names) {
  std::vector<OrPmError<PmId>> out;
  for (const std::string_view name : names) out.push_back(as_pm_error(in.look_up(name)));
  return out;
}

OrPmError<std::vector<std::string>> names_in(const NameSpace& in, PmId pmid) {
  const auto found = in.names(pmid);
  if (found.empty()) return pm_fail(pm_err::E_PMID);
  return std::vector<std::string>(found.begin(), found.end());
}

OrPmError<std::vector<Context::Child>> children_in(const NameSpace& in, std::string_view name) {
  const auto found = in.children(name);
  if (!found) return pm_fail(pm_err::E_NAME);
  std::vector<Context::Child> out;
  for (const NameSpace::Child& child : *found) {
    out.push_back({.name = std::string(child.name), .leaf = child.leaf});
  }
  return out;
}

OrPmError<std::vector<Context::Leaf>> leaves_in(const NameSpace& in, std::string_view name) {
  const auto found = in.leaves(name);
  if (!found) return pm_fail(pm_err::E_NAME);
  std::vector<Context::Leaf> out;
  for (const NameSpace::Leaf& leaf : *found) {
    out.push_back({.name = std::string(leaf.name), .pmid = leaf.pmid});
  }
  return out;
}

}  // namespace pmjit
