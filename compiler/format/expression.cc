// An expression in the layout. The printer of compiler/ast writes trees that a pass has put
// together, for the strict dialect; here every tree has a text, and the text's own words are taken.
#include <algorithm>
#include <set>
#include <utility>

#include "compiler/ast/operators.h"
#include "compiler/format/lines.h"

namespace pmjit::format {
namespace {

// libpcp's dialects have && and || on one level; in strict they never meet without parentheses.
Precedence level_of(const Expr& e) {
  const Precedence binding = binding_of(e);
  return binding == Precedence::and_ ? Precedence::or_ : binding;
}

// A blank, the sign, a blank and the \, behind the indent.
constexpr size_t kRoundOperand = 9;

class ExpressionWriter {
 public:
  ExpressionWriter(const Ast& ast, std::string_view text) : ast_(ast), text_(text) {}

  std::string write(bool broken) {
    if (broken) break_outermost(ast_.root);
    put(ast_.root);
    return std::move(out_);
  }

 private:
  [[nodiscard]] const Expr& arg(const Expr& e, size_t i) const {
    return ast_.exprs[ast_.args_of(e)[i]];
  }
  [[nodiscard]] static bool has_sides(const Expr& e) {
    return e.kind == ExprKind::binary || e.kind == ExprKind::ternary;
  }

  // The first operators with sides from outside in, those of their level to the left, and so on in
  // operands that are too long for a line.
  void break_outermost(ExprId id) {
    while (!has_sides(ast_.exprs[id])) {
      if (ast_.exprs[id].arg_count == 0) return;
      id = ast_.args_of(ast_.exprs[id])[0];
    }
    const Precedence level = level_of(ast_.exprs[id]);
    for (bool more = true; more;) {
      const Expr& e = ast_.exprs[id];
      broken_.insert(&e);
      id = ast_.args_of(e)[0];
      const Expr& left = ast_.exprs[id];
      more = has_sides(left) && !left.parenthesised && level_of(left) == level;
      for (const ExprId operand : ast_.args_of(e).subspan(more ? 1 : 0)) break_if_long(operand);
    }
  }
  void break_if_long(ExprId operand) {
    const std::string written = std::exchange(out_, {});
    put(operand);
    const bool fits = columns(std::exchange(out_, written)) + kRoundOperand <= kColumns;
    if (!fits) break_outermost(operand);
  }

  // Parentheses may stand twice; the tree has a mark only, but the text before the first word
  // tells.
  [[nodiscard]] size_t parentheses(const Expr& e) const {
    const bool begins_with_arg = has_sides(e) || e.kind == ExprKind::instance;
    const uint32_t begin = begins_with_arg ? arg(e, 0).span.begin : e.op_span.begin;
    return static_cast<size_t>(
        std::ranges::count(text_.substr(e.span.begin, begin - e.span.begin), '('));
  }

  void put(ExprId id) {
    const Expr& e = ast_.exprs[id];
    const size_t count = e.parenthesised ? parentheses(e) : 0;
    out_.append(count, '(');
    put_bare(e);
    out_.append(count, ')');
  }
  void put_arg(const Expr& e, size_t i) { put(ast_.args_of(e)[i]); }
  void put_span(Span span) { out_ += text_.substr(span.begin, span.end - span.begin); }

  void put_bare(const Expr& e) {
    switch (e.kind) {
      case ExprKind::integer:
      case ExprKind::real:
      case ExprKind::name: return put_span(e.text_span);
      case ExprKind::unary: return put_unary(e);
      case ExprKind::binary:
        put_arg(e, 0);
        put_sign(e, operator_text(e.op));
        return put_arg(e, 1);
      case ExprKind::ternary:
        put_arg(e, 0);
        put_sign(e, "?");
        put_arg(e, 1);
        put_sign(e, ":");
        return put_arg(e, 2);
      case ExprKind::instance: put_arg(e, 0); return put_span(e.text_span);
      default: return put_call(e);
    }
  }

  void put_unary(const Expr& e) {
    const Expr& operand = arg(e, 0);
    out_ += operator_text(e.op);
    // "--" reads as two signs here, but as one to most people.
    const bool again = operand.kind == ExprKind::unary && operand.op == Operator::neg;
    if (e.op == Operator::neg && again && !operand.parenthesised) out_ += ' ';
    put_arg(e, 0);
  }

  void put_sign(const Expr& e, std::string_view sign) {
    (out_ += ' ') += sign;
    out_ += broken_.contains(&e) ? '\n' : ' ';
  }

  void put_call(const Expr& e) {
    switch (e.kind) {
      case ExprKind::matchinst:
        out_ += e.negated ? "matchinst(!" : "matchinst(";
        put_span(e.text_span);
        out_ += ", ";
        put_arg(e, 0);
        break;
      case ExprKind::rescale:
        out_ += "rescale(";
        put_arg(e, 0);
        out_ += ", ";
        put_span(e.text_span);
        break;
      case ExprKind::mkconst:
        out_ += "mkconst(";
        put_arg(e, 0);
        put_specs(e, ", ");
        break;
      case ExprKind::novalue:
        out_ += "novalue(";
        put_specs(e, "");
        break;
      default: (out_ += e.text) += '('; put_arg(e, 0);
    }
    out_ += ')';
  }

  void put_specs(const Expr& e, std::string_view separator) {
    for (const Spec& spec : ast_.specs_of(e)) {
      ((out_ += separator) += spec.tag) += '=';
      put_span(spec.value_span);
      separator = ", ";
    }
  }

  const Ast& ast_;
  std::string_view text_;
  std::set<const Expr*> broken_;  // operators with a newline behind them
  std::string out_;
};

}  // namespace

std::string write_expression(const Ast& ast, std::string_view text, bool broken) {
  return ExpressionWriter(ast, text).write(broken);
}

}  // namespace pmjit::format
