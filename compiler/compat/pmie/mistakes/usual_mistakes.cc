#include "compiler/compat/pmie/mistakes/usual_mistakes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "compiler/compat/pmie/mistakes/statement_look.h"
#include "runtime/base/blanks.h"

namespace pmjit::pmie {

// Of UsualMistakes::Look, which others see.
struct LookedAt {
  Span statement;
  std::optional<UsualMistake> mistake;
  std::optional<Span> alert{};
  std::string_view name{};
  bool is_rule = false;
};

using Statements = std::vector<LookedAt>;

// Statements by their names: a text may have thousands of mistakes, and of statements.
struct StatementNames {
  using Of = std::map<std::string_view, const LookedAt*>;
  Of macros{};    // the last of each name that is no rule
  Of rules{};     // the first of each name
  Of mistaken{};  // the first that would define the name, but for a mistake
};

namespace {

Statements look_at(std::string_view text, const LineStarts& starts) {
  std::vector<LookedAt> out;
  std::set<std::string_view> rules;
  RoughScanner scanner(text);
  uint32_t begin = 0;
  for (bool goes_on = true; goes_on;) {
    StatementLook look(text, starts, rules);
    uint32_t end = begin;
    for (;;) {
      const RoughToken token = scanner.next();
      const bool closes_labels = look.in_braces() && token.text == "}";
      look.take(token);
      end = token.span.end;
      goes_on = token.kind != RoughToken::Kind::end;
      if (ends_statement(token) && !closes_labels) break;
    }
    out.push_back({{begin, end}, look.mistake(), look.alert(), look.name(), look.is_rule()});
    if (look.is_rule() && !look.name().empty()) rules.insert(look.name());
    begin = end;
  }
  return out;
}

// A message that says more than that something is wrong stays.
bool is_syntax(const Diag& diag) {
  constexpr std::string_view kExact = "cannot be given a value";
  const bool syntax = diag.code == DiagCode::P_Syntax || diag.code == DiagCode::P_Unterminated ||
                      diag.code == DiagCode::P_RuleText ||
                      diag.code == DiagCode::P_IllegalCharacter;
  return syntax && diag.severity == Severity::error && !diag.message.contains(kExact);
}

bool is_metric(const Diag& diag) {
  return diag.code == DiagCode::S_NoSuchMetric || diag.code == DiagCode::S_RuleMetric ||
         diag.code == DiagCode::R_NoSuchHost || diag.code == DiagCode::S_NoSuchInstance;
}

// The macro's name; empty: it is another message.
std::string_view undefined_macro(const Diag& diag) {
  if (diag.code != DiagCode::R_NoMacro && diag.code != DiagCode::P_RuleText) return {};
  const std::string_view text = diag.message;
  return text.starts_with("undefined macro ") ? text.substr(text.find('$') + 1)
                                              : std::string_view();
}

StatementNames names_of(const Statements& statements) {
  StatementNames out;
  for (const LookedAt& one : statements) {
    if (one.mistake && !one.mistake->defines.empty()) {
      out.mistaken.try_emplace(one.mistake->defines, &one);
    }
    if (one.name.empty()) continue;
    if (one.is_rule) {
      out.rules.try_emplace(one.name, &one);
    } else {
      out.macros[one.name] = &one;
    }
  }
  return out;
}

// The statement before a macro is used that would define it, but for a mistake. Null: none.
const LookedAt* defining(const StatementNames& names, const Diag& diag) {
  const auto of = names.mistaken.find(undefined_macro(diag));
  const bool before =
      of != names.mistaken.end() && of->second->mistake->where.begin <= diag.span.begin;
  return before ? of->second : nullptr;
}

// The statement whose mistake is what a message is about. `spoilt`: by one before. None: end().
Statements::const_iterator explaining(const Statements& statements, const StatementNames& names,
                                      const Diag& diag, bool spoilt) {
  if (const LookedAt* const defines = defining(names, diag); defines != nullptr) {
    return statements.begin() + (defines - statements.data());
  }
  const auto of = std::ranges::lower_bound(statements, diag.span.begin + 1, {},
                                           [](const LookedAt& one) { return one.statement.end; });
  if (of == statements.end() || (!of->mistake && !spoilt)) return statements.end();
  const bool there = of->mistake && of->mistake->where.begin >= diag.span.begin &&
                     of->mistake->where.begin < std::max(diag.span.end, diag.span.begin + 1);
  const bool metric = there && of->mistake->may_be_metric && is_metric(diag);
  const bool macro = there && diag.code == DiagCode::R_NoMacro;
  return is_syntax(diag) || metric || macro ? of : statements.end();
}

void add(const UsualMistake& mistake, Diags& out) {
  Diag& diag = out.add(mistake.code, mistake.where, "");
  diag.message = mistake.message;
  if (!mistake.label.empty()) diag.label(mistake.where, mistake.label);
  if (!mistake.help.empty()) diag.help(mistake.help);
}

// $busy, where busy is a rule.
bool names_rule(const StatementNames& names, const Diag& diag) {
  const auto of = names.rules.find(undefined_macro(diag));
  return of != names.rules.end() && of->second->statement.begin < diag.span.begin;
}

// my.a > 5, where a statement above is `my.a = x + 1;`. "": it is another message.
std::string_view names_value(const StatementNames& names, std::string_view text, const Diag& diag) {
  if (!is_metric(diag)) return {};
  const std::string_view name = text.substr(diag.span.begin, diag.span.end - diag.span.begin);
  const auto of = names.rules.find(name);
  const bool above =
      name.contains('.') && of != names.rules.end() && of->second->statement.end <= diag.span.begin;
  return above ? name : std::string_view();
}

UsualMistake value_as_metric(std::string_view name, const Diag& diag) {
  return {
      .code = diag.code,
      .where = diag.span,
      .message = fmt::format("{} is a rule of this file, and rules name metrics", name),
      .help = fmt::format("to define the metric, write the line {} = …, without a ; at its end, "
                          "into a file NAME.conf, and add -c NAME.conf",
                          name)};
}

// pmie puts a text in the place of its macro; strict does not.
UsualMistake rule_as_macro(const Diag& diag) {
  UsualMistake out = rule_in_condition(undefined_macro(diag), diag.span);
  out.code = diag.code;
  if (diag.code == DiagCode::P_RuleText) {
    out.help += ", or as a text: high = \"kernel.all.nprocs > 500\"; a = $high -> …";
  }
  return out;
}

// print "$i is busy": what begins with % here. "": it is another macro.
std::string_view selector_meant(std::string_view text, const Diag& diag) {
  constexpr std::pair<std::string_view, std::string_view> kSelectors[] = {
      {"i", "%i"},    {"h", "%h"},     {"v", "%v"},        {"c", "%c"},
      {"host", "%h"}, {"value", "%v"}, {"instance", "%i"}, {"labels", "%i"}};
  const size_t line = text.rfind('\n', diag.span.begin) + 1;  // npos + 1 == 0
  const std::string_view before = text.substr(line, diag.span.begin - line);
  const bool within =
      text.substr(diag.span.begin).starts_with('"') || std::ranges::count(before, '"') % 2 == 1;
  const auto* const of = std::ranges::find(kSelectors, undefined_macro(diag),
                                           &std::pair<std::string_view, std::string_view>::first);
  return within && diag.labels.empty() && of != std::end(kSelectors) ? of->second : "";
}

// With the braces around it: {{ $value }}, {{ $labels.instance }}.
Span with_braces(std::string_view text, Span macro) {
  const size_t line = text.rfind('\n', macro.begin) + 1;  // npos + 1 == 0
  const std::string_view before = text.substr(line, macro.begin - line);
  const size_t open = before.rfind("{{"), close = text.find("}}", macro.end);
  const bool within = open != before.npos && !before.substr(open).contains("}}") &&
                      close != text.npos && close < text.find('\n', macro.end);
  if (!within) return macro;
  return {static_cast<uint32_t>(line + open), static_cast<uint32_t>(close + 2)};
}

UsualMistake selector_as_macro(std::string_view text, std::string_view meant, const Diag& diag) {
  return {.code = diag.code,
          .where = with_braces(text, diag.span),
          .message = diag.message,
          .label = fmt::format("did you mean {}?", meant),
          .help = "texts have %i for the instance, %v for the value and %h for the host"};
}

// A macro in a text that is a number. "": it is another message.
std::string_view macro_in_text(const Diag& diag) {
  const std::string_view text = diag.message;
  const size_t end = text.find(" not string valued as expected");
  if (end == text.npos) return {};
  const size_t sign = text.rfind('$', end);
  return sign == text.npos ? std::string_view() : text.substr(sign + 1, end - sign - 1);
}

UsualMistake number_in_text(const Diag& diag) {
  const std::string_view macro = macro_in_text(diag);
  return {.code = diag.code,
          .where = diag.span,
          .message = fmt::format("the macro ${} is a number, and a text takes only texts", macro),
          .help = fmt::format("define it in double quotes: {} = \"5\"; ${} is a number elsewhere",
                              macro, macro)};
}

// Where pmie stumbles over an alert. None: end().
Statements::const_iterator at_alert(const Statements& statements, const Diag& diag) {
  if (diag.code != DiagCode::P_RuleText) return statements.end();
  const auto of = std::ranges::lower_bound(statements, diag.span.begin + 1, {},
                                           [](const LookedAt& one) { return one.statement.end; });
  return of != statements.end() && of->alert ? of : statements.end();
}

// A macro that stands behind its use, with its $ or without it. None: nothing defines the name.
std::optional<UsualMistake> defined_below(std::string_view text, const LineStarts& starts,
                                          const StatementNames::Of& macros, const Diag& diag) {
  std::string_view name = undefined_macro(diag);
  if (name.empty() && is_metric(diag)) {
    name = text.substr(diag.span.begin, diag.span.end - diag.span.begin);
  }
  const auto below = macros.find(name);
  if (below == macros.end() || below->second->statement.begin < diag.span.end) return std::nullopt;
  const size_t first = text.find(name, below->second->statement.begin);
  return UsualMistake{.code = diag.code,
                      .where = diag.span,
                      .message = fmt::format("the macro {} is defined below, in line {}", name,
                                             starts.number_of(first)),
                      .label = is_metric(diag) ? fmt::format("did you mean ${}?", name) : "",
                      .help = "put its definition above the rules that use it"};
}

// Behind the last: its end.
size_t statement_of(const Diag& diag, const Statements& statements) {
  const auto of = std::ranges::lower_bound(statements, diag.span.begin + 1, {},
                                           [](const LookedAt& one) { return one.statement.end; });
  return static_cast<size_t>(of - statements.begin());
}

// The name that a mistake's statement would have defined; empty: none.
std::string_view refused_name(const Diag& diag, const Statements& statements) {
  const size_t number = statement_of(diag, statements);
  return number < statements.size() ? statements[number].name : std::string_view();
}

// pmie goes on behind its first stumble with operands that it makes up: what it says of the rest of
// the statement follows from that.
bool follows(const Diag& diag, const Statements& statements, std::vector<bool>& stumbled) {
  if (diag.code != DiagCode::P_RuleText || !diag.message.contains(" expected to ")) return false;
  const size_t number = statement_of(diag, statements);
  if (number == statements.size()) return false;
  const bool before = stumbled[number];
  stumbled[number] = true;
  return before;
}

// The first statement with an open single quote: up to the next quote or the end of the file the
// reader takes all as a name, for no name ends with its line. None: end().
Statements::const_iterator open_name(std::string_view text, const Statements& statements) {
  const auto of = std::ranges::find_if(statements, [](const LookedAt& one) {
    return one.mistake && one.mistake->code == DiagCode::P_Unterminated;
  });
  const bool name = of != statements.end() && text[of->mistake->where.begin] != '"';
  return name ? of : statements.end();
}

UsualMistake definitions(std::string_view text) {
  RoughScanner scanner(text);
  RoughToken name = scanner.next();
  while (!name.text.contains('.') && name.kind != RoughToken::Kind::end) name = scanner.next();
  return {.where = name.span,
          .message = "these are definitions of metrics, not rules",
          .help =
              "write -c FILE where rules or expressions use them; `pmjit check` reads a file "
              "as definitions unless its name ends in .pmie"};
}

bool ends_in_semicolon(std::string_view line) { return line.ends_with(';'); }

// Without blanks at their ends and without comments. Empty: one of them defines no metric.
std::vector<std::string_view> lines_of_definitions(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    RoughScanner scanner(text.substr(0, end));
    const RoughToken name = scanner.next(), sign = scanner.next();
    const std::string_view line = without_blanks(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.starts_with('#') || line.starts_with("//")) continue;
    const bool of_metric = name.kind == RoughToken::Kind::word && name.text.contains('.');
    const bool attribute = line.contains("(oneline)") || line.contains("(helptext)");
    if (!of_metric || (sign.text != "=" && !attribute) || line.contains("->")) return {};
    out.push_back(line);
  }
  return out;
}

// The dialect pmie has no alerts.
UsualMistake alert_in_pmie(Span where) {
  return {.code = DiagCode::P_RuleText,
          .where = where,
          .message = "alerts need the strict dialect",
          .help =
              "write `// pmjit: dialect=strict` in the first line; a rule of pmie is "
              "NAME = CONDITION -> print \"text\";"};
}

// A } that closes nothing. None: there is none.
std::optional<uint32_t> stray_brace(std::string_view text) {
  if (!text.contains('}')) return std::nullopt;
  RoughScanner scanner(text);
  size_t open = 0;
  for (RoughToken token = scanner.next(); token.kind != RoughToken::Kind::end;
       token = scanner.next()) {
    if (token.kind != RoughToken::Kind::sign) continue;
    if (token.text == "{") ++open;
    if (token.text != "}") continue;
    if (open == 0) return token.span.begin;
    --open;
  }
  return std::nullopt;
}

}  // namespace

bool defines_metrics(std::string_view text) {
  const auto lines = lines_of_definitions(text);
  return !lines.empty() && std::ranges::none_of(lines, ends_in_semicolon);
}

std::optional<uint32_t> semicolon_of_definitions(std::string_view text) {
  const auto lines = lines_of_definitions(text);
  const auto first = std::ranges::find_if(lines, ends_in_semicolon);
  // A rule without an action compares.
  const auto compares = [](std::string_view line) {
    return line.find_first_of("<>!&|") != line.npos || line.contains("==");
  };
  if (first == lines.end() || std::ranges::any_of(lines, compares)) return std::nullopt;
  return static_cast<uint32_t>(first->data() + first->size() - 1 - text.data());
}

bool is_meant_for_definitions(std::string_view text) {
  return defines_metrics(text) || semicolon_of_definitions(text);
}

std::optional<uint32_t> open_comment(std::string_view text) {
  if (!text.contains("/*")) return std::nullopt;
  RoughScanner scanner(text);
  while (scanner.next().kind != RoughToken::Kind::end) {
  }
  return scanner.open_comment();
}

void warn_of_brace(std::string_view text, Diags& diags) {
  const auto at = stray_brace(text);
  if (!at) return;
  diags
      .add(DiagCode::P_RuleWarning, {*at, *at + 1},
           "this } closes nothing: it ends a statement, as ; does")
      .help("leave it out; a rule ends with a ;");
}

struct UsualMistakes::Look {
  explicit Look(std::string_view text)
      : starts(text),
        statements(look_at(text, starts)),
        names(names_of(statements)),
        open(open_name(text, statements)) {}
  LineStarts starts;
  Statements statements;
  StatementNames names;
  Statements::const_iterator open;
};

UsualMistakes::UsualMistakes(std::string text) : text_(std::move(text)) {}

UsualMistakes::~UsualMistakes() = default;

Diags with_usual_mistakes(std::string_view text, Diags diags) {
  if (diags.empty()) return diags;
  return UsualMistakes(std::string(text)).instead_of(std::move(diags));
}

Diags UsualMistakes::instead_of(Diags diags) const {
  const std::string_view text = text_;
  const auto concerns = [](const Diag& diag) {
    return is_syntax(diag) || is_metric(diag) || diag.code == DiagCode::R_NoMacro;
  };
  if (std::ranges::none_of(diags.all(), concerns)) return diags;
  Diags out;
  if (std::ranges::any_of(diags.all(), is_syntax) && defines_metrics(text)) {
    add(definitions(text), out);
    return out;
  }
  std::call_once(looked_, [this] { look_ = std::make_unique<const Look>(text_); });
  const auto& [starts, statements, names, open] = *look_;
  std::vector<bool> said(statements.size()), foreign(statements.size()),
      stumbled(statements.size());
  std::set<std::string_view> refused{};  // whose definition has an error, which has been said
  bool spoilt = false;
  std::optional<Span> macro;
  std::set<size_t> numbers_in_texts;
  for (const Diag& diag : diags.all()) {
    if (!macro_in_text(diag).empty()) numbers_in_texts.insert(statement_of(diag, statements));
  }
  for (const Diag& diag : diags.all()) {
    if (open != statements.end() && diag.span.begin >= open->statement.begin) {
      if (!spoilt) add(*open->mistake, out);
      spoilt = true;
      continue;
    }
    if (const auto here = at_alert(statements, diag); here != statements.end() && !spoilt) {
      const auto number = static_cast<size_t>(here - statements.begin());
      if (!foreign[number]) add(alert_in_pmie(*here->alert), out);
      foreign[number] = true;
      continue;
    }
    if (!macro_in_text(diag).empty()) {
      add(number_in_text(diag), out);
      continue;
    }
    if (is_syntax(diag) && numbers_in_texts.contains(statement_of(diag, statements))) continue;
    // What does not fit behind it is the macro that there is not.
    if (macro && *macro == diag.span && is_syntax(diag)) continue;
    const auto of = explaining(statements, names, diag, spoilt);
    if (of == statements.end()) {
      if (follows(diag, statements, stumbled)) continue;
      if (const auto name = undefined_macro(diag); !name.empty() && refused.contains(name))
        continue;
      if (diag.severity == Severity::error) refused.insert(refused_name(diag, statements));
      const auto below = defined_below(text, starts, names.macros, diag);
      const bool rule = names_rule(names, diag);
      const std::string_view selector = selector_meant(text, diag);
      const std::string_view value = names_value(names, text, diag);
      below               ? add(*below, out)
      : rule              ? add(rule_as_macro(diag), out)
      : !value.empty()    ? add(value_as_metric(value, diag), out)
      : !selector.empty() ? add(selector_as_macro(text, selector, diag), out)
                          : out.append(diag);
      if (!undefined_macro(diag).empty()) macro = diag.span;
      continue;
    }
    const auto number = static_cast<size_t>(of - statements.begin());
    if (spoilt || said[number]) continue;
    said[number] = true;
    spoilt = of->mistake->spoils_rest;
    add(*of->mistake, out);
  }
  return out;
}

}  // namespace pmjit::pmie