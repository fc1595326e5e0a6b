// TimeBlock: the nodes of one task at many times at once, over archives. What a task fetches does
// not depend on what it computes, so the values of a stretch of times can be there before the first
// of them is evaluated; each node is then a column over these times. Rules and their actions follow
// time by time, and see each node as the evaluator alone would have left it: PmieEvaluator asks
// settle() for its state as of a time.
//
//   TimeBlock block(program, sharing, roots, threads);
//   if (block.begin(at, fetcher, times, stop)) … nodes that have() are columns now
//   block.go_to(t);  block.condition_holds(rule);  block.settle(node, state);
//
// A node is a column where every evaluation of the task evaluates it, its operands are columns, and
// its elements stay the same: of a fetch that is asked at each block (FetchedTimes), of the others
// it follows. The others are evaluated at each time, from columns where their operands are such.
//
// Where a block is much work threads of the executor share it: each column is computed by one of
// them, after its operands.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rules/compat/computed_ways.h"
#include "rules/compat/core_proofs.h"
#include "rules/compat/fetched_times.h"
#include "rules/compat/node_state.h"
#include "rules/compat/operators.h"
#include "runtime/base/executor.h"

namespace pmjit {
class OrderedWork;
}

namespace pmjit::pmie {

class Fetcher;
class PmieEvaluator;

// From how much work on threads share it, in elements of columns. What `elements` have cost, some 5
// ms, pays for making threads, where nobody has made them; a thread more is worth 0.1 ms.
struct SharedFrom {
  size_t elements = 1U << 21, a_thread = 1U << 15;
};

class TimeBlock {
 public:
  // Null, or of one thread: alone. It outlives the block.
  struct Threads {
    Executor* executor = nullptr;
    SharedFrom from{};
  };
  // Both outlive it. `roots`: of the task's statements.
  TimeBlock(const RuleProgram& program, const Sharing& sharing, std::span<const uint32_t> roots,
            const Threads& threads);

  // Might any node be a column?
  [[nodiscard]] bool any() const { return !nodes_.empty(); }
  // Evaluates the next `times`, from the states that `at` has on. False: nothing is a column.
  // `stop` is asked between columns, in this thread; true ends it with ReadingStopped.
  [[nodiscard]] bool begin(PmieEvaluator& at, Fetcher& fetcher, size_t times,
                           const std::function<bool()>& stop);
  // In place of begin(), where there was nothing to begin with.
  void refuse(Guard guard) { std::ranges::fill(guards_, guard); }
  // Why a candidate was no column at the last begin().
  [[nodiscard]] Guard guard(uint32_t node) const { return guards_[node - range_.begin]; }
  [[nodiscard]] size_t times() const { return times_; }
  void go_to(size_t t) { at_ = t; }
  [[nodiscard]] size_t now() const { return at_; }
  // Nodes that are columns, each that stands for others.
  [[nodiscard]] const std::vector<uint32_t>& columns() const { return columns_; }
  [[nodiscard]] bool has(uint32_t node) const { return kept_place(node) != kNone; }

  // Now: what a node's state is.
  void settle(uint32_t node, NodeState& state) const;
  // Its first element as truth; none: it is unknown, or has no value.
  [[nodiscard]] std::optional<bool> holds(uint32_t node) const;
  // The same of the condition of a rule.
  [[nodiscard]] std::optional<bool> condition_holds(uint32_t rule) const {
    return holds(program_.nodes[rule].left);
  }

  // A statement to which something happens at a time, by its place among the task's.
  struct Visit {
    uint32_t place = 0;
    bool evaluated = false;  // it acts, or is no column
    bool changed = false;    // its truth may be another one than at the time before
  };
  // Finds them. To a statement that is a column nothing happens but where it is a rule that is true
  // or, for who asks for `changes`, where it has another truth; to the others at every time.
  void list_visits(bool changes);
  [[nodiscard]] bool lists_visits() const { return lists_; }
  // In the order of the statements.
  [[nodiscard]] std::span<const Visit> visits() const {
    return std::span(visits_).subspan(from_[at_], from_[at_ + 1] - from_[at_]);
  }
  // How many rules that are columns are not true.
  struct Untrue {
    uint32_t no = 0, unknown = 0;
  };
  [[nodiscard]] Untrue untrue() const {
    return {.no = evenly_.no + untrue_[at_].no, .unknown = evenly_.unknown + untrue_[at_].unknown};
  }

 private:
  struct NodeColumn {
    size_t span = 0;
    int32_t held = 1, newest = 0;  // as the ring was before the first time
    // Of `held` times before and of each time since.
    std::vector<double> numbers{}, stamps{};
    std::unique_ptr<FetchedTimes> fetched{};  // null: it is no fetch
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

  // What evaluate_one() needs of a node: of each element, does its name match? Of each host, how
  // many elements.
  struct AboutElements {
    std::vector<uint8_t> names_match{};
    std::vector<int32_t> counts{};
  };

  [[nodiscard]] bool has_operand(uint32_t operand) const;
  void share(size_t pieces, size_t elements,
             const std::function<void(OrderedWork&, size_t)>& piece) const;
  // Null: its elements change.
  [[nodiscard]] std::unique_ptr<FetchedTimes> find_fetched(PmieEvaluator& at,
                                                           const Fetcher& fetcher,
                                                           uint32_t index) const;
  // Held: it can be one.
  [[nodiscard]] Guard check_column(PmieEvaluator& at, uint32_t index);
  [[nodiscard]] Guard& guard_of(uint32_t node) { return guards_[node - range_.begin]; }
  NodeColumn& add_column(const PmieEvaluator& at, uint32_t index);
  void compute(const PmieEvaluator& at, bool wraps, uint32_t index);
  void read(bool wraps, NodeColumn& out) const;
  [[nodiscard]] bool evaluate_at_once(uint32_t index, NodeColumn& out) const;
  [[nodiscard]] bool copy_at_once(uint32_t condition, NodeColumn& out) const;
  void evaluate_each(const PmieEvaluator& at, uint32_t index, NodeColumn& out) const;
  void find_visits(uint32_t place, bool changes);
  [[nodiscard]] const double* codes_of(uint32_t operand);
  [[nodiscard]] Samples samples(uint32_t operand, size_t t) const;
  [[nodiscard]] bool evaluate_one(const PmieNode& node, const PmieShape& of,
                                  const AboutElements& about, size_t t, NewSample out) const;

  [[nodiscard]] uint32_t kept_place(uint32_t node) const { return place_[node - range_.begin]; }
  [[nodiscard]] const NodeColumn& column(uint32_t node) const { return kept_[kept_place(node)]; }
  [[nodiscard]] NodeColumn& column(uint32_t node) { return kept_[kept_place(node)]; }
  [[nodiscard]] const NodeState*& constant(uint32_t node) {
    return constants_[node - range_.begin];
  }
  [[nodiscard]] const NodeState& constant(uint32_t node) const {
    return *constants_[node - range_.begin];
  }

  const RuleProgram& program_;
  const Sharing& sharing_;
  Threads threads_;
  std::vector<uint32_t> roots_;
  NodeRange range_;  // of the task
  // Candidates, operands first. Threads take them in this order, too: what is made of an operand
  // is mostly next to it, and finds it in a cache.
  std::vector<uint32_t> nodes_;
  std::vector<uint32_t> fetches_;            // of these
  std::vector<uint32_t> columns_;            // of this block
  std::vector<uint32_t> place_;              // of each of range_ in kept_; kNone: it is no column
  std::vector<Guard> guards_;                // of each of range_
  std::vector<NodeColumn> kept_;             // the first columns_.size() are of this block
  std::vector<const NodeState*> constants_;  // of each of range_ that is one
  bool lists_ = false;
  struct TimedVisit {
    uint32_t t = 0;
    Visit visit;
  };
  std::vector<TimedVisit> found_;  // statement after statement
  std::vector<Visit> visits_;      // of the times, one behind the other
  std::vector<uint32_t> from_;     // where each time begins in it
  Untrue evenly_;                  // at every time of the block,
  std::vector<Untrue> untrue_;     // and at each beside them
  std::vector<double> codes_;      // of a statement: its truth at each time
  size_t times_ = 0, at_ = 0;
  // Of columns: in the block before; in all.
  size_t elements_before_ = 0, elements_done_ = 0;
};

}  // namespace pmjit::pmie
