#include "compiler/compat/pmie/usual_mistakes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "compiler/compat/pmie/words.h"
#include "runtime/base/chars.h"
#include "runtime/base/near.h"

namespace pmjit::pmie {

namespace {

constexpr std::string_view kActions[] = {"print", "syslog", "alarm", "shell", "stomp"};
bool is_action(std::string_view word) {
  return std::ranges::find(kActions, word) != std::end(kActions);
}

// Words before an operand, which a wrong one may have been meant for.
std::vector<std::string> words_before_operands() {
  std::vector<std::string> out = {"rate",         "instant", "rising", "falling", "match_inst",
                                  "nomatch_inst", "ruleset", "else",   "unknown", "otherwise"};
  for (const char* of : {"sum", "avg", "max", "min", "count", "all", "some"}) {
    for (const char* over : {"host", "inst", "sample"})
      out.push_back(fmt::format("{}_{}", of, over));
  }
  return out;
}

// What other languages have, and what it is here.
struct OtherWord {
  std::string_view written, meant;
};

// Of alerts in the strict dialect, behind `NAME = alert`.
constexpr std::string_view kAlertWords[] = {"for",      "until",   "keep",      "stale", "gone",
                                            "label",    "note",    "resolves",  "info",  "warning",
                                            "critical", "unknown", "otherwise", "else"};
constexpr OtherWord kOtherAlertWords[] = {{"unless", "until"},
                                          {"while", "for"},
                                          {"during", "for"},
                                          {"crit", "critical"},
                                          {"warn", "warning"},
                                          {"annotation", "note"},
                                          {"annotations", "note"},
                                          {"summary", "note summary"},
                                          {"description", "note description"}};
bool is_alert_word(std::string_view word) {
  return std::ranges::find(kAlertWords, word) != std::end(kAlertWords);
}

constexpr OtherWord kOtherWords[] = {{"and", "&&"},    {"AND", "&&"},     {"or", "||"},
                                     {"OR", "||"},     {"not", "!"},      {"NOT", "!"},
                                     {"=>", "->"},     {"=<", "<="},      {"<>", "!="},
                                     {"elif", "else"}, {"elsif", "else"}, {"elseif", "else"}};
constexpr OtherWord kOtherUnits[] = {
    {"B", "byte"},    {"KB", "Kbyte"}, {"kB", "Kbyte"},  {"MB", "Mbyte"},
    {"GB", "Gbyte"},  {"TB", "Tbyte"}, {"KiB", "Kbyte"}, {"MiB", "Mbyte"},
    {"GiB", "Gbyte"}, {"s", "sec"},    {"ms", "msec"},   {"us", "usec"},
    {"ns", "nsec"},   {"m", "min"},    {"h", "hour"},    {"hr", "hour"}};

// "did you mean Kbyte?"; empty: no unit is like it.
std::string unit_meant(std::string_view written) {
  const auto* const other = std::ranges::find(kOtherUnits, written, &OtherWord::written);
  if (other != std::end(kOtherUnits)) return near_names_text({std::string(other->meant)});
  const std::string one(written.substr(0, written.size() - (written.ends_with('s') ? 1 : 0)));
  auto near = near_names(one, unit_words());
  near.resize(std::min<size_t>(near.size(), 1));
  return near_names_text(near);
}

bool is_number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// As much of a token as it takes to see what is missing.
struct RoughToken {
  enum class Kind : uint8_t { word, text, sign, end };
  Kind kind = Kind::end;
  Span span;
  std::string_view text;
  bool begins_line = false;
  bool open = false;  // a text that its line does not close
};

// Comments and blanks are left out. A text ends with its line at the latest.
class RoughScanner {
 public:
  explicit RoughScanner(std::string_view text) : text_(text) {}

  RoughToken next() {
    skip();
    RoughToken out{.begins_line = begins_line_};
    begins_line_ = false;
    const size_t begin = at_;
    if (at_ == text_.size()) return out.span = span(begin), out;
    const char c = text_[at_];
    if (c == '"' || c == '\'') {
      out.kind = c == '"' ? RoughToken::Kind::text : RoughToken::Kind::word;
      out.open = !quoted(c);
    } else if (is_word(c)) {
      out.kind = RoughToken::Kind::word;
      while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    } else {
      out.kind = RoughToken::Kind::sign;
      constexpr std::string_view kPairs[] = {
          "->", "&&", "||", "==", "!=", "<=", ">=", "=>", "=<", "<>"};
      const bool pair = std::ranges::find(kPairs, text_.substr(at_, 2)) != std::end(kPairs);
      at_ += pair ? 2 : 1;
    }
    out.span = span(begin);
    out.text = text_.substr(begin, at_ - begin);
    return out;
  }

  // Where the comment begins that nothing ends.
  [[nodiscard]] std::optional<uint32_t> open_comment() const { return open_comment_; }

 private:
  static bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '.'; }
  [[nodiscard]] Span span(size_t begin) const {
    return {static_cast<uint32_t>(begin), static_cast<uint32_t>(at_)};
  }

  void skip() {
    while (at_ < text_.size()) {
      const std::string_view rest = text_.substr(at_);
      if (rest.starts_with("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (rest.starts_with("/*")) {
        const size_t end = text_.find("*/", at_ + 2);
        if (end == text_.npos) open_comment_ = static_cast<uint32_t>(at_);
        at_ = end == text_.npos ? text_.size() : end + 2;
      } else if (rest.front() == '\n') {
        begins_line_ = true;
        ++at_;
      } else if (std::string_view(" \t\r\f\v").contains(rest.front())) {
        ++at_;
      } else {
        return;
      }
    }
  }

  // False: the line ends before it does.
  bool quoted(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      if (text_[at_] == quote) return ++at_, true;
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
    }
    at_ = std::min(at_, text_.size());
    return false;
  }

  std::string_view text_;
  size_t at_ = 0;
  bool begins_line_ = true;
  std::optional<uint32_t> open_comment_{};
};

struct UsualMistake {
  DiagCode code = DiagCode::P_Syntax;
  Span where{};
  std::string message{}, label{}, help{};
  bool spoils_rest = false;    // the reader reads the rest of the file wrongly
  bool may_be_metric = false;  // to the reader it is the name of one
  std::string_view unended{};  // what has no ; behind it is called so: it may be a macro
};

bool ends_statement(const RoughToken& token) {
  return token.kind == RoughToken::Kind::end || token.text == ";" || token.text == "}";
}

// One statement, up to its end.
class StatementLook {
 public:
  explicit StatementLook(std::string_view text) : text_(text) {}

  void take(const RoughToken& token) {
    if (count_ == 2 && token.text == "alert" && is(before_, "=")) alert_ = token.span;
    if (is(token, "}")) in_braces_ = false;
    if (!mistake_) look(token);
    if (count_ == 1 && is(token, "=")) name_ = before_.text;
    before_that_ = before_;
    before_ = token;
    ++count_;
  }
  [[nodiscard]] const std::optional<UsualMistake>& mistake() const { return mistake_; }
  // Is the token at hand within x{instance="sda"}?
  [[nodiscard]] bool in_braces() const { return in_braces_; }
  // Where it is said that this is an alert.
  [[nodiscard]] const std::optional<Span>& alert() const { return alert_; }

 private:
  static bool is(const RoughToken& token, std::string_view sign) {
    return token.kind == RoughToken::Kind::sign && token.text == sign;
  }
  // May a statement end behind it?
  [[nodiscard]] bool may_end() const {
    return count_ > 0 && (before_.kind != RoughToken::Kind::sign || is(before_, ")"));
  }

  void look(const RoughToken& token) {
    if (token.open) {
      mistake_ = {.code = DiagCode::P_Unterminated,
                  .where = {token.span.begin, token.span.begin + 1},
                  .message = token.kind == RoughToken::Kind::text
                                 ? "this text has no closing quote"
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
  bool wrong_action(const RoughToken& token) {
    const bool word = token.kind == RoughToken::Kind::word, action = word && is_action(token.text);
    if (is(before_, "->") && word && !action) return no_action(token), true;
    if (is(before_, "->") && is(token, "{")) {
      mistake_ = {.where = token.span,
                  .message = "several actions are joined by &, not in braces",
                  .help = "for instance: -> print \"text\" & syslog \"text\""};
    } else if (before_is_action_ && token.text == "every") {
      mistake_ = {.where = token.span,
                  .message = "there is no every",
                  .help = fmt::format("a time alone is how often at most: {} 5 min \"text\"",
                                      before_.text)};
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

  void look_at_parentheses(const RoughToken& token) {
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

  void stands_for(const RoughToken& token, std::string_view meant) {
    mistake_ = {.where = token.span,
                .message = fmt::format("there is no {}", token.text),
                .label = fmt::format("did you mean {}?", meant),
                .may_be_metric = true};
  }

  // A word or sign of another language.
  bool foreign(const RoughToken& token) {
    const auto* other = std::ranges::find(kOtherWords, token.text, &OtherWord::written);
    if (other != std::end(kOtherWords)) return stands_for(token, other->meant), true;
    constexpr std::string_view kCurly = "\xE2\x80";  // the first bytes of “ and ”
    if (token.kind == RoughToken::Kind::sign &&
        text_.substr(token.span.begin).starts_with(kCurly)) {
      mistake_ = {.where = {token.span.begin, token.span.begin + 3},
                  .message = "this quote is none to pmie",
                  .help = "a text stands in straight double quotes: \"text\""};
      return true;
    }
    if (!alert_ && token.text == "unless" && count_ > 0) return stands_for(token, "&& !"), true;
    // & joins actions.
    const bool one_sign = is(token, "&") || is(token, "|");
    if (one_sign && count_ > 0 && arrows_ == 0 && !in_action_) {
      return stands_for(token, is(token, "&") ? "&&" : "||"), true;
    }
    if (!is(token, "#") || count_ > 0) return false;
    mistake_ = {
        .where = token.span, .message = "a comment begins with //", .label = "did you mean //?"};
    return true;
  }

  // groups:, x[5m], x{instance="sda"}
  bool of_prometheus(const RoughToken& token) {
    const bool word_before = before_.kind == RoughToken::Kind::word;
    if (is(token, ":") && count_ == 1 && before_.text == "groups") {
      mistake_ = {.where = before_.span,
                  .message = "these are rules of Prometheus",
                  .help = "a rule is NAME = CONDITION -> ACTION; `man pmjit-rules` has examples",
                  .spoils_rest = true};
      return true;
    }
    if (is(token, "[") && word_before && is_range(in_brackets(token))) {
      mistake_ = {
          .where = token.span,
          .message = fmt::format("there are no ranges of time such as [{}]", in_brackets(token)),
          .help = fmt::format("a rate is over two samples; the mean of the last five is: "
                              "avg_sample {} @0..4",
                              before_.text)};
      return true;
    }
    if (!is(token, "{") || !word_before || before_.span.end != token.span.begin) return false;
    in_braces_ = true;
    const std::string_view line = rest_of_line(token);
    const size_t open = line.find('"'), close = line.find('"', open + 1);
    const bool names_one = close != line.npos && close < line.find('}');
    mistake_ = {.where = token.span,
                .message = "there are no labels in braces",
                .help = fmt::format("an instance stands behind #: {} #'{}'", before_.text,
                                    names_one ? line.substr(open + 1, close - open - 1) : "sda")};
    return true;
  }

  // 5m, 1h30m
  static bool is_range(std::string_view text) {
    const bool begins = !text.empty() && is_digit(text.front()) && is_letter(text.back());
    return begins && std::ranges::all_of(text, [](char c) {
             return is_digit(c) || std::string_view("mshdwy").contains(c);
           });
  }

  // load #"1 minute", load #1
  bool no_instance(const RoughToken& token) {
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
  bool no_definition(const RoughToken& token) {
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

  // What a rule looks like elsewhere: `if x > 5 then`, `busy: x > 5`, x[sda], x > 10%.
  bool of_other_rules(const RoughToken& token) {
    constexpr std::string_view kRule = "a rule is NAME = CONDITION -> ACTION;";
    const bool word = token.kind == RoughToken::Kind::word;
    const bool begins = token.text == "if" || token.text == "when" || token.text == "rule";
    if (word && count_ == 0 && begins) {
      first_word_ = token;
      return false;
    }
    const bool clause = token.text == "else" || token.text == "otherwise";
    if (word && count_ == 0 && clause) {
      mistake_ = {.where = token.span,
                  .message = fmt::format("no rule begins with {}", token.text),
                  .help = fmt::format("leave out the ; before {}", token.text)};
      return true;
    }
    const bool word_before = before_.kind == RoughToken::Kind::word;
    if (first_word_ && count_ == 1 && word) {
      mistake_ = {.where = first_word_->span,
                  .message = fmt::format("no rule begins with {}", first_word_->text),
                  .help = std::string(kRule),
                  .may_be_metric = true};
      return true;
    }
    if (is(token, ":") && count_ == 1 && word_before && ends_a_name(token)) {
      mistake_ = {.where = token.span,
                  .message = fmt::format("{} has a : behind it", before_.text),
                  .label = "did you mean =?",
                  .help = std::string(kRule)};
      return true;
    }
    if (is(token, "[") && word_before && !is_number(before_.text)) {
      mistake_ = {.where = token.span,
                  .message = fmt::format("an instance of {} stands behind #", before_.text),
                  .help = fmt::format("for instance: {} #'{}'", before_.text, in_brackets(token))};
      return true;
    }
    if (is(token, "%") && word_before && is_number(before_.text) && !is_share(token)) {
      mistake_ = {.where = token.span,
                  .message = "there is no unit %",
                  .help = is_of_instances(token)
                              ? fmt::format("a share of the instances is {} %_inst", before_.text)
                              : "for instance: mem.util.free < 0.1 * mem.physmem"};
      return true;
    }
    return false;
  }

  [[nodiscard]] std::string_view rest_of_line(const RoughToken& token) const {
    return text_.substr(token.span.end, text_.find('\n', token.span.end) - token.span.end);
  }
  // What stands between [ and ], else a name of an instance.
  [[nodiscard]] std::string_view in_brackets(const RoughToken& open) const {
    const std::string_view line = rest_of_line(open);
    const size_t close = line.find(']');
    std::string_view name = line.substr(0, close == line.npos ? 0 : close);
    constexpr std::string_view kQuotes = "\"'";
    while (!name.empty() && kQuotes.contains(name.front())) name.remove_prefix(1);
    while (!name.empty() && kQuotes.contains(name.back())) name.remove_suffix(1);
    return name.empty() ? "sda" : name;
  }

  // `busy: x > 5`, not a host as in load :web1.
  [[nodiscard]] bool ends_a_name(const RoughToken& colon) const {
    const std::string_view rest = text_.substr(colon.span.end);
    return before_.span.end == colon.span.begin && !rest.empty() && is_blank(rest.front());
  }
  static bool is_blank(char c) { return std::string_view(" \t\r\n").contains(c); }

  // 50% some_inst, 50 %inst
  [[nodiscard]] bool is_of_instances(const RoughToken& percent) const {
    std::string_view rest = rest_of_line(percent);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    return std::ranges::any_of(
        std::initializer_list<std::string_view>{"inst", "some_inst", "all_inst", "of "},
        [&](std::string_view word) { return rest.starts_with(word); });
  }

  // 50 %_inst
  [[nodiscard]] bool is_share(const RoughToken& percent) const {
    return text_.substr(percent.span.end).starts_with('_');
  }

  // 500 MB, 500MB, 500 kbytes, 500 count/s
  bool no_unit(const RoughToken& token) {
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

  // x > 5 count/sec for 1 min
  bool behind_unit(const RoughToken& token) {
    const bool begins_time = token.text == "for" || token.text == "keep" || token.text == "stale";
    const bool unit_before =
        before_.kind == RoughToken::Kind::word && find_unit(before_.text) != nullptr;
    return begins_time && unit_before && of_alert(token);
  }

  // `x > 5 for 1 min` is of an alert.
  bool of_alert(const RoughToken& token) {
    if (alert_ || token.text == "unknown" || token.text == "otherwise" || token.text == "else") {
      return false;
    }
    mistake_ = {.where = token.span,
                .message = fmt::format("`{}` is only in an alert", token.text),
                .help = "an alert is of the strict dialect: NAME = alert x > 5 for 10 min -> …"};
    return true;
  }

  bool near_alert_word(const RoughToken& token) {
    const auto* const other = std::ranges::find(kOtherAlertWords, token.text, &OtherWord::written);
    auto near = near_names(token.text, {std::begin(kAlertWords), std::end(kAlertWords)});
    if (other != std::end(kOtherAlertWords)) near = {std::string(other->meant)};
    if (near.empty() || !unit_meant(token.text).empty()) return false;
    no_alert_word(token, near_names_text(near), "");
    return true;
  }

  void no_alert_word(const RoughToken& token, std::string meant, std::string help) {
    mistake_ = {.where = token.span,
                .message = fmt::format("there is no {} in an alert", token.text),
                .label = std::move(meant),
                .help = std::move(help)};
  }

  // `alert crit x > 5`, `x > 5 count/sec util …`, `x > 5 severity critical`: a word where only
  // words of an alert stand.
  bool of_this_alert(const RoughToken& token) {
    if (!alert_ || token.kind != RoughToken::Kind::word || is_alert_word(token.text)) return false;
    const bool word_before = before_.kind == RoughToken::Kind::word;
    if (before_that_.text == "alert" && word_before && is_letter(before_.text.front())) {
      if (is_alert_word(before_.text)) return false;
      if (near_alert_word(before_)) return true;
      const auto words = words_before_operands();
      const bool is_operator = std::ranges::find(words, before_.text) != words.end() ||
                               before_.text == "known" || before_.text.contains('.');
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
      no_alert_word(token, "", "the severity stands behind alert: alert critical x > 5");
      return true;
    }
    return near_alert_word(token);
  }

  // An operand follows a word that nearly names an operator.
  bool no_word(const RoughToken& token) {
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

  void close(const RoughToken& token) {
    if (!open_.empty()) return open_.pop_back();
    mistake_ = {.where = token.span, .message = "this ) closes nothing"};
  }

  void lacks_end(const RoughToken& last) {
    const auto lines = std::ranges::count(text_.substr(0, last.span.end), '\n');
    mistake_ = {.where = {last.span.end, last.span.end},
                .message = fmt::format("missing ; at the end of line {}", lines + 1)};
    mistake_->unended = name_;
  }

  void no_action(const RoughToken& token) {
    const auto near = near_names(token.text, {std::begin(kActions), std::end(kActions)});
    mistake_ = {.where = token.span,
                .message = fmt::format("there is no action {}", token.text),
                .label = near_names_text(near),
                .help = fmt::format("the actions are {}", fmt::join(kActions, ", "))};
  }

  std::string_view text_;
  RoughToken before_{}, before_that_{};
  std::string_view name_;  // of the statement
  size_t count_ = 0, arrows_ = 0;
  bool in_action_ = false, before_is_action_ = false, in_braces_ = false;
  std::optional<RoughToken> first_word_{};  // `if`
  std::optional<uint32_t> rated_{};         // where the ( behind `rate` is
  std::vector<Span> open_;
  std::optional<Span> alert_;
  std::optional<UsualMistake> mistake_;
};

struct LookedAt {
  Span statement;
  std::optional<UsualMistake> mistake;
  std::optional<Span> alert{};
};

std::vector<LookedAt> look_at(std::string_view text) {
  std::vector<LookedAt> out;
  RoughScanner scanner(text);
  uint32_t begin = 0;
  for (bool goes_on = true; goes_on;) {
    StatementLook look(text);
    uint32_t end = begin;
    for (;;) {
      const RoughToken token = scanner.next();
      const bool closes_labels = look.in_braces() && token.text == "}";
      look.take(token);
      end = token.span.end;
      goes_on = token.kind != RoughToken::Kind::end;
      if (ends_statement(token) && !closes_labels) break;
    }
    out.push_back({{begin, end}, look.mistake(), look.alert()});
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
  return diag.code == DiagCode::S_NoSuchMetric || diag.code == DiagCode::S_RuleMetric;
}

// The macro's name; empty: it is another message.
std::string_view undefined_macro(const Diag& diag) {
  if (diag.code != DiagCode::R_NoMacro && diag.code != DiagCode::P_RuleText) return {};
  const std::string_view text = diag.message;
  return text.starts_with("undefined macro ") ? text.substr(text.find('$') + 1)
                                              : std::string_view();
}

// The statement before a macro is used that would define it, had it a ; behind it. None: end().
std::vector<LookedAt>::const_iterator unended(const std::vector<LookedAt>& statements,
                                              const Diag& diag) {
  const std::string_view macro = undefined_macro(diag);
  if (macro.empty()) return statements.end();
  return std::ranges::find_if(statements, [&](const LookedAt& one) {
    return one.mistake && one.mistake->unended == macro &&
           one.mistake->where.begin <= diag.span.begin;
  });
}

// The statement whose mistake is what a message is about. `spoilt`: by one before. None: end().
std::vector<LookedAt>::const_iterator explaining(const std::vector<LookedAt>& statements,
                                                 const Diag& diag, bool spoilt) {
  const auto defines = unended(statements, diag);
  if (defines != statements.end()) return defines;
  const auto of = std::ranges::lower_bound(statements, diag.span.begin + 1, {},
                                           [](const LookedAt& one) { return one.statement.end; });
  if (of == statements.end() || (!of->mistake && !spoilt)) return statements.end();
  const bool metric =
      of->mistake && of->mistake->may_be_metric && of->mistake->where.begin == diag.span.begin;
  return is_syntax(diag) || metric ? of : statements.end();
}

void add(const UsualMistake& mistake, Diags& out) {
  Diag& diag = out.add(mistake.code, mistake.where, "");
  diag.message = mistake.message;
  if (!mistake.label.empty()) diag.label(mistake.where, mistake.label);
  if (!mistake.help.empty()) diag.help(mistake.help);
}

// Where pmie stumbles over an alert. None: end().
std::vector<LookedAt>::const_iterator at_alert(const std::vector<LookedAt>& statements,
                                               const Diag& diag) {
  if (diag.code != DiagCode::P_RuleText) return statements.end();
  const auto of = std::ranges::lower_bound(statements, diag.span.begin + 1, {},
                                           [](const LookedAt& one) { return one.statement.end; });
  return of != statements.end() && of->alert ? of : statements.end();
}

// The dialect pmie has no alerts.
UsualMistake alert_in_pmie(Span where) {
  return {.code = DiagCode::P_RuleText,
          .where = where,
          .message = "an alert is of the strict dialect",
          .help = "write `// pmjit: dialect=strict` in the first line, or --dialect strict"};
}

}  // namespace

std::optional<uint32_t> open_comment(std::string_view text) {
  if (!text.contains("/*")) return std::nullopt;
  RoughScanner scanner(text);
  while (scanner.next().kind != RoughToken::Kind::end) {
  }
  return scanner.open_comment();
}

Diags with_usual_mistakes(std::string_view text, Diags diags) {
  const auto concerns = [](const Diag& diag) {
    return is_syntax(diag) || is_metric(diag) || diag.code == DiagCode::R_NoMacro;
  };
  if (std::ranges::none_of(diags.all(), concerns)) return diags;
  const std::vector<LookedAt> statements = look_at(text);
  std::vector<bool> said(statements.size()), foreign(statements.size());
  Diags out;
  bool spoilt = false;
  for (const Diag& diag : diags.all()) {
    if (const auto here = at_alert(statements, diag); here != statements.end() && !spoilt) {
      const auto number = static_cast<size_t>(here - statements.begin());
      if (!foreign[number]) add(alert_in_pmie(*here->alert), out);
      foreign[number] = true;
      continue;
    }
    const auto of = explaining(statements, diag, spoilt);
    if (of == statements.end()) {
      out.append(diag);
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
