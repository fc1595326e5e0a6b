// The rows of the dialect table that a rule of pmie may meet: an entry each, with what it needs.
// Private to this folder. To add one: its entry in the table of its kind, its code in
// diag/diag.def, in tests/cases/check a rule that has it and one that cannot.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compiler/differences/rules/rule_facts.h"

namespace pmjit::pmie {

// A node of a statement, with those beside it and what they may be.
struct RuleView {
  const RuleProgram& program;
  const ReadStatement& statement;
  const std::vector<RuleFacts>& facts;
  const std::vector<uint32_t>& users;  // of each node of the statement; kNone: none
  RuleMetrics* metrics;                // null: nobody knows them
  uint32_t index;

  [[nodiscard]] const PmieNode& node() const { return program.nodes[index]; }
  [[nodiscard]] const PmieNode& left_node() const { return program.nodes[node().left]; }
  [[nodiscard]] const PmieNode& right_node() const { return program.nodes[node().right]; }
  [[nodiscard]] const RuleFacts& of(uint32_t i) const { return facts[i - statement.first_node]; }
  [[nodiscard]] const RuleFacts& own() const { return of(index); }
  [[nodiscard]] const RuleFacts& left() const { return of(node().left); }
  [[nodiscard]] const RuleFacts& right() const { return of(node().right); }
  [[nodiscard]] uint32_t user() const { return users[index - statement.first_node]; }

  [[nodiscard]] bool is(PmieOp op) const { return node().op == op; }
  [[nodiscard]] bool is(OpKind kind) const { return kind_of(node().op) == kind; }
  [[nodiscard]] bool has_two() const { return node().left != kNone && node().right != kNone; }
  // Numbers are compared, or added, so that their units meet.
  [[nodiscard]] bool compares() const {
    return is(OpKind::relation) && !is(PmieOp::text_equal) && !is(PmieOp::text_unequal);
  }
  [[nodiscard]] bool adds() const { return is(PmieOp::add) || is(PmieOp::subtract); }
  [[nodiscard]] bool is_fetch() const { return is(PmieOp::fetch); }
  [[nodiscard]] const Fetch& fetch() const { return program.fetches[node().fetch]; }
  [[nodiscard]] bool is_known() const { return !fetch().supposed; }
  [[nodiscard]] const Desc& desc() const { return fetch().hosts.front().desc; }
};

// Operands that their operator covers here, and not in strict or C: D02, D03, D16.
[[nodiscard]] bool is_mixed_logic(const RuleView& at);
[[nodiscard]] bool covers_relation(const RuleView& at);
// Numbers without a unit that strict refuses beside the other operand: D47.
[[nodiscard]] bool left_is_bare(const RuleView& at);
[[nodiscard]] bool right_is_bare(const RuleView& at);
// Of a text of an action: is what stands at this % none of %h %i %v %c to strict (D150)?
[[nodiscard]] bool is_other_selector(std::string_view text, size_t percent);

// Where a row is told: at the operator, or the name, of a node.
[[nodiscard]] inline Span at_sign(const RuleView& at) { return at.node().place.sign; }
[[nodiscard]] inline Span at_left(const RuleView& at) { return at.left_node().place.span; }

struct RuleRow {
  DiagCode code;
  bool (*holds)(const RuleView& at);
  Span (*where)(const RuleView& at) = at_sign;
  // The argument of the code's text, where it has one.
  std::string (*what)(const RuleView& at) = nullptr;
};
[[nodiscard]] std::span<const RuleRow> rule_text_rows();      // §6
[[nodiscard]] std::span<const RuleRow> rule_number_rows();    // §7
[[nodiscard]] std::span<const RuleRow> rule_unit_rows();      // §8
[[nodiscard]] std::span<const RuleRow> rule_instance_rows();  // §9
[[nodiscard]] std::span<const RuleRow> rule_absence_rows();   // §10
[[nodiscard]] std::span<const RuleRow> rule_time_rows();      // §11
[[nodiscard]] std::span<const RuleRow> rule_action_rows();    // §12
// Of statements that pmie refuses, of which no more is known than the shapes of their nodes.
[[nodiscard]] std::span<const RuleRow> refused_rule_rows();

struct TokenRow {
  DiagCode code;
  bool (*holds)(const std::vector<ScannedToken>& tokens, size_t at);
  std::string (*what)(const ScannedToken& token) = nullptr;
};
// What is said beside a row, "" where its text says all.
[[nodiscard]] std::string_view way_out_of(DiagCode code);
[[nodiscard]] std::span<const TokenRow> rule_token_rows();  // §6, §7, §9

}  // namespace pmjit::pmie
