// Words that people write into rules, and what they mean by them: of other languages, of units, of
// alerts.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/diag/diag.h"

namespace pmjit::pmie {

// print, syslog, …
[[nodiscard]] std::span<const std::string_view> action_words();
[[nodiscard]] bool is_action(std::string_view word);
// exec: shell. Empty: nothing is like it.
[[nodiscard]] std::vector<std::string> actions_meant(std::string_view written);
// Words before an operand, which a wrong one may have been meant for.
[[nodiscard]] std::vector<std::string> words_before_operands();
// Those of them that are meant by another word, as by a function of another language: avg:
// avg_inst.
[[nodiscard]] std::vector<std::string> operators_meant(std::string_view written);
// What to write for a function of PromQL that is no word here: topk, absent. Empty: of another.
[[nodiscard]] std::string_view function_meant(std::string_view written);
// by, without: what PromQL writes before or behind the operand of sum.
[[nodiscard]] bool is_grouping(std::string_view word);
// Of alerts in the strict dialect, behind `NAME = alert`.
[[nodiscard]] bool is_alert_word(std::string_view word);
// What is meant by a word behind an alert's condition: unless: until. Empty: nothing is like it.
[[nodiscard]] std::vector<std::string> alert_words_meant(std::string_view written);
// greater: >. Empty: it compares nothing.
[[nodiscard]] std::string_view relation_meant(std::string_view written);
// Which word of an alert that takes a name and a text: labels: label, annotation: note. Empty:
// neither.
[[nodiscard]] std::string_view named_text_meant(std::string_view written);
// What a word or sign of another language is here: and: &&. Empty: it is of none.
[[nodiscard]] std::string_view other_word_meant(std::string_view written);
// The variable that a macro's name is a slip or another word for: interval: delta. Empty: none.
[[nodiscard]] std::string variable_meant(std::string_view macro);
// A delta that no rule uses: another one follows, or no rule does. And a macro that nothing uses,
// which variable_meant() takes for `meant`.
void warn_of_replaced_delta(Span where, Diags& diags);
void warn_of_semicolon(uint32_t at, Diags& diags);  // behind a definition of a metric
void warn_of_late_delta(Span where, Diags& diags);
void warn_of_unused_macro(Span where, std::string_view name, const std::string& meant,
                          Diags& diags);
// Of a time in several units, also in those of other languages: 1h30m: 5400. None: it is no time.
[[nodiscard]] std::optional<double> seconds_meant(std::string_view written);
// "did you mean Kbyte?"; empty: no unit is like it.
[[nodiscard]] std::string unit_meant(std::string_view written);

}  // namespace pmjit::pmie
