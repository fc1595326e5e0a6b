// Quotes that are open, or of the wrong kind.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "compiler/compat/pmie/mistakes/meant_words.h"
#include "compiler/compat/pmie/mistakes/statement_look.h"
#include "runtime/base/blanks.h"
#include "runtime/base/chars.h"

namespace pmjit::pmie {

namespace {

constexpr size_t kQuotedMax = 60;  // of the user's text in a message

// Of an open quote in a line, with the sign before it: #'1 minute'. Of several all of them.
std::string closed_names(std::string_view line, size_t quote) {
  std::string out;
  while (quote != line.npos) {
    const std::string_view name = name_before_condition(line.substr(quote + 1));
    if (name.empty()) return out;
    const bool sign = quote > 0 && std::string_view("#:").contains(line[quote - 1]);
    out += fmt::format("{}{}'{}'", out.empty() ? "" : " and ",
                       sign ? line.substr(quote - 1, 1) : "", name);
    const std::string_view rest = line.substr(0, line.find("->", quote));
    size_t next = std::min(rest.find("#'", quote + 1), rest.find(":'", quote + 1));
    if (next == rest.npos || rest.find('\'', next + 2) != rest.npos) return out;
    quote = next + 1;
  }
  return out;
}

}  // namespace

std::string_view name_before_condition(std::string_view line) {
  const size_t arrow = line.find("->");
  return without_blanks(line.substr(0, std::min(line.find_first_of("<>=!&|;,@)\"'"), arrow)));
}

// print "x;, load #'1 minute > 5
void StatementLook::open_quote(const RoughToken& token) {
  if (no_instance(token) || no_opening_quote(token) || quote_in_number(token)) return;
  const bool text = token.kind == RoughToken::Kind::text;
  mistake_ = {.code = DiagCode::P_Unterminated,
              .where = {token.span.begin, token.span.begin + 1},
              .message = fmt::format("this {} has no closing quote", text ? "text" : "name"),
              .spoils_rest = true};
  if (text) {
    std::string_view meant = without_blanks(token.text);
    if (meant.ends_with(';')) meant.remove_suffix(1);
    if (meant.size() > 1 && meant.size() <= kQuotedMax)
      mistake_->help = fmt::format("write {}\"", meant);
    return;
  }
  const std::string names = closed_names(text_.substr(0, token.span.end), token.span.begin);
  if (!names.empty()) mistake_->help = fmt::format("write {}", names);
}

// print 'a', print 'a;, print 'it's', label team 'storage'
bool StatementLook::text_in_single_quotes(const RoughToken& token) {
  const bool setting = alert_ && !named_text_meant(before_that_.text).empty();
  const bool quoted = token.kind == RoughToken::Kind::word && token.text.starts_with('\'');
  if (!quoted || is(before_, "$") || (!in_action_ && !setting)) return false;
  const std::string_view behind = text_.substr(token.span.end, 1);
  const char next = behind.empty() ? ' ' : behind.front();
  const bool closed = !token.open && !is_letter(next) && !is_digit(next);
  std::string_view meant = token.text.substr(1, token.text.size() - (closed ? 2 : 1));
  if (!closed) {
    const std::string_view rest = text_.substr(token.span.begin + 1);
    meant = without_blanks(rest.substr(0, rest.find_first_of("&|;\n")));
    while (meant.ends_with('\'') || meant.ends_with('"')) meant.remove_suffix(1);
  }
  const auto verb =
      setting ? before_that_.span.begin : static_cast<uint32_t>(action_.data() - text_.data());
  std::string text(meant);
  std::ranges::replace(text, '"', '\'');
  mistake_ = {
      .where = closed ? token.span : Span{token.span.begin, token.span.begin + 1},
      .message = fmt::format("the text of {} needs double quotes",
                             setting ? text_.substr(verb, before_.span.end - verb) : action_),
      .help = fmt::format("write {}\"{}\"", text_.substr(verb, token.span.begin - verb), text)};
  if (!closed) mistake_->code = DiagCode::P_Unterminated, mistake_->spoils_rest = true;
  return true;
}

// 5'000
bool StatementLook::quote_in_number(const RoughToken& token) {
  const std::string_view behind = rest_of_line(before_).substr(0, 2);
  const bool joined =
      is_number(before_.text) && behind.size() == 2 && behind[0] == '\'' && is_digit(behind[1]);
  if (!joined) return false;
  const std::string_view more = text_.substr(token.span.begin + 1);
  mistake_ = {.code = DiagCode::P_Unterminated,
              .where = {token.span.begin, token.span.begin + 1},
              .message = "a number has no ' in it",
              .help = fmt::format("write {}{}", before_.text,
                                  more.substr(0, more.find_first_not_of("0123456789"))),
              .spoils_rest = true};
  return true;
}

// x > "5"
bool StatementLook::number_in_quotes(const RoughToken& token) {
  constexpr std::string_view kCompares = "<>=!";
  const bool compared =
      before_.kind == RoughToken::Kind::sign && kCompares.contains(before_.text.front());
  const bool text = token.kind == RoughToken::Kind::text && token.text.size() > 2;
  if (!compared || !text || in_action_ || is(before_, "=")) return false;
  const std::string_view number = token.text.substr(1, token.text.size() - 2);
  if (!is_number(number)) return false;
  mistake_ = {.where = token.span,
              .message = "a number has no quotes",
              .help = fmt::format("write {} {}", before_.text, number)};
  return true;
}

// name = 'x';
bool StatementLook::macro_in_single_quotes(const RoughToken& token) {
  const bool quoted = before_.kind == RoughToken::Kind::word && before_.text.starts_with('\'');
  if (count_ != 3 || !is(token, ";") || !is(before_that_, "=") || !quoted) return false;
  mistake_ = {
      .where = before_.span,
      .message = "a text needs double quotes",
      .help = fmt::format("write {} = \"{}\";", name_,
                          before_.text.substr(1, before_.text.size() - (before_.open ? 1 : 2))),
      .may_be_metric = true};
  return true;
}

bool StatementLook::no_quote_before(uint32_t begin, std::string_view name) {
  const auto end = begin + static_cast<uint32_t>(name.size());
  while (name.ends_with('\'')) name.remove_suffix(1);
  mistake_ = {.code = DiagCode::P_Unterminated,
              .where = {begin, end},
              .message = "this name has no opening quote",
              .help = fmt::format("write {}'{}'", text_.substr(begin - 1, 1), name),
              .spoils_rest = true};
  return true;
}

// #sda' > 5, :web1' > 5
bool StatementLook::no_opening_quote(const RoughToken& token) {
  const size_t line = text_.rfind('\n', token.span.begin) + 1;  // npos + 1 == 0
  const std::string_view before = text_.substr(line, token.span.begin - line);
  const size_t sign = before.find_last_of("#:");
  if (token.kind != RoughToken::Kind::word || sign == before.npos) return false;
  const std::string_view name = before.substr(sign + 1);
  const bool plain = !name.empty() && name == without_blanks(name) &&
                     name.find_first_of("'\"<>=!&|;,@()$") == name.npos;
  const auto begin = static_cast<uint32_t>(line + sign + 1);
  return plain && no_quote_before(begin, text_.substr(begin, name.size() + 1));
}

}  // namespace pmjit::pmie
