// DifferenceWalk: one expression's nodes with their facts, and what the rows look at. A kind of
// rows is a file with a class that derives from it. Private to compiler/differences.
#pragma once

#include <string>
#include <vector>

#include "compiler/ast/operators.h"
#include "compiler/compat/definitions/tree.h"
#include "compiler/differences/definitions/definition_facts.h"

namespace pmjit {

class DifferenceWalk {
 public:
  DifferenceWalk(const Ast& ast, const std::vector<Facts>& facts, const DifferenceOptions& options,
                 Diags& diags)
      : ast_(ast), facts_(facts), options_(options), diags_(diags) {}

 protected:
  // Calls f(expr, facts) for every node whose values count.
  template <class F>
  void each(F&& f) const {
    for (uint32_t i = 0; i < facts_.size(); ++i) {
      if (!facts_[i].unused && !facts_[i].idle) f(ast_.exprs[ExprId{{i}}], facts_[i]);
    }
  }
  [[nodiscard]] const Expr& arg(const Expr& expr, size_t i) const {
    return ast_.exprs[ast_.args_of(expr)[i]];
  }
  [[nodiscard]] const Facts& of(const Expr& expr, size_t i) const {
    return facts_[ast_.args_of(expr)[i].index];
  }
  [[nodiscard]] const Facts& root() const { return facts_[ast_.root.index]; }
  [[nodiscard]] const Expr& root_expr() const { return ast_.exprs[ast_.root]; }
  [[nodiscard]] bool pcp6() const { return options_.dialect == Dialect::pcp6; }
  [[nodiscard]] static bool is_function(const Expr& expr, std::string_view name) {
    return expr.kind == ExprKind::call && expr.text == name;
  }
  [[nodiscard]] static bool is_history(const Expr& expr) {
    return is_function(expr, "delta") || is_function(expr, "rate");
  }
  // Which arms count is open until there are values.
  [[nodiscard]] bool picks(const Expr& expr) const {
    return expr.kind == ExprKind::ternary && !of(expr, 1).unused && !of(expr, 2).unused;
  }
  [[nodiscard]] static bool is_arithmetic(const Expr& expr) {
    return expr.kind == ExprKind::binary && expr.op <= Operator::div;
  }
  [[nodiscard]] static bool is_sum(const Expr& expr) {
    return expr.kind == ExprKind::binary && (expr.op == Operator::add || expr.op == Operator::sub);
  }
  [[nodiscard]] static bool relates(const Expr& expr) {
    return expr.kind == ExprKind::binary && is_relation(expr.op);
  }
  [[nodiscard]] static bool decides(const Expr& expr) {
    return expr.kind == ExprKind::binary && is_logic(expr.op);
  }

  // That of two scales, whatever the values are.
  void factor_wraps(Span where) const {
    diags_.add_here(DiagCode::D_Wraps, where).help("the factor between the two scales does");
  }

  const Ast& ast_;
  const std::vector<Facts>& facts_;
  const DifferenceOptions& options_;
  Diags& diags_;
};

// The kinds of rows. Each reads what a DifferenceWalk gives it.
class TextRows : private DifferenceWalk {  // §6: what the text alone shows
 public:
  using DifferenceWalk::DifferenceWalk;
  void run();

 private:
  Diag* operators(const Expr& expr);
  void add_reading(Diag& diag, const Facts& facts) const;
  void tags(const Expr& expr);
};
class NumberRows : private DifferenceWalk {  // §7
 public:
  using DifferenceWalk::DifferenceWalk;
  void run();

 private:
  void arithmetic(const Expr& expr);
  void relation(const Expr& expr);
  void unsigned_literals(const Expr& expr);
  void negation(const Expr& expr);
  void history(const Expr& expr);
  void aggregate(const Expr& expr);
  void constant(const Expr& expr, TypeSet types);
  void rescaled(const Expr& expr);
};
class UnitRows : private DifferenceWalk {  // §8
 public:
  using DifferenceWalk::DifferenceWalk;
  void run();

 private:
  void extra_units(const Expr& expr);
  void tell_unchecked(Span where);
  void rate(const std::optional<Units>& operand, Span where);
  void bare(const Expr& expr, size_t left, size_t right);
  void relation(const Expr& expr);
  void sum(const Expr& expr);
  void scales(const Expr& expr);
  void counters(const Expr& expr);
  void truth(const Expr& expr);
  void needs_truth(const Expr& expr, size_t i, DiagCode code);
  void needs_number(const Expr& expr, size_t i);
  void arms(const Expr& expr);
};
class InstanceRows : private DifferenceWalk {  // §9
 public:
  using DifferenceWalk::DifferenceWalk;
  void run();

 private:
  void names(const Expr& expr);
  void two_sets(const Expr& expr, const Facts& left, const Facts& right);
  void pick(const Expr& expr);
  void selection(const Expr& expr);
  void pattern(const Expr& expr);
  void constant(const Expr& expr);
  [[nodiscard]] const std::vector<std::string>* names_of(const Facts& set) const;
};
class AbsenceRows : private DifferenceWalk {  // §10, §11, §13.5
 public:
  using DifferenceWalk::DifferenceWalk;
  void run();

 private:
  void aggregate(const Expr& expr);
  void pick(const Expr& expr);
  void history(const Expr& expr);
  void metric(const Expr& expr);
};

}  // namespace pmjit
