// What the strict dialect refuses although it is well formed (spec dialects.md, principle P7): text
// that another dialect, or C, reads differently. The tree is that of C; every refusal shows how to
// write each of the readings so that all agree.
#include <fmt/format.h>

#include <map>

#include "compiler/ast/operators.h"
#include "compiler/ast/words.h"
#include "compiler/parse/stages.h"

namespace pmjit::parse {
namespace {

constexpr size_t kPieceMax = 40;  // bytes of an operand that a help text repeats

class Refusals {
 public:
  Refusals(const Ast& ast, Diags& diags) : ast_(ast), diags_(diags) {}

  void run() {
    arm_.assign(ast_.exprs.size(), false);
    mark_arms();
    for (uint32_t i = 0; i < ast_.exprs.size(); ++i) check_expr(ExprId{{i}});
  }

 private:
  void mark_arms() {
    for (const Expr& e : ast_.exprs)
      if (e.kind == ExprKind::ternary) arm_[arg_id(e, 1).index] = arm_[arg_id(e, 2).index] = true;
  }

  void check_expr(ExprId id) {
    const Expr& e = ast_.exprs[id];
    switch (e.kind) {
      case ExprKind::real: refuse_no_digits(e); break;
      case ExprKind::name: refuse_reserved(e); break;
      case ExprKind::binary: check_binary(e); break;
      case ExprKind::ternary: check_ternary(e); break;
      case ExprKind::call:
        refuse_anonymous(e);
        refuse_defined_expression(e);
        break;
      case ExprKind::novalue: refuse_outside_arm(id, e); [[fallthrough]];
      case ExprKind::mkconst: refuse_repeated_tags(e); break;
      default: break;
    }
  }

  void check_binary(const Expr& e) {
    const Precedence binding = binding_of(e);
    if (binding == Precedence::and_ || binding == Precedence::or_) {
      refuse_mixed_logic(e, 0);
      refuse_mixed_logic(e, 1);
      return;
    }
    refuse_chain(e);
    refuse_not(e);
    if (binding == Precedence::product) refuse_minus(e);
  }

  // D02
  void refuse_mixed_logic(const Expr& e, size_t position) {
    const Expr& inner = arg(e, position);
    const Precedence binding = binding_of(inner);
    const bool logic = binding == Precedence::and_ || binding == Precedence::or_;
    if (!logic || inner.parenthesised || inner.op == e.op) return;
    const std::string_view outer_sign = operator_text(e.op), inner_sign = operator_text(inner.op);
    Diag& diag = diags_.add(DiagCode::D_MixedLogic, e.op_span);
    diag.label(inner.op_span, fmt::format("beside this {}", inner_sign));
    const std::string a = piece(arg_id(inner, 0)), b = piece(arg_id(inner, 1)),
                      c = piece(arg_id(e, 1 - position));
    if (position == 0) {
      diag.help(fmt::format("write ({} {} {}) {} {}", a, inner_sign, b, outer_sign, c));
      diag.help(fmt::format("or {} {} ({} {} {})", a, inner_sign, b, outer_sign, c));
    } else {
      diag.help(fmt::format("write {} {} ({} {} {}) to mean what C does", c, outer_sign, a,
                            inner_sign, b));
      diag.help(fmt::format("or ({} {} {}) {} {} to mean what PCP does", c, outer_sign, a,
                            inner_sign, b));
    }
  }

  // D03
  void refuse_not(const Expr& e) {
    const Expr* sign = prefix_at_right_end(ast_, arg(e, 0), Operator::not_);
    if (sign == nullptr) return;
    const std::string_view op = operator_text(e.op);
    const std::string operand = piece(arg_id(*sign, 0)), right = piece(arg_id(e, 1));
    diags_.add(DiagCode::D_NotCovers, sign->op_span)
        .label(e.op_span, fmt::format("PCP's ! reaches over this {}, C's does not", op))
        .help(fmt::format("write !({} {} {}) to mean what PCP does", operand, op, right))
        .help(fmt::format("or (!{}) {} {}", operand, op, right));
  }

  // D04
  void check_ternary(const Expr& e) {
    const Expr& last = arg(e, 2);
    if (last.kind == ExprKind::ternary && !last.parenthesised) {
      const std::string a = piece(arg_id(e, 0)), b = piece(arg_id(e, 1)),
                        c = piece(arg_id(last, 0)), d = piece(arg_id(last, 1)),
                        f = piece(arg_id(last, 2));
      diags_.add(DiagCode::D_TernaryChain, last.op_span)
          .label(e.op_span, "the first ?")
          .help(fmt::format("write {} ? {} : ({} ? {} : {}) to mean what C does", a, b, c, d, f))
          .help(fmt::format("or ({} ? {} : {}) ? {} : {} to mean what PCP does", a, b, c, d, f));
    }
    if (arg(e, 1).kind == ExprKind::novalue && last.kind == ExprKind::novalue)
      diags_.add(DiagCode::P_Syntax, last.span, "both arms of ?: are novalue()")
          .label(arg(e, 1).span, "the other one")
          .help("give one arm a value");
  }

  // D05
  void refuse_chain(const Expr& e) {
    if (binding_of(e) != Precedence::relation) return;
    const Expr& left = arg(e, 0);
    if (binding_of(left) != Precedence::relation || left.parenthesised) return;
    diags_.add(DiagCode::D_RelationChain, e.op_span)
        .label(left.op_span, "the first relation")
        .help(fmt::format("write {} {} {} && {} {} {}", piece(arg_id(left, 0)),
                          operator_text(left.op), piece(arg_id(left, 1)), piece(arg_id(left, 1)),
                          operator_text(e.op), piece(arg_id(e, 1))));
  }

  // D08
  void refuse_no_digits(const Expr& e) {
    const std::string_view before_exponent =
        std::string_view(e.text).substr(0, e.text.find_first_of("eE"));
    if (before_exponent.find_first_of("0123456789") != before_exponent.npos) return;
    diags_.add(DiagCode::D_NoDigits, e.text_span).help("write 0.0 if zero is meant");
  }

  // D11
  void refuse_minus(const Expr& e) {
    const Expr& left = arg(e, 0);
    const Expr* minus = minus_under_division(ast_, left);
    if (minus == nullptr) return;
    const std::string a = piece(arg_id(left, 0)), b = piece(arg_id(*minus, 0)),
                      c = piece(arg_id(e, 1));
    const std::string_view op = operator_text(e.op);
    diags_.add(DiagCode::D_MinusCovers, minus->op_span)
        .label(e.op_span, fmt::format("PCP's - reaches over this {}, C's does not", op))
        .help(fmt::format("write {} / (-{}) {} {} to mean what C does", a, b, op, c))
        .help(fmt::format("or {} / -({} {} {}) to mean what PCP does", a, b, op, c));
  }

  // D12
  void refuse_reserved(const Expr& e) {
    if (e.quoted || !is_reserved_word(e.text)) return;
    diags_.add(DiagCode::D_ReservedWord, e.text_span, e.text)
        .help(fmt::format("write '{}' for the metric of that name", e.text));
  }

  // D32
  void refuse_anonymous(const Expr& e) {
    if (e.text != "anon") return;
    diags_.add(DiagCode::D_Anonymous, e.op_span)
        .help("for a constant write mkconst(); for no value novalue(), as an arm of ?:");
  }

  // D33
  void refuse_repeated_tags(const Expr& e) {
    std::map<std::string_view, Span> first;
    for (const Spec& spec : ast_.specs_of(e)) {
      const auto [seen, is_first] = first.try_emplace(spec.tag, spec.tag_span);
      if (is_first) continue;
      diags_.add(DiagCode::D_GivenTwice, spec.tag_span, spec.tag)
          .label(seen->second, "given first here")
          .help("remove one of them; PCP takes the last");
    }
  }

  // It asks for a name, and looks at no value.
  void refuse_defined_expression(const Expr& e) {
    if (e.text != "defined" || arg(e, 0).kind == ExprKind::name) return;
    diags_.add(DiagCode::P_Syntax, arg(e, 0).span, "defined() takes the name of a metric")
        .help("defined(name) is true where there is such a metric");
  }

  // derived-metrics.md §4: novalue() is an arm of ?: and nothing else.
  void refuse_outside_arm(ExprId id, const Expr& e) {
    if (arm_[id.index]) return;
    diags_.add(DiagCode::P_Syntax, e.span, "novalue() is only for an arm of ?:")
        .help("write guard ? value : novalue()");
  }

  ExprId arg_id(const Expr& e, size_t position) const { return ast_.args_of(e)[position]; }
  const Expr& arg(const Expr& e, size_t position) const { return ast_.exprs[arg_id(e, position)]; }

  // An operand for a help text; a long one is only hinted at.
  std::string piece(ExprId id) const {
    std::string text = print(ast_, id);
    return text.size() <= kPieceMax ? text : "…";
  }

  const Ast& ast_;
  Diags& diags_;
  std::vector<bool> arm_;  // by ExprId: is an arm of ?:
};

}  // namespace

void refuse_ambiguous(const Ast& ast, Diags& diags) { Refusals(ast, diags).run(); }

}  // namespace pmjit::parse
