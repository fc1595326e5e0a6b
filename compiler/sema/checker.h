// Checker: one expression against the rules of the strict dialect. One function a kind of
// expression; the store holds arguments before their users, so that the walk is a loop. Private to
// compiler/sema.
#pragma once

#include <string>
#include <vector>

#include "compiler/sema/sema.h"
#include "runtime/base/result.h"

namespace pmjit {

class Checker {
 public:
  Checker(const Sema& sema, const NamedExpr& expr)
      : sema_(sema),
        ast_(*expr.ast),
        diags_(*expr.diags),
        source_(expr.source),
        out_(ast_.exprs.size()) {}

  std::vector<Checked> run();

 private:
  Checked check_expr(const Expr& expr);
  // checker.cc: leaves, selection, functions
  Checked check_integer(const Expr& expr);
  Checked check_real(const Expr& expr);
  Checked check_name(const Expr& expr);
  Checked check_compatible(const Expr& expr, const CompatibleMetric& metric);
  Checked check_metric(const Expr& expr, const Desc& desc);
  Checked unknown_name(const std::string& name, Span where, const std::string& help);
  [[nodiscard]] std::string metric_with_instance(const std::string& name) const;
  Checked not_answered(const Expr& expr, const Error& why);
  static uint64_t integer_of(const Expr& expr);
  Checked check_rescale(const Expr& expr);
  // selection.cc
  Checked check_instance(const Expr& expr);
  Checked check_matchinst(const Expr& expr);
  // Of an instance of the operand's domain; none: it was told what is wrong.
  std::vector<std::string> instance_names(InDomId domain) const;
  std::optional<std::string> full_name(const Expr& expr, const std::string& written, Span where);
  // constants.cc: what is made of tags, and what is known before there are values
  Checked check_mkconst(const Expr& expr);
  Checked check_novalue(const Expr& expr);
  Checked check_defined(const Expr& expr);
  bool apply_specs(const Expr& expr, Checked& out);
  bool apply_meta(const Expr& expr, const Spec& spec, Checked& out);
  bool apply_domain(const Spec& spec, Checked& out);
  bool apply_type(const Expr& expr, const Spec& spec, std::string_view name, Checked& out);
  std::optional<Desc> desc_of(const std::string& name) const;
  std::optional<bool> settle(const Expr& expr) const;
  void find_unread();
  Checked check_call(const Expr& expr);
  Checked check_reduce(const Expr& expr, Op op);
  Checked check_over_hosts(const Expr& expr, Op op);
  Checked check_past(const Expr& expr, Op op);
  Checked check_share(const Expr& expr);
  // operators.cc
  Checked check_unary(const Expr& expr);
  Checked check_binary(const Expr& expr);
  Checked check_sum(const Expr& expr, Op op);
  Checked check_product(const Expr& expr, Op op);
  Checked check_relation(const Expr& expr, Op op);
  Checked check_logic(const Expr& expr);
  Checked check_texts(const Expr& expr, Op op);
  Checked check_literal(const Expr& expr);
  Checked check_ternary(const Expr& expr);
  Checked check_arms(const Expr& expr);
  Checked check_one_arm(const Expr& expr, size_t there);

  // Shared rules. Each gives a diagnostic and returns false, or true.
  bool needs_number(const Expr& expr, size_t arg);
  bool needs_truth(const Expr& expr, size_t arg, DiagCode code);
  void refuse_text(const Expr& expr, size_t arg);
  bool no_counter(const Expr& expr, size_t arg);
  // One domain, or two that meet: then `domain` is the left's.
  bool same_domain(const Expr& expr, size_t left, size_t right, InDomId& domain);
  Checked with_met(const Expr& expr, Checked out) const;
  bool bare_fits(const Expr& expr, size_t bare, Units units);
  // Is there a factor from the argument's units to these? Else that is told.
  bool has_scales_between(const Expr& expr, size_t i, Units to);
  bool one_zero(const Expr& expr, size_t left, size_t right);
  // The units both arguments are brought to; the bare one, if any, takes the other's.
  bool common_units(const Expr& expr, size_t left, size_t right, bool comparing, DiagCode code,
                    Checked& out, Units& units);

  const Checked& arg(const Expr& expr, size_t i) const { return out_[ast_.args_of(expr)[i].index]; }
  const Expr& arg_expr(const Expr& expr, size_t i) const {
    return ast_.exprs[ast_.args_of(expr)[i]];
  }
  Checked failed() const { return Checked{.failed = true}; }
  std::optional<Units> read_units(Span where, const std::string& text);
  // An operand as it is written, in one line; "": that is too long.
  [[nodiscard]] std::string written(const Expr& expr, size_t i) const;
  [[nodiscard]] std::string print_text(const Expr& expr, size_t i) const;
  void refuse_mixed(const Expr& expr, size_t counter);
  // Both sides have other dimensions: 500 sec, where a size is wanted.
  void refuse_dimensions(const Expr& expr, size_t left, size_t right, DiagCode code);
  [[nodiscard]] std::string constant_meant(const Expr& expr, size_t i, Units units) const;

  const Sema& sema_;
  const Ast& ast_;
  Diags& diags_;
  const SourceText* source_;  // or null
  std::vector<Checked> out_;
  // Of each expression: what it is whatever the values are; whether it is in an arm of ?: that is
  // never taken, or beneath defined().
  std::vector<std::optional<bool>> settled_;
  std::vector<bool> unread_;
};

// The operator that a function name stands for: the grammar decides what may be called, and a
// function of one operand is the operator of that name. None: the language knows it in another way,
// or not yet.
std::optional<Op> function_op(std::string_view name);
// Of a function whose name ends in _host: what reduces the hosts.
std::optional<Op> hosts_op(std::string_view name);
// The operator of the IR that a sign stands for.
Op operator_op(Operator sign);
// "Kbyte / sec"; "none" where units_text() is empty.
std::string units_name(Units units);

}  // namespace pmjit
