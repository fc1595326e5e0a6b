// The layout: lines into the text of a file, one expression into the text of a line.
#pragma once

#include <string>
#include <vector>

#include "compiler/format/lines.h"

namespace pmjit::format {

inline constexpr size_t kColumns = 100;

// Code points, as diagnostics count columns.
size_t columns(std::string_view text);

std::string lay_out(const std::vector<Line>& lines, Dialect dialect);

// Words, numbers, strings, patterns and parentheses as in `text`, blanks as the layout has them.
// Nothing is added, so the text has the tokens that the tree was read from. `broken`: with newlines
// instead of blanks behind the outermost operators, if it has any.
std::string write_expression(const Ast& ast, std::string_view text, bool broken);

}  // namespace pmjit::format
