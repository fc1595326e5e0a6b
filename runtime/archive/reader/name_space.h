// NameSpace: the metric names of an archive as a tree. Children are kept and walked newest first,
// as the reference does, so the order of every listing follows from the order in which names were
// added.
//
//   names.add("disk.dev.read", pmid);
//   names.find("disk.dev.read")   →  pmid            names.names(pmid)  →  {"disk.dev.read"}
//   names.leaves("disk")          →  every leaf at or below `disk`, in the order of a traversal
//   names.children("disk")        →  {"dev", inner node}
//
// A name that is another metric's already, or that has names below it, is refused silently. Names
// are views into the metadata file. Source: spec archives.md §6.1, §11; tools.md §2.2, §2.6.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/archive/format/label.h"
#include "runtime/model/desc.h"

namespace pmjit {

class NameSpace {
 public:
  struct Leaf {
    std::string_view name;  // in full
    PmId pmid;
  };
  struct Child {
    std::string_view name;  // its last part only
    bool leaf;              // no names below it
  };

  NameSpace();
  // False: refused.
  bool add(std::string_view name, PmId pmid);
  // Every name of `other`, in the order in which it was added there.
  void merge(const NameSpace& other);

  // The metric of this name; none for an inner node.
  [[nodiscard]] std::optional<PmId> find(std::string_view name) const;
  // PM_ERR_NAME: no such node; PM_ERR_NONLEAF: it is no metric, or has names below it.
  [[nodiscard]] OrPmCode<PmId> look_up(std::string_view name) const;
  // Every name of a metric, in the order in which the reference lists them (tools.md §2.6).
  [[nodiscard]] std::vector<std::string_view> names(PmId pmid) const;
  // Leaves at or below `name` ("" is the root) in the order of a traversal; a metric with names
  // below it is none. None: no such node.
  [[nodiscard]] std::optional<std::vector<Leaf>> leaves(std::string_view name) const;
  [[nodiscard]] std::vector<Leaf> leaves() const;
  // The next level below `name`; empty for a leaf. None: no such node.
  [[nodiscard]] std::optional<std::vector<Child>> children(std::string_view name) const;

 private:
  using NodeIndex = uint32_t;
  static constexpr NodeIndex kRoot = 0, kNoNode = UINT32_MAX;
  struct Node {
    std::string_view path;  // in full; a prefix of the name that made the node
    NodeIndex parent = kNoNode;
    NodeIndex newest_child = kNoNode;
    NodeIndex older_sibling = kNoNode;
    NodeIndex same_pmid = kNoNode;  // the next name of this metric
    PmId pmid = kNullId;
    bool leaf = false;
  };
  struct Place {
    NodeIndex parent;
    std::string_view part;
    friend bool operator==(const Place&, const Place&) = default;
  };
  struct PlaceHash {
    size_t operator()(const Place& place) const;
  };
  [[nodiscard]] NodeIndex child(NodeIndex parent, std::string_view part) const;
  [[nodiscard]] NodeIndex node_of(std::string_view path) const;
  NodeIndex make(NodeIndex parent, std::string_view path, size_t part_from);
  [[nodiscard]] size_t depth(NodeIndex node) const;
  [[nodiscard]] bool walked_after(NodeIndex a, NodeIndex b) const;

  std::vector<Node> nodes_;  // in the order of their making; the root first
  std::unordered_map<Place, NodeIndex, PlaceHash> by_place_;
  std::unordered_map<PmId, NodeIndex> by_pmid_;
  NodeIndex last_parent_ = kRoot;  // of the name that was added last
};

}  // namespace pmjit
