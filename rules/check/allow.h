// `// pmjit: allow D02`, in definitions `# pmjit: allow D35`: silences codes in a statement. The
// comment stands on the line before it, or at the end of one of its lines. Errors stay.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "rules/check/findings.h"

namespace pmjit {

struct StatementLines {
  uint32_t first, last;  // from 1
};
// Of a file of definitions: a line each, with its continuations.
[[nodiscard]] std::vector<StatementLines> definition_lines(std::string_view text);
// Of parts of a text, in its order.
[[nodiscard]] std::vector<StatementLines> lines_of(std::string_view text,
                                                   const std::vector<Span>& parts);

struct AllowOptions {
  std::string_view comment;  // what begins one
  bool tell_unused = false;  // as a warning
};
void silence(std::string_view text, const std::vector<StatementLines>& statements,
             const AllowOptions& options, CheckedFile& file);

}  // namespace pmjit
