// Where strict stumbles, too, it says more than libpcp: what is open, what was meant.
#include "compiler/differences/definitions/explain_refused.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "compiler/ast/words.h"
#include "compiler/compat/definitions/bind.h"
#include "compiler/parse/parse.h"
#include "runtime/base/chars.h"
#include "runtime/text/parse_units.h"

namespace pmjit {
namespace {

// How strict ends its message about an open parenthesis.
constexpr std::string_view kOrClose = "expected an operator or )";

// The strict dialect lists its functions behind these words. PCP has fewer functions.
constexpr std::string_view kFunctions = "functions are ";

constexpr std::string_view kNoFunction = "there is no function ";

std::string functions_text() {
  std::string out(kFunctions);
  out += "matchinst, rescale, mkconst, novalue";
  for (const std::string_view name : pcp::function_names()) out += fmt::format(", {}", name);
  return out;
}

// libpcp calls signs by the names of its tokens.
constexpr std::pair<std::string_view, std::string_view> kTokenSigns[] = {
    {"PLUS", "+"},   {"MINUS", "-"}, {"STAR", "*"}, {"SLASH", "/"}, {"QUEST", "?"}, {"COLON", ":"},
    {"LPAREN", "("}, {"LT", "<"},    {"LEQ", "<="}, {"EQ", "=="},   {"GEQ", ">="},  {"GT", ">"},
    {"NEQ", "!="},   {"AND", "&&"},  {"OR", "||"},  {"NOT", "!"}};

void use_signs(std::string& message) {
  const size_t last = message.rfind(' ') + 1;  // npos + 1 is 0
  const auto* const sign = std::ranges::find(kTokenSigns, std::string_view(message).substr(last),
                                             &std::pair<std::string_view, std::string_view>::first);
  if (sign != std::end(kTokenSigns)) message.replace(last, message.npos, sign->second);
}

// The text in the quotes before `end`.
std::string_view quoted_before(std::string_view text, size_t end) {
  const size_t close = text.substr(0, end).rfind('"');
  if (close == text.npos || close == 0) return {};
  const size_t open = text.rfind('"', close - 1);
  return open == text.npos ? std::string_view() : text.substr(open + 1, close - open - 1);
}

void add_usual_help(const std::string& expression, Diag& diag) {
  const std::string_view text = expression;
  if (text.contains("//") && !text.contains("matchinst")) {
    diag.help("a comment has its own line, which begins with #");
  } else if (diag.message.contains("Metric name expected")) {
    diag.help(text.contains("()")
                  ? "write a metric in the parentheses, such as disk.dev.read"
                  : "define what is in the parentheses as another metric, and name that");
  } else if (diag.message.contains("Constant value too large")) {
    diag.help("integers end at 4294967295 here; write a real number: 5000000000.0");
  } else if (diag.message.contains("Illegal units")) {
    const std::string near = near_unit_text(quoted_before(text, text.size()));
    diag.help(near.empty() ? "for instance \"Kbyte\", \"count / sec\", \"millisec\"" : near);
  } else if (diag.message.contains("bad regular expression")) {
    const size_t open = text.find("matchinst(");
    const size_t begin = text.find('/', open), end = text.find('/', begin + 1);
    const std::string fault = open == text.npos || end >= text.size()
                                  ? ""
                                  : pattern_fault(text.substr(begin + 1, end - begin - 1));
    diag.help(fault.empty() ? "patterns are POSIX extended regular expressions, as of grep -E"
                            : fault);
  } else if (diag.message.ends_with("expected to follow ?")) {
    diag.help("write both values: CONDITION ? VALUE : OTHER");
  } else if (diag.message.contains("expected to follow")) {
    diag.help("write a metric, a number or a function there, or leave the sign out");
  }
}

// Where the message is in the expression.
size_t offset_of(const Diag& diag, const std::function<Span(Span)>& place) {
  return static_cast<size_t>(std::max<int64_t>(
      0, static_cast<int64_t>(diag.span.begin) - static_cast<int64_t>(place({0, 0}).begin)));
}

// 'load', "load", 1e-3: the strict dialect takes these, or reads them differently.
void explain_literal(std::string_view text, const std::function<Span(Span)>& place, Diag& diag) {
  const size_t at = offset_of(diag, place);
  if (at >= text.size()) return;
  const char quote = text[at];
  const size_t close = text.find(quote, at + 1);
  const std::string_view name = text.substr(at + 1, close == text.npos ? 0 : close - at - 1);
  const bool metric = name.contains('.') && std::ranges::all_of(name, [](char c) {
                        return is_letter(c) || is_digit(c) || c == '.' || c == '_';
                      });
  if ((quote == '\'' || quote == '"') && metric) {
    diag.helps = {fmt::format("a metric has no quotes: write {}", name)};
  }
  size_t begin = at;
  while (begin > 0 && (is_digit(text[begin - 1]) || text[begin - 1] == '.')) --begin;
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + begin, end, number);
  const bool exponent = (quote == 'e' || quote == 'E') && begin < at && read.ec == std::errc() &&
                        read.ptr > text.data() + at;
  if (!exponent) return;
  constexpr size_t kLongest = 20;
  std::string plain = fmt::format("{:.12f}", number);
  plain.erase(plain.find_last_not_of('0') + 1);
  if (plain.ends_with('.')) plain += '0';
  double same = 0;
  std::from_chars(plain.data(), plain.data() + plain.size(), same);
  const bool fits = same == number && plain.size() <= kLongest;
  diag.helps = {fits ? fmt::format("a number has no exponent: write {}", plain)
                     : "a number has no exponent: write all its digits, or a product"};
}

// my.x = disk.dev.read + 1;
bool ends_as_statement(std::string_view text, size_t at) {
  return at < text.size() && text[at] == ';' && text.find_first_not_of(" \t\r;", at) == text.npos;
}

}  // namespace

void explain_refused(const std::string& expression, const std::function<Span(Span)>& place,
                     Diag& diag) {
  if (ends_as_statement(expression, offset_of(diag, place))) {
    diag.message = "a definition of a metric has no ; at its end";
    diag.help("leave it out");
    return;
  }
  Diags heard;
  (void)parse_expression({.name = "", .text = expression}, heard);
  const auto& all = heard.all();
  const bool of_text =
      !all.empty() &&
      (all.front().code == DiagCode::P_Syntax || all.front().code == DiagCode::P_IllegalCharacter ||
       all.front().code == DiagCode::P_Unterminated || all.front().code == DiagCode::P_NoValue ||
       all.front().code == DiagCode::P_BadTag);
  if (of_text) {
    const Diag& first = all.front();
    if (first.code == DiagCode::P_Unterminated) diag.message = first.message;
    if (first.code == DiagCode::P_BadTag) {
      diag.message = "syntax error: " + first.message;
      diag.span = place(first.span);
    }
    if (first.message.ends_with(kOrClose)) diag.message = "syntax error: missing )";
    if (first.message.contains(kNoFunction)) {
      diag.message = first.message;
      diag.span = place(first.labels.front().span);
    }
    for (const DiagLabel& label : first.labels) {
      if (place(label.span).begin != diag.span.begin) diag.label(place(label.span), label.text);
    }
    for (const std::string& help : first.helps) {
      diag.help(help.starts_with(kFunctions) ? functions_text() : help);
    }
  }
  use_signs(diag.message);
  explain_literal(expression, place, diag);
  if (diag.helps.empty() && !diag.message.ends_with("missing )")) add_usual_help(expression, diag);
  if (all.empty() && diag.helps.empty()) {
    diag.help("the strict dialect has it: write `#pmjit: dialect=strict` in the first line");
  }
}

}  // namespace pmjit
