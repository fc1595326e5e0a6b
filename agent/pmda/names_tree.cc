// pmdaTree…: names that an agent makes up at run time, as a tree. Source: spec
// collector-and-agents.md §2.8.
#include <algorithm>
#include <memory>
#include <ranges>
#include <unordered_map>

#include "agent/pmda/agent_state.h"

namespace pmjit {

struct NamesNode {
  std::string part;
  NamesNode* parent = nullptr;
  std::vector<std::unique_ptr<NamesNode>> children;  // the oldest first
  bool is_leaf = false;
  pmID pmid = PM_ID_NULL;
};

}  // namespace pmjit

struct pmdaNameSpace {
  pmjit::NamesNode root;
  int nodes = 0;
  bool hashed = false;
  std::unordered_map<pmID, std::vector<const pmjit::NamesNode*>> by_pmid;
};

using namespace pmjit;

namespace {

std::string_view next_part(std::string_view& name) {
  const size_t dot = name.find('.');
  const std::string_view part = name.substr(0, dot);
  name.remove_prefix(dot == std::string_view::npos ? name.size() : dot + 1);
  return part;
}

NamesNode* child_of(NamesNode& node, std::string_view part) {
  const auto found = std::ranges::find(
      node.children, part, [](const auto& child) { return std::string_view(child->part); });
  return found == node.children.end() ? nullptr : found->get();
}

std::string full_name(const NamesNode& node) {
  if (node.parent == nullptr || node.parent->parent == nullptr) return node.part;
  return full_name(*node.parent) + '.' + node.part;
}

template <class Use>
void each_leaf(NamesNode& node, Use&& use) {
  if (node.is_leaf && node.children.empty()) use(node);
  // The newest child first, as agents of PCP see them.
  for (auto& child : std::views::reverse(node.children)) each_leaf(*child, use);
}

void hash_again(pmdaNameSpace& tree) {
  tree.by_pmid.clear();
  each_leaf(tree.root, [&](NamesNode& leaf) {
    auto& names = tree.by_pmid[leaf.pmid];
    names.insert(names.begin(), &leaf);
  });
  tree.hashed = true;
}

void give_status(const std::vector<int>& status, int** out) {
  if (out == nullptr) return;
  *out = static_cast<int*>(give_bytes(status.size() * sizeof(int)));
  std::ranges::copy(status, *out);
}

// Null: there is no such name. The empty one is the root.
NamesNode* find_node(pmdaNameSpace& tree, std::string_view name) {
  NamesNode* node = &tree.root;
  while (!name.empty() && node != nullptr) node = child_of(*node, next_part(name));
  return node;
}

}  // namespace

int pmdaTreeCreate(pmdaNameSpace** out) {
  if (out == nullptr) return -EINVAL;
  return at_c_border([&] {
    *out = new pmdaNameSpace();
    return 0;
  });
}

void pmdaTreeRelease(pmdaNameSpace* tree) { delete tree; }

int pmdaTreeInsert(pmdaNameSpace* tree, pmID pmid, const char* name) {
  if (tree == nullptr || name == nullptr || *name == '\0') return -EINVAL;
  return at_c_border([&] {
    NamesNode* node = &tree->root;
    for (std::string_view rest = name; !rest.empty();) {
      const std::string_view part = next_part(rest);
      if (node->is_leaf) return PM_ERR_PMID;
      NamesNode* child = child_of(*node, part);
      if (child == nullptr) {
        child = node->children.emplace_back(std::make_unique<NamesNode>()).get();
        child->part = part;
        child->parent = node;
        ++tree->nodes;
      }
      node = child;
    }
    if (!node->children.empty() || (node->is_leaf && node->pmid != pmid)) return PM_ERR_PMID;
    node->is_leaf = true;
    node->pmid = pmid;
    tree->hashed = false;
    return 0;
  });
}

void pmdaTreeRebuildHash(pmdaNameSpace* tree, int) {
  if (tree == nullptr) return;
  at_c_border([&] {
    hash_again(*tree);
    return 0;
  });
}

int pmdaTreeSize(pmdaNameSpace* tree) {
  if (tree == nullptr) return 0;
  return at_c_border([&] {
    int out = 0;
    each_leaf(tree->root, [&](const NamesNode&) { ++out; });
    return out;
  });
}

int pmdaTreePMID(pmdaNameSpace* tree, const char* name, pmID* out) {
  if (tree == nullptr || name == nullptr || out == nullptr) return PM_ERR_NAME;
  const NamesNode* node = find_node(*tree, name);
  if (node == nullptr || !node->is_leaf) return PM_ERR_NAME;
  *out = node->pmid;
  return 0;
}

int pmdaTreeName(pmdaNameSpace* tree, pmID pmid, char*** out) {
  if (tree == nullptr || out == nullptr) return PM_ERR_PMID;
  return at_c_border([&] {
    if (!tree->hashed) hash_again(*tree);
    const auto found = tree->by_pmid.find(pmid);
    if (found == tree->by_pmid.end()) return PM_ERR_PMID;
    std::vector<std::string> names;
    for (const NamesNode* leaf : found->second) names.push_back(full_name(*leaf));
    *out = give_texts(names);
    return static_cast<int>(names.size());
  });
}

int pmdaTreeChildren(pmdaNameSpace* tree, const char* name, int traverse, char*** out,
                     int** out_status) {
  if (tree == nullptr || name == nullptr || *name == '\0' || out == nullptr) return PM_ERR_NAME;
  return at_c_border([&] {
    NamesNode* node = find_node(*tree, name);
    if (node == nullptr) return PM_ERR_NAME;
    std::vector<std::string> names;
    std::vector<int> status;
    if (traverse != 0) {
      each_leaf(*node, [&](const NamesNode& leaf) { names.push_back(full_name(leaf)); });
      status.assign(names.size(), PMNS_LEAF_STATUS);
    } else {
      for (const auto& child : std::views::reverse(node->children)) {
        names.push_back(child->part);
        status.push_back(child->is_leaf ? PMNS_LEAF_STATUS : PMNS_NONLEAF_STATUS);
      }
    }
    if (names.empty()) return 0;
    *out = give_texts(names);
    give_status(status, out_status);
    return static_cast<int>(names.size());
  });
}
