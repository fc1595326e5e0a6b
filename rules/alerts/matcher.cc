#include "rules/alerts/matcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "compiler/ast/words.h"
#include "runtime/base/chars.h"

namespace pmjit {
namespace {

struct SignText {
  std::string_view text;
  Matcher::Sign sign;
};
// A sign that begins with another stands before it.
constexpr auto kSigns = std::to_array<SignText>({
    {"=~", Matcher::Sign::like},
    {"!~", Matcher::Sign::unlike},
    {"!=", Matcher::Sign::differs},
    {"=", Matcher::Sign::equal},
});
constexpr std::string_view kMatcherHelp = "write NAME=\"VALUE\", with =, !=, =~ or !~";

bool is_pattern(Matcher::Sign sign) {
  return sign == Matcher::Sign::like || sign == Matcher::Sign::unlike;
}

std::unexpected<MatcherProblem> no_matcher(size_t offset, std::string what,
                                           std::string help = std::string(kMatcherHelp)) {
  return std::unexpected(MatcherProblem{offset, std::move(what), std::move(help)});
}

// What stands behind the sign, from `at` to the end.
std::expected<std::string, MatcherProblem> matcher_value(std::string_view text, size_t at) {
  if (at == text.size() || text[at] != '"') return std::string(text.substr(at));
  std::string out;
  for (size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '"') {
      if (i + 1 == text.size()) return out;
      return no_matcher(i + 1, "text behind the value");
    }
    if (text[i] == '\\' && i + 1 < text.size()) {
      ++i;
      if (text[i] != '"' && text[i] != '\\' && text[i] != 'n') out += '\\';  // of an expression
      out += text[i] == 'n' ? '\n' : text[i];
    } else {
      out += text[i];
    }
  }
  return no_matcher(text.size(), "the value has no closing quote");
}

size_t past_blanks(std::string_view text, size_t at) {
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}

std::string_view without_end_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

Matcher::Matcher(std::string name, Sign sign, std::string value)
    : name_(std::move(name)), value_(std::move(value)), sign_(sign) {
  if (is_pattern(sign_)) pattern_ = Pattern(fmt::format("^({})$", value_));
}

bool Matcher::matches(const AlertLabels& labels) const {
  const auto found = labels.find(name_);
  const std::string& value = found == labels.end() ? std::string() : found->second;
  switch (sign_) {
    case Sign::equal: return value == value_;
    case Sign::differs: return value != value_;
    case Sign::like: return pattern_.matches(value);
    case Sign::unlike: return !pattern_.matches(value);
  }
  return false;
}

std::string Matcher::text() const {
  const auto row = std::ranges::find(kSigns, sign_, &SignText::sign);
  std::string out = fmt::format("{}{}\"", name_, row->text);
  for (const char c : value_) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::expected<Matcher, MatcherProblem> read_matcher(std::string_view text) {
  text = without_end_blanks(text);
  const size_t nul = text.find('\0');
  if (nul != text.npos) return no_matcher(nul, "a NUL in a matcher");
  const size_t begin = past_blanks(text, 0);
  const size_t name_end = std::min(text.find_first_of("=!", begin), text.size());
  const std::string_view name = without_end_blanks(text.substr(begin, name_end - begin));
  if (!is_label_name(name))
    return no_matcher(begin, fmt::format("\"{}\" is not a label name", name));
  const auto row = std::ranges::find_if(
      kSigns, [&](const SignText& sign) { return text.substr(name_end).starts_with(sign.text); });
  if (row == kSigns.end()) return no_matcher(name_end, "no =, !=, =~ or !~ behind the name");
  const size_t value_begin = past_blanks(text, name_end + row->text.size());
  auto value = matcher_value(text, value_begin);
  if (!value) return std::unexpected(value.error());
  if (is_pattern(row->sign)) {
    const std::string wrong = pattern_error(*value);
    const std::string whole = wrong.empty() ? pattern_error(fmt::format("^({})$", *value)) : wrong;
    if (!whole.empty()) {
      const std::string fault = pattern_fault(*value);
      return no_matcher(value_begin, fmt::format("expression: {}", fault.empty() ? whole : fault),
                        "write a POSIX extended regular expression; it matches the whole value");
    }
  }
  return Matcher(std::string(name), row->sign, *std::move(value));
}

bool matches_all(std::span<const Matcher> matchers, const AlertLabels& labels) {
  return std::ranges::all_of(matchers, [&](const Matcher& one) { return one.matches(labels); });
}

}  // namespace pmjit
