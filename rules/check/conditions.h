// Conditions of rules as trees of comparisons with numbers, of either dialect, for checks that need
// no more: can a rule ever be true, and how far are its thresholds from what was recorded?
//
//   const Condition tree = condition_of(program, root, text);
//   warn_of_constant(tree, diags);
#pragma once

#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ast/ast.h"
#include "compiler/compat/pmie/expr.h"
#include "compiler/diag/diag.h"
#include "runtime/model/catalog.h"

namespace pmjit {

enum class ConditionRelation : uint8_t { less, less_equal, equal, unequal, greater, greater_equal };

// What a value may be, whatever is recorded.
struct ConditionRange {
  double least = -std::numeric_limits<double>::infinity();
  double greatest = std::numeric_limits<double>::infinity();
};

struct Condition {
  enum class Kind : uint8_t {
    comparison,  // of a value with a number
    both,        // its parts, joined by &&
    either,      // joined by ||
    holds,       // as its one part does: some_inst, a rule
    negation,    // true where its part is false
    always,      // 0 %_inst: true where its part has a value
    other        // of which nothing is known; its parts have conditions of their own
  };
  Kind kind = Kind::other;
  Span where{};
  std::vector<Condition> parts{};
  std::string quantifier{};  // of `holds`: some_inst and the like; the same where it is; "": none

  // Of a comparison.
  std::string subject{};  // the same where two compare the same value
  std::string written{};  // the value, as the user wrote it
  ConditionRelation relation = ConditionRelation::equal;
  double number = 0;          // in canonical units: bytes, seconds, counts
  std::string number_text{};  // as written
  std::string unit{};         // of strict, canonical: comparable only with the same
  ConditionRange range{};
  bool is_share = false;  // the rate of a time: of each second, the part that something was busy
  uint32_t value = UINT32_MAX;  // the node of the value, or the ExprId
};

// Of a statement of pmie. `text`: of its file.
[[nodiscard]] Condition condition_of(const pmie::RuleProgram& program, uint32_t root,
                                     std::string_view text);
// Of a statement's alternatives, in their order; of one that is no ruleset: none.
[[nodiscard]] std::vector<Condition> turns_of(const pmie::RuleProgram& program, uint32_t root,
                                              std::string_view text);
// Of a strict rule; `catalog`: null: nobody knows metrics.
[[nodiscard]] Condition condition_of(const Ast& ast, std::string_view text, const Catalog* catalog);

// Where the types or units of a file are wrong. That a comparison is never true follows from that,
// so nothing is said of it.
class MistakenOperands {
 public:
  void add(DiagCode code, Severity severity, uint32_t begin);
  // Those comparisons become conditions of which nothing is known.
  void leave_out_of(Condition& condition) const;

 private:
  [[nodiscard]] bool any_in(Span span) const;
  std::set<uint32_t> places_;
};

// Warns of what can never be true, and of a whole condition that is always true, as its numbers
// show alone.
void warn_of_constant(const Condition& condition, Diags& diags);
// Warns of what in a ruleset a condition before it always takes: x > 5 -> … else x > 10 -> …
// Not of what is never true.
void warn_of_turns(std::span<const Condition> turns, Diags& diags);

}  // namespace pmjit
