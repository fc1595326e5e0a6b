// RuleDifferences: what rules of the dialect pmie would mean otherwise in strict, row by row of the
// dialect table (spec dialects.md §6–§12, the column pmie), as warnings at the place concerned; and
// pmie's own messages as diagnostics with a place and a way out.
//
//   RuleDifferences differences({.metrics = &metrics});
//   reader.watch(&differences);
//   differences.begin(diags, text); reader.read(text, name); differences.end(reader.last_failed());
//
// A row is told where its difference is possible for the rule at hand: after the metadata, else
// after its form.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/compat/pmie/rule_reader.h"
#include "compiler/compat/pmie/scanner.h"
#include "compiler/diag/diag.h"
#include "runtime/base/near.h"

namespace pmjit::pmie {

// Rewriting: a rule of pmie as strict has to have it, for the same meaning: `rate` before counters,
// parentheses, units. What strict has no words for stays as it is.
struct RuleView;

// Around a text, or in its place.
struct Edit {
  Span span;
  std::string before, behind;
  std::optional<std::string> instead{};
};

void add_edits(const RuleView& at, std::vector<Edit>& edits);
void add_c_reading(const RuleView& at, std::vector<Edit>& edits);
void add_edits(const std::vector<ScannedToken>& tokens, std::vector<Edit>& edits);

// A part of the text that the spans are of. Of edits that share a border the wider one is outside.
[[nodiscard]] std::string rewritten(std::string_view text, Span part,
                                    const std::vector<Edit>& edits);

// A statement of a file, as it stands there.
struct CheckedStatement {
  std::string name;      // of an installed one also where the text has none
  Span span;             // with its terminator
  bool is_rule = false;  // it has a truth, and is installed
  bool acts = false;
  bool defines = false;  // a macro
  uint32_t number = 0;   // of an installed one: of RuleProgram::statements
  bool mistaken = false;
  std::vector<DiagCode> codes{};  // of the rows that were told of it
  std::vector<Edit> edits{};      // that make it mean the same in strict, as far as that goes
  std::vector<Edit> as_in_c{};    // that make pmie read it as a C programmer does (D02)
  std::set<std::string> used{};   // macros
};

struct RuleDifferenceOptions {
  // Null: nobody knows metrics, the form alone decides.
  RuleMetrics* metrics = nullptr;
  // Whose names are offered in place of one that is not there; null: none.
  const Catalog* catalog = nullptr;
  bool differences = true;  // else only mistakes and warnings are passed on
  // Called with where each statement ends.
  std::function<void(uint32_t)> progress{};
};

// Of a message: that a rule is left out, for what it needs is not there.
[[nodiscard]] bool says_left_out(const Diag& diag);

class RuleDifferences final : public RuleReader::Watcher {
 public:
  explicit RuleDifferences(const RuleDifferenceOptions& options) : options_(options) {}

  // Begins a file. `diags` gets its diagnostics. Both outlive the next end().
  void begin(Diags& diags, std::string_view text);
  // `last_failed`: as the reader says of the file's last statement.
  void end(bool last_failed);
  // Of the file, in the order of the text.
  [[nodiscard]] const std::vector<CheckedStatement>& statements() const { return statements_; }

  void told(Severity severity, Span where, std::string_view text) override;
  void read(const RuleProgram& program, const ReadStatement& statement) override;
  void discarded(uint32_t from) override;

 private:
  void pass_on();
  void tell_mistakes(const ReadStatement& statement);
  void tell_open_quotes(const ReadStatement& statement);
  void warn_of_delta_unit(const ReadStatement& statement);
  void warn_of_hold_off_unit(const ReadStatement& statement);
  void tell_macros(const ReadStatement& statement);
  void tell_other_metrics(const ReadStatement& statement);
  void tell_deltas();
  void tell_numbers();
  void tell_replaced(const CheckedStatement& statement, std::span<const CheckedStatement> rest);
  void tell_tasks(const RuleProgram& program, const ReadStatement& statement, Span name);

  struct Message {
    Severity severity;
    Span where;
    std::string text;
  };
  void tell(const ReadStatement& statement, const Message& message);

  static bool breaks_grammar(const Message& message);
  static bool is_bare_word(const Message& message);

  RuleDifferenceOptions options_;
  size_t offers_left_ = kNearAskedMax;
  Diags* diags_ = nullptr;
  std::string_view text_;
  Diags found_;                    // that diags_ does not have yet
  std::vector<Message> messages_;  // of the statement that is read
  std::vector<CheckedStatement> statements_;
  bool any_mistaken_ = false;      // of these
  std::set<std::string> defined_;  // macros
  std::set<std::string> used_;     // of these, since they were defined
  std::map<std::string, Span> last_definition_;
  std::set<double> intervals_;  // of rules that act
};

}  // namespace pmjit::pmie
