// What the two kinds of lines of a definition file share: definitions.cc reads `name = expression`,
// attributes.cc reads `name(oneline) = text`.
#pragma once

#include <set>
#include <string_view>

#include "compiler/parse/parse.h"

namespace pmjit::parse {

Span trimmed(std::string_view file, Span span);  // without the blanks at its ends
std::string_view bytes_of(std::string_view file, Span span);

// Reports a name that no metric can have.
bool check_name(std::string_view file, Span name, Diags& diags);

// A file, and the same without its joints.
struct FileText {
  std::string_view file, joined;
};
struct AttributeLine {
  Attribute attribute;
  uint32_t end;  // the offset behind it: a quoted text runs over lines
};
// `line` holds the joined line, split is the offset of its first =.
AttributeLine read_attribute(FileText text, Span line, uint32_t split, Diags& diags);

}  // namespace pmjit::parse
