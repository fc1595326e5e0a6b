// NameSpaceTree: the names of all metrics of all agents as a tree, as clients ask for it: names to
// identifiers and back, what is below a name, all leaves below it. Source: spec wire-protocol.md
// §7.
//
//   NameSpaceTree names;
//   names.add("kernel.all.load", pmid);
//   names.lookup("kernel.all.load")        the pmid; PM_ERR_NONLEAF for "kernel"
//   names.children("kernel.all")           {{"load", leaf}, …}
//
// Children stand in the order in which they came, a leaf never has any.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/model/desc.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

// What names the root of a dynamic subtree, whose agent knows the names below: 511.DOMAIN.0.
inline constexpr uint32_t kDynamicDomain = 511;
[[nodiscard]] constexpr bool is_dynamic_root(PmId pmid) {
  return pmid != kNullId && pmid >> 22 == kDynamicDomain;
}

class NameSpaceTree {
 public:
  NameSpaceTree();

  // False: the name is there already, has one below it, is below a leaf, or has an empty part.
  [[nodiscard]] bool add(std::string_view name, PmId pmid);

  [[nodiscard]] OrPmError<PmId> lookup(std::string_view name) const;
  // Every name of a metric; none: it has no name.
  [[nodiscard]] std::vector<std::string_view> names_of(PmId pmid) const;

  struct ChildName {
    std::string_view name;  // the last part alone
    bool leaf;
  };
  // "" is the root. A leaf has none.
  [[nodiscard]] OrPmError<std::vector<ChildName>> children(std::string_view name) const;
  // Full names of the leaves below; of a leaf its own.
  [[nodiscard]] OrPmError<std::vector<std::string_view>> leaves(std::string_view name) const;
  struct NamedLeaf {
    std::string_view name;
    PmId pmid;
  };
  // The same, with what they name.
  [[nodiscard]] OrPmError<std::vector<NamedLeaf>> named_leaves(std::string_view name) const;
  // Of a name that is the root of a dynamic subtree, or stands below one: whose it is.
  [[nodiscard]] std::optional<uint32_t> dynamic_domain(std::string_view name) const;
  [[nodiscard]] size_t size() const { return by_pmid_.size(); }

 private:
  struct NameNode {
    std::string part, full;
    std::vector<size_t> below{};
    PmId pmid = kNullId;  // of a leaf
    [[nodiscard]] bool leaf() const { return pmid != kNullId; }
  };
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  void collect(size_t node, std::vector<NamedLeaf>& out) const;

  std::vector<NameNode> nodes_;  // the first is the root
  std::unordered_map<std::string, size_t, TextHash, std::equal_to<>> by_name_;
  std::unordered_multimap<PmId, size_t> by_pmid_;
  bool has_dynamic_ = false;
};

}  // namespace pmjit
