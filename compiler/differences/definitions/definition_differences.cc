#include "compiler/differences/definitions/definition_differences.h"

#include <algorithm>
#include <map>

#include "compiler/ast/words.h"
#include "compiler/compat/definitions/tokens.h"
#include "compiler/differences/definitions/walk.h"
#include "runtime/text/parse_units.h"

namespace pmjit {

namespace {

// What the text alone shows: precedence, literals, words, tags (spec dialects.md §6). The trees are
// libpcp's: its && and || are one level, ! takes a comparison, a minus behind / the product.
bool bare_binary(const Expr& expr) { return expr.kind == ExprKind::binary && !expr.parenthesised; }

bool has_digit(std::string_view text) { return text.find_first_of("0123456789") != text.npos; }

}  // namespace

void add_differences(const Ast& ast, const DifferenceOptions& options, Diags& diags) {
  const std::vector<Facts> facts = find_facts(ast, options);
  Diags found;
  TextRows(ast, facts, options, found).run();
  NumberRows(ast, facts, options, found).run();
  UnitRows(ast, facts, options, found).run();
  InstanceRows(ast, facts, options, found).run();
  AbsenceRows(ast, facts, options, found).run();
  // As one reads the text; of one place in the order of the table.
  std::vector<const Diag*> ordered;
  for (const Diag& diag : found.all()) ordered.push_back(&diag);
  std::ranges::stable_sort(ordered, {}, [](const Diag* diag) { return diag->span.begin; });
  for (const Diag* diag : ordered) diags.append(*diag);
}

void TextRows::run() {
  each([&](const Expr& expr, const Facts& facts) {
    if (Diag* told = operators(expr)) add_reading(*told, facts);
    const bool constant = expr.kind == ExprKind::mkconst || expr.kind == ExprKind::novalue;
    if (constant || expr.kind == ExprKind::rescale) tags(expr);
    if (expr.kind == ExprKind::name && !expr.quoted && is_reserved_word(expr.text)) {
      diags_
          .add_here(DiagCode::D_ReservedWord, expr.text_span,
                    expr.text + ": reserved in strict, a name")
          .help("strict has it in quotes only");
    }
    const Expr& selected = expr.arg_count > 0 ? arg(expr, 0) : expr;
    const bool plain = selected.kind == ExprKind::name && !selected.parenthesised;
    if (expr.kind == ExprKind::instance && pcp6() && !plain) {
      diags_.add_here(DiagCode::D_SelectFromExpression, expr.op_span);
    }
  });
  // Numbers of mkconst() too.
  for (const Expr& expr : ast_.exprs) {
    if (expr.kind == ExprKind::real && !has_digit(expr.text)) {
      diags_.add_here(DiagCode::D_NoDigits, expr.text_span);
    }
  }
}

// The printer's parentheses are those that strict needs to read the same.
void TextRows::add_reading(Diag& diag, const Facts& facts) const {
  constexpr size_t kShownMax = 80;
  const auto number = static_cast<uint32_t>(&facts - facts_.data());
  const std::string text = print(ast_, ExprId{{number}});
  if (text.size() <= kShownMax) diag.help("in strict this is: " + text);
}

// Null: there is nothing to say of it.
Diag* TextRows::operators(const Expr& expr) {
  const auto tell = [&](DiagCode code, Span where, Span inner, std::string_view label) {
    return &diags_.add_here(code, where).label(inner, std::string(label));
  };
  if (expr.kind == ExprKind::unary) {
    const Expr& operand = arg(expr, 0);
    if (expr.op != Operator::not_ || !bare_binary(operand)) return nullptr;
    return tell(DiagCode::D_NotCovers, expr.op_span, operand.op_span, "under this !");
  }
  if (expr.kind == ExprKind::ternary) {
    const Expr& guard = arg(expr, 0);
    if (guard.kind != ExprKind::ternary || guard.parenthesised) return nullptr;
    return tell(DiagCode::D_TernaryChain, expr.op_span, guard.op_span, "in the guard of the other");
  }
  if (expr.kind != ExprKind::binary) return nullptr;
  const Expr &left = arg(expr, 0), &right = arg(expr, 1);
  constexpr std::string_view kFirst = "computed first";
  if (decides(expr) && bare_binary(left) && decides(left) && left.op != expr.op) {
    return tell(DiagCode::D_MixedLogic, expr.op_span, left.op_span, kFirst);
  }
  if (relates(expr) && bare_binary(left) && relates(left)) {
    return tell(DiagCode::D_RelationChain, expr.op_span, left.op_span, kFirst);
  }
  const bool minus = right.kind == ExprKind::unary && right.op == Operator::neg;
  if (!minus || right.parenthesised || binding_of(expr) != Precedence::product) return nullptr;
  const Expr& covered = arg(right, 0);
  const bool divides = expr.op == Operator::div || covered.op == Operator::div;
  if (!bare_binary(covered) || !divides) return nullptr;
  return tell(DiagCode::D_MinusCovers, right.op_span, covered.op_span, "under this -");
}

void TextRows::tags(const Expr& expr) {
  const auto multiplied = [&](std::string_view units, Span where) {
    const auto parsed = parse_units(units, pcp::extra_units_of(options_.dialect));
    if (parsed && parsed->multiplier != 1) {
      diags_.add_here(DiagCode::D_GivenTwice, where, "the number in the units is ignored");
    }
  };
  if (expr.kind == ExprKind::rescale) multiplied(expr.text, expr.text_span);
  std::map<std::string_view, Span> first;
  for (const Spec& spec : ast_.specs_of(expr)) {
    const auto [seen, is_first] = first.try_emplace(spec.tag, spec.tag_span);
    if (!is_first) {
      diags_
          .add_here(DiagCode::D_GivenTwice, spec.tag_span,
                    spec.tag + " is given twice; only the last counts")
          .label(seen->second, "given first here");
    }
    if (spec.tag == "units") multiplied(spec.value, spec.value_span);
  }
}

}  // namespace pmjit
