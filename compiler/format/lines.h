// Line: what one line of a definition file is, whatever the dialect. pcp_lines.cc reads those of
// libpcp's dialects, format.cc asks compiler/parse.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ast/ast.h"
#include "compiler/ast/dialect.h"
#include "compiler/parse/parse.h"

namespace pmjit::format {

struct Line {
  LineKind kind = LineKind::blank;
  std::string_view bytes{};  // of the file, without the last newline
  std::string name{};        // of the metric
  // A definition: spans are offsets of `text`.
  Ast ast{};
  std::shared_ptr<const std::string> text{};
  // An attribute: what it means, and how it is written. `extra` is what libpcp passes over:
  // name(key) ignored = "text" ignored.
  std::string key{}, value{}, written{};
  std::string before_equals{}, behind_value{};
};

// `file` ends with a newline, if it has bytes at all. CRs before a newline belong to the end of
// the line and not to a value. `completed`: it ended with none, and got this one.
std::vector<Line> read_strict_lines(const SourceText& file, Diags& diags);
std::vector<Line> read_pcp_lines(std::string_view file, bool completed, Dialect dialect,
                                 Diags& diags);

// The same, line by line: kinds, names, trees, values, and the bytes of what is kept as it is.
bool same_meaning(const std::vector<Line>& a, const std::vector<Line>& b);

// Without the CRs before a newline. In a quoted text a \ before them hides the first one, but for
// CR LF in strict, and must not come to hide the newline; those that part libpcp's opening quote
// from the newline stay.
std::string with_plain_newlines(std::string_view text);
std::string quoted_with_plain_newlines(std::string_view quoted, Dialect dialect);

// The layout: lines into the text of a file, one expression into the text of a line.
inline constexpr size_t kColumns = 100;

// Code points, as diagnostics count columns.
size_t columns(std::string_view text);

std::string lay_out(const std::vector<Line>& lines, Dialect dialect);

// Words, numbers, strings, patterns and parentheses as in `text`, blanks as the layout has them.
// Nothing is added, so the text has the tokens that the tree was read from. `broken`: with newlines
// instead of blanks behind the outermost operators, if it has any.
std::string write_expression(const Ast& ast, std::string_view text, bool broken);

}  // namespace pmjit::format
