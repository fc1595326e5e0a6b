// A file of derived-metric definitions written back in one layout (README.md), comments kept.
//
//   Diags diags;
//   const Formatted formatted = format_definitions(file, Dialect::pcp6, diags);
//   if (!diags.has_errors()) write(formatted.text);
//
// Read in the same dialect the text says what the file said: the same names, trees, attributes, in
// the same order. That, and that a second run changes nothing, is checked in every run.
#pragma once

#include <string>

#include "compiler/ast/dialect.h"
#include "compiler/diag/diag.h"

namespace pmjit {

struct Formatted {
  std::string text;
  // libpcp passes over a last line that no newline ends; now there is one.
  bool last_line_revived = false;
};

// A line that the dialect refuses stays as it is, byte for byte, and is told in `diags`.
Formatted format_definitions(const SourceText& file, Dialect dialect, Diags& diags);

}  // namespace pmjit
