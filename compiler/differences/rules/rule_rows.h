// The rows of the dialect table that a rule of pmie may meet: an entry each, with what it needs.
// Private to this folder. To add one: its entry in the table of its kind, its code in
// diag/diag.def, in tests/cases/check a rule that has it and one that cannot.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/compat/pmie/rule_reader.h"
#include "compiler/diag/diag.h"

namespace pmjit::pmie {

// What an expression of a rule may be, one a node: where a metric is not known everything is
// possible of it. Source: spec rules-language.md §5–§9, dialects.md §4. Private to this folder.

// A number for everything that lanes or values come from, equal for equal ones; ascending.
using RuleOrigins = std::vector<uint32_t>;

struct RuleFacts {
  std::optional<Units> units{};  // with the scales of the metric, after pmie's rates; none: unknown
  bool constant = false;
  bool bare = false;        // a number as written, without units
  bool macro_unit = false;  // the number of a macro that was written with units: those are `units`
  bool text = false;        // is one, and known to be
  bool whole = false;       // whole numbers, few enough bits that no sum of them is rounded

  bool counter = false;      // to strict it may be a raw counter
  bool gauge = true;         // or may be none
  bool has_counter = false;  // there may be one beneath
  bool rated = false;        // pmie makes a rate of something beneath
  bool may_be_nan = false, may_be_infinite = false;

  bool set = false;         // to strict it may have an instance axis
  bool several = false;     // of more than one instance
  InDomId indom = kNullId;  // of the set, where it is known
  RuleOrigins sets{};       // the metrics that its instances come from
  RuleOrigins lacks{};      // what may have no value, so that this has none
  bool unknowns = false;    // a truth that has a value may have unknown elements
  bool uneven = false;      // and others that are not
};

[[nodiscard]] inline bool includes(const RuleOrigins& all, const RuleOrigins& some) {
  return std::ranges::includes(all, some);
}

// What is known of a statement's nodes: facts[i] is of node statement.first_node + i.
[[nodiscard]] std::vector<RuleFacts> find_rule_facts(const RuleProgram& program,
                                                     const ReadStatement& statement);

// A node of a statement, with those beside it and what they may be.
struct RuleView {
  const RuleProgram& program;
  const ReadStatement& statement;
  const std::vector<RuleFacts>& facts;
  const std::vector<uint32_t>& users;  // of each node of the statement; kNone: none
  RuleMetrics* metrics;                // null: nobody knows them
  std::string_view text;               // of the file
  uint32_t index;

  [[nodiscard]] const PmieNode& node() const { return program.nodes[index]; }
  [[nodiscard]] const PmieNode& left_node() const { return program.nodes[node().left]; }
  [[nodiscard]] const PmieNode& right_node() const { return program.nodes[node().right]; }
  [[nodiscard]] const RuleFacts& of(uint32_t i) const { return facts[i - statement.first_node]; }
  [[nodiscard]] const RuleFacts& own() const { return of(index); }
  [[nodiscard]] const RuleFacts& left() const { return of(node().left); }
  [[nodiscard]] const RuleFacts& right() const { return of(node().right); }
  [[nodiscard]] uint32_t user() const { return users[index - statement.first_node]; }
  // Of the statement's nodes that an operand is made of: they end with it.
  [[nodiscard]] uint32_t first_of(uint32_t operand) const {
    return std::max(program.nodes[operand].first, statement.first_node);
  }

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
  [[nodiscard]] bool is_known() const { return fetch().is_known(); }
  [[nodiscard]] const Desc& desc() const { return fetch().hosts.front().desc; }
};

// Operands that their operator covers here, and not in strict or C: D02, D03, D16.
[[nodiscard]] bool is_mixed_logic(const RuleView& at);
[[nodiscard]] bool covers_relation(const RuleView& at);
// Numbers without a unit that strict refuses beside the other operand: D47.
[[nodiscard]] bool left_is_bare(const RuleView& at);
[[nodiscard]] bool right_is_bare(const RuleView& at);
// Is it so of a part of the operand, or of the whole?
[[nodiscard]] bool any_part(const RuleView& at, uint32_t operand, bool (*is_so)(const RuleView&));
// Units that do not fit are compared or added there, or in an operand: D49, D50.
[[nodiscard]] bool units_differ(const RuleView& at);
[[nodiscard]] bool operand_units_differ(const RuleView& at, uint32_t operand);
// Sets of different domains meet in it: D71.
[[nodiscard]] bool operand_domains_differ(const RuleView& at, uint32_t operand);
// Of a text of an action: is what stands at this % none of %h %i %v %c to strict (D150)?
[[nodiscard]] bool is_other_selector(std::string_view text, size_t percent);
// What the writer of an action's text hardly means: %{value}, %s, %instance. "": there is none.
[[nodiscard]] std::string_view mistaken_selector(const RuleView& at);

// Where a row is told: at the operator, or the name, of a node.
// A fetch whose instances are written, more than one.
[[nodiscard]] inline bool lists_several(const RuleView& at) {
  return at.is_fetch() && at.fetch().instances_listed &&
         at.fetch().hosts.front().instances().size() > 1;
}
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

// Of what a row has told: is it a warning (levels.h)? Then it gets the words for one.
void set_level(const RuleView& at, Diag& diag);
void set_level(const ScannedToken& token, std::string_view text, Diag& diag);

// pmie's messages as diagnostics: what is wrong in a line, and a way out. Source: spec
// rules-language.md §24. Private to this folder.

struct MessageContext {
  const ReadStatement& statement;
  RuleMetrics* metrics;                 // null: nobody knows them
  const Catalog* catalog;               // of metrics that a name may have been meant for; or null
  const std::set<std::string>& macros;  // that are defined
  bool offers;                          // whether one that may be meant is looked for
};
// `text`: as Messages get it, without location.
void add_message(Severity severity, Span where, std::string_view text, const MessageContext& in,
                 Diags& diags);

}  // namespace pmjit::pmie
