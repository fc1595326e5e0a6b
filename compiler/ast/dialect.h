// The dialects of the derived-metric language (spec dialects.md §1): libpcp's of 6.0.3 and 7.2.1,
// and ours.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/diag/diag.h"

namespace pmjit {

enum class Dialect : uint8_t { pcp6, pcp7, strict };
std::string_view dialect_text(Dialect dialect);  // "pcp6" …
std::optional<Dialect> dialect_from_text(std::string_view text);

// Pragmas: lines that say which dialect a file is in, as comments that PCP's tools pass over:
// `#pmjit: dialect=strict` of definitions, `// pmjit: dialect=strict` of rules. Source: spec
// dialects.md §2.
struct Pragma {
  Span span;              // its line
  std::string_view name;  // as written; empty: the line says something else
  std::string_view word;  // that it begins with
  bool late = false;      // behind the first line of the file that is no comment
  bool broken = false;    // a pragma is meant, and it is written otherwise
};

struct CommentForm {
  std::string_view mark;  // that a comment begins with
  bool indented = false;  // may blanks stand before it?
};

// "did you mean allow?" of a line that says something else; empty: it is like nothing.
[[nodiscard]] std::string meant_pragma(const Pragma& pragma);

[[nodiscard]] std::vector<Pragma> pragmas_of(std::string_view text, const CommentForm& comments);

}  // namespace pmjit
