// RuleFile: a file of rules in the strict dialect as what the compiler of derived metrics takes:
// conditions are Asts with places in the file, and beside them what is done about them. The grammar
// is that of pmie's rules (grammar/rules.g4); what pmie or C would read otherwise is refused.
// Source: spec dialects.md §4, §6, §12; rules-language.md §2–§4, §11–§13.
//
//   Diags diags;
//   const auto file = strict::read_rules(source, {.delta = 10}, diags);
//   if (diags.has_errors()) show(render_all(diags, source));     // nothing of the file runs then
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ast/ast.h"
#include "compiler/compat/pmie/settings.h"
#include "compiler/diag/diag.h"
#include "compiler/strict_rules/clock.h"

namespace pmjit::strict {

// `print 10 min "text"`
struct Verb {
  std::string name;
  double hold_off = 0;  // seconds; 0: none
  std::vector<std::string> texts;
  bool if_failed = false;  // `|`: only where what stands before it did not succeed
  Span span{};             // of its name
};

// The places that %h, %i and %v of an action are about: where `set`, a part of the condition, is
// true, and what is compared there. One of each where the condition has sides that may be true
// without the other.
struct Binding {
  Ast set;
  std::optional<Ast> value;          // none: of no comparison
  bool first_only = false;           // of several places: of a max or min, which is of one instance
  bool each_host = false;            // of every host: below a quantifier over hosts
  std::vector<std::string> hosts{};  // of these alone, where there are some
};

struct Clause {
  // always: an action by itself; until: the recovery condition of an alert, without actions.
  enum class When : uint8_t { holds, unknown, otherwise, always, until };
  When when = When::holds;
  std::optional<Ast> condition{};  // of `holds` and `until`
  std::vector<Binding> bindings{};
  std::vector<Verb> verbs{};
};

// `%{value.NAME}` in notes: a constant as text, or what is evaluated where the alert is.
struct NoteValue {
  Span span;  // of a note that names it
  std::string constant{};
  std::optional<Ast> ast{};
};

// What an `alert` says beside its conditions and actions. Times are seconds. Source: spec
// alerting.md §3.1.
struct AlertTerms {
  std::string severity = "warning";
  double hold_for = 0;                    // true for so long before it fires
  std::optional<double> keep{}, stale{};  // none: as its surroundings say
  std::optional<std::string> unknown{};   // `unknown SEVERITY`: it alerts where it is unknown
  bool gone_is_unknown = false;
  std::map<std::string, std::string, std::less<>> labels{}, notes{};
  std::map<std::string, NoteValue, std::less<>> values{};  // that notes name
};

struct Rule {
  std::string name;
  Span span;
  double delta = 10;  // seconds between evaluations
  bool is_ruleset = false;
  std::vector<Clause> clauses;  // one, but of a ruleset and an alert
  std::optional<AlertTerms> alert{};

  // Is something done about it, or told? Else it is an expression with a name.
  [[nodiscard]] bool acts() const {
    return is_ruleset || alert.has_value() || !clauses.front().verbs.empty();
  }
};

struct RuleFile {
  std::vector<Rule> rules;  // in the order of the text
  pmie::MacroNames macros;  // that it defines; delta, too
  StrictMacros values{};    // of these, of the given ones, and of the clock
  double delta = 10;        // seconds, at its end
};

struct ReadOptions {
  double delta = 10;  // seconds, where the file does not say
  pmie::Settings settings{};
  const StrictMacros* given = nullptr;  // macros that are defined before the text; null: none
};

// What is wrong with the text is in `diags`. A failure: a setting does not fit its macro.
[[nodiscard]] Result<RuleFile> read_rules(const SourceText& source, const ReadOptions& options,
                                          Diags& diags);

// Does the text say that it is in the strict dialect? A pragma that is wrong, late or repeated is
// D01 in `diags`.
[[nodiscard]] bool says_strict(const SourceText& source, Diags& diags);
// Which one it says that it is in, strict or pmie; none: it says nothing. Likewise.
[[nodiscard]] std::optional<std::string> dialect_said(const SourceText& source, Diags& diags);

// Selectors in texts of actions: %h host, %i instance, %v value, %c what the source was named by;
// %% is a %. Source: spec rules-language.md §13, dialects.md row 150.
struct TextPiece {
  char selector = 0;  // h, i, v, c; 0: text as it is; else what is no selector
  std::string text;
};
[[nodiscard]] std::vector<TextPiece> pieces_of(std::string_view text);

// What stands in the braces of a %{name} in notes of alerts: `severity`, `label.team`, `v:1`,
// `value.used:1`. Source: spec alerting.md §3.2.
struct NoteName {
  enum class Kind : uint8_t { rule, severity, since, held, reason, label, value, macro };
  Kind kind = Kind::rule;
  std::string_view name{};      // of a label, of a macro
  std::optional<int> digits{};  // behind the point; none: as many as there are
};
// None: it is no name.
[[nodiscard]] std::optional<NoteName> note_name(std::string_view in_braces);
[[nodiscard]] bool is_note_label(std::string_view name);
[[nodiscard]] std::vector<std::string> macros_in_note(std::string_view text);
// What is wrong with the names of a note, what was meant, and what there is.
struct NoteMistake {
  std::string message, written{}, meant{}, help;  // `written`: the part of the text
};
enum class NoteHome : uint8_t { rule_file, configuration };
[[nodiscard]] std::optional<NoteMistake> note_mistake(std::string_view text, NoteHome home);

// Of an action of the statement at `where`.
void check_selectors(const Verb& verb, Span statement, std::string_view source, Diags& diags);

// R05 where `until` of an alert can hold together with its condition, whatever the metrics are.
// `text`: of its file.
void warn_of_until(const Rule& rule, std::string_view text, Diags& diags);

}  // namespace pmjit::strict
