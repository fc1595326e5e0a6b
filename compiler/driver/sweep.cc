#include "compiler/driver/sweep.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/parse/sweep_values.h"
#include "runtime/base/limits.h"
#include "runtime/base/result.h"

namespace pmjit {

namespace {

class SweepTexts {
 public:
  SweepTexts(const CompileInput& input, ParsedTexts& out) : input_(input), out_(out) {}

  void run() {
    check(input_.expressions.size() == 1, "a sweep is of one expression");
    Compilation::Report& report = add_report(input_.expressions[0]);
    auto ast = parse_expression(report.source, Parameters::allowed, report.diags);
    if (ast) ast_ = *std::move(ast);
    for (const SourceText& text : input_.parameters) add_values(text);
    if (!out_.has_errors()) refuse_without_value(report.diags);
    if (!out_.has_errors()) add_points(report);
  }

 private:
  Compilation::Report& add_report(const SourceText& text) {
    return out_.reports.emplace_back(Compilation::Report{.source = text, .diags = {}});
  }

  const Expr* find(std::string_view name) const {
    for (const Expr& e : ast_.exprs) {
      if (e.kind == ExprKind::parameter && e.text == name) return &e;
    }
    return nullptr;
  }

  void add_values(const SourceText& text) {
    Compilation::Report& report = add_report(text);
    auto values = parse_sweep_values(report.source, report.diags);
    if (!values) return;
    const bool again = std::ranges::any_of(
        parameters_, [&](const SweepValues& other) { return other.name == values->name; });
    if (again) {
      report.diags.add(DiagCode::D_GivenTwice, values->name_span, values->name)
          .help("list all values of a parameter together");
    } else if (ast_.root.known() && find(values->name) == nullptr) {
      report.diags.add(DiagCode::P_UnusedValues, values->name_span, values->name)
          .help("leave it out, or use it: x > $" + values->name);
    }
    points_ *= values->values.size();
    if (points_ > limits::kSweepPointsMax && !report.diags.has_errors()) {
      report.diags
          .add(DiagCode::P_TooManyPoints, values->span, fmt::to_string(limits::kSweepPointsMax))
          .help("every value meets every value of the other parameters; make steps larger");
      points_ = limits::kSweepPointsMax;
    }
    parameters_.push_back(*std::move(values));
  }

  void refuse_without_value(Diags& diags) {
    std::vector<std::string_view> told;
    for (const Expr& e : ast_.exprs) {
      if (e.kind != ExprKind::parameter || std::ranges::find(told, e.text) != told.end()) continue;
      told.push_back(e.text);
      const bool given = std::ranges::any_of(
          parameters_, [&](const SweepValues& values) { return values.name == e.text; });
      if (given) continue;
      diags.add(DiagCode::P_NoValue, e.span, e.text)
          .help(fmt::format("add its values: {}=0..100:1 or {}=1,2.5,10", e.text, e.text));
    }
  }

  void add_points(Compilation::Report& report) {
    SweepPoints& points = out_.sweep.emplace();
    points.expression = print(ast_);
    for (const SweepValues& parameter : parameters_) points.parameters.push_back(parameter.name);
    for (size_t point = 0; point < points_; ++point) {
      std::map<std::string, ParameterValue> values;
      std::vector<std::string> texts(parameters_.size());
      size_t rest = point;
      for (size_t i = parameters_.size(); i-- > 0;) {  // the last one fastest
        const auto& all = parameters_[i].values;
        texts[i] = value_text(all[rest % all.size()]);
        values[parameters_[i].name] = all[rest % all.size()];
        rest /= all.size();
      }
      points.values.push_back(std::move(texts));
      add_root(substitute(ast_, values), report);
    }
  }

  void add_root(Ast ast, Compilation::Report& report) {
    out_.asts.push_back(std::move(ast));
    out_.roots.push_back(static_cast<uint32_t>(out_.exprs.size()));
    out_.titles.push_back(print(out_.asts.back()));
    out_.exprs.push_back(
        NamedExpr{.ast = &out_.asts.back(), .diags = &report.diags, .source = &report.source});
  }

  const CompileInput& input_;
  ParsedTexts& out_;
  Ast ast_;
  std::vector<SweepValues> parameters_;
  size_t points_ = 1;
};

std::string values_text(const SweepPoints& points, size_t point) {
  std::string out;
  for (size_t i = 0; i < points.parameters.size(); ++i) {
    out += fmt::format("{}${} = {}", i == 0 ? "" : ", ", points.parameters[i],
                       points.values[point][i]);
  }
  return out;
}

// What the values have to do with it.
void explain(Diags& diags, const SweepPoints& points, size_t point) {
  const bool bare = std::ranges::any_of(
      diags.all(), [](const Diag& diag) { return diag.code == DiagCode::D_BareNumber; });
  if (bare) diags.help_all("a parameter is allowed there: mkconst($t, units=...)");
  if (point > 0) diags.help_all("so it is where " + values_text(points, point));
}

}  // namespace

void add_sweep(const CompileInput& input, ParsedTexts& out) { SweepTexts(input, out).run(); }

void check_points(const ParsedTexts& texts, Sema& sema) {
  if (texts.has_errors()) return;  // then there are no points
  for (size_t point = 0; point < texts.roots.size(); ++point) {
    const uint32_t root = texts.roots[point];
    Diags& diags = *texts.exprs[root].diags;
    sema.check({&root, 1});
    if (diags.has_errors()) return explain(diags, *texts.sweep, point);
  }
  const NamedExpr& first = texts.exprs[texts.roots[0]];
  const Elem elem = sema.root(texts.roots[0]).type.elem;
  if (elem == Elem::truth) return;
  first.diags
      ->add(DiagCode::S_NothingToSweep, first.ast->exprs[first.ast->root].span,
            elem == Elem::text ? "a text" : "a number")
      .help("compare it with the parameter: x > $t");
}

}  // namespace pmjit
