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
  has_dynamic_ = has_dynamic_ || is_dynamic_root(pmid);
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
    const bool leaf = nodes_[below].leaf() && !is_dynamic_root(nodes_[below].pmid);
    out.push_back({.name = nodes_[below].part, .leaf = leaf});
  }
  return out;
}

OrPmError<std::vector<std::string_view>> NameSpaceTree::leaves(std::string_view name) const {
  const auto leaves = named_leaves(name);
  if (!leaves) return pm_fail(leaves.error());
  std::vector<std::string_view> out;
  for (const NamedLeaf& leaf : *leaves) out.push_back(leaf.name);
  return out;
}

OrPmError<std::vector<NameSpaceTree::NamedLeaf>> NameSpaceTree::named_leaves(
    std::string_view name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return pm_fail(pm_err::E_NAME);
  std::vector<NamedLeaf> out;
  collect(found->second, out);
  return out;
}

std::optional<uint32_t> NameSpaceTree::dynamic_domain(std::string_view name) const {
  if (!has_dynamic_) return {};
  for (size_t end = 0; end < name.size();) {
    end = std::min(name.find('.', end + 1), name.size());
    const auto found = by_name_.find(name.substr(0, end));
    if (found == by_name_.end()) return {};
    const PmId pmid = nodes_[found->second].pmid;
    if (is_dynamic_root(pmid)) return pmid >> 10 & 0xFFF;
  }
  return {};
}

// Names have as many parts as their bytes allow; a file of them bounds its nesting.
void NameSpaceTree::collect(size_t node, std::vector<NamedLeaf>& out) const {
  if (nodes_[node].leaf()) out.push_back({.name = nodes_[node].full, .pmid = nodes_[node].pmid});
  for (const size_t below : nodes_[node].below) collect(below, out);
}

}  // namespace pmjit
