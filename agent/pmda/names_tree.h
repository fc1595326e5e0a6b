// The tree behind pmdaNameSpace, which agents only point to.
#pragma once

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

// Null: there is no such name. The empty one is the root.
[[nodiscard]] NamesNode* find_node(pmdaNameSpace& tree, std::string_view name);

}  // namespace pmjit

struct pmdaNameSpace {
  pmjit::NamesNode root;
  int nodes = 0;
  bool hashed = false;
  std::unordered_map<pmID, std::vector<const pmjit::NamesNode*>> by_pmid;
};
