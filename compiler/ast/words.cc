// Names, reserved words and escapes of the derived-metric language.
#include "compiler/ast/words.h"

#include <fmt/format.h>
#include <regex.h>

#include <algorithm>
#include <array>
#include <vector>

#include "compiler/ast/pattern_part.h"
#include "runtime/base/blanks.h"
#include "runtime/base/chars.h"
#include "runtime/base/limits.h"

namespace pmjit {

bool is_reserved_word(std::string_view word) {
  static constexpr auto kWords =
      std::to_array<std::string_view>({"type", "semantics", "units", "indom", "meta"});
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

bool is_null_word(std::string_view word) {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"null", "NULL", "Null", "nil", "none", "None", "NaN", "nan", "undefined"});
  return std::ranges::find(kWords, word) != kWords.end();
}

bool is_plain_name(std::string_view name) {
  return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '_' || c == '.';
  });
}

const OtherBlank* other_blank(std::string_view text) {
  static constexpr OtherBlank kBlanks[] = {{"\u00a0", "a no-break space (U+00A0)"},
                                           {"\u202f", "a narrow no-break space (U+202F)"},
                                           {"\u3000", "a wide space (U+3000)"},
                                           {"\u200b", "a space without a width (U+200B)"},
                                           {"\ufeff", "a byte order mark (U+FEFF)"}};
  const auto* const found = std::ranges::find_if(
      kBlanks, [&](const OtherBlank& blank) { return text.starts_with(blank.bytes); });
  return found == std::end(kBlanks) ? nullptr : found;
}

std::string escape(std::string_view text, char closing) {
  std::string out;
  for (const char c : text) {
    if (c == closing || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string unescape(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    out += text[i];
  }
  return out;
}

std::string pattern_error(const std::string& pattern) {
  int code = REG_ESPACE;
  if (pattern_bytes(pattern.c_str()) <= limits::kPatternBytesMax) {  // up to a NUL, as regcomp()
    regex_t regex;
    code = regcomp(&regex, pattern.c_str(), REG_EXTENDED | REG_NOSUB);
    if (code == 0) {
      regfree(&regex);
      return {};
    }
  }
  std::array<char, 128> text{};
  regerror(code, nullptr, text.data(), text.size());
  return text.data();
}

namespace {

// Behind the ] that closes the [ at `open`; npos: none does.
size_t behind_brackets(std::string_view pattern, size_t open) {
  size_t at = open + 1;
  if (pattern.substr(at).starts_with('^')) ++at;
  if (pattern.substr(at).starts_with(']')) ++at;  // it stands for itself there
  while (at < pattern.size() && pattern[at] != ']') {
    const bool named = pattern[at] == '[' && at + 1 < pattern.size() &&
                       std::string_view(":.=").contains(pattern[at + 1]);
    if (!named) {
      ++at;
      continue;
    }
    const std::string end{pattern[at + 1], ']'};
    const size_t close = pattern.find(end, at + 2);
    if (close == pattern.npos) return close;
    at = close + 2;
  }
  return at < pattern.size() ? at + 1 : pattern.npos;
}

}  // namespace

std::string pattern_fault(std::string_view pattern) {
  std::vector<size_t> open;
  bool repeats = false;  // something stands before that may be repeated
  for (size_t at = 0; at < pattern.size(); ++at) {
    const char c = pattern[at];
    if (c == '\\') {
      if (at + 1 == pattern.size()) return "nothing follows the \\ at its end";
      ++at;
    } else if (c == '[') {
      const size_t behind = behind_brackets(pattern, at);
      if (behind == pattern.npos) return fmt::format("the [ at character {} has no ]", at + 1);
      at = behind - 1;
    } else if (c == '(') {
      open.push_back(at);
    } else if (c == ')' && !open.empty()) {
      open.pop_back();
    } else if (std::string_view("*+?{").contains(c) && !repeats) {
      return fmt::format("{} has nothing before it to repeat", c);
    } else if (c == '{' && pattern.find('}', at) == pattern.npos) {
      return fmt::format("the {{ at character {} has no }}", at + 1);
    }
    repeats = c != '(' && c != '|' && c != '^';
  }
  return open.empty() ? std::string()
                      : fmt::format("the ( at character {} has no )", open.back() + 1);
}

}  // namespace pmjit
