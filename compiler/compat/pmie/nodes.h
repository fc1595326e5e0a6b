// Nodes of one statement, made from the left to the right as pmie reduces: shapes, folding of
// constants, checks of sizes and types. Source: spec rules-language.md §5, §7–§11.
//
// Once a statement has an error nothing is looked up for it any more; what is made then is thrown
// away with it. kNone stands for an operand that could not be made: what is made of it is nothing
// either, and a statement that is nothing takes no number for its name.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compiler/compat/pmie/expr.h"
#include "compiler/compat/pmie/scanner.h"

namespace pmjit::pmie {

class Nodes {
 public:
  // `complain`: says an error with the place that has been reached, and counts it.
  Nodes(RuleProgram& program, std::function<void(const std::string&)> complain)
      : program_(program), complain_(std::move(complain)) {}

  [[nodiscard]] const PmieNode& at(uint32_t node) const { return program_.nodes[node]; }
  [[nodiscard]] uint32_t begun() const { return static_cast<uint32_t>(nodes_before_); }
  [[nodiscard]] bool failed() const { return failed_; }
  void fail() { failed_ = true; }
  // Forgets the errors, and with `undo` what was made since the last call.
  void begin_statement();
  void undo_statement();

  // Where a node stands, with the one that it delays.
  void set_place(uint32_t node, const SourcePlace& place);
  void set_grouped(uint32_t node, Span span);
  uint32_t number(double value, std::optional<Units> units, std::optional<Units> meant = {});
  uint32_t truth(double value);  // 0 or 1; a macro's is whatever was made of it
  uint32_t text(std::string value);
  uint32_t variable(Variable variable);
  uint32_t fetch(Fetch fetch, PmieShape shape);
  uint32_t binary(PmieOp op, uint32_t left, uint32_t right);
  uint32_t prefix(PmieOp op, Dim dim, uint32_t operand);
  uint32_t percent(Dim dim, double share, uint32_t operand);
  uint32_t match(PmieOp op, const std::string& pattern, uint32_t operand);
  uint32_t rule(uint32_t condition, uint32_t action, uint32_t line);
  // alternatives, ruleset, clauses, others, in_turn, until_true
  uint32_t join(PmieOp op, uint32_t left, uint32_t right);
  uint32_t action(PmieNode verb);
  // Shapes, types and pairings of these nodes anew, where fetches of theirs know more than before.
  // Those that are others now.
  [[nodiscard]] std::vector<uint32_t> settle_again(uint32_t first, uint32_t last);

  [[nodiscard]] bool is_constant(uint32_t node) const;

 private:
  uint32_t add(PmieNode node);
  [[nodiscard]] uint32_t height_above(uint32_t operand) const;
  void cut_back(uint32_t node);
  uint32_t dummy() { return add({}); }
  void complain(const std::string& text);
  [[nodiscard]] bool is_text(uint32_t node) const;
  [[nodiscard]] bool is_supposed(uint32_t node) const;
  [[nodiscard]] bool is_scalar(uint32_t node) const;
  [[nodiscard]] const PmieNode& primary(uint32_t left, uint32_t right) const;
  // What follows from the operands, or from the fetch.
  void settle(PmieNode& node) const;
  void settle_fetch(PmieNode& node) const;
  void settle_binary(PmieNode& node) const;
  void settle_prefix(PmieNode& node) const;
  [[nodiscard]] bool compares_texts(uint32_t left, uint32_t right);
  void check_sizes(uint32_t left, uint32_t right);
  [[nodiscard]] std::string misfit(PmieOp op, Dim dim, uint32_t operand) const;
  uint32_t fold(PmieOp op, uint32_t left, uint32_t right);
  void hold_two(uint32_t node);
  void make_raw(uint32_t first, uint32_t last);
  void shape_of_aggregate(PmieNode& node, const PmieNode& operand) const;

  RuleProgram& program_;
  std::function<void(const std::string&)> complain_;
  bool failed_ = false;
  size_t nodes_before_ = 0, fetches_before_ = 0;
  std::vector<uint32_t> heights_;  // of this statement's nodes: the longest way down
};

// Operators of constants alone: their value, while the text is read. Source: spec rules-language.md
// §4.

// A constant. `right`: null for operators of one operand.
[[nodiscard]] PmieNode folded_node(PmieOp op, const PmieNode& left, const PmieNode* right);

// What an expression is in pmie's grammar, and where it may stand. Source: spec rules-language.md
// §3.

// A set of types, as bits.
using Types = uint8_t;
namespace type {
enum TypeBit : Types {
  none = 0,
  number = 1,
  text = 2,
  truth = 4,
  action = 8,
  rule = 16,
  ruleset = 32,
  any = 63
};
}  // namespace type

// What an expression may begin with that is to become one of these: a truth may begin with a
// number.
[[nodiscard]] Types may_begin(Types wanted);
// What may stand in parentheses where one of these is wanted.
[[nodiscard]] Types inside_parentheses(Types wanted);

// An operator between two operands: of its left one, of its right one, of its value.
struct Signature {
  Types left, right, value;
};
// None for tokens that are no such operator.
[[nodiscard]] const Signature* signature_of(const ScannedToken& token);
// What an expression is that begins with this token; none: none does. Of parentheses: any.
[[nodiscard]] Types begun_by(RuleToken token);

// pmie's second line when an operator has nothing to its left. "" for tokens that are not waited
// for after an error; `wanted` says which are.
[[nodiscard]] std::string missing_before(const ScannedToken& token, Types wanted);
// What is said when nothing follows this operator.
[[nodiscard]] std::string missing_behind(const ScannedToken& token, bool is_sign);

}  // namespace pmjit::pmie
