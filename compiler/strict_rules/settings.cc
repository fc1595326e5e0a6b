#include "compiler/strict_rules/settings.h"

#include <fmt/format.h>

#include "compiler/compat/pmie/settings.h"
#include "compiler/strict_rules/scanner.h"
#include "compiler/strict_rules/statement.h"
#include "compiler/strict_rules/tree.h"
#include "runtime/model/units.h"
#include "runtime/text/parse_units.h"

namespace pmjit::strict {

namespace {

void add_dimensions(Units& to, const Units& more, int sign) {
  to.dim_space = static_cast<int8_t>(to.dim_space + sign * more.dim_space);
  to.dim_time = static_cast<int8_t>(to.dim_time + sign * more.dim_time);
  to.dim_count = static_cast<int8_t>(to.dim_count + sign * more.dim_count);
}

// Of a constant. Its scales are those of its first number that has units.
Units units_in(const Ast& ast, ExprId id) {
  const Expr& expr = ast.exprs[id];
  const auto args = ast.args_of(expr);
  if (expr.kind == ExprKind::mkconst) {
    const auto parsed = parse_units(ast.specs_of(expr)[0].value, ExtraUnits::known);
    return parsed ? parsed->units : Units{};
  }
  if (expr.kind == ExprKind::unary) return units_in(ast, args[0]);
  if (expr.kind != ExprKind::binary) return {};
  Units left = units_in(ast, args[0]);
  const Units right = units_in(ast, args[1]);
  if (expr.op != Operator::mul && expr.op != Operator::div) return left.none() ? right : left;
  if (left.none() && expr.op == Operator::mul) return right;
  add_dimensions(left, right, expr.op == Operator::mul ? 1 : -1);
  return left;
}

pmie::PmieMacro kind_of(const StrictMacro& macro) {
  if (!macro.number) return {.sem = pmie::Sem::text};
  const Ast& ast = *macro.number;
  return {.sem = is_truth(ast.exprs[ast.root]) ? pmie::Sem::truth : pmie::Sem::number,
          .units = units_in(ast, ast.root)};
}

// As a file would define it.
Result<Ast> constant_of(const std::string& value) {
  const SourceText source{.name = "value", .text = value};
  Diags diags;
  StrictMacros none;
  const ScannedWords words = StrictScanner(source, none, diags).statement();
  if (!diags.has_errors()) {
    auto statement = read_statement(words, diags);
    if (statement && statement->number) return std::move(statement->ast);
  }
  return fail(Fault::usage, render_all(diags, source));
}

}  // namespace

Result<StrictMacro> set_macro(const std::string& name, const std::string& value,
                              const StrictMacro& macro) {
  const auto set = pmie::set_macro(name, value, kind_of(macro));
  if (!set) return fail(set.error());
  if (set->sem == pmie::Sem::text) return StrictMacro{.text = set->text};
  auto number = constant_of(value);
  if (number) return StrictMacro{.number = *std::move(number)};
  return fail(Error(Fault::usage, fmt::format("`{}` is no value of the macro {} in the strict "
                                              "dialect\n{}",
                                              value, name, number.error().what())));
}

}  // namespace pmjit::strict
