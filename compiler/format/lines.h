// Line: what one line of a definition file is, whatever the dialect. pcp_lines.cc reads those of
// libpcp's dialects, strict_lines.cc asks compiler/parse.
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

}  // namespace pmjit::format
