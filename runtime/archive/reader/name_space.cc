#include "runtime/archive/reader/name_space.h"

#include <algorithm>

namespace pmjit {

size_t NameSpace::PlaceHash::operator()(const Place& place) const {
  constexpr size_t kSpread = 0x9e3779b97f4a7c15;  // neighbouring parents must not collide
  return std::hash<std::string_view>()(place.part) ^ (place.parent + 1) * kSpread;
}

NameSpace::NameSpace() : nodes_(1) {}

NameSpace::NodeIndex NameSpace::child(NodeIndex parent, std::string_view part) const {
  const auto found = by_place_.find({parent, part});
  return found == by_place_.end() ? kNoNode : found->second;
}

NameSpace::NodeIndex NameSpace::node_of(std::string_view path) const {
  if (path.empty()) return kRoot;
  NodeIndex node = kRoot;
  for (size_t from = 0; node != kNoNode;) {
    const size_t end = path.find('.', from);
    node = child(node, path.substr(from, end - from));
    if (end == std::string_view::npos) break;
    from = end + 1;
  }
  return node;
}

NameSpace::NodeIndex NameSpace::make(NodeIndex parent, std::string_view path, size_t part_from) {
  const auto node = static_cast<NodeIndex>(nodes_.size());
  nodes_.push_back({.path = path, .parent = parent, .older_sibling = nodes_[parent].newest_child});
  nodes_[parent].newest_child = node;
  by_place_.emplace(Place{parent, path.substr(part_from)}, node);
  return node;
}

bool NameSpace::add(std::string_view name, PmId pmid) {
  if (name.empty()) return false;
  NodeIndex node = kRoot;
  size_t from = 0;
  // Names come in families: most have the parent of the name before.
  const std::string_view last = nodes_[last_parent_].path;
  if (!last.empty() && name.size() > last.size() && name[last.size()] == '.' &&
      name.starts_with(last)) {
    node = last_parent_;
    from = last.size() + 1;
  }
  bool is_new = false;
  for (;;) {
    const size_t end = std::min(name.find('.', from), name.size());
    const NodeIndex next = child(node, name.substr(from, end - from));
    is_new = next == kNoNode;
    node = is_new ? make(node, name.substr(0, end), from) : next;
    if (end == name.size()) break;
    from = end + 1;
  }
  last_parent_ = nodes_[node].parent;
  if (!is_new) return nodes_[node].leaf && nodes_[node].pmid == pmid;
  const auto [first, is_first] = by_pmid_.try_emplace(pmid, node);
  nodes_[node].pmid = pmid;
  nodes_[node].leaf = true;
  if (!is_first) {
    nodes_[node].same_pmid = first->second;
    first->second = node;
  }
  return true;
}

void NameSpace::merge(const NameSpace& other) {
  for (const Node& node : other.nodes_) {
    if (node.leaf) add(node.path, node.pmid);
  }
}

std::optional<PmId> NameSpace::find(std::string_view name) const {
  const NodeIndex node = node_of(name);
  if (node == kNoNode || !nodes_[node].leaf) return std::nullopt;
  return nodes_[node].pmid;
}

OrPmCode<PmId> NameSpace::look_up(std::string_view name) const {
  const NodeIndex node = node_of(name);
  if (node == kNoNode || node == kRoot) return std::unexpected(pm_err::E_NAME);
  if (nodes_[node].newest_child != kNoNode) return std::unexpected(pm_err::E_NONLEAF);
  return nodes_[node].pmid;
}

std::vector<std::string_view> NameSpace::names(PmId pmid) const {
  const auto found = by_pmid_.find(pmid);
  if (found == by_pmid_.end()) return {};
  std::vector<NodeIndex> nodes;
  for (NodeIndex node = found->second; node != kNoNode; node = nodes_[node].same_pmid) {
    nodes.push_back(node);
  }
  if (nodes.size() > 1) {
    std::ranges::sort(nodes, [this](NodeIndex a, NodeIndex b) { return walked_after(a, b); });
  }
  std::vector<std::string_view> out;
  for (const NodeIndex node : nodes) out.push_back(nodes_[node].path);
  return out;
}

size_t NameSpace::depth(NodeIndex node) const {
  const std::string_view path = nodes_[node].path;
  return node == kRoot ? 0 : 1 + static_cast<size_t>(std::ranges::count(path, '.'));
}

// Whether a traversal meets `a` after `b`.
bool NameSpace::walked_after(NodeIndex a, NodeIndex b) const {
  if (a == b) return false;
  NodeIndex up_a = a, up_b = b;
  size_t depth_a = depth(a), depth_b = depth(b);
  const size_t below_a = depth_a, below_b = depth_b;
  for (; depth_a > depth_b; --depth_a) up_a = nodes_[up_a].parent;
  for (; depth_b > depth_a; --depth_b) up_b = nodes_[up_b].parent;
  if (up_a == up_b) return below_a > below_b;  // one is below the other
  while (nodes_[up_a].parent != nodes_[up_b].parent) {
    up_a = nodes_[up_a].parent;
    up_b = nodes_[up_b].parent;
  }
  return up_a < up_b;  // older children come later
}

std::optional<std::vector<NameSpace::Leaf>> NameSpace::leaves(std::string_view name) const {
  const NodeIndex top = node_of(name);
  if (top == kNoNode) return std::nullopt;
  std::vector<Leaf> out;
  NodeIndex node = top;
  for (;;) {
    if (nodes_[node].newest_child != kNoNode) {
      node = nodes_[node].newest_child;
      continue;
    }
    if (nodes_[node].leaf) out.push_back({.name = nodes_[node].path, .pmid = nodes_[node].pmid});
    while (node != top && nodes_[node].older_sibling == kNoNode) node = nodes_[node].parent;
    if (node == top) return out;
    node = nodes_[node].older_sibling;
  }
}

std::vector<NameSpace::Leaf> NameSpace::leaves() const { return *leaves(""); }

std::optional<std::vector<NameSpace::Child>> NameSpace::children(std::string_view name) const {
  const NodeIndex parent = node_of(name);
  if (parent == kNoNode) return std::nullopt;
  std::vector<Child> out;
  const size_t skip = parent == kRoot ? 0 : nodes_[parent].path.size() + 1;
  for (NodeIndex node = nodes_[parent].newest_child; node != kNoNode;
       node = nodes_[node].older_sibling) {
    out.push_back(
        {.name = nodes_[node].path.substr(skip), .leaf = nodes_[node].newest_child == kNoNode});
  }
  return out;
}

}  // namespace pmjit
