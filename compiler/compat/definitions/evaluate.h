// PcpEvaluation: a bound tree over one fetch after another, with the history that delta() and
// rate() need. Source: spec derived-metrics.md §12–§14.
//
//   PcpEvaluation evaluation(tree);
//   const PcpValues& values = evaluation.run({.stamp = now, .sets = fetched.sets, .domains =
//   domains});
//
// Values are matched by instance or by position, counted and dropped exactly as libpcp does, whole
// sets at a time. An error of any operand is the error of the whole; count() alone takes it for 0.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "compiler/compat/definitions/tree.h"
#include "runtime/model/value.h"

namespace pmjit::pcp {

struct Item {
  int32_t instance = kSingular;
  Atom value;
};

struct PcpValues {
  int count = 0;  // of items, or a negative PM_ERR_*
  std::vector<Item> items;
};

// Instances of the context at its present time.
class Domains {
 public:
  virtual ~Domains() = default;
  [[nodiscard]] virtual OrPmError<int32_t> instance_id(InDomId indom, std::string_view name) = 0;
  [[nodiscard]] virtual OrPmError<std::string> instance_name(InDomId indom, int32_t instance) = 0;
  [[nodiscard]] virtual OrPmError<std::vector<int32_t>> instances(InDomId indom) = 0;
};

struct Sample {
  Stamp stamp{};
  std::span<const FetchedSet> sets{};  // one of every operand
  Domains& domains;
};

class PcpEvaluation {
  friend class PcpColumns;  // goes on with its history at many times at once

 public:
  explicit PcpEvaluation(std::shared_ptr<const PcpTree> tree);
  [[nodiscard]] const PcpTree& tree() const { return *tree_; }
  // Texts and aggregates stay where the sample has them.
  const PcpValues& run(const Sample& sample);

 private:
  struct State {
    PcpValues now;
    PcpValues before;  // of operands of delta() and rate()
    Stamp stamp, stamp_before;
    bool has_history = false;
    std::optional<int32_t> instance;               // x[name]: once it was found
    std::unordered_map<int32_t, bool> selected{};  // matchinst(): the verdicts
  };

  // What a node gives now; negative: the error that ends everything.
  int node(uint32_t at);
  int leaf(const PcpNode& node, State& state);
  int constant(const PcpNode& node, State& state);
  int prefix(const PcpNode& node, State& state);
  int two_sided(const PcpNode& node, State& state);
  int ternary(const PcpNode& node, State& state);
  int function(const PcpNode& node, State& state);
  int change(const PcpNode& node, State& state);
  int select_one(const PcpNode& node, State& state);
  int select_matching(const PcpNode& node, State& state);
  int rescale(const PcpNode& node, State& state);
  [[nodiscard]] bool matches(const PcpNode& node, State& state, InDomId indom, int32_t instance);
  [[nodiscard]] const PcpNode& node_of(uint32_t at) const { return tree_->nodes[at]; }
  [[nodiscard]] State& arg(const PcpNode& node, size_t i) { return states_[node.args[i]]; }

  std::shared_ptr<const PcpTree> tree_;
  std::vector<State> states_;  // a node
  const Sample* sample_ = nullptr;
};

// Of rate(): seconds of a unit of time, and whether it has a value where the operand has fallen.
[[nodiscard]] double unit_seconds(int scale);
[[nodiscard]] bool counters_may_fall(Dialect dialect, const Desc& desc);

// Values as a fetch delivers them: numbers of 32 bits in place, everything else in blocks.

// `blocks` keeps the numbers of `out` that do not stand in place.
void put_values(const PcpValues& values, const Desc& desc, std::vector<uint64_t>& blocks,
                FetchedSet& out);

// Arithmetic on atoms as libpcp's C does it: in the type of the result, wrapping. Source: spec
// derived-metrics.md §13.2–§13.4, §14.

// As C converts it; with the factor where a real comes out.
[[nodiscard]] Atom converted(const Atom& atom, int from, int to, const Factor& factor);
// a op b; both are of `type`.
[[nodiscard]] Atom arithmetic(Operator op, int type, const Atom& a, const Atom& b);
[[nodiscard]] bool holds(Operator op, int type, const Atom& a, const Atom& b);
[[nodiscard]] Atom negated(int type, const Atom& a);
[[nodiscard]] bool is_zero(int type, const Atom& a);
[[nodiscard]] bool less(int type, const Atom& a, const Atom& b);
// What a number's text is in a type: whole ones modulo 2^32 or 2^64.
[[nodiscard]] Atom atom_of_number(std::string_view text, int type);
// 1 or 0.
[[nodiscard]] Atom truth(bool value, int type);

}  // namespace pmjit::pcp
