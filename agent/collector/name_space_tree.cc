#include "agent/collector/name_space_tree.h"

#include <algorithm>

namespace pmjit {

NameSpaceTree::NameSpaceTree() {
  nodes_.push_back({});
  by_name_.emplace("", 0);
}

bool NameSpaceTree::add(std::string_view name, PmId pmid) {
  const bool has_empty_part = name.empty() || name.starts_with('.') || name.ends_with('.') ||
                              name.find("..") != std::string_view::npos;
  if (has_empty_part || by_name_.contains(name)) return false;
  size_t at = 0;
  for (size_t begin = 0; begin < name.size();) {
    if (nodes_[at].leaf()) return false;
    const size_t end = std::min(name.find('.', begin), name.size());
    const auto full = std::string(name.substr(0, end));
    const auto [place, added] = by_name_.try_emplace(full, nodes_.size());
    if (added) {
      nodes_[at].below.push_back(nodes_.size());
      nodes_.push_back({.part = std::string(name.substr(begin, end - begin)), .full = full});
    }
    at = place->second;
    begin = end + 1;
  }
  nodes_[at].pmid = pmid;
  by_pmid_.emplace(pmid, at);
  return true;
}

OrPmError<PmId> NameSpaceTree::lookup(std::string_view name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end() || name.empty()) return pm_fail(pm_err::E_NAME);
  const NameNode& node = nodes_[found->second];
  if (!node.leaf()) return pm_fail(pm_err::E_NONLEAF);
  return node.pmid;
}

std::vector<std::string_view> NameSpaceTree::names_of(PmId pmid) const {
  std::vector<std::string_view> out;
  const auto [begin, end] = by_pmid_.equal_range(pmid);
  for (auto at = begin; at != end; ++at) out.push_back(nodes_[at->second].full);
  return out;
}

OrPmError<std::vector<NameSpaceTree::ChildName>> NameSpaceTree::children(
    std::string_view name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return pm_fail(pm_err::E_NAME);
  std::vector<ChildName> out;
  for (const size_t below : nodes_[found->second].below) {
    out.push_back({.name = nodes_[below].part, .leaf = nodes_[below].leaf()});
  }
  return out;
}

OrPmError<std::vector<std::string_view>> NameSpaceTree::leaves(std::string_view name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return pm_fail(pm_err::E_NAME);
  std::vector<std::string_view> out;
  collect(found->second, out);
  return out;
}

// Names have as many parts as their bytes allow, but they are ours: the tables of the agents.
void NameSpaceTree::collect(size_t node, std::vector<std::string_view>& out) const {
  if (nodes_[node].leaf()) out.push_back(nodes_[node].full);
  for (const size_t below : nodes_[node].below) collect(below, out);
}

}  // namespace pmjit
