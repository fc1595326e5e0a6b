// Looks for the usual mistakes in one statement of a file of rules. It sees a token after the
// other. The methods stand in files by what the mistake is: here nothing of a rule's own grammar
// (statement_look.cc), parts of a metric (metric_parts.cc), words and forms of other languages
// (other_languages.cc, other_forms.cc), and alerts of the strict dialect (alert_mistakes.cc).
//
//   StatementLook look(text, starts, rules);
//   do look.take(token = scanner.next()); while (!ends_statement(token));
//   if (look.mistake()) …
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/compat/pmie/mistakes/rough_scanner.h"
#include "compiler/diag/diag.h"
#include "compiler/diag/line_starts.h"

namespace pmjit::pmie {

struct UsualMistake {
  DiagCode code = DiagCode::P_Syntax;
  Span where{};
  std::string message{}, label{}, help{};
  bool spoils_rest = false;    // the reader reads the rest of the file wrongly
  bool may_be_metric = false;  // to the reader it is the name of one
  std::string_view defines{};  // what the statement is called, which may be a macro
};

// A rule that stands in the condition of another one, as a macro or as a metric.
[[nodiscard]] UsualMistake rule_in_condition(std::string_view rule, Span where);

// Of what stands behind an open quote, 1 minute > 5 -> print "x": 1 minute.
[[nodiscard]] std::string_view name_before_condition(std::string_view line);

class StatementLook {
 public:
  // `starts`: of the lines of the text. `rules`: names of rules of the statements before.
  StatementLook(std::string_view text, const LineStarts& starts,
                const std::set<std::string_view>& rules)
      : text_(text), starts_(starts), rules_(rules) {}

  void take(const RoughToken& token);
  [[nodiscard]] const std::optional<UsualMistake>& mistake() const { return mistake_; }
  // Is the token at hand within x{instance="sda"} or ${limit}?
  [[nodiscard]] bool in_braces() const { return in_braces_; }
  // Where it is said that this is an alert, also in another form than strict has.
  [[nodiscard]] const std::optional<Span>& alert() const { return alert_ ? alert_ : other_alert_; }
  // "" if it has none
  [[nodiscard]] std::string_view name() const { return name_; }
  // Is it more than a number or a text with a name?
  [[nodiscard]] bool is_rule() const { return is_rule_; }

 private:
  static bool is(const RoughToken& token, std::string_view sign) {
    return token.kind == RoughToken::Kind::sign && token.text == sign;
  }
  static bool of_rule(const RoughToken& token);
  // May a statement end behind the token before?
  [[nodiscard]] bool may_end() const;
  [[nodiscard]] bool clause(const RoughToken& token) const;
  // May the token be a part of a name, or of what was meant to be one?
  [[nodiscard]] bool may_be_in_name(const RoughToken& token) const;
  // Does a condition stand behind the sign =, or a value that a name has?
  [[nodiscard]] bool defines(const RoughToken& sign) const;
  [[nodiscard]] bool begins_statement(const RoughToken& token) const;
  [[nodiscard]] std::string_view rest_of_line(const RoughToken& token) const;

  // These look at a token and note its mistake. True: there is one.
  // statement_look.cc: in the grammar of both dialects.
  void look(const RoughToken& token);
  bool wrong_action(const RoughToken& token);
  bool text_in_single_quotes(const RoughToken& token);
  bool macro_in_single_quotes(const RoughToken& token);
  bool wrong_name(const RoughToken& token);
  bool wrong_macro(const RoughToken& token);
  bool rule_as_metric(const RoughToken& token);
  bool no_operand(const RoughToken& token);
  bool no_condition(const RoughToken& token);
  bool behind_text(const RoughToken& token);
  void look_at_parentheses(const RoughToken& token);
  bool no_definition(const RoughToken& token);
  bool no_unit(const RoughToken& token);
  bool no_number(const RoughToken& token, std::string_view behind_digits);
  bool no_operator(const RoughToken& token);
  bool late_operator(const RoughToken& token);
  bool bare_count(const RoughToken& token);
  bool capital_word(const RoughToken& token);
  bool no_end(const RoughToken& token);
  bool no_equals(const RoughToken& token);
  bool no_word(const RoughToken& token);
  bool no_function(const RoughToken& token);
  void grouping(const RoughToken& token);
  bool of_promql(const RoughToken& token);
  void percent(Span where, Span number);
  bool no_such_unit(const RoughToken& token, Span where, std::string_view unit, bool below);

  // metric_parts.cc: the host, the instances and the samples behind a metric.
  bool wrong_part(const RoughToken& token);
  bool no_instance(const RoughToken& token);
  bool quote_in_number(const RoughToken& token);
  bool number_in_quotes(const RoughToken& token);
  bool no_opening_quote(const RoughToken& token);
  bool no_quote_before(uint32_t begin, std::string_view name);  // `name`: with the quote behind it
  bool no_pattern(const RoughToken& token);
  bool no_plain_name(const RoughToken& token);
  bool instance_pattern(const RoughToken& token);
  bool late_host(const RoughToken& token);
  bool samples_before(const RoughToken& token);
  bool no_host(const RoughToken& token);
  bool no_samples(const RoughToken& token);
  bool samples_apart(const RoughToken& token);
  bool samples_in_time(const RoughToken& token);

  // other_languages.cc: what is right in another language.
  bool foreign(const RoughToken& token);
  bool of_prometheus(const RoughToken& token);
  bool of_other_rules(const RoughToken& token);
  bool other_selection(const RoughToken& token);
  bool comma(const RoughToken& token);
  bool joins_actions(const RoughToken& token);
  bool other_sign(const RoughToken& token);
  bool invisible(const RoughToken& token);
  bool comparing_word(const RoughToken& token);
  bool name_behind(const RoughToken& token);

  // other_forms.cc: statements, calls and lists of other languages.
  bool other_form(const RoughToken& token);
  bool other_statement(const RoughToken& token);
  bool late_comment(const RoughToken& token);
  bool action_call(const RoughToken& token);
  bool bare_match(const RoughToken& token);
  bool chained(const RoughToken& token);
  bool other_call(const RoughToken& token);
  bool other_list(const RoughToken& token);
  bool several_words(const RoughToken& token);
  bool behind_number(const RoughToken& token);
  bool split_arrow(const RoughToken& token);
  bool clock_word(const RoughToken& token);
  bool named_day(const RoughToken& token);
  bool other_end(const RoughToken& token);
  bool plus_sign(const RoughToken& token);
  bool braces(const RoughToken& token);
  bool other_operator(const RoughToken& token);
  bool action_without_text(const RoughToken& token);
  bool named_as_word(const RoughToken& token);
  bool two_amounts(const RoughToken& token);

  // alert_mistakes.cc: in and about alerts, which the strict dialect has.
  bool of_this_alert(const RoughToken& token);
  bool wrong_setting(const RoughToken& token);
  bool behind_unit(const RoughToken& token);
  bool of_alert(const RoughToken& token);
  bool near_alert_word(const RoughToken& token);

  // These note a mistake.
  void stands_for(const RoughToken& token, std::string_view meant, std::string_view where = "");
  void no_alert_word(const RoughToken& token, std::string meant, std::string help);
  void open_quote(const RoughToken& token);
  void close(const RoughToken& token);
  void lacks_end(const RoughToken& last);
  void no_action(const RoughToken& token);

  std::string_view text_;
  const LineStarts& starts_;
  const std::set<std::string_view>& rules_;
  RoughToken before_{}, before_that_{};
  std::string_view name_;               // of the statement
  std::string_view selected_, action_;  // what stands before the last #; the last action
  size_t count_ = 0, arrows_ = 0;
  uint32_t begin_ = 0;     // of its first token
  bool only_name_ = true;  // so far; it may have signs that no name has
  bool is_ruleset_ = false, in_action_ = false, before_is_action_ = false, in_braces_ = false,
       is_rule_ = false;
  std::optional<RoughToken> first_word_{};          // `if`
  std::optional<RoughToken> counts_{};              // count_inst …
  size_t compared_count_ = 0;                       // comparisons behind it
  std::optional<std::string_view> compared_{};      // since the last && or the like
  Span compared_at_{};                              // its sign
  std::optional<std::string_view> over_samples_{};  // avg_sample (
  std::optional<uint32_t> rated_{};                 // where the ( behind `rate` is
  std::vector<Span> open_;
  uint32_t closed_ = 0;  // where the ( of the last ) is
  std::optional<Span> alert_, other_alert_;
  std::optional<UsualMistake> mistake_;
};

}  // namespace pmjit::pmie
