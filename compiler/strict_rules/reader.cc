// The list of what is done with a file: statement by statement, for one may define a macro that the
// next one uses.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "compiler/ast/dialect.h"
#include "compiler/ast/substitute.h"
#include "compiler/compat/pmie/mistakes/meant_words.h"
#include "compiler/compat/pmie/mistakes/usual_mistakes.h"
#include "compiler/compat/pmie/settings.h"
#include "compiler/diag/line_starts.h"
#include "compiler/strict_rules/clock.h"
#include "compiler/strict_rules/rule_file.h"
#include "compiler/strict_rules/scanner.h"
#include "compiler/strict_rules/statement_reader.h"
#include "compiler/strict_rules/tree.h"
#include "runtime/base/chars.h"
#include "runtime/base/limits.h"
#include "runtime/base/near.h"
#include "runtime/base/result.h"
#include "runtime/model/units.h"
#include "runtime/text/parse_units.h"

namespace pmjit::strict {

namespace {

// Of a number of seconds, or of another unit of time; none: it is something else.
std::optional<double> seconds_of(const Ast& ast) {
  const Expr& root = ast.exprs[ast.root];
  const bool with_units = root.kind == ExprKind::mkconst;
  const Expr& number = with_units ? ast.exprs[ast.args_of(root)[0]] : root;
  if (number.kind != ExprKind::integer && number.kind != ExprKind::real) return std::nullopt;
  const double written = std::stod(number.text);
  if (!with_units) return written;
  const auto units = parse_units(ast.specs_of(root)[0].value, ExtraUnits::known);
  const auto factor =
      units ? scale_factor(units->units, Units{.dim_time = 1, .scale_time = kTimeScaleSec})
            : std::nullopt;
  if (!factor) return std::nullopt;
  return written * static_cast<double>(factor->num) / static_cast<double>(factor->den);
}

// A number of seconds, with its unit.
Ast seconds(double number) {
  const std::string digits = fmt::to_string(number);
  AstMaker tree;
  const ExprId leaf = tree.number(digits, {});
  (void)tree.call(ExprKind::mkconst, "mkconst", {}, leaf,
                  {Spec{.tag = "units", .value = "sec", .quoted = true}});
  return tree.ast();
}

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
    auto statement = read_statement(words, value, diags);
    if (statement && statement->number) return std::move(statement->ast);
  }
  return fail(Fault::usage, render_all(diags, source));
}

// A setting (compiler/compat/pmie/settings.h) in the place of a macro: of its kind, and a number
// keeps the units that it is written in. A failure: it is of another kind or dimension, no
// constant, or something that pmie and C would read otherwise.
Result<StrictMacro> set_macro(const std::string& name, const std::string& value,
                              const StrictMacro& macro) {
  const auto set = pmie::set_macro(name, value, kind_of(macro));
  if (!set) return fail(set.error());
  if (set->sem == pmie::Sem::text) return StrictMacro{.text = set->text};
  auto number = constant_of(value);
  if (number) return StrictMacro{.number = *std::move(number)};
  return fail(Error(Fault::usage, fmt::format("`{}` does not fit the macro {} in the strict "
                                              "dialect\n{}",
                                              value, name, number.error().what())));
}

// Of a macro, for people: its sign and its digits, without units.
std::string number_text(const Ast& ast, ExprId id) {
  const Expr& expr = ast.exprs[id];
  const auto args = ast.args_of(expr);
  if (expr.kind == ExprKind::integer || expr.kind == ExprKind::real) return expr.text;
  if (expr.kind == ExprKind::mkconst) return number_text(ast, args[0]);
  if (expr.kind == ExprKind::unary) return "-" + number_text(ast, args[0]);
  return print(ast);
}

bool is_metric_name(std::string_view text) {
  return !text.empty() && is_letter(text.front()) && std::ranges::all_of(text, [](char c) {
    return is_letter(c) || is_digit(c) || c == '.' || c == '_';
  });
}

class RuleFileReader {
 public:
  RuleFileReader(const SourceText& source, const ReadOptions& options, Diags& diags)
      : source_(source),
        text_(source.text),
        diags_(diags),
        settings_(options.settings),
        delta_(options.delta),
        scanner_(source, macros_, diags) {
    if (options.given != nullptr) macros_ = *options.given;
    define_delta();
    for (const ClockVariable& variable : clock_variables()) {
      macros_.insert_or_assign(std::string(variable.name()), StrictMacro{.clock = &variable});
    }
  }

  Result<RuleFile> run() {
    while (!wrong_ && !scanner_.at_end()) {
      const size_t before = diags_.all().size();
      const ScannedWords words = scanner_.statement();
      if (diags_.all().size() != before) continue;  // what it means would be guessed
      auto statement = read_statement(words, text_, diags_);
      if (statement) take(std::move(*statement));
    }
    if (wrong_) return fail(*std::move(wrong_));
    tell_settings();
    file_.values = std::move(macros_);
    file_.delta = delta_;
    return std::move(file_);
  }

 private:
  using Kind = Statement::Kind;

  void take(Statement statement) {
    switch (statement.kind) {
      case Kind::nothing: return refuse_nothing(statement);
      case Kind::text:
        if (is_delta(statement)) return refuse_delta(statement);
        return define(statement, StrictMacro{.text = statement.text});
      case Kind::expression:
        if (is_delta(statement)) return set_delta(statement);
        if (statement.number) return define(statement, StrictMacro{.number = statement.ast});
        return add(std::move(statement));
      default: return add(std::move(statement));
    }
  }

  // `limit = ;`
  void refuse_nothing(const Statement& statement) {
    if (statement.name.empty()) return;
    diags_
        .add(DiagCode::P_Syntax, statement.name_span,
             fmt::format("nothing follows {} =", statement.name))
        .help("write a value, or a rule: NAME = CONDITION -> ACTION;");
  }

  // The setting in the place of the file's value, if there is one. False: it does not fit.
  bool set(const std::string& name, StrictMacro& macro) {
    file_.macros.insert(name);
    const auto found = settings_.find(name);
    if (found == settings_.end()) return true;
    auto value = set_macro(name, found->second, macro);
    if (value) {
      macro = *std::move(value);
    } else {
      wrong_ = std::move(value).error();
    }
    return !wrong_;
  }

  void define(const Statement& statement, StrictMacro macro) {
    if (statement.name.empty()) return refuse_idle(statement, macro);
    if (!set(statement.name, macro)) return;
    macro.span = statement.name_span;
    const auto found = macros_.find(statement.name);
    if (found != macros_.end() && found->second.used) {
      Diag& diag = diags_.add(DiagCode::D_MacroRedefined, statement.name_span, statement.name);
      if (found->second.clock == nullptr) {
        diag.label(found->second.span, "defined here and used since");
      }
      diag.help("give it another name");
      return;
    }
    macros_.insert_or_assign(statement.name, std::move(macro));
  }

  // `delta = 2 min;`
  void set_delta(const Statement& statement) {
    StrictMacro macro{.number = statement.ast};
    if (!set(statement.name, macro)) return;
    const auto delta = seconds_of(*macro.number);
    if (!delta || !(*delta > 0)) return refuse_delta(statement);
    delta_ = *delta;
    if (last_delta_ && last_delta_->rules == file_.rules.size()) {
      pmie::warn_of_replaced_delta(last_delta_->span, diags_);
    }
    last_delta_ = {.span = statement.name_span, .rules = file_.rules.size()};
    define_delta();
  }

  // A delta without a rule behind it, and a macro that nothing uses and that is written like one.
  void tell_settings() {
    for (const auto& [name, macro] : macros_) {
      const std::string meant = pmie::variable_meant(name);
      if (macro.used || macro.span == Span{} || meant.empty()) continue;
      pmie::warn_of_unused_macro(macro.span, name, meant, diags_);
    }
    const bool late = last_delta_ && last_delta_->rules == file_.rules.size();
    if (!late || file_.rules.empty()) return;
    pmie::warn_of_late_delta(last_delta_->span, diags_);
  }

  static bool is_delta(const Statement& statement) {
    return statement.name == pmie::name_of(pmie::Variable::delta);
  }

  void refuse_delta(const Statement& statement) {
    diags_.add(DiagCode::D_BadDelta, statement.span).help("for instance: delta = 2 min;");
  }

  // `$delta` is the interval of the rule that says it.
  void define_delta() {
    macros_.insert_or_assign(std::string(pmie::name_of(pmie::Variable::delta)),
                             StrictMacro{.number = seconds(delta_)});
  }

  void add(Statement statement) {
    const std::string name =
        statement.name.empty() ? fmt::format("expr_{}", ++unnamed_) : statement.name;
    const auto [first, is_new] = names_.try_emplace(
        name, NamedRule{.at = statement.name_span.begin, .number = file_.rules.size()});
    if (!is_new) {
      diags_.add(DiagCode::S_Duplicate, statement.name_span, name)
          .help(fmt::format("the first one is in {}:{}; give each rule its own name", source_.name,
                            line_of(first->second.at)));
      return;
    }
    for (const Clause& clause : statement.clauses) {
      for (const Verb& verb : clause.verbs) {
        check_selectors(verb, statement.span, text_, diags_);
        warn_of_empty(verb);
      }
    }
    for (auto& [macro, value] : statement.alert.values) find_value(macro, value);
    file_.rules.push_back({.name = name,
                           .span = statement.span,
                           .delta = delta_,
                           .is_ruleset = statement.kind == Kind::ruleset,
                           .clauses = std::move(statement.clauses)});
    if (statement.kind == Kind::alert) file_.rules.back().alert = std::move(statement.alert);
  }

  void warn_of_empty(const Verb& verb) {
    if (!std::ranges::all_of(verb.texts, &std::string::empty)) return;
    const bool runs = verb.name == "shell";
    diags_
        .add(DiagCode::P_RuleWarning, verb.span,
             runs ? "shell runs no command: its text is empty"
                  : fmt::format("the text of {} is empty", verb.name))
        .help(runs ? "write the command between the quotes"
                   : fmt::format("write {} \"%i is at %v\"", verb.name));
  }

  // What `%{value.NAME}` of a note is: a macro, or an expression that stands before the alert.
  void find_value(const std::string& name, NoteValue& value) {
    const auto macro = macros_.find(name);
    if (macro != macros_.end() && macro->second.clock == nullptr) {
      macro->second.used = true;
      if (macro->second.number) {
        value.constant = number_text(*macro->second.number, macro->second.number->root);
      } else if (is_metric_name(macro->second.text)) {
        AstMaker made;
        const ExprId id = made.leaf(ExprKind::name, macro->second.text, value.span);
        value.ast = part_of(made.ast(), id);
      } else {
        value.constant = macro->second.text;
      }
      return;
    }
    const auto named = names_.find(name);
    const Rule* const rule = named != names_.end() && named->second.number < file_.rules.size()
                                 ? &file_.rules[named->second.number]
                                 : nullptr;
    if (rule != nullptr && !rule->acts()) {
      value.ast = rule->clauses.front().condition;
      return;
    }
    refuse_value(name, value.span, rule != nullptr);
  }

  void refuse_value(const std::string& name, Span where, bool acts) {
    Diag& diag = diags_.add(DiagCode::P_Syntax, where, "");
    diag.message = fmt::format("%{{value.{}}}: {}", name,
                               acts ? name + " is a rule with actions, and has no value"
                                    : "no macro or expression before the alert has this name");
    const std::string near = offers_left_ > 0 ? near_names_text(near_values(name)) : "";
    offers_left_ -= std::min<size_t>(offers_left_, 1);
    if (!near.empty()) diag.label(where, near);
    diag.help(fmt::format("write an expression before the alert: {} = 100 * used / size;",
                          acts || !near.empty() ? "NAME" : name));
  }

  [[nodiscard]] std::vector<std::string> near_values(const std::string& name) const {
    std::vector<std::string> names;
    for (const auto& [known, macro] : macros_) {
      if (macro.clock == nullptr) names.push_back(known);
    }
    for (const Rule& rule : file_.rules) {
      if (!rule.acts()) names.push_back(rule.name);
    }
    return near_names(name, names);
  }

  // Of a place in the file.
  size_t line_of(uint32_t offset) {
    if (!starts_) starts_.emplace(text_);
    return starts_->line_of(offset) + source_.first_line;
  }

  // A condition that is neither evaluated nor has a name as a macro.
  void refuse_idle(const Statement& statement, const StrictMacro& macro) {
    if (!macro.number || !is_truth(macro.number->exprs[macro.number->root])) return;
    diags_.add(DiagCode::R_NoMetric, statement.span)
        .help("it is always the same: write a name before it, or -> and an action after it");
  }

  const SourceText& source_;
  std::string_view text_;
  Diags& diags_;
  const pmie::Settings& settings_;
  std::optional<Error> wrong_;  // with a setting
  double delta_;
  struct DeltaLine {
    Span span;
    size_t rules;  // before it
  };
  std::optional<DeltaLine> last_delta_;
  StrictMacros macros_;
  StrictScanner scanner_;
  RuleFile file_;
  struct NamedRule {
    uint32_t at;    // in the text
    size_t number;  // of file_.rules
  };
  std::map<std::string, NamedRule, std::less<>> names_;
  std::optional<LineStarts> starts_;  // once a line is asked for
  size_t offers_left_ = kNearAskedMax;
  uint32_t unnamed_ = 0;
};

constexpr std::string_view kSelectors = "hivc";

}  // namespace

Result<RuleFile> read_rules(const SourceText& source, const ReadOptions& options, Diags& diags) {
  if (source.text.size() > limits::kSourceBytesMax) {
    diags.add(DiagCode::P_TooLong, {0, 0}, fmt::to_string(limits::kSourceBytesMax));
    return RuleFile{};
  }
  auto file = RuleFileReader(source, options, diags).run();
  if (file && !file->rules.empty() && std::ranges::none_of(file->rules, &Rule::acts)) {
    if (const auto at = pmie::semicolon_of_definitions(source.text)) {
      pmie::warn_of_semicolon(*at, diags);
    }
  }
  diags = pmie::with_usual_mistakes(source.text, diags);
  pmie::warn_of_brace(source.text, diags);
  return file;
}

bool says_strict(const SourceText& source, Diags& diags) {
  return dialect_said(source, diags) == "strict";
}

std::optional<std::string> dialect_said(const SourceText& source, Diags& diags) {
  std::optional<std::string> said;
  for (const Pragma& pragma : pragmas_of(source.text, {.mark = "//", .indented = true})) {
    std::string_view wrong;
    if (pragma.name != "strict" && pragma.name != "pmie") wrong = "wrong";
    if (wrong.empty() && pragma.late) wrong = "late";
    if (wrong.empty() && said) wrong = "repeated";
    if (!wrong.empty()) {
      Diag& diag = diags.add(DiagCode::D_Pragma, pragma.span, wrong);
      if (const std::string meant = meant_pragma(pragma); !meant.empty()) {
        diag.message = fmt::format("pmjit knows no comment `{}`", pragma.word);
        diag.help(meant);
        continue;
      }
      if (pragma.broken) diag.message = "this looks like a pragma, and is none";
      const std::string near = near_names_text(near_names(pragma.name, {"strict", "pmie"}));
      if (wrong == "wrong" && !near.empty()) diag.label(pragma.span, near);
      diag.help("one line `// pmjit: dialect=strict` (or pmie) before the first statement");
    }
    if (said != "strict") said = pragma.name;
  }
  return said;
}

// A % before anything but a letter or another % is only that.
std::vector<TextPiece> pieces_of(std::string_view text) {
  std::vector<TextPiece> out{{}};
  for (size_t i = 0; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (text[i] != '%' || (next != '%' && !is_letter(next))) {
      out.back().text += text[i];
      continue;
    }
    ++i;
    if (next == '%') {
      out.back().text += '%';
      continue;
    }
    out.push_back({.selector = next});
    out.push_back({});
  }
  return out;
}

namespace {

// Where a selector stands in the statement; all of it, where a macro brings it in.
Span selector_span(std::string_view source, Span statement, std::string_view selector) {
  const size_t at = source.substr(0, statement.end).find(selector, statement.begin);
  if (at == source.npos) return statement;
  return {static_cast<uint32_t>(at), static_cast<uint32_t>(at + selector.size())};
}

}  // namespace

void check_selectors(const Verb& verb, Span statement, std::string_view source, Diags& diags) {
  for (const std::string& text : verb.texts) {
    for (const TextPiece& piece : pieces_of(text)) {
      if (piece.selector == 0 || kSelectors.contains(piece.selector)) continue;
      const std::string selector(1, piece.selector);
      diags
          .add(DiagCode::D_UnknownSelector, selector_span(source, statement, "%" + selector),
               selector)
          .help("the selectors are %h, %i, %v and %c; a % is written %%");
    }
    const size_t brace = text.find("%{");
    const size_t close = std::min(text.find('}', brace), text.size());
    if (brace == text.npos || close == text.size()) continue;
    const std::string written = text.substr(brace, close + 1 - brace);
    diags
        .add(DiagCode::D_UnknownSelector, selector_span(source, statement, written),
             written.substr(1))
        .help("names in braces are for notes of alerts; an action has %h, %i, %v and %c");
  }
}

}  // namespace pmjit::strict
