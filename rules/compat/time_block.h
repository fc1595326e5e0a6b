// TimeBlock: the nodes of one task at many times at once, over archives. What a task fetches does
// not depend on what it computes, so the values of a stretch of times can be there before the first
// of them is evaluated; each node is then a column over these times. Rules and their actions follow
// time by time, and see each node as the evaluator alone would have left it: PmieEvaluator asks
// settle() for its state as of a time.
//
//   TimeBlock block(program, sharing, roots);
//   if (block.begin(at, fetcher, times)) …       nodes that have() are columns now
//   block.go_to(t);  block.condition_holds(rule);  block.settle(node, state);
//
// A node is a column where every evaluation of the task evaluates it, its operands are columns, and
// its elements stay the same: of a fetch that is asked at each block (FetchedTimes), of the others
// it follows. The others are evaluated at each time, from columns where their operands are such.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rules/compat/core_proofs.h"
#include "rules/compat/node_state.h"
#include "rules/compat/operators.h"

namespace pmjit::pmie {

class Fetcher;
class PmieEvaluator;

class TimeBlock {
 public:
  // Both outlive it. `roots`: of the task's statements.
  TimeBlock(const RuleProgram& program, const Sharing& sharing, std::span<const uint32_t> roots);

  // Might any node be a column?
  [[nodiscard]] bool any() const { return !nodes_.empty(); }
  // Evaluates the next `times`, from the states that `at` has on. False: nothing is a column.
  [[nodiscard]] bool begin(PmieEvaluator& at, Fetcher& fetcher, size_t times);
  [[nodiscard]] size_t times() const { return times_; }
  void go_to(size_t t) { at_ = t; }
  [[nodiscard]] size_t now() const { return at_; }
  // Nodes that are columns, each that stands for others.
  [[nodiscard]] const std::vector<uint32_t>& columns() const { return columns_; }
  [[nodiscard]] bool has(uint32_t node) const { return place_[node] != kNone; }

  // Now: what a node's state is.
  void settle(uint32_t node, NodeState& state) const;
  // Its first element as truth; none: it is unknown, or has no value.
  [[nodiscard]] std::optional<bool> holds(uint32_t node) const;
  // The same of the condition of a rule.
  [[nodiscard]] std::optional<bool> condition_holds(uint32_t rule) const {
    return holds(program_.nodes[rule].left);
  }
  // For who looks at true rules alone: are all statements of the task rules that are columns? Then
  // at a time nothing happens but to those whose condition is true, by their places among the
  // statements; the conditions of so many others are false.
  void list_true_rules();
  [[nodiscard]] bool lists_true_rules() const { return only_rules_; }
  [[nodiscard]] std::span<const uint32_t> true_rules() const {
    return std::span(true_).subspan(true_from_[at_], true_from_[at_ + 1] - true_from_[at_]);
  }
  [[nodiscard]] uint32_t rules_false() const { return false_[at_]; }

 private:
  struct NodeColumn {
    size_t span = 0;
    int32_t held = 1, newest = 0;  // as the ring was before the first time
    // Of `held` times before and of each time since.
    std::vector<double> numbers{}, stamps{};
    // As NodeState has it: before the first time, and of each time where there is not a value at
    // each.
    int64_t valid_before = 0;
    std::vector<int64_t> valid{};
    bool all_valid = false;
    [[nodiscard]] int64_t valid_at(size_t t) const {
      return all_valid ? valid_before + 1 + static_cast<int64_t>(t) : valid[t];
    }
    [[nodiscard]] double* now(size_t t) {
      return numbers.data() + (static_cast<size_t>(held) + t) * span;
    }
    [[nodiscard]] const double* now(size_t t) const {
      return numbers.data() + (static_cast<size_t>(held) + t) * span;
    }
    [[nodiscard]] int32_t newest_at(size_t t) const {
      const auto gone = static_cast<int32_t>((t + 1) % static_cast<size_t>(held));
      return (newest + held - gone) % held;
    }
  };

  [[nodiscard]] bool has_operand(uint32_t operand) const;
  [[nodiscard]] NodeColumn& add_column(PmieEvaluator& at, uint32_t index);
  [[nodiscard]] bool read(PmieEvaluator& at, Fetcher& fetcher, uint32_t index);
  void evaluate(PmieEvaluator& at, uint32_t index);
  [[nodiscard]] bool evaluate_at_once(uint32_t index, NodeColumn& out);
  [[nodiscard]] bool copy_at_once(uint32_t condition, NodeColumn& out) const;
  void evaluate_each(PmieEvaluator& at, uint32_t index, NodeColumn& out);
  template <class Take>
  void each_outcome(uint32_t rule, Take take) const;
  [[nodiscard]] Samples samples(uint32_t operand, size_t t) const;
  [[nodiscard]] bool evaluate_one(const PmieNode& node, const PmieShape& of, size_t t,
                                  NewSample out) const;

  const RuleProgram& program_;
  const Sharing& sharing_;
  std::vector<uint32_t> roots_;
  std::vector<uint32_t> nodes_;              // candidates, operands first
  std::vector<uint32_t> columns_;            // of this block
  std::vector<uint32_t> place_;              // of each node in kept_; kNone: it is no column
  std::vector<NodeColumn> kept_;             // the first columns_.size() are of this block
  std::vector<const NodeState*> constants_;  // of each node that is one
  // Of the node that is evaluated: of each element; of each host, how many elements.
  std::vector<uint8_t> names_match_;
  std::vector<int32_t> counts_;
  bool only_rules_ = false;
  std::vector<uint32_t> true_, true_from_;  // of the times, one behind the other; where each begins
  std::vector<uint32_t> false_;             // of each time: how many
  size_t times_ = 0, at_ = 0;
};

}  // namespace pmjit::pmie
