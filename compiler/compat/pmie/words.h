// The closed sets of words and signs of rule files. Source: spec rules-language.md §2.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/compat/pmie/expr.h"
#include "compiler/compat/pmie/scanner.h"
#include "runtime/model/units.h"

namespace pmjit::pmie {

struct Sign {
  std::string_view text;
  RuleToken token;
  PmieOp op;
};
[[nodiscard]] const Sign* find_sign(std::string_view text);
[[nodiscard]] bool begins_long_sign(char c);

struct UnitWord {
  std::string_view text;  // without its `s`
  enum class Kind : uint8_t { space, time, count } kind;
  int8_t scale;
};
[[nodiscard]] const UnitWord* find_unit(std::string_view word);
[[nodiscard]] std::vector<std::string> unit_words();

// A word that is reserved, or a unit, is no name.
void classify_word(std::string_view word, ScannedToken& token);
// What a token is because of those beside it: TARGET, SHARE, COUNTED_OPEN, COUNTED_TRUTH.
void classify_in_context(std::vector<ScannedToken>& tokens);

// Units behind a number, and the factor from a scale to the canonical one (byte, second, count).
// Source: spec rules-language.md §10.

// To canonical units.
[[nodiscard]] double canonical_factor(const Units& units);
// Adds a unit to those of a constant, where it replaces one of its kind. Of a word of find_unit().
void add_unit(Units& units, std::string_view word, int exponent);

}  // namespace pmjit::pmie
