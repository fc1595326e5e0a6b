#include "compiler/compat/pmie/mistakes/statement_look.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "compiler/compat/pmie/mistakes/meant_words.h"
#include "compiler/compat/pmie/words.h"
#include "runtime/base/blanks.h"
#include "runtime/base/chars.h"
#include "runtime/base/near.h"

namespace pmjit::pmie {

namespace {

bool is_word_letter(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '.'; }

}  // namespace

UsualMistake rule_in_condition(std::string_view rule, Span where) {
  return {.where = where,
          .message = fmt::format("{} is a rule, and no rule can name another", rule),
          .help = fmt::format("write the condition of {} here again", rule),
          .may_be_metric = true};
}

void StatementLook::take(const RoughToken& token) {
  if (count_ == 0) begin_ = token.span.begin;
  if (count_ == 2 && token.text == "alert" && is(before_, "=")) alert_ = token.span;
  const bool word_before = before_.kind == RoughToken::Kind::word;
  if (count_ == 1 && word_before && token.kind == RoughToken::Kind::word) {
    // alert a = x > 5, a alert x > 5
    if (token.text == "alert") other_alert_ = token.span;
    if (before_.text == "alert") other_alert_ = before_.span;
  }
  if (is(token, "}")) in_braces_ = false;
  if (token.text == "ruleset") is_ruleset_ = true;
  if (!mistake_) look(token);
  if (mistake_ && mistake_->defines.empty() && !is_rule_) mistake_->defines = name_;
  if (count_ > 2 || is(before_, "=")) is_rule_ = is_rule_ || of_rule(token);
  only_name_ = only_name_ && may_be_in_name(token);
  if (is(token, "#")) selected_ = before_.text;
  if (count_ == 1 && is(token, "=")) name_ = before_.text;
  before_that_ = before_;
  before_ = token;
  ++count_;
}

// What no macro has: a comparison, an action, a metric.
bool StatementLook::of_rule(const RoughToken& token) {
  constexpr std::string_view kSigns[] = {"->", "&&", "||", "<", ">", "<=", ">=", "==", "!="};
  if (token.kind == RoughToken::Kind::sign) {
    return std::ranges::find(kSigns, token.text) != std::end(kSigns);
  }
  return token.kind == RoughToken::Kind::word && is_letter(token.text.front()) &&
         (token.text == "ruleset" || token.text.contains('.'));
}

bool StatementLook::may_end() const {
  return count_ > 0 && (before_.kind != RoughToken::Kind::sign || is(before_, ")"));
}

void StatementLook::look(const RoughToken& token) {
  if (text_in_single_quotes(token) || macro_in_single_quotes(token)) return;
  if (token.open) return open_quote(token);
  if (no_end(token)) return;
  if (other_form(token) || wrong_part(token)) return;
  if (foreign(token) || of_prometheus(token) || of_other_rules(token) || of_this_alert(token)) {
    return;
  }
  if (wrong_macro(token) || rule_as_metric(token)) return;
  if (wrong_name(token) || no_definition(token)) return;
  if (late_operator(token) || no_unit(token) || no_equals(token) || no_word(token) ||
      no_function(token))
    return;
  if (capital_word(token)) return;
  if (no_condition(token) || no_operand(token) || behind_text(token)) return;
  if (bare_count(token) || number_in_quotes(token)) return;
  // NAME = within a statement begins the next one. The name has been taken for its end.
  if (is(token, "=") && count_ > 1 && before_.kind == RoughToken::Kind::word &&
      before_.begins_line && !is(before_that_, "=")) {
    return lacks_end(before_that_);
  }
  const bool word = token.kind == RoughToken::Kind::word;
  if (clause(token)) in_action_ = false;
  const bool action = word && is_action(token.text);
  if (action) in_action_ = true, action_ = token.text;
  if (action && may_end() && arrows_ == 0) {
    mistake_ = {.where = token.span, .message = fmt::format("missing -> before {}", token.text)};
    return;
  }
  if (action &&
      (before_.text == "else" || before_.text == "otherwise" || before_.text == "unknown")) {
    mistake_ = {
        .where = token.span,
        .message = fmt::format("missing -> before {}", token.text),
        .help = fmt::format("{} -> {} \"text\"",
                            before_.text == "else" ? "otherwise" : before_.text, token.text)};
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

bool StatementLook::may_be_in_name(const RoughToken& token) const {
  if (token.kind == RoughToken::Kind::text) return count_ == 0;
  if (token.kind == RoughToken::Kind::word) return !token.text.starts_with('\'');
  constexpr std::string_view kSigns = "-/+:@%!?&,$#";
  if (token.text.empty()) return false;  // the end
  const bool ascii = static_cast<unsigned char>(token.text.front()) < 0x80;
  return token.kind == RoughToken::Kind::sign && token.text.size() == 1 &&
         (!ascii || kSigns.contains(token.text.front()));
}

bool StatementLook::defines(const RoughToken& sign) const {
  const std::string_view rest = text_.substr(sign.span.end);
  const std::string_view behind = rest.substr(0, rest.find(';'));
  const size_t arrow = std::min(behind.find("->"), behind.size());
  return arrow == behind.size() || behind.substr(0, arrow).find_first_of("<>=!") != behind.npos ||
         behind.contains("_inst ") || behind.contains("ruleset ");
}

// disk-busy = …, disk busy = …, "disk busy" = …, 2busy = …, größe = …
bool StatementLook::wrong_name(const RoughToken& token) {
  if (!is(token, "=") || count_ == 0 || !only_name_) return false;
  const std::string_view name = text_.substr(begin_, before_.span.end - begin_);
  const bool digit = is_digit(name.front());
  const bool right = count_ == 1 && !digit && before_.kind == RoughToken::Kind::word;
  if (right || is_number(name) || name.contains('\n') || !defines(token)) return false;
  std::string meant, wrong;
  for (size_t i = 0; i < name.size();) {
    const bool ascii = static_cast<unsigned char>(name[i]) < 0x80;
    const bool good = is_word_letter(name[i]);
    const size_t begin = i++;
    while (!ascii && i < name.size() && (static_cast<unsigned char>(name[i]) & 0xC0) == 0x80) ++i;
    const std::string_view one = name.substr(begin, i - begin);
    if (!good && wrong.empty()) wrong = is_blank(one.front()) ? "blanks" : std::string(one);
    if (good) {
      meant += one;
    } else if (one != "\"" && !meant.empty() && !meant.ends_with('_')) {
      meant += '_';
    }
  }
  mistake_ = {.where = {begin_, before_.span.end},
              .message = wrong.empty() ? "a name cannot begin with a digit"
                                       : fmt::format("a name cannot contain {}", wrong),
              .help = name.starts_with('$')
                          ? "$ stands before a macro only where it is used"
                          : "a name begins with a letter; then come letters, digits, _ and ."};
  // $disk-busy is read as the macro $disk.
  const std::string_view bare = name.substr(name.starts_with('$') ? 1 : 0);
  mistake_->defines = {bare.begin(), std::ranges::find_if_not(bare, is_word_letter)};
  mistake_->may_be_metric = true;
  if (meant.empty()) return true;
  if (is_digit(meant.front())) meant = "at_" + meant;
  if (is_letter(meant.front())) mistake_->label = fmt::format("did you mean {}?", meant);
  return true;
}

// ${limit}, $(limit)
bool StatementLook::wrong_macro(const RoughToken& token) {
  const bool braces = is(token, "{");
  if (!is(before_, "$") || (!braces && !is(token, "("))) return false;
  in_braces_ = braces;
  const std::string_view line = rest_of_line(token);
  const size_t close = std::min(line.find(braces ? '}' : ')'), line.size());
  std::string_view name = line.substr(0, close);
  while (!name.empty() && is_blank(name.front())) name.remove_prefix(1);
  while (!name.empty() && is_blank(name.back())) name.remove_suffix(1);
  const bool closed = close < line.size();
  mistake_ = {
      .where = {before_.span.begin, token.span.end + static_cast<uint32_t>(closed ? close + 1 : 0)},
      .message = braces ? "a macro has no braces" : "a macro has no parentheses",
      .label = closed ? fmt::format("did you mean ${}?", name) : ""};
  return true;
}

// busy && x > 3, where busy is a rule
bool StatementLook::rule_as_metric(const RoughToken& token) {
  const auto joins = [](const RoughToken& sign) {
    return is(sign, "&&") || is(sign, "||") || is(sign, "!");
  };
  const bool ends = joins(token) || is(token, "->") || is(token, ")") || is(token, ";");
  const bool begins = is(before_that_, "=") || is(before_that_, "(") || joins(before_that_);
  const bool named = before_.kind == RoughToken::Kind::word && rules_.contains(before_.text);
  if (!named || !ends || !begins || in_action_) return false;
  if (!joins(token) && !joins(before_that_)) return false;
  mistake_ = rule_in_condition(before_.text, before_.span);
  return true;
}

// What begins the next part of a ruleset or an alert.
bool StatementLook::clause(const RoughToken& token) const {
  return token.text == "else" || token.text == "unknown" || token.text == "otherwise" ||
         (alert_ && is_alert_word(token.text));
}

// print "x" syslog "y", print "x" value, shell "x" 5 min, syslog "x" -p daemon.err
bool StatementLook::behind_text(const RoughToken& token) {
  if (is(token, "-") && in_action_ && before_.kind == RoughToken::Kind::text) {
    const std::string_view line = rest_of_line(token);
    const std::string_view options = without_blanks(line.substr(0, line.find_first_of(";&|\"")));
    const bool has_options = action_ == "syslog";
    mistake_ = {.where = token.span,
                .message = has_options ? "options of syslog stand in quotes before its text"
                                       : fmt::format("{} has no options", action_),
                .help = has_options ? fmt::format("write syslog \"-{}\" {}", options, before_.text)
                        : action_ == "shell"
                            ? "what belongs to the command stands in its quotes: shell \"ls -l\""
                            : fmt::format("write {} and its text alone", action_)};
    return true;
  }
  const bool behind = token.kind == RoughToken::Kind::word && in_action_ &&
                      before_.kind == RoughToken::Kind::text && !clause(token);
  if (!behind) return false;
  if (is_action(token.text)) {
    mistake_ = {.where = token.span,
                .message = fmt::format("missing & before {}", token.text),
                .help = "several actions have & between them; a ; ends the rule"};
    return true;
  }
  if (before_.span.end == token.span.begin) {
    mistake_ = {.where = {before_.span.end - 1, before_.span.end},
                .message = "the text ends at this quote",
                .help = "a quote within a text has a \\ before it: \"he said \\\"hi\\\"\""};
    return true;
  }
  if (token.begins_line && is_ruleset_ && !begins_statement(token)) {
    mistake_ = {.where = token.span,
                .message = "missing else before this condition",
                .help = "a ruleset is CONDITION -> ACTION else CONDITION -> ACTION"};
    return true;
  }
  lacks_end(before_);
  if (token.begins_line) return true;
  mistake_->message = "missing ; after this text";
  const bool time = is_number(token.text) || rest_of_line(token).find_first_of("0123456789") <
                                                 rest_of_line(token).find_first_of(";\"");
  mistake_->help = time ? "a time comes before the text: print 5 min \"text\""
                        : "write a value into the text: \"%i is at %v\"";
  return true;
}

// `-> print "x"` behind a ;, `else` where there is no ruleset, `else -> print "x"`
bool StatementLook::no_condition(const RoughToken& token) {
  const bool arrow = is(token, "->");
  if (arrow && count_ == 0) {
    mistake_ = {.where = token.span,
                .message = "there is no condition before ->",
                .help = "a ; ends a rule: leave out the one before ->"};
  } else if (arrow && before_.text == "else") {
    mistake_ = {.where = before_.span,
                .message = "else has no condition",
                .help = "otherwise -> ACTION takes all other cases"};
  } else if (before_.text == "else" && token.text == "otherwise") {
    mistake_ = {.where = before_.span,
                .message = "no else stands before otherwise",
                .help = "leave out the else"};
  } else if (token.text == "else" && is_ruleset_ && !in_action_ && may_end()) {
    mistake_ = {.where = token.span,
                .message = "missing -> and an action before else",
                .help = "a ruleset is CONDITION -> ACTION else CONDITION -> ACTION"};
  } else if (clause(token) && count_ > 0 && !is_ruleset_ && !alert_ &&
             token.kind == RoughToken::Kind::word) {
    mistake_ = {.where = token.span,
                .message = fmt::format("{} is only for rulesets", token.text),
                .help = "write NAME = ruleset CONDITION -> ACTION else CONDITION -> ACTION;"};
  }
  return mistake_.has_value();
}

// count_inst (x > 5) -> print "x"
bool StatementLook::bare_count(const RoughToken& token) {
  if (!is(token, "->") || !counts_ || compared_count_ > 1 || in_action_) return false;
  const uint32_t begin = counts_->span.end;
  const std::string_view counted = without_blanks(text_.substr(begin, token.span.begin - begin));
  const bool grouped = counted.starts_with('(');
  mistake_ = {.where = counts_->span,
              .message = fmt::format("{} is a number, and a condition compares it", counts_->text),
              .help = fmt::format("write {} {}{}{} > 1", counts_->text, grouped ? "" : "(", counted,
                                  grouped ? "" : ")")};
  return true;
}

// NAME =
bool StatementLook::begins_statement(const RoughToken& token) const {
  RoughScanner scanner(text_.substr(token.span.end));
  return is(scanner.next(), "=");
}

// x > -> print "x", x > 1 && ;
bool StatementLook::no_operand(const RoughToken& token) {
  constexpr std::string_view kJoins[] = {
      "&&", "||", "<", ">", "<=", ">=", "==", "!=", "+", "-", "*", "/"};
  const bool joins = before_.kind == RoughToken::Kind::sign &&
                     std::ranges::find(kJoins, before_.text) != std::end(kJoins);
  const bool logic = before_.text == "&&" || before_.text == "||";
  const bool ends = is(token, "->") || is(token, ")") || is(token, ";") ||
                    (logic && (is(token, "&&") || is(token, "||")));
  const bool relates = token.kind == RoughToken::Kind::sign && token.text != "!" &&
                       std::string_view("<>=!").contains(token.text.front());
  if (logic && relates) {
    mistake_ = {.where = token.span,
                .message = fmt::format("no value stands before {}", token.text),
                .help = "write it again on each side: x > 3 && x < 5"};
    return true;
  }
  if (count_ == 2 && is(before_, "=") && is(token, ";")) {
    mistake_ = {.where = before_.span,
                .message = "nothing follows =",
                .help = "write a value, or a rule: NAME = CONDITION -> ACTION;"};
    return true;
  }
  if (count_ == 0 || !joins || !ends) return false;
  mistake_ = {.where = before_.span,
              .message = fmt::format("nothing follows {}", before_.text),
              .help = logic ? "write a condition there, such as kernel.all.nprocs > 500"
                            : "write a metric or a number there"};
  return true;
}

// What stands behind -> or behind an action.
bool StatementLook::wrong_action(const RoughToken& token) {
  const bool word = token.kind == RoughToken::Kind::word, action = word && is_action(token.text);
  if (is(before_, "->") && word && token.begins_line && begins_statement(token)) {
    mistake_ = {.where = before_.span,
                .message = "no action follows ->",
                .help = "write print \"text\" there, or another action"};
    return true;
  }
  const bool more = in_action_ && (is(before_, "&") || is(before_, "|"));
  if ((is(before_, "->") || more) && word && !action) return no_action(token), true;
  if (is(before_, "->") && is(token, "{")) {
    mistake_ = {.where = token.span,
                .message = "several actions are joined by &, not in braces",
                .help = "for instance: -> print \"text\" & syslog \"text\""};
  } else if (before_is_action_ && token.text == "every") {
    mistake_ = {
        .where = token.span,
        .message = "rules have no `every`",
        .help = fmt::format("a time alone limits how often: {} 5 min \"text\"", before_.text)};
  } else if (before_is_action_ && is(token, "-")) {
    mistake_ = {
        .where = token.span,
        .message = fmt::format("options of {} need quotes", before_.text),
        .help = fmt::format("write {} \"{}\" \"text\"", before_.text,
                            without_blanks(text_.substr(
                                token.span.begin, text_.find_first_of("\";&|\n", token.span.begin) -
                                                      token.span.begin)))};
  } else if (before_is_action_ && token.text.starts_with("LOG_")) {
    mistake_ = {.where = token.span,
                .message = "syslog takes its priority behind -p",
                .help = "for instance: syslog \"-p daemon.err\" \"text\""};
  } else if (before_is_action_ && ((word && !action && !is_number(token.text)) || is(token, "%") ||
                                   is(token, "/") || is(token, "~"))) {
    // All up to what joins the next action or ends the rule.
    const std::string_view rest = text_.substr(token.span.begin);
    const std::string_view meant = without_blanks(rest.substr(0, rest.find_first_of("&|;\"\n")));
    mistake_ = {.where = token.span,
                .message = fmt::format("the text of {} needs double quotes", before_.text),
                .help = fmt::format("write {} \"{}\"", before_.text, meant)};
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
                .message = "rate needs a number, but this is a comparison",
                .help = "compare the rate: rate disk.dev.read > 4 count/sec"};
    return;
  }
  if (is(token, "(")) open_.push_back(token.span);
  if (is(token, "(") && before_.text == "rate") rated_ = token.span.begin;
  if (is(token, ")")) close(token);
  if (is(token, "->") && !open_.empty() && !mistake_) {
    const std::string_view rest = rest_of_line(token);
    const size_t end = rest.find(';');
    const bool behind = std::ranges::count(rest.substr(0, end), '"') == 2 &&
                        without_blanks(rest.substr(0, end)).ends_with(')');
    if (behind) {
      mistake_ = {.where = open_.back(),
                  .message = "this ( is not closed before ->",
                  .help = "write the ) before ->: the action stands outside of parentheses"};
      return;
    }
  }
  if (ends_statement(token) && !open_.empty()) {
    mistake_ = {.where = open_.back(), .message = "this ( is not closed"};
  }
}

// delta 1 min
bool StatementLook::no_definition(const RoughToken& token) {
  const bool two = count_ == 1 && before_.kind == RoughToken::Kind::word &&
                   is_letter(before_.text.front()) && token.kind == RoughToken::Kind::word;
  if (!two || !is_number(token.text)) return false;
  std::string_view behind = rest_of_line(token);
  behind = behind.substr(0, behind.find(';'));
  constexpr std::string_view kIntervals[] = {"every", "interval", "step", "period"};
  const bool interval = std::ranges::find(kIntervals, before_.text) != std::end(kIntervals);
  mistake_ = {.where = before_.span,
              .message = fmt::format("missing = after {}", before_.text),
              .help = fmt::format("write {} = {}{};", interval ? "delta" : before_.text, token.text,
                                  behind),
              .may_be_metric = true};
  return true;
}

std::string_view StatementLook::rest_of_line(const RoughToken& token) const {
  return text_.substr(token.span.end, text_.find('\n', token.span.end) - token.span.end);
}

// 0.1 mem.physmem, x > 5 some_inst
bool StatementLook::no_operator(const RoughToken& token) {
  if (token.text.ends_with("_inst") && !token.text.contains("match")) {
    mistake_ = {.where = token.span,
                .message = fmt::format("{} stands before its condition", token.text),
                .help = fmt::format("for instance: {} disk.dev.read > 5 count/sec", token.text)};
    return true;
  }
  if (!token.text.contains('.') || !is_letter(token.text.front())) return false;
  mistake_ = {.where = token.span,
              .message = fmt::format("missing operator before {}", token.text),
              .help = fmt::format("write {} * {}", before_.text, token.text)};
  return true;
}

// disk.dev.read rate > 5
bool StatementLook::late_operator(const RoughToken& token) {
  const bool behind_metric = before_.kind == RoughToken::Kind::word &&
                             is_letter(before_.text.front()) && before_.text.contains('.');
  constexpr std::string_view kOthers[] = {"match_inst", "nomatch_inst", "ruleset",
                                          "else",       "unknown",      "otherwise"};
  const auto words = words_before_operands();
  const bool is_operator = token.kind == RoughToken::Kind::word &&
                           std::ranges::find(words, token.text) != words.end() &&
                           std::ranges::find(kOthers, token.text) == std::end(kOthers);
  if (!behind_metric || !is_operator || in_action_ || token.begins_line) return false;
  mistake_ = {.where = token.span,
              .message = fmt::format("{} stands before its operand", token.text),
              .help = fmt::format("write {} {}", token.text, before_.text)};
  return true;
}

// Alert, RULESET
bool StatementLook::capital_word(const RoughToken& token) {
  if (count_ != 2 || !is(before_, "=") || token.kind != RoughToken::Kind::word) return false;
  for (const std::string_view meant : {"alert", "ruleset"}) {
    if (token.text == meant || edit_distance(token.text, meant) != 0) continue;
    mistake_ = {.where = token.span,
                .message = fmt::format("rules have no `{}`", token.text),
                .label = fmt::format("did you mean {}?", meant),
                .may_be_metric = true};
    return true;
  }
  return false;
}

// delta = 1 min
// some_inst disk.dev.read > 5
bool StatementLook::no_end(const RoughToken& token) {
  constexpr size_t kShortest = 3;  // NAME = VALUE
  if (count_ < kShortest || name_.empty() || is_rule_ || !open_.empty()) return false;
  if (!token.begins_line || token.kind != RoughToken::Kind::word) return false;
  const bool behind_number = is_number(before_that_.text) || is(before_that_, "/");
  const bool value = before_.kind == RoughToken::Kind::text || is_number(before_.text) ||
                     is(before_, ")") || is(before_that_, "$") ||
                     (behind_number && find_unit(before_.text) != nullptr);
  const auto words = words_before_operands();
  const bool metric = token.text.contains('.') && is_letter(token.text.front());
  if (!value || (!metric && std::ranges::find(words, token.text) == words.end())) return false;
  lacks_end(before_);
  return true;
}

// busy kernel.all.nprocs > 5
bool StatementLook::no_equals(const RoughToken& token) {
  const bool name = count_ == 1 && before_.kind == RoughToken::Kind::word &&
                    !before_.text.contains('.') && is_letter(before_.text.front());
  const bool word = token.kind == RoughToken::Kind::word && is_letter(token.text.front());
  constexpr size_t kLettersMin = 3;  // of a word that is near to another
  if (!name || !word || is_ruleset_) return false;
  const auto words = words_before_operands();
  // busy some_inst …
  const bool operation = token.text.contains("_inst") || token.text.contains("_host") ||
                         token.text.contains("_sample");
  const bool known = operation && std::ranges::find(words, token.text) != words.end();
  if (!token.text.contains('.') && !known) return false;
  if (std::ranges::find(words, before_.text) != words.end()) return false;
  if (before_.text.size() >= kLettersMin && !operators_meant(before_.text).empty()) return false;
  mistake_ = {.where = before_.span,
              .message = fmt::format("missing = after {}", before_.text),
              .help = "a rule is NAME = CONDITION -> ACTION;",
              .may_be_metric = true};
  return true;
}

// An operand follows a word that nearly names an operator.
bool StatementLook::no_word(const RoughToken& token) {
  const bool two = token.kind == RoughToken::Kind::word && !token.begins_line &&
                   before_.kind == RoughToken::Kind::word && is_letter(before_.text.front());
  if (!two || is_action(before_.text)) return false;
  if (is_grouping(token.text)) return grouping(token), true;
  if (find_unit(before_.text) != nullptr && is_number(before_that_.text)) return false;
  const bool of_alert = is_alert_word(token.text) || is_alert_word(before_.text);
  if (alert_ && (before_.text == "alert" || of_alert)) return false;
  const auto words = words_before_operands();
  if (std::ranges::find(words, before_.text) != words.end()) return false;
  const auto near = operators_meant(before_.text);
  if (near.empty()) return false;
  mistake_ = {.where = before_.span,
              .message = fmt::format("rules have no `{}`", before_.text),
              .label = near_names_text(near),
              .may_be_metric = true};
  return true;
}

// avg(x): what is computed of several values stands before them without parentheses.
bool StatementLook::no_function(const RoughToken& token) {
  const bool calls = is(token, "(") && before_.kind == RoughToken::Kind::word &&
                     is_letter(before_.text.front()) && !is_action(before_.text) &&
                     !is_alert_word(before_.text) && before_.text != "alert";
  const bool of_number = is_number(before_that_.text) || is(before_that_, "/");
  if (!calls || (of_number && find_unit(before_.text) != nullptr)) return false;
  const auto words = words_before_operands();
  const bool known = std::ranges::find(words, before_.text) != words.end();
  if (known || before_.text == "known") return false;
  if (before_.text.ends_with("_over_time")) return false;  // its range says more
  if (before_.text.contains('.')) {
    const std::string_view line = rest_of_line(token);
    const std::string_view name = without_blanks(line.substr(0, line.find(')')));
    mistake_ = {
        .where = token.span,
        .message = fmt::format("an instance of {} is written with #", before_.text),
        .help = fmt::format("for instance: {} #'{}'", before_.text, name.empty() ? "sda" : name)};
    return true;
  }
  if (is_grouping(before_.text)) return grouping(before_), true;
  const std::string_view other = function_meant(before_.text);
  const auto near = other.empty() ? operators_meant(before_.text) : std::vector<std::string>();
  mistake_ = {.where = before_.span,
              .message = fmt::format("rules have no function {}", before_.text),
              .label = near_names_text(near),
              .help = std::string(other),
              .may_be_metric = true};
  if (near.empty() && other.empty()) {
    mistake_->help = "functions of several values are sum_inst, avg_inst, min_inst, max_inst, …";
  }
  return true;
}

// sum by (instance) (x), sum(x) without (cpu)
void StatementLook::grouping(const RoughToken& token) {
  mistake_ = {.where = token.span,
              .message = fmt::format("rules have no `{}`", token.text),
              .help = "sum_inst METRIC is over the instances, sum_host METRIC over hosts",
              .may_be_metric = true};
}

void StatementLook::close(const RoughToken& token) {
  if (!open_.empty()) return closed_ = open_.back().begin, open_.pop_back();
  mistake_ = {.where = token.span, .message = "this ) closes nothing"};
}

void StatementLook::lacks_end(const RoughToken& last) {
  mistake_ = {
      .where = {last.span.end, last.span.end},
      .message = fmt::format("missing ; at the end of line {}", starts_.number_of(last.span.end))};
}

void StatementLook::no_action(const RoughToken& token) {
  const auto near = actions_meant(token.text);
  mistake_ = {.where = token.span,
              .message = fmt::format("there is no action {}", token.text),
              .label = near_names_text(near),
              .help = fmt::format("the actions are {}", fmt::join(action_words(), ", "))};
}

}  // namespace pmjit::pmie
