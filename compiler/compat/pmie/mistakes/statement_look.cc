#include "compiler/compat/pmie/mistakes/statement_look.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "compiler/compat/pmie/mistakes/meant_words.h"
#include "compiler/compat/pmie/words.h"
#include "runtime/base/chars.h"
#include "runtime/base/near.h"

namespace pmjit::pmie {

void StatementLook::take(const RoughToken& token) {
  if (count_ == 2 && token.text == "alert" && is(before_, "=")) alert_ = token.span;
  if (is(token, "}")) in_braces_ = false;
  if (!mistake_) look(token);
  if (count_ == 1 && is(token, "=")) name_ = before_.text;
  before_that_ = before_;
  before_ = token;
  ++count_;
}

bool StatementLook::may_end() const {
  return count_ > 0 && (before_.kind != RoughToken::Kind::sign || is(before_, ")"));
}

void StatementLook::look(const RoughToken& token) {
  if (token.open) {
    mistake_ = {.code = DiagCode::P_Unterminated,
                .where = {token.span.begin, token.span.begin + 1},
                .message = token.kind == RoughToken::Kind::text ? "this text has no closing quote"
                                                                : "this name has no closing quote",
                .spoils_rest = true};
    return;
  }
  if (foreign(token) || of_prometheus(token) || of_other_rules(token) || of_this_alert(token)) {
    return;
  }
  if (no_instance(token) || no_definition(token)) return;
  if (no_unit(token) || no_word(token)) return;
  // NAME = within a statement begins the next one. The name has been taken for its end.
  if (is(token, "=") && count_ > 1 && before_.kind == RoughToken::Kind::word &&
      before_.begins_line && !is(before_that_, "=")) {
    return lacks_end(before_that_);
  }
  const bool word = token.kind == RoughToken::Kind::word;
  const bool goes_on = token.text == "else" || token.text == "unknown" ||
                       token.text == "otherwise" || (alert_ && is_alert_word(token.text));
  if (word && in_action_ && before_.kind == RoughToken::Kind::text && !goes_on) {
    lacks_end(before_);
    if (token.begins_line || is_action(token.text)) return;
    mistake_->message = "missing ; behind this text";
    mistake_->help = "a value stands in the text: \"%i is at %v\"";
    return;
  }
  if (goes_on) in_action_ = false;
  const bool action = word && is_action(token.text);
  if (action) in_action_ = true;
  if (action && may_end() && arrows_ == 0) {
    mistake_ = {.where = token.span, .message = fmt::format("missing -> before {}", token.text)};
    return;
  }
  if (wrong_action(token)) return;
  before_is_action_ = action;
  if (is(token, "=") && count_ > 1) {
    mistake_ = {.where = token.span, .message = "two values are compared with =="};
    return;
  }
  if (is(token, "->")) ++arrows_;
  look_at_parentheses(token);
}

// What stands behind -> or behind an action.
bool StatementLook::wrong_action(const RoughToken& token) {
  const bool word = token.kind == RoughToken::Kind::word, action = word && is_action(token.text);
  if (is(before_, "->") && word && !action) return no_action(token), true;
  if (is(before_, "->") && is(token, "{")) {
    mistake_ = {.where = token.span,
                .message = "several actions are joined by &, not in braces",
                .help = "for instance: -> print \"text\" & syslog \"text\""};
  } else if (before_is_action_ && token.text == "every") {
    mistake_ = {
        .where = token.span,
        .message = "there is no every",
        .help = fmt::format("a time alone is how often at most: {} 5 min \"text\"", before_.text)};
  } else if (word && !action && before_is_action_) {
    mistake_ = {.where = token.span,
                .message = fmt::format("the text of {} stands in double quotes", before_.text)};
  } else if (before_is_action_ && ends_statement(token)) {
    mistake_ = {.where = before_.span,
                .message = fmt::format("{} has no text", before_.text),
                .help = fmt::format("write {} \"%i is at %v\"", before_.text)};
  }
  return mistake_.has_value();
}

void StatementLook::look_at_parentheses(const RoughToken& token) {
  const bool compares = token.kind == RoughToken::Kind::sign && !open_.empty() &&
                        std::string_view("<>").contains(token.text.front());
  if (compares && rated_ == open_.back().begin) {
    mistake_ = {.where = token.span,
                .message = "rate is of a number, and this compares",
                .help = "compare the rate: rate disk.dev.read > 4 count/sec"};
    return;
  }
  if (is(token, "(")) open_.push_back(token.span);
  if (is(token, "(") && before_.text == "rate") rated_ = token.span.begin;
  if (is(token, ")")) close(token);
  if (ends_statement(token) && !open_.empty()) {
    mistake_ = {.where = open_.back(), .message = "this ( is not closed"};
  }
}

// load #"1 minute", load #1
bool StatementLook::no_instance(const RoughToken& token) {
  const bool is_text = token.kind == RoughToken::Kind::text;
  const bool number = token.kind == RoughToken::Kind::word && is_number(token.text);
  if (!is(before_, "#") || (!is_text && !number)) return false;
  const bool named = before_that_.kind == RoughToken::Kind::word;
  mistake_ = {
      .where = token.span,
      .message = "the name of an instance stands in single quotes",
      .help = fmt::format("write {} #'{}'", named ? before_that_.text : "load",
                          is_text ? token.text.substr(1, token.text.size() - 2) : token.text)};
  return true;
}

// delta 1 min
bool StatementLook::no_definition(const RoughToken& token) {
  const bool two = count_ == 1 && before_.kind == RoughToken::Kind::word &&
                   is_letter(before_.text.front()) && token.kind == RoughToken::Kind::word;
  if (!two || !is_number(token.text)) return false;
  std::string_view behind = rest_of_line(token);
  behind = behind.substr(0, behind.find(';'));
  mistake_ = {.where = before_.span,
              .message = fmt::format("missing = behind {}", before_.text),
              .help = fmt::format("write {} = {}{};", before_.text, token.text, behind),
              .may_be_metric = true};
  return true;
}

std::string_view StatementLook::rest_of_line(const RoughToken& token) const {
  return text_.substr(token.span.end, text_.find('\n', token.span.end) - token.span.end);
}

// 500 MB, 500MB, 500 kbytes, 500 count/s
bool StatementLook::no_unit(const RoughToken& token) {
  if (token.kind != RoughToken::Kind::word || is_number(token.text)) return false;
  if (token.begins_line || is_action(token.text)) return false;
  if (behind_unit(token)) return true;
  const bool behind = before_.kind == RoughToken::Kind::word && is_number(before_.text);
  const bool below = is(before_, "/") && before_that_.kind == RoughToken::Kind::word &&
                     find_unit(before_that_.text) != nullptr;
  const size_t digits = std::min(token.text.find_first_not_of("0123456789."), token.text.size());
  if (digits == 0 && !behind && !below) return false;
  const std::string_view unit = token.text.substr(digits);
  if (find_unit(unit) != nullptr || unit.contains('.')) return false;
  if (behind && digits == 0 && is_alert_word(unit)) return of_alert(token);
  if (alert_ && behind && digits == 0 && near_alert_word(token)) return true;
  const std::string meant = unit_meant(unit);
  if (meant.empty() && !behind) return false;
  const Span where{token.span.begin + static_cast<uint32_t>(digits), token.span.end};
  mistake_ = {.where = where, .message = fmt::format("there is no unit {}", unit)};
  mistake_->may_be_metric = below;
  if (!meant.empty()) mistake_->label = meant;
  if (meant.empty()) mistake_->help = fmt::format("units are {}", fmt::join(unit_words(), ", "));
  return true;
}

// An operand follows a word that nearly names an operator.
bool StatementLook::no_word(const RoughToken& token) {
  const bool two = token.kind == RoughToken::Kind::word && !token.begins_line &&
                   before_.kind == RoughToken::Kind::word && is_letter(before_.text.front());
  if (!two || is_action(before_.text)) return false;
  const bool of_alert = is_alert_word(token.text) || is_alert_word(before_.text);
  if (alert_ && (before_.text == "alert" || of_alert)) return false;
  const auto words = words_before_operands();
  if (std::ranges::find(words, before_.text) != words.end()) return false;
  const auto near = near_names(before_.text, words);
  if (near.empty()) return false;
  mistake_ = {.where = before_.span,
              .message = fmt::format("there is no {}", before_.text),
              .label = near_names_text(near),
              .may_be_metric = true};
  return true;
}

void StatementLook::close(const RoughToken& token) {
  if (!open_.empty()) return open_.pop_back();
  mistake_ = {.where = token.span, .message = "this ) closes nothing"};
}

void StatementLook::lacks_end(const RoughToken& last) {
  const auto lines = std::ranges::count(text_.substr(0, last.span.end), '\n');
  mistake_ = {.where = {last.span.end, last.span.end},
              .message = fmt::format("missing ; at the end of line {}", lines + 1)};
  mistake_->unended = name_;
}

void StatementLook::no_action(const RoughToken& token) {
  const auto near = near_names(token.text, {action_words().begin(), action_words().end()});
  mistake_ = {.where = token.span,
              .message = fmt::format("there is no action {}", token.text),
              .label = near_names_text(near),
              .help = fmt::format("the actions are {}", fmt::join(action_words(), ", "))};
}

}  // namespace pmjit::pmie
