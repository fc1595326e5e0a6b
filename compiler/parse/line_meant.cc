// What is meant by a line of a definition file that is none: words that other languages have.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "compiler/ast/words.h"
#include "compiler/parse/parse.h"
#include "runtime/base/blanks.h"
#include "runtime/base/chars.h"

namespace pmjit::parse {
namespace {

constexpr std::array<std::string_view, 5> kIncludes{"include", "#include", "import", "source",
                                                    "load"};
constexpr std::array<std::string_view, 8> kAssigns{"let",   "define", "const", "var",
                                                   "local", "set",    "def",   "metric"};

// The first word, which leaves the rest.
std::string_view take_word(std::string_view& text) {
  const auto end = std::ranges::find_if(text, is_blank);
  const std::string_view word(text.begin(), end);
  text = without_blanks(text.substr(word.size()));
  return word;
}

// let limit = 5, define LIMIT 5
std::string assignment_meant(std::string_view word, std::string_view rest) {
  constexpr size_t kShownMax = 40;
  const std::string_view name = take_word(rest);
  if (rest.starts_with('=')) rest = without_blanks(rest.substr(1));
  const bool shown = !name.empty() && !rest.empty() && name.size() + rest.size() <= kShownMax;
  return shown ? fmt::format("there is no {}: write {} = {}", word, name, rest)
               : fmt::format("there is no {}: write NAME = EXPRESSION", word);
}

bool may_be_in_name(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '.'; }

// my-ops.x: my_ops.x. "": no name of a metric is near.
std::string name_meant(std::string_view written) {
  constexpr size_t kShownMax = 60;
  std::string out;
  bool begins = true;
  for (const char c : written) {
    const bool fits = may_be_in_name(c);
    if (begins && !is_letter(c)) return {};
    if (fits || !out.ends_with('_')) out += fits ? c : '_';
    begins = c == '.';
  }
  while (out.ends_with('_') && !written.ends_with('_')) out.pop_back();
  return out == written || begins || out.size() > kShownMax ? std::string() : out;
}

// disk.ops rate(disk.dev.read): a name of a metric, then what looks like an expression.
bool lacks_only_equals(std::string_view word, std::string_view rest) {
  constexpr size_t kShownMax = 60;
  const bool is_name = word.contains('.') && is_letter(word.front()) && !word.ends_with('.') &&
                       std::ranges::all_of(word, may_be_in_name);
  const bool is_value =
      !rest.empty() && (is_letter(rest.front()) || is_digit(rest.front())) && !rest.contains('=');
  return is_name && is_value && word.size() + rest.size() <= kShownMax;
}

}  // namespace

std::string line_meant(std::string_view line) {
  std::string_view rest = without_blanks(line);
  if (rest.starts_with('[')) {
    return "this looks like TOML: reports and settings are in NAME.toml";
  }
  const std::string_view word = take_word(rest);
  const auto is_one_of = [&](const auto& words) {
    return std::ranges::find(words, word) != words.end();
  };
  if (is_one_of(kIncludes)) {
    return "a file takes in no other: give each its own -c, or put them into a folder for -c";
  }
  if (is_one_of(kAssigns)) return assignment_meant(word, rest);
  if (word.ends_with(':') && !rest.empty()) {
    const std::string_view value = rest.starts_with('=') ? rest.substr(1) : rest;
    return fmt::format("write {} = {}", word.substr(0, word.size() - 1), without_blanks(value));
  }
  if (rest.starts_with(':')) {
    const std::string_view value = rest.substr(rest.starts_with(":=") ? 2 : 1);
    return fmt::format("write {} = {}", word, without_blanks(value));
  }
  if (word.size() > 1 && word.ends_with(':')) return "a definition is one line: NAME = EXPRESSION";
  if (lacks_only_equals(word, rest)) return fmt::format("write {} = {}", word, rest);
  const std::string_view name = line.substr(0, line.find_first_of("=("));
  const std::string meant = name.size() == line.size() ? "" : name_meant(without_blanks(name));
  return meant.empty() ? meant : fmt::format("a name has letters, digits and _: write {}", meant);
}

}  // namespace pmjit::parse
