// PmieEvaluator: the nodes of a program, evaluated one statement after another as pmie does: whole
// nodes are valid or not, history is by position. What a fetch delivers is put in by whoever
// fetches. Source: spec rules-language.md §5–§9, §11, quirks §27.
//
//   PmieEvaluator at(program, plan_evaluation(program, tasks, Proving::on), world);
//   at.state(node), at.fetched(fetch) …           filled by a Fetcher
//   at.begin(), at.evaluate(statement.root);
//
// What `prove` found core operators for is decided by those, and its elements are put off until
// somebody asks for them (state()): whoever looks sees what the interpreter alone would have left.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "rules/compat/core_proofs.h"
#include "rules/compat/node_state.h"
#include "rules/compat/operators.h"
#include "rules/compat/time_block.h"
#include "rules/compat/to_binary64.h"

namespace pmjit::pmie {

// Off: the interpreter alone, to compare with.
enum class Proving : uint8_t { on, off };

// Actions are evaluated, or given to World::hand_over and have no values.
enum class Acting : uint8_t { evaluated, handed_over };

// Of how many elements a truth is true; open: that is not known without looking at each.
enum class Verdict : uint8_t { none, every, mixed, open };

// What evaluators of one program share: it is as large as what each of them has for itself.
struct EvaluationPlan {
  Sharing sharing;
  Proofs proofs;
  std::vector<std::vector<uint32_t>> parents;  // of the nodes that are evaluated
  // Of each node and fetch: which of the states is that of the one that stands for it.
  std::vector<uint32_t> node_states, fetch_states;
  std::vector<uint32_t> nodes_of_states, fetches_of_states;  // and back
};
// `tasks`: of each statement, for what statements of one task share.
[[nodiscard]] std::shared_ptr<const EvaluationPlan> plan_evaluation(
    const RuleProgram& program, const std::vector<uint32_t>& tasks, Proving proving,
    Acting acting = Acting::evaluated);

class PmieEvaluator {
 public:
  // The value of a reserved macro now.
  using ReadVariable = std::function<double(Variable)>;
  // Does an action for a rule (kNone: for none), if it is due; its result. None: it is held off.
  using Perform = std::function<std::optional<bool>(uint32_t action, uint32_t rule)>;
  // Reads a fetch into its node: false: no value. May reshape it (see reshaped()).
  using Read = std::function<bool(uint32_t node)>;

  struct World {
    ReadVariable clock;
    Read read;
    Perform perform;
    // Who does actions later: gets the actions of a rule in place of `perform`; none: nobody.
    std::function<void(uint32_t action, uint32_t rule)> hand_over{};
  };

  // The program outlives it.
  PmieEvaluator(const RuleProgram& program, std::shared_ptr<const EvaluationPlan> plan,
                World world);

  // The program is another one now, or has become so: of these nodes all begins anew, the others
  // keep their values and their history.
  void take_changes(const RuleProgram& program, std::shared_ptr<const EvaluationPlan> plan,
                    const std::vector<uint32_t>& changed);
  // A time of a task: what its statements share is evaluated once.
  void begin() { ++round_; }
  // From now on the columns of a block are what these nodes are; leave(): they go on by themselves.
  // The block outlives that.
  void enter(const TimeBlock& block);
  void leave(const TimeBlock& block);
  // The rest of a statement follows from its root.
  void evaluate(uint32_t node);
  // In place of that for the statements of a task that are columns, and not true rules now.
  void pass_untrue(const TimeBlock& block);
  [[nodiscard]] NodeState& state(uint32_t node) { return settled(node); }
  [[nodiscard]] const NodeState& state(uint32_t node) const { return settled(node); }
  [[nodiscard]] FetchState& fetched(uint32_t fetch) { return fetched_[plan_->fetch_states[fetch]]; }
  [[nodiscard]] const FetchState& fetched(uint32_t fetch) const {
    return fetched_[plan_->fetch_states[fetch]];
  }
  [[nodiscard]] const RuleProgram& program() const { return *program_; }
  [[nodiscard]] const Sharing& sharing() const { return plan_->sharing; }
  [[nodiscard]] Proof proof(uint32_t node) const { return plan_->proofs[node]; }
  // How the present evaluation came by a node; none: nobody needed it.
  enum class Way : uint8_t { none, core, interpreted };
  [[nodiscard]] Way way(uint32_t node) const;
  // Is the value true now, of a truth or a rule? None: nobody knows.
  [[nodiscard]] std::optional<bool> holds(uint32_t node) const;
  // Does the element of a match_inst have such a name?
  [[nodiscard]] bool name_matches(const PmieNode& node, size_t element) const;
  // How many quantifiers were decided, and how many of those that could be were interpreted.
  [[nodiscard]] uint64_t decided() const { return decided_; }
  [[nodiscard]] uint64_t undecided() const { return undecided_; }
  // Of how many nodes values were made together with those of other times, each time counted.
  [[nodiscard]] uint64_t at_once() const { return at_once_; }
  // How conditions of rules came out, those of clauses included. Source: spec §11 "Statistics".
  struct Outcomes {
    uint32_t yes = 0, no = 0, unknown = 0;
  };
  [[nodiscard]] const Outcomes& outcomes() const { return outcomes_; }

  // The element count of this node is another one: so are its users', as far as it shows.
  void reshape(uint32_t node, int32_t insts);
  // Of the elements of a node those of each host; by the metrics that name them.
  [[nodiscard]] std::vector<int32_t> counts(uint32_t node) const;

 private:
  void clear_states();
  [[nodiscard]] NodeState& of_node(uint32_t node) const {
    return states_[plan_->node_states[node]];
  }
  [[nodiscard]] NodeState& settled(uint32_t node) const {
    const uint32_t index = plan_->sharing.nodes[node];
    if (block_of(index) != nullptr) {
      settle_in_block(index);
    } else if (made_[plan_->node_states[index]] == Made::put_off) {
      settle(index);
    }
    return of_node(index);
  }
  // Null: none has it now.
  [[nodiscard]] const TimeBlock* block_of(uint32_t index) const {
    return blocks_.empty() ? nullptr : blocks_[index];
  }
  void settle_in_block(uint32_t index) const;
  // Of what is read at once.
  void evaluate_now(uint32_t node) {
    evaluate(node);
    static_cast<void>(settled(node));
  }
  void evaluate_in_block(uint32_t index);
  void count_outcome(const std::optional<bool>& holds);
  void act(uint32_t rule);
  void evaluate_operands(const PmieNode& node);
  void evaluate_leaf(uint32_t index);
  void evaluate_value(uint32_t index);
  void arithmetic(uint32_t index) const;  // relations of numbers, too
  void text_relation(uint32_t index);
  void logic(uint32_t index) const;
  void changes(uint32_t index) const;  // rate, rising, falling
  void matches(uint32_t index) const;
  void aggregate(uint32_t index);  // quantifiers, too
  void over_first_elements(uint32_t index);
  void rule(uint32_t index);
  void alternatives(uint32_t index);
  void ruleset(uint32_t index);
  [[nodiscard]] bool some_false(uint32_t rules) const;
  void action(uint32_t index);
  void copy_value(uint32_t from, uint32_t to);
  [[nodiscard]] uint32_t primary(const PmieNode& node) const;

  // decided_quantifiers.cc: a quantifier of the proven kind; false: it has to be interpreted.
  [[nodiscard]] bool decide(uint32_t index);
  [[nodiscard]] Verdict judge(uint32_t index, double& stamp);
  [[nodiscard]] Verdict judge_comparison(uint32_t index, double& stamp);
  [[nodiscard]] Verdict judge_connective(uint32_t index, double& stamp);
  [[nodiscard]] const Extremes& extremes(uint32_t set);
  void settle(uint32_t index) const;

  const RuleProgram* program_;
  std::shared_ptr<const EvaluationPlan> plan_;
  World world_;
  std::vector<uint64_t> rounds_;  // of each state: in which its node was evaluated last
  uint64_t round_ = 1;
  // What is put off is made when somebody looks, which changes nothing that shows.
  mutable std::vector<NodeState> states_;
  // Of each state: were its elements made? `decided`: they were not needed for its value.
  enum class Made : uint8_t { all, put_off, decided };
  mutable std::vector<Made> made_;
  std::vector<const TimeBlock*> blocks_;      // of each node, once there is any
  mutable std::vector<uint64_t> settled_at_;  // of these nodes: the round whose state they have
  struct KnownExtremes {
    uint64_t round = 0;
    Extremes of;
  };
  std::unordered_map<uint32_t, KnownExtremes> extremes_;  // of sets
  uint64_t decided_ = 0, undecided_ = 0, at_once_ = 0;
  Outcomes outcomes_;
  std::vector<FetchState> fetched_;
  uint32_t rule_ = kNone;  // whose action is done
};

// Which host and instance an element of a node is. Source: spec rules-language.md §5, §13.
struct ElementPlace {
  uint32_t host = 0;                      // of the fetch's hosts
  const std::string* instance = nullptr;  // null: it has no name
};

// By the metric records of `metrics`, a fetch; none: there is no such element. An element of a node
// without an instance axis is looked up in the same way (Q29).
[[nodiscard]] std::optional<ElementPlace> place_of(const PmieEvaluator& at, uint32_t metrics,
                                                   size_t element);

}  // namespace pmjit::pmie
