// Pragmas: lines that say which dialect a file is in, as comments that PCP's tools pass over:
// `#pmjit: dialect=strict` of definitions, `// pmjit: dialect=strict` of rules. Source: spec
// dialects.md §2.
#pragma once

#include <string_view>
#include <vector>

#include "compiler/diag/diag.h"

namespace pmjit {

struct Pragma {
  Span span;              // its line
  std::string_view name;  // as written; empty: the line says something else
  bool late = false;      // behind the first line of the file that is no comment
};

struct CommentForm {
  std::string_view mark;  // that a comment begins with
  bool indented = false;  // may blanks stand before it?
};

[[nodiscard]] std::vector<Pragma> pragmas_of(std::string_view text, const CommentForm& comments);

}  // namespace pmjit
