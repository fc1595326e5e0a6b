// Evaluator: the nodes of a program, evaluated one statement after another as pmie does: whole
// nodes are valid or not, history is by position. What a fetch delivers is put in by whoever
// fetches. Source: spec rules-language.md §5–§9, §11, quirks §27.
//
//   Evaluator at(program, clock, actions);
//   at.state(node), at.fetched(fetch) …           filled by a Fetcher
//   at.evaluate(statement.root, now);
#pragma once

#include <functional>
#include <vector>

#include "rules/pmie/sharing.h"
#include "rules/pmie/state.h"

namespace pmjit::pmie {

class Evaluator {
 public:
  // The value of a reserved macro now.
  using Clock = std::function<double(Variable)>;
  // Does an action for a rule (kNone: for none), if it is due; its result. None: it is held off.
  using Perform = std::function<std::optional<bool>(uint32_t action, uint32_t rule)>;
  // Reads a fetch into its node: false: no value. May reshape it (see reshaped()).
  using Read = std::function<bool(uint32_t node)>;

  struct World {
    Clock clock;
    Read read;
    Perform perform;
  };

  // Both outlive it.
  // `tasks`: of each statement, for what statements of one task share.
  Evaluator(const RuleProgram& program, const std::vector<uint32_t>& tasks, World world);

  // A time of a task: what its statements share is evaluated once.
  void begin() { ++round_; }
  // The rest of a statement follows from its root.
  void evaluate(uint32_t node);
  [[nodiscard]] NodeState& state(uint32_t node) { return of_node(node); }
  [[nodiscard]] const NodeState& state(uint32_t node) const { return of_node(node); }
  [[nodiscard]] FetchState& fetched(uint32_t fetch) { return fetched_[sharing_.fetches[fetch]]; }
  [[nodiscard]] const FetchState& fetched(uint32_t fetch) const {
    return fetched_[sharing_.fetches[fetch]];
  }
  [[nodiscard]] const RuleProgram& program() const { return program_; }

  // The element count of this node is another one: so are its users', as far as it shows.
  void reshape(uint32_t node, int32_t insts);
  // Of the elements of a node those of each host; by the metrics that name them.
  [[nodiscard]] std::vector<int32_t> counts(uint32_t node) const;

 private:
  [[nodiscard]] NodeState& of_node(uint32_t node) { return states_[sharing_.nodes[node]]; }
  [[nodiscard]] const NodeState& of_node(uint32_t node) const {
    return states_[sharing_.nodes[node]];
  }
  void evaluate_operands(const Node& node);
  void evaluate_leaf(uint32_t index);
  void evaluate_value(uint32_t index);
  void arithmetic(uint32_t index);
  void relation(uint32_t index);
  void text_relation(uint32_t index);
  void logic(uint32_t index);
  void change(uint32_t index);  // rate, rising, falling
  void match(uint32_t index);
  void aggregate(uint32_t index);  // quantifiers, too
  void over_insts(uint32_t index);
  void over_samples(uint32_t index);
  void rule(uint32_t index);
  void alternatives(uint32_t index);
  void ruleset(uint32_t index);
  [[nodiscard]] bool some_false(uint32_t rules) const;
  void action(uint32_t index);
  void copy_value(uint32_t from, uint32_t to);
  [[nodiscard]] uint32_t primary(const Node& node) const;
  // One of the two operands of a binary node has a value that can be used.
  [[nodiscard]] bool usable(uint32_t operand, bool is_set, uint32_t node) const;

  const RuleProgram& program_;
  World world_;
  Sharing sharing_;
  std::vector<std::vector<uint32_t>> parents_;  // of the nodes that are evaluated
  std::vector<uint64_t> rounds_;                // in which a node was evaluated last
  uint64_t round_ = 1;
  std::vector<NodeState> states_;
  std::vector<FetchState> fetched_;
  uint32_t rule_ = kNone;  // whose action is done
};

}  // namespace pmjit::pmie
