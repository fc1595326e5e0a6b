#include "compiler/compat/pmie/mistakes/statement_look.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/compat/pmie/mistakes/meant_words.h"
#include "compiler/compat/pmie/words.h"
#include "runtime/base/blanks.h"
#include "runtime/base/chars.h"
#include "runtime/base/near.h"

namespace pmjit::pmie {

// x > 5 count/sec for 1 min
bool StatementLook::behind_unit(const RoughToken& token) {
  const bool begins_time = token.text == "for" || token.text == "keep" || token.text == "stale";
  const bool unit_before =
      before_.kind == RoughToken::Kind::word && find_unit(before_.text) != nullptr;
  return begins_time && unit_before && of_alert(token);
}

// `x > 5 for 1 min` is of an alert.
bool StatementLook::of_alert(const RoughToken& token) {
  if (alert_ || token.text == "unknown" || token.text == "otherwise" || token.text == "else") {
    return false;
  }
  mistake_ = {.where = token.span,
              .message = fmt::format("`{}` is only for alerts", token.text),
              .help = "an alert of the strict dialect is NAME = alert x > 5 for 10 min -> …"};
  return true;
}

bool StatementLook::near_alert_word(const RoughToken& token) {
  const auto near = alert_words_meant(token.text);
  if (near.empty() || !unit_meant(token.text).empty()) return false;
  no_alert_word(token, near_names_text(near), "");
  return true;
}

void StatementLook::no_alert_word(const RoughToken& token, std::string meant, std::string help) {
  mistake_ = {.where = token.span,
              .message = fmt::format("an alert has no word {}", token.text),
              .label = std::move(meant),
              .help = std::move(help)};
}

// for = 5 min, until < 3, label team storage, x > 5, for 5 min
bool StatementLook::wrong_setting(const RoughToken& token) {
  const bool word = token.kind == RoughToken::Kind::word;
  const std::string_view meant = named_text_meant(before_.text);
  const std::string_view named = named_text_meant(before_that_.text);
  if (token.kind == RoughToken::Kind::text && !meant.empty()) {
    mistake_ = {.where = before_.span,
                .message = fmt::format("a {} has a name before its text", meant),
                .help = fmt::format("for instance: {} {} {}", meant,
                                    meant == "note" ? "summary" : "team", token.text)};
  } else if (token.kind == RoughToken::Kind::text && token.text.size() > 2 &&
             is_digit(token.text[1]) &&
             (before_.text == "for" || before_.text == "keep" || before_.text == "stale")) {
    mistake_ = {.where = token.span,
                .message = "a time has no quotes",
                .help = fmt::format("write {} {}", before_.text,
                                    token.text.substr(1, token.text.size() - 2))};
  } else if (token.kind == RoughToken::Kind::text && before_.text == "alert") {
    mistake_ = {.where = token.span,
                .message = "a severity has no quotes",
                .help = fmt::format("for instance: alert {} x > 5",
                                    token.text.substr(1, token.text.size() - 2))};
  } else if ((before_.text == "alert" ||
              (before_that_.text == "alert" && is_alert_word(before_.text))) &&
             (token.text == "for" || token.text == "keep" || token.text == "stale")) {
    mistake_ = {.where = token.span,
                .message = fmt::format("`{}` stands behind the condition", token.text),
                .help = fmt::format("for instance: alert x > 5 {} 10 min", token.text)};
  } else if (before_.text == "alert" && token.text == "severity") {
    no_alert_word(token, "", "write the severity after alert: alert critical x > 5");
  } else if ((is(token, "=") || (is(token, ":") && before_.text == "for")) &&
             is_alert_word(before_.text)) {
    mistake_ = {.where = token.span,
                .message = fmt::format("no {} follows {}", token.text, before_.text),
                .help = "for instance: alert critical x > 5 for 10 min label team \"storage\""};
  } else if (is(token, ",")) {
    mistake_ = {.where = token.span,
                .message = "the parts of an alert have no , between them",
                .help = "for instance: alert critical x > 5 for 10 min label team \"storage\""};
  } else if (before_.text == "until" && token.kind == RoughToken::Kind::sign &&
             std::string_view("<>=!").contains(token.text.front()) && token.text != "!") {
    mistake_ = {.where = token.span,
                .message = "until needs a whole condition",
                .help = "name the metric again: alert x > 5 until x < 3"};
  } else if (!named.empty() && word && before_.kind == RoughToken::Kind::word) {
    mistake_ = {
        .where = token.span,
        .message = fmt::format("the text of {} {} needs double quotes", named, before_.text),
        .help = fmt::format("write {} {} \"{}\"", named, before_.text, token.text)};
  }
  return mistake_.has_value();
}

// `alert crit x > 5`, `x > 5 count/sec util …`, `x > 5 severity critical`: a word where only
// words of an alert stand.
bool StatementLook::of_this_alert(const RoughToken& token) {
  if (alert_ && wrong_setting(token)) return true;
  if (!alert_ || token.kind != RoughToken::Kind::word || is_alert_word(token.text)) return false;
  const bool word_before = before_.kind == RoughToken::Kind::word;
  if (before_that_.text == "alert" && word_before && is_letter(before_.text.front())) {
    if (is_alert_word(before_.text)) return false;
    const auto words = words_before_operands();
    const bool is_operator = std::ranges::find(words, before_.text) != words.end() ||
                             before_.text == "known" || before_.text.contains('.');
    if (!is_operator && is_grouping(token.text)) return grouping(token), true;
    if (!is_operator && near_alert_word(before_)) return true;
    if (is_operator || find_unit(token.text) != nullptr) return false;
    mistake_ = {.where = before_.span,
                .message = fmt::format("there is no severity {}", before_.text),
                .help = "the severities are info, warning and critical"};
    return true;
  }
  const bool behind_value = is(before_, ")") || before_.text.contains('.') ||
                            (word_before && find_unit(before_.text) != nullptr) ||
                            (word_before && is_number(before_.text));
  if (!behind_value || find_unit(token.text) != nullptr || is_action(token.text)) return false;
  if (token.text == "severity") {
    no_alert_word(token, "", "write the severity after alert: alert critical x > 5");
    return true;
  }
  // x > 5 runbook "…"
  if (const std::string_view text = without_blanks(rest_of_line(token)); text.starts_with('"')) {
    if (near_alert_word(token)) return true;
    no_alert_word(token, "",
                  fmt::format("write note {0} \"text\", or label {0} \"text\"", token.text));
    return true;
  }
  return near_alert_word(token);
}

}  // namespace pmjit::pmie
