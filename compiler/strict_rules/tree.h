// Ast trees of rules: nodes put together, parts taken out, and where a condition is true.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/strict_rules/rule_file.h"

namespace pmjit::strict {

// Of a condition: ranges of samples beside aggregates of ranges multiply.
inline constexpr uint64_t kNodesMax = 250'000;

// A metric named with its host, as an Ast has `disk.dev.read :'web2'`: web2:disk.dev.read.
struct MetricOfHost {
  std::string_view host, metric;
  // None: it names no host.
  [[nodiscard]] static std::optional<MetricOfHost> of(std::string_view name);
};

// What it names, once each: metrics without their hosts, and definitions; no variables of time.
[[nodiscard]] std::vector<std::string> metrics_in(std::span<const Ast* const> asts);

// Appends to an Ast, whose nodes come in the order of their making.
class AstMaker {
 public:
  ExprId leaf(ExprKind kind, std::string text, Span span);
  // A number of a rule: like pmie's, it may be larger than an integer.
  ExprId number(std::string text, Span span);
  ExprId unary(Operator op, Span op_span, ExprId operand);
  ExprId binary(Operator op, Span op_span, ExprId left, ExprId right);
  ExprId ternary(Span op_span, ExprId guard, ExprId left, ExprId right);
  // A function, with what its specs say.
  ExprId call(ExprKind kind, std::string text, Span op_span, std::vector<ExprId> operands,
              std::vector<Spec> specs = {});
  ExprId call(ExprKind kind, std::string text, Span op_span, ExprId operand,
              std::vector<Spec> specs = {}) {
    return call(kind, std::move(text), op_span, std::vector{operand}, std::move(specs));
  }
  // To the one that was made last, or one whose specs were.
  void add_spec(ExprId id, Spec spec);
  ExprId copy(const Ast& from, ExprId root, std::optional<Span> as);

  [[nodiscard]] Expr& at(ExprId id) { return ast_.exprs[id]; }
  [[nodiscard]] const Expr& at(ExprId id) const { return ast_.exprs[id]; }
  [[nodiscard]] const Ast& ast() const { return ast_; }
  // How many levels there are below and with it.
  [[nodiscard]] uint32_t height(ExprId id) const { return heights_[id.index]; }
  // How many nodes part_of() it has, where several samples share some here; more than kNodesMax: no
  // matter how many.
  [[nodiscard]] uint64_t size(ExprId id) const { return sizes_[id.index]; }

 private:
  ExprId add(Expr expr, std::vector<ExprId> args);

  Ast ast_;
  std::vector<uint32_t> heights_;
  std::vector<uint64_t> sizes_;
};

// The tree below `root` alone.
[[nodiscard]] Ast part_of(const Ast& ast, ExprId root);
// Is it a comparison of a text with a literal, or that negated: `x != "a"`?
[[nodiscard]] bool compares_text(const Ast& ast, const Expr& expr);
// Does it reduce hosts: sum_host and the like?
[[nodiscard]] bool is_over_hosts(const Expr& expr);
[[nodiscard]] bool has_metric(const Ast& ast, ExprId root);
// Has it a metric, or a variable of time?
[[nodiscard]] bool varies(const Ast& ast, ExprId root);
// Of a constant: it is no number.
[[nodiscard]] bool is_truth(const Expr& expr);
// Spec rules-language.md §13, dialects.md rows 148, 149.
[[nodiscard]] std::vector<Binding> bindings_of(const Ast& ast, ExprId condition);

}  // namespace pmjit::strict
