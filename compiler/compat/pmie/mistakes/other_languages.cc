#include "compiler/compat/pmie/mistakes/statement_look.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "compiler/ast/words.h"
#include "compiler/compat/pmie/mistakes/meant_words.h"
#include "compiler/compat/pmie/mistakes/usual_mistakes.h"
#include "runtime/base/blanks.h"
#include "runtime/base/chars.h"

namespace pmjit::pmie {

namespace {

// 5m, 1h30m
bool is_range(std::string_view text) {
  const bool begins = !text.empty() && is_digit(text.front()) && is_letter(text.back());
  return begins && std::ranges::all_of(text, [](char c) {
           return is_digit(c) || std::string_view("mshdwy").contains(c);
         });
}

// Of what stands behind [: the name up to ], else a name of an instance.
std::string_view in_brackets(std::string_view line) {
  const size_t close = line.find(']');
  std::string_view name = line.substr(0, close == line.npos ? 0 : close);
  constexpr std::string_view kQuotes = "\"'";
  while (!name.empty() && kQuotes.contains(name.front())) name.remove_prefix(1);
  while (!name.empty() && kQuotes.contains(name.back())) name.remove_suffix(1);
  return name.empty() ? "sda" : name;
}

// Of what stands behind %: 50% some_inst, 50 %inst
bool is_of_instances(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"inst", "some_inst", "all_inst", "of "},
      [&](std::string_view word) { return line.starts_with(word); });
}

// 5% of mem.physmem
bool is_part(std::string_view number, std::string_view line) {
  const std::string_view rest = without_blanks(line);
  return is_number(number) && rest.starts_with("of ") &&
         without_blanks(rest.substr(3)).substr(0, rest.find_first_of(" ->)", 3)).contains('.');
}
std::string part_of(std::string_view number, std::string_view line) {
  constexpr double kPercent = 100;
  double share = 0;
  std::from_chars(number.data(), number.data() + number.size(), share);
  const std::string_view metric = without_blanks(without_blanks(line).substr(3));
  return fmt::format("write {:g} * {}", share / kPercent,
                     metric.substr(0, metric.find_first_of(" ->);")));
}

std::string_view next_word(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line.substr(0, line.find_first_of(" \t\"("));
}

}  // namespace

void StatementLook::stands_for(const RoughToken& token, std::string_view meant,
                               std::string_view where) {
  mistake_ = {.where = token.span,
              .message = fmt::format("rules have no `{}`{}", token.text, where),
              .label = fmt::format("did you mean {}?", meant),
              .may_be_metric = true};
}

// A word or sign of another language.
bool StatementLook::foreign(const RoughToken& token) {
  const std::string_view meant = other_word_meant(token.text);
  if (joins_actions(token) || of_promql(token)) return true;
  if (token.text == "=>" && !is_action(next_word(rest_of_line(token)))) {
    return stands_for(token, ">="), true;
  }
  if (!meant.empty()) return stands_for(token, meant), true;
  if (comma(token) || name_behind(token) || comparing_word(token)) return true;
  if (is(token, "?")) {
    mistake_ = {.where = token.span,
                .message = "rules have no ? :",
                .help =
                    "a ruleset takes the first condition that is true: "
                    "NAME = ruleset CONDITION -> ACTION else CONDITION -> ACTION"};
    return true;
  }
  if (other_sign(token)) return true;
  if (!alert_ && token.text == "unless" && count_ > 0) return stands_for(token, "&& !"), true;
  // & joins actions.
  const bool one_sign = is(token, "&") || is(token, "|");
  if (one_sign && count_ > 0 && arrows_ == 0 && !in_action_) {
    return stands_for(token, is(token, "&") ? "&&" : "||", " between conditions"), true;
  }
  if (!is(token, "#") || count_ > 0) return false;
  mistake_ = {
      .where = token.span, .message = "a comment begins with //", .label = "did you mean //?"};
  return true;
}

// x greater 5, x > 5 \ at the end of a line
bool StatementLook::comparing_word(const RoughToken& token) {
  if (is(token, "\\")) {
    mistake_ = {.where = token.span,
                .message = "rules have no sign \\",
                .help = "leave it out: a rule goes on up to its ;"};
    return true;
  }
  const std::string_view meant = relation_meant(token.text);
  const bool behind_value =
      is(before_, ")") || (before_.kind == RoughToken::Kind::word && before_.text.contains('.'));
  if (meant.empty() || !behind_value || in_action_) return false;
  return stands_for(token, meant), true;
}

// x offset 5m, x > bool 5
bool StatementLook::of_promql(const RoughToken& token) {
  const bool behind_metric = before_.kind == RoughToken::Kind::word && before_.text.contains('.');
  const bool relates = before_.kind == RoughToken::Kind::sign && !before_.text.empty() &&
                       std::string_view("<>=!").contains(before_.text.front());
  const bool offset = token.text == "offset" && behind_metric;
  if (!offset && !(token.text == "bool" && relates)) return false;
  mistake_ = {.where = token.span,
              .message = fmt::format("rules have no `{}`", token.text),
              .help = offset ? fmt::format("{} @1 is its sample before, @2 the one before that",
                                           before_.text)
                             : "leave it out: a comparison is true or false",
              .may_be_metric = true};
  return true;
}

// print "a" and syslog "b", print "a" && syslog "b", print "a" -> syslog "b"
bool StatementLook::joins_actions(const RoughToken& token) {
  if (!in_action_) return false;
  const std::string_view word = other_word_meant(token.text);
  const bool sign = is(token, "&&") || is(token, "||") || is(token, "->");
  if (!sign && word != "&&" && word != "||") return false;
  if (sign && before_.kind != RoughToken::Kind::text) return false;
  const bool first_that_works = word == "||" || is(token, "||");
  stands_for(token, first_that_works ? "|" : "&", sign ? " between actions" : "");
  mistake_->help = "A & B performs both; A | B performs B only where A fails";
  return true;
}

// Signs that a word processor writes, or that are no ASCII.
bool StatementLook::other_sign(const RoughToken& token) {
  struct OtherSign {
    std::string_view sign, meant;
  };
  constexpr OtherSign kSigns[] = {{"“", "\""}, {"”", "\""}, {"„", "\""}, {"‘", "'"},
                                  {"’", "'"},  {"–", "-"},  {"—", "-"},  {"−", "-"},
                                  {"×", "*"},  {"÷", "/"},  {"≤", "<="}, {"≥", ">="},
                                  {"≠", "!="}, {"→", "->"}, {"µ", "u"},  {"μ", "u"}};
  if (token.kind != RoughToken::Kind::sign) return false;
  if (invisible(token)) return true;
  const std::string_view rest = text_.substr(token.span.begin);
  const auto* const found = std::ranges::find_if(
      kSigns, [&](const OtherSign& one) { return rest.starts_with(one.sign); });
  if (found == std::end(kSigns)) return false;
  const auto end = token.span.begin + static_cast<uint32_t>(found->sign.size());
  const bool quote = found->meant == "\"";
  mistake_ = {.where = {token.span.begin, end},
              .message = quote ? "this is not read as a quote"
                               : fmt::format("rules have no sign {}", found->sign),
              .label = quote ? "" : fmt::format("did you mean {}?", found->meant),
              .help = quote ? "write straight double quotes: \"text\"" : ""};
  return true;
}

// A no-break space and the like, which look as blanks do.
bool StatementLook::invisible(const RoughToken& token) {
  const OtherBlank* const blank = other_blank(text_.substr(token.span.begin));
  if (blank == nullptr) return false;
  const auto end = token.span.begin + static_cast<uint32_t>(blank->bytes.size());
  mistake_ = {.where = {token.span.begin, end},
              .message = fmt::format("this is {}, and no blank", blank->name),
              .help = "delete it, and type a blank",
              .may_be_metric = true};
  return true;
}

// 1,000 or 1,5 or @0,3 or print "a", print "b" or print "a", "b"
bool StatementLook::comma(const RoughToken& token) {
  if (!is(token, ",") || count_ == 0) return false;
  const std::string_view behind = rest_of_line(token);
  if (before_that_.text.ends_with("match_inst")) {
    mistake_ = {.where = token.span,
                .message = "no , follows a pattern",
                .help = fmt::format("write {} {}{}", before_that_.text, before_.text,
                                    behind.substr(0, behind.find_first_of("<>=-;")))};
    return true;
  }
  if (in_action_) {
    const size_t first = behind.find_first_not_of(" \t");
    const bool text = first != behind.npos && behind[first] == '"';
    stands_for(token, "&");
    if (text) mistake_->label.clear();
    if (text) mistake_->help = "several texts of an action follow each other: print \"a\" \"b\"";
    return true;
  }
  const bool in_number = before_.kind == RoughToken::Kind::word && is_number(before_.text) &&
                         !behind.empty() && is_digit(behind.front());
  if (alert_ && !in_number) return false;  // between parts of the alert
  if (!in_number) return stands_for(token, "&&", " between conditions"), true;
  const size_t digits = std::min(behind.find_first_not_of("0123456789"), behind.size());
  const std::string_view more = behind.substr(0, digits);
  if (is(before_that_, "@")) {
    mistake_ = {.where = token.span,
                .message = "samples have no , between them",
                .help = fmt::format("write @{}..{}", before_.text, more)};
    return true;
  }
  constexpr size_t kThousands = 3;
  const bool thousands = digits == kThousands && before_.text != "0";
  mistake_ = {.where = token.span,
              .message = "a number has no , in it",
              .help = fmt::format("write {}{}{}", before_.text, thousands ? "" : ".", more)};
  return true;
}

// ruleset NAME = …, alert NAME = …
bool StatementLook::name_behind(const RoughToken& token) {
  const std::string_view kind = before_that_.text;
  if (!is(token, "=") || count_ != 2 || (kind != "ruleset" && kind != "alert")) return false;
  mistake_ = {.where = before_.span,
              .message = fmt::format("the name comes before {}", kind),
              .help = fmt::format("write {} = {} …", before_.text, kind),
              .may_be_metric = true};
  return true;
}

// groups:, x[5m], x{instance="sda"}
bool StatementLook::of_prometheus(const RoughToken& token) {
  const bool word_before = before_.kind == RoughToken::Kind::word;
  constexpr std::string_view kKeys[] = {"groups", "alert", "record", "expr"};
  const bool key = std::ranges::find(kKeys, before_.text) != std::end(kKeys);
  if (is(token, ":") && count_ == 1 && key) {
    mistake_ = {.where = before_.span,
                .message = "these are rules of Prometheus",
                .help = std::string(kPrometheusHelp),
                .spoils_rest = true};
    return true;
  }
  if (is(token, "[") && word_before && is_range(in_brackets(rest_of_line(token)))) {
    mistake_ = {.where = token.span,
                .message = fmt::format("there are no ranges of time such as [{}]",
                                       in_brackets(rest_of_line(token))),
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
  const std::string_view braces = line.substr(0, line.find('}'));
  const bool bare = !braces.empty() && !braces.contains('=') && !braces.contains('"');
  const bool host = without_blanks(braces).starts_with("host");
  if (host && names_one) {
    mistake_ = {.where = token.span,
                .message = "there are no labels in braces",
                .help = fmt::format("write a host with :, as in {} :{}", before_.text,
                                    line.substr(open + 1, close - open - 1))};
    return true;
  }
  mistake_ = {.where = token.span,
              .message = "there are no labels in braces",
              .help = fmt::format("write an instance with #: {} #'{}'", before_.text,
                                  names_one ? line.substr(open + 1, close - open - 1)
                                  : bare    ? braces
                                            : "sda")};
  return true;
}

// What a rule looks like elsewhere: `if x > 5 then`, `busy: x > 5`.
bool StatementLook::of_other_rules(const RoughToken& token) {
  constexpr std::string_view kRule = "a rule is NAME = CONDITION -> ACTION;";
  const bool word = token.kind == RoughToken::Kind::word;
  const bool begins = token.text == "if" || token.text == "when" || token.text == "rule";
  if (word && count_ == 0 && begins) {
    first_word_ = token;
    return false;
  }
  if (word && begins && count_ == 2 && is(before_, "=") && token.text != "rule") {
    mistake_ = {.where = token.span,
                .message = fmt::format("rules have no `{}`", token.text),
                .help = std::string(kRule),
                .may_be_metric = true};
    return true;
  }
  const bool clause = token.text == "else" || token.text == "otherwise";
  if (word && count_ == 0 && clause) {
    mistake_ = {.where = token.span,
                .message = fmt::format("no rule begins with {}", token.text),
                .help = fmt::format("leave out the ; before {}", token.text)};
    return true;
  }
  const bool word_before = before_.kind == RoughToken::Kind::word;
  if (first_word_ && count_ == 1 && (word || is(token, "("))) {
    mistake_ = {.where = first_word_->span,
                .message = fmt::format("no rule begins with {}", first_word_->text),
                .help = std::string(kRule),
                .may_be_metric = true};
    return true;
  }
  // `busy: x > 5`, not a host as in load :web1.
  const std::string_view behind = text_.substr(token.span.end, 1);
  const bool apart = !behind.empty() && is_blank(behind.front());
  const std::string_view line = rest_of_line(token);
  const size_t first = std::min(line.find_first_not_of(" \t"), line.size());
  const bool value = first < line.size() && is_digit(line[first]);
  if (is(token, ":") && count_ == 1 && word_before && apart &&
      (value || before_.span.end == token.span.begin)) {
    mistake_ = {.where = token.span,
                .message = "a rule's name is followed by =, not by :",
                .label = "did you mean =?",
                .help = std::string(kRule),
                .may_be_metric = true,
                .defines = before_.text};
    if (value) mistake_->message = "a name is followed by =, not by :";
    if (value) mistake_->help.clear();
    return true;
  }
  return other_selection(token);
}

// x[sda], x 'sda', x > 10%
bool StatementLook::other_selection(const RoughToken& token) {
  const bool word = token.kind == RoughToken::Kind::word;
  const bool word_before = before_.kind == RoughToken::Kind::word;
  // x 'sda', x "sda": a quoted name behind a metric.
  const bool text = token.kind == RoughToken::Kind::text && !in_action_ && !token.open;
  const bool quoted = text || (word && token.text.starts_with('\''));
  if (quoted && word_before && before_.text.contains('.') && !is_number(before_.text)) {
    std::string_view name = token.text.substr(1, token.text.size() - (token.open ? 1 : 2));
    if (name.starts_with('#')) name.remove_prefix(1);
    mistake_ = {.where = token.span,
                .message = fmt::format("an instance of {} is written with #", before_.text),
                .help = fmt::format("write {} #'{}'", before_.text, name)};
    return true;
  }
  if (is(token, "[") && word_before && !is_number(before_.text)) {
    mistake_ = {.where = token.span,
                .message = fmt::format("an instance of {} is written with #", before_.text),
                .help = fmt::format("for instance: {} #'{}'", before_.text,
                                    in_brackets(rest_of_line(token)))};
    return true;
  }
  if (is(token, "%") && word_before && is_number(before_.text) &&
      !rest_of_line(token).starts_with('_')) {
    percent(token.span, before_.span);
    const std::string_view line = rest_of_line(token);
    if (is_part(before_.text, line)) {
      mistake_->help = part_of(before_.text, line);
    } else if (is_of_instances(line)) {
      mistake_->help = fmt::format("a share of the instances is {} %_inst", before_.text);
    }
    return true;
  }
  return false;
}

}  // namespace pmjit::pmie
