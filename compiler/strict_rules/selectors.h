// Selectors in texts of actions: %h host, %i instance, %v value, %c what the source was named by;
// %% is a %. Source: spec rules-language.md §13, dialects.md row 150.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/strict_rules/rule_file.h"

namespace pmjit::strict {

struct TextPiece {
  char selector = 0;  // h, i, v, c; 0: text as it is; else what is no selector
  std::string text;
};
[[nodiscard]] std::vector<TextPiece> pieces_of(std::string_view text);

// Of an action of the statement at `where`.
void check_selectors(const Verb& verb, Span where, Diags& diags);

}  // namespace pmjit::strict
