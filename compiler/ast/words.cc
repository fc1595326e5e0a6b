// Names, reserved words and escapes of the derived-metric language.
#include "compiler/ast/words.h"

#include <regex.h>

#include <algorithm>
#include <array>

#include "compiler/ast/pattern_part.h"
#include "runtime/base/chars.h"
#include "runtime/base/limits.h"

namespace pmjit {

bool is_reserved_word(std::string_view word) {
  static constexpr auto kWords =
      std::to_array<std::string_view>({"type", "semantics", "units", "indom", "meta"});
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

bool is_plain_name(std::string_view name) {
  return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '_' || c == '.';
  });
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

}  // namespace pmjit
