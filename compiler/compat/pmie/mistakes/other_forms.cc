#include "compiler/compat/pmie/mistakes/statement_look.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/ast/words.h"
#include "compiler/compat/pmie/mistakes/meant_words.h"
#include "compiler/compat/pmie/settings.h"
#include "compiler/compat/pmie/words.h"
#include "runtime/base/blanks.h"
#include "runtime/base/chars.h"

namespace pmjit::pmie {

namespace {

constexpr std::string_view kIncludes[] = {"include", "import", "source", "load"};
constexpr std::string_view kAssigns[] = {"let", "define", "const", "var", "set", "def"};
constexpr std::string_view kOverTime = "_over_time";

bool is_one_of(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

}  // namespace

// Statements, calls and lists as other languages have them.
bool StatementLook::other_form(const RoughToken& token) {
  return other_end(token) || other_statement(token) || late_comment(token) || other_call(token) ||
         other_list(token) || several_words(token) || behind_number(token) || action_call(token) ||
         bare_match(token) || split_arrow(token) || chained(token) || clock_word(token) ||
         named_day(token) || plus_sign(token) || two_amounts(token) || braces(token) ||
         other_operator(token) || action_without_text(token) || named_as_word(token);
}

// include "other.pmie", let limit = 5, define LIMIT 5
bool StatementLook::other_statement(const RoughToken& token) {
  if (count_ != 1 || before_.kind != RoughToken::Kind::word) return false;
  const bool text = token.kind == RoughToken::Kind::text;
  if (text && is_one_of(kIncludes, before_.text)) {
    mistake_ = {.where = before_.span,
                .message = fmt::format("rules have no `{}`", before_.text),
                .help = "a file takes in no other: name both files behind the verb",
                .may_be_metric = true};
    return true;
  }
  const bool name = token.kind == RoughToken::Kind::word && is_letter(token.text.front());
  if (!name || !is_one_of(kAssigns, before_.text)) return false;
  std::string_view value = rest_of_line(token);
  value = without_blanks(value.substr(0, value.find(';')));
  if (value.starts_with('=')) value = without_blanks(value.substr(1));
  mistake_ = {.where = before_.span,
              .message = fmt::format("rules have no `{}`", before_.text),
              .help = fmt::format("write {} = {};", token.text, value.empty() ? "5" : value),
              .may_be_metric = true,
              .defines = token.text};
  return true;
}

// x > 5 # a comment, -- a comment
bool StatementLook::late_comment(const RoughToken& token) {
  if (is(token, "-") && count_ == 1 && is(before_, "-")) {
    mistake_ = {.where = {before_.span.begin, token.span.end},
                .message = "a comment begins with //",
                .label = "did you mean //?"};
    return true;
  }
  const std::string_view behind = rest_of_line(token);
  if (!is(token, "#") || (!behind.empty() && !is_blank(behind.front()))) return false;
  const std::string_view said = without_blanks(behind);
  if (!said.empty() && std::string_view("'\"<>=!").contains(said.front())) return false;
  mistake_ = {
      .where = token.span, .message = "a comment begins with //", .label = "did you mean //?"};
  return true;
}

// rate(x, 5 min), sum_inst (x, y), avg_over_time(x)
bool StatementLook::other_call(const RoughToken& token) {
  if (is(token, ",") && !open_.empty() && !in_action_) {
    const bool rate = rated_ == open_.back().begin;
    mistake_ = {.where = token.span,
                .message = rate ? "rate takes one value" : "there are no lists with , here",
                .help = rate ? "a rate is over one interval of the rule: write delta = 5 min; "
                               "above it"
                        : over_samples_ ? fmt::format("of the last five samples: {} METRIC @0..4",
                                                      *over_samples_)
                                        : "an operator such as sum_inst has one operand behind it",
                .may_be_metric = true};
    return true;
  }
  const bool calls = is(token, "(") && before_.kind == RoughToken::Kind::word;
  if (calls && before_.text.ends_with("_sample")) over_samples_ = before_.text;
  if (!calls || !before_.text.ends_with(kOverTime)) return false;
  if (rest_of_line(token).contains('[')) return false;  // its range says more
  const std::string_view stem = before_.text.substr(0, before_.text.size() - kOverTime.size());
  constexpr std::string_view kStems[] = {"avg", "sum", "min", "max", "count"};
  mistake_ = {.where = before_.span,
              .message = fmt::format("rules have no function {}", before_.text),
              .help = fmt::format("of the last five samples it is: {}_sample METRIC @0..4",
                                  is_one_of(kStems, stem) ? stem : "avg"),
              .may_be_metric = true};
  return true;
}

// x #'sda','sdb', x :web1,web2, x between 3 5, x in (3, 5), x =~ "^a"
bool StatementLook::other_list(const RoughToken& token) {
  const bool word = before_.kind == RoughToken::Kind::word;
  const bool instance = is(before_that_, "#") && word, host = is(before_that_, ":") && word;
  if (is(token, ",") && (instance || (host && count_ > 2))) {
    std::string_view next = without_blanks(rest_of_line(token));
    next = next.starts_with('\'') ? next.substr(0, next.find('\'', 1) + 1)
                                  : next.substr(0, next.find_first_of(" ,\t;"));
    mistake_ = {.where = token.span,
                .message = fmt::format("{} have no , between them", host ? "hosts" : "instances"),
                .help = fmt::format("write {0}{1} {0}{2}", before_that_.text, before_.text, next)};
    return true;
  }
  constexpr std::string_view kMatches[] = {"=~", "!~", "like", "matches"};
  if (count_ > 0 && is_one_of(kMatches, token.text)) {
    mistake_ = {.where = token.span,
                .message = "a condition compares no patterns",
                .help = "a pattern selects instances: match_inst \"^sd\" disk.dev.read > 5",
                .may_be_metric = true};
    return true;
  }
  const bool operand_before = count_ > 1 && may_end();
  if (!operand_before || (token.text != "between" && token.text != "in")) return false;
  mistake_ = {.where = token.span,
              .message = fmt::format("rules have no `{}`", token.text),
              .help = token.text == "in" ? "compare with each: x == 3 || x == 5"
                                         : "compare with both: x >= 3 && x <= 5",
              .may_be_metric = true};
  return true;
}

// hosts = web1 web2;
bool StatementLook::several_words(const RoughToken& token) {
  const bool word = token.kind == RoughToken::Kind::word && !token.begins_line;
  const bool second = count_ == 3 && is(before_that_, "=") && (word || is(token, ","));
  if (!second || before_.kind != RoughToken::Kind::word || !is_letter(before_.text.front())) {
    return false;
  }
  const auto words = words_before_operands();
  if (std::ranges::find(words, before_.text) != words.end()) return false;
  const std::string_view rest = text_.substr(before_.span.begin);
  const std::string_view list = rest.substr(0, rest.find_first_of(";\n"));
  const bool plain =
      list.size() < rest.size() && rest[list.size()] == ';' &&
      std::ranges::all_of(
          list,
          [](char c) {
            return is_letter(c) || is_digit(c) || is_blank(c) || c == ',' || c == '_';
          });
  if (!plain || before_.text == "alert") return false;
  const bool hosts = name_.contains("host");
  mistake_ = {.where = token.span,
              .message = "a macro has one value",
              .help = hosts ? "name each host behind a metric: kernel.all.nprocs :web1 :web2"
                            : fmt::format("a text has double quotes: {} = \"{}\";", name_, list),
              .may_be_metric = true};
  return true;
}

// x > 10 :web1
bool StatementLook::behind_number(const RoughToken& token) {
  const bool unit = before_.kind == RoughToken::Kind::word && find_unit(before_.text) != nullptr;
  const bool number = before_.kind == RoughToken::Kind::word && is_number(before_.text);
  if (!is(token, ":") || count_ < 3 || in_action_ || (!unit && !number)) return false;
  if (is(before_that_, "@")) return false;  // @0:3
  const std::string_view behind = rest_of_line(token);
  const size_t digits = std::min(behind.find_first_not_of("0123456789"), behind.size());
  if (number && digits > 0 && before_.span.end == token.span.begin) {
    mistake_ = {.where = {before_.span.begin, token.span.end + static_cast<uint32_t>(digits)},
                .message = "a condition has no times of day",
                .help = fmt::format("compare each: $hour == {} && $minute == {}", before_.text,
                                    behind.substr(0, digits))};
    return true;
  }
  mistake_ = {.where = token.span,
              .message = "a host stands behind a metric, not behind a number",
              .help = "for instance: kernel.all.nprocs :web1 > 500"};
  return true;
}

// x > 5 - > print "x", x > 5->print "x"
bool StatementLook::split_arrow(const RoughToken& token) {
  if (is(token, "->") && is_number(before_.text) && before_.span.end == token.span.begin) {
    mistake_ = {.where = token.span,
                .message = "pmie reads the - of this -> with the number before it",
                .help = fmt::format("write a blank between them: {} ->", before_.text)};
    return true;
  }
  if (!is(before_, "-") || !is(token, ">")) return false;
  mistake_ = {.where = {before_.span.begin, token.span.end},
              .message = "-> is one sign, without a blank in it"};
  return true;
}

// hour > 8
bool StatementLook::clock_word(const RoughToken& token) {
  constexpr std::string_view kBefore[] = {"=", "(", "&&", "||", "!"};
  constexpr std::string_view kBehind[] = {"<", ">", "<=", ">=", "==", "!=", "("};
  const bool sign = token.kind == RoughToken::Kind::sign && is_one_of(kBehind, token.text);
  if (!sign || !is_one_of(variable_names(), before_.text)) return false;
  if (is(token, "(") && before_.text == name_of(Variable::delta)) return false;  // a function
  if (count_ > 1 && !is_one_of(kBefore, before_that_.text)) return false;
  mistake_ = {.where = before_.span,
              .message = fmt::format("{} is a unit of time here", before_.text),
              .label = fmt::format("did you mean ${}?", before_.text),
              .may_be_metric = true};
  return true;
}

// $day_of_week == Sunday, $month == "March"
bool StatementLook::named_day(const RoughToken& token) {
  constexpr std::string_view kDays[] = {"sun", "mon", "tue", "wed", "thu", "fri", "sat"};
  constexpr std::string_view kMonths[] = {"jan", "feb", "mar", "apr", "may", "jun",
                                          "jul", "aug", "sep", "oct", "nov", "dec"};
  const bool day = before_that_.text == name_of(Variable::day_of_week);
  const bool month = before_that_.text == name_of(Variable::month);
  const bool sign = before_.kind == RoughToken::Kind::sign;
  if (!sign || (!day && !month) || token.kind == RoughToken::Kind::sign) return false;
  std::string name(
      token.text.substr(std::min(token.text.find_first_not_of("\"'"), token.text.size())));
  std::ranges::transform(name, name.begin(), [](char c) {
    return is_letter(c) ? static_cast<char>(c | 0x20) : c;  // a small one
  });
  const std::span<const std::string_view> names =
      day ? std::span<const std::string_view>(kDays) : std::span<const std::string_view>(kMonths);
  const auto of =
      std::ranges::find_if(names, [&](std::string_view known) { return name.starts_with(known); });
  if (of == names.end()) return false;
  mistake_ = {
      .where = token.span,
      .message = fmt::format("${} is a number", before_that_.text),
      .help = fmt::format("write {} {}; {}", before_.text, of - names.begin(),
                          day ? "0 is Sunday, 6 is Saturday" : "0 is January, 11 is December"),
      .may_be_metric = true};
  return true;
}

// print("x"), print "x" + "y"
bool StatementLook::action_call(const RoughToken& token) {
  if (is(token, "(") && before_is_action_) {
    mistake_ = {.where = token.span,
                .message = fmt::format("the text of {} has no ( before it", before_.text),
                .help = fmt::format("write {} \"text\"", before_.text)};
  } else if (is(token, "+") && in_action_ && before_.kind == RoughToken::Kind::text) {
    mistake_ = {.where = token.span,
                .message = "rules have no `+` behind a text",
                .help = "several texts follow each other: \"a\" \"b\"; & joins actions"};
  }
  return mistake_.has_value();
}

// some_inst match "vd*" x > 5
bool StatementLook::bare_match(const RoughToken& token) {
  if (token.kind != RoughToken::Kind::text || before_.text != "match") return false;
  if (before_.kind != RoughToken::Kind::word || in_action_) return false;
  mistake_ = {.where = before_.span,
              .message = "rules have no match",
              .label = "did you mean match_inst?",
              .may_be_metric = true};
  return true;
}

// 5 < x < 9
bool StatementLook::chained(const RoughToken& token) {
  constexpr std::string_view kRelations[] = {"<", ">", "<=", ">=", "==", "!="};
  constexpr std::string_view kEnds[] = {"&&", "||", "->", "(", ")", "=", "!"};
  // What it counts is compared again.
  if (token.text.starts_with("count_")) counts_ = token, compared_count_ = 0;
  if (is_alert_word(token.text)) compared_.reset();
  if (token.kind != RoughToken::Kind::sign) return false;
  if (is_one_of(kEnds, token.text)) compared_.reset();
  if (!is_one_of(kRelations, token.text)) return false;
  ++compared_count_;
  if (!may_end()) return false;
  if (is(token, "==") && count_ == 1 && !before_.text.contains('.')) {
    const std::string_view line = rest_of_line(token);
    const std::string_view condition = line.substr(0, line.find("->"));
    if (condition.find_first_of("<>=") != condition.npos) {
      mistake_ = {.where = token.span,
                  .message = fmt::format("one = is enough behind the name {}", before_.text),
                  .label = "did you mean =?",
                  .may_be_metric = true};
      return true;
    }
  }
  if (!compared_ || counts_) {
    compared_ = before_.text;
    compared_at_ = token.span;
    return false;
  }
  const std::string_view again =
      without_blanks(text_.substr(compared_at_.end, token.span.begin - compared_at_.end));
  mistake_ = {.where = token.span,
              .message = "two comparisons need && between them",
              .help = fmt::format("write {} again: … && {} {} …", again, again, token.text)};
  return true;
}

// A , or : or . at the end of a line, behind which a statement begins: print "x",
bool StatementLook::other_end(const RoughToken& token) {
  const bool sign = is(token, ",") || is(token, ":") || token.text == ".";
  if (!sign || !may_end() || !open_.empty()) return false;
  if (!without_blanks(rest_of_line(token)).empty()) return false;
  RoughScanner scanner(text_.substr(token.span.end));
  const RoughToken name = scanner.next();
  const bool begins = name.kind == RoughToken::Kind::word && is(scanner.next(), "=");
  if (!begins && name.kind != RoughToken::Kind::end) return false;
  mistake_ = {.where = token.span,
              .message = fmt::format("a statement ends with ;, not with {}", token.text),
              .label = "did you mean ;?",
              .may_be_metric = true};
  return true;
}

// { x > 5 } -> …, and braces around rules
bool StatementLook::braces(const RoughToken& token) {
  const bool square = is(token, "[");
  if (!square && !is(token, "{")) return false;
  if (in_action_ || is(before_, "->") || is(before_, "$")) return false;
  if (before_.kind == RoughToken::Kind::word && before_.span.end == token.span.begin) return false;
  in_braces_ = !square && count_ > 0;
  mistake_ = {.where = token.span,
              .message = square ? "rules have no [ ]" : "rules have no braces",
              .help = count_ == 0 ? "leave them out: rules follow one another, each with its ;"
                                  : "write ( ) around a condition"};
  return true;
}

// x ** 2, x % 2 == 1, disk.dev.* > 5, the end of a comment that has not begun
bool StatementLook::other_operator(const RoughToken& token) {
  const bool word_before =
      before_.kind == RoughToken::Kind::word && is_letter(before_.text.front());
  const bool behind_metric = word_before && before_.text.contains('.');
  const Span both{before_.span.begin, token.span.end};
  if (is(token, "*") && is(before_, "*")) {
    mistake_ = {.where = both, .message = "rules have no `**`", .help = "multiply: x * x"};
  } else if (is(token, "%") && behind_metric) {
    mistake_ = {.where = token.span,
                .message = "rules have no remainder `%`",
                .help = "they calculate with + - * / alone; 50 %_inst is of the instances"};
  } else if (is(token, "*") && word_before && before_.text.ends_with('.')) {
    mistake_ = {.where = both,
                .message = "rules have no patterns of metric names",
                .help = "name each metric; `pmjit info ARCHIVE` lists them",
                .may_be_metric = true};
  } else if (is(token, "/") && is(before_, "*") && count_ == 1) {
    mistake_ = {
        .where = both, .message = "no comment ends here", .help = "leave the */ out, or write /*"};
  }
  return mistake_.has_value();
}

// print = x > 5 -> …
bool StatementLook::named_as_word(const RoughToken& token) {
  if (!is(token, "=") || count_ != 1 || before_.kind != RoughToken::Kind::word) return false;
  const auto words = words_before_operands();
  const bool taken =
      is_action(before_.text) || std::ranges::find(words, before_.text) != words.end();
  if (!taken) return false;
  mistake_ = {.where = before_.span,
              .message = fmt::format("{} is a word of rules, and no name", before_.text),
              .label = fmt::format("did you mean my_{}?", before_.text)};
  return true;
}

// syslog 5 min print "x"
bool StatementLook::action_without_text(const RoughToken& token) {
  const bool word = token.kind == RoughToken::Kind::word && before_.kind == RoughToken::Kind::word;
  const bool timed = word && in_action_ && is_action(token.text) &&
                     (is_number(before_.text) || find_unit(before_.text) != nullptr);
  if (!timed) return false;
  mistake_ = {.where = token.span,
              .message = fmt::format("{} has no text, and {} follows", action_, token.text),
              .help = fmt::format("leave {} out, or write {} \"text\" & {} \"text\"", token.text,
                                  action_, token.text)};
  return true;
}

// x > +5
bool StatementLook::plus_sign(const RoughToken& token) {
  const bool first = before_.kind == RoughToken::Kind::sign && !is(before_, ")") && count_ > 1;
  if (!is(token, "+") || !first || in_action_ || std::string_view("#@:$").contains(before_.text)) {
    return false;
  }
  mistake_ = {.where = token.span,
              .message = "a number or metric cannot have a + before it",
              .help = "leave out the +"};
  return true;
}

// 1 min 30 sec
bool StatementLook::two_amounts(const RoughToken& token) {
  const UnitWord* const unit =
      before_.kind == RoughToken::Kind::word ? find_unit(before_.text) : nullptr;
  const bool number = token.kind == RoughToken::Kind::word && is_number(token.text);
  if (unit == nullptr || !number || token.begins_line || !is_number(before_that_.text)) {
    return false;
  }
  const std::string_view line = rest_of_line(token);
  const std::string_view more = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
  const std::string_view unit_behind = more.substr(0, more.find_first_of(" \t;)\"&|<>=-+*/"));
  const auto seconds = seconds_meant(
      fmt::format("{}{}{}{}", before_that_.text, before_.text, token.text, unit_behind));
  mistake_ = {.where = token.span,
              .message = "a value has one number with one unit",
              .help = seconds ? fmt::format("write {:g} sec", *seconds)
                              : "write it in one unit, such as 90 sec",
              .may_be_metric = true};
  return true;
}

}  // namespace pmjit::pmie
