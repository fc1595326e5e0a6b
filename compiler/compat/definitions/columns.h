// PcpColumns: a bound tree at many times at once, behind a PcpEvaluation whose history it goes on
// with. Between times at which the same instances come in the same order, which values meet does
// not change: it is found once, and each node is a loop over all times.
//
//   PcpColumns columns(evaluation);
//   if (!columns.run({.stamps = times, .operands = operands}))
//     …                             // one time after the other: evaluation.run()
//   columns.instances(), columns.values()
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "compiler/compat/definitions/evaluate.h"
#include "runtime/model/set_columns.h"

namespace pmjit::pcp {

struct ManySamples {
  std::span<const Stamp> stamps{};
  std::span<const SetColumn> operands{};
};

// Why a tree is never evaluated so, in words; empty: it is where the samples allow it.
[[nodiscard]] std::string_view why_one_by_one(const PcpTree& tree);

class PcpColumns {
 public:
  explicit PcpColumns(PcpEvaluation& evaluation);

  // What evaluation.run() would give at one time after the other; its history is then that of the
  // last. False: nothing has changed, and they have to be run one by one. That is so for trees that
  // why_one_by_one() names, where a node has no values or which it has depends on them, and where
  // history has other instances.
  [[nodiscard]] bool run(const ManySamples& samples);

  // Of the result: the instances at each time, and the values, in the type of the tree's
  // descriptor, time after time. Until the next run.
  [[nodiscard]] const std::vector<int32_t>& instances() const { return nodes_.back().instances; }
  [[nodiscard]] std::span<const std::byte> values() const { return nodes_.back().values; }

 private:
  struct NodeColumn {
    std::vector<int32_t> instances;
    std::vector<std::byte> values;
    template <class T>
    const T* as() const {
      return reinterpret_cast<const T*>(values.data());
    }
  };

  bool node(uint32_t at);
  bool leaf(const PcpNode& node, NodeColumn& out);
  bool constant(const PcpNode& node, NodeColumn& out);
  bool prefix(const PcpNode& node, NodeColumn& out);
  bool two_sided(const PcpNode& node, NodeColumn& out);
  bool ternary(const PcpNode& node, NodeColumn& out);
  bool function(const PcpNode& node, NodeColumn& out);
  bool change(const PcpNode& node, NodeColumn& out);
  bool one_value(const PcpNode& node, NodeColumn& out);
  bool select_one(const PcpNode& node, uint32_t at, NodeColumn& out);
  bool select_matching(const PcpNode& node, uint32_t at, NodeColumn& out);
  bool rescale(const PcpNode& node, NodeColumn& out);
  void keep_history();

  [[nodiscard]] const PcpNode& node_of(uint32_t at) const { return evaluation_.node_of(at); }
  [[nodiscard]] const PcpNode& arg_node(const PcpNode& node, size_t i) const {
    return node_of(node.args[i]);
  }
  [[nodiscard]] const NodeColumn& arg(const PcpNode& node, size_t i) const {
    return nodes_[node.args[i]];
  }
  [[nodiscard]] size_t times() const { return samples_.stamps.size(); }
  // Room for the values of out.instances at all times.
  template <class T>
  T* make(NodeColumn& out) const;
  bool copy_some(const PcpNode& from, const NodeColumn& in, std::span<const uint32_t> places,
                 NodeColumn& out) const;
  // The values of a node at `places` of each time, converted to T as those of an operand are.
  template <class T>
  const T* meeting(const PcpNode& node, const NodeColumn& in, std::span<const uint32_t> places,
                   std::vector<T>& scratch) const;

  PcpEvaluation& evaluation_;
  bool one_by_one_;
  std::vector<NodeColumn> nodes_;
  ManySamples samples_{};
};

}  // namespace pmjit::pcp
