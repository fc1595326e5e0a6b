// The only door to ANTLR: text in, Ast or diagnostics out. No ANTLR type or exception leaves this
// folder.
//
//   Diags diags;
//   auto ast = parse_expression(source, diags);   // none exactly when diags.has_errors()
//
// The nesting depth is bounded (limits::kNestingMax) before ANTLR sees the text: its parser
// recurses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ast/ast.h"
#include "compiler/diag/diag.h"

namespace pmjit {

std::optional<Ast> parse_expression(const SourceText& source, Diags& diags);

// Only a sweep has values for $name; everywhere else it is refused (P12).
enum class Parameters : uint8_t { refused, allowed };
std::optional<Ast> parse_expression(const SourceText& source, Parameters parameters, Diags& diags);

// A definition file (spec derived-metrics.md §6.2, as the strict dialect reads it: blank lines are
// empty, the last line needs no newline, `\` at the end joins lines). A definition's Ast has spans
// in the whole file.
struct Definition {
  std::string name;
  Span name_span;
  Span expr_span;
  std::optional<Ast> ast;  // none: the expression does not parse
};
struct Attribute {
  std::string metric, key, value;  // key: oneline or helptext
  Span span;
};
// What the file's lines are, for those who write it back. A line is a joined one, or one with the
// others that a quoted text takes in; its span is without the last newline.
enum class LineKind : uint8_t { blank, comment, definition, attribute, refused };
struct FileLine {
  LineKind kind;
  Span span;
  size_t index = 0;  // in definitions or attributes
};
struct DefinitionFile {
  std::vector<Definition> definitions;
  std::vector<Attribute> attributes;
  std::vector<FileLine> lines;
  bool whole = true;  // false: it was not read to its end, there may be other definitions
};
// What can be read of a file with errors, too: so that all its mistakes can be told at once.
DefinitionFile parse_definitions(const SourceText& source, Diags& diags);

}  // namespace pmjit

namespace pmjit::parse {

// Lines of a definition file: what a physical line is, and joined ones.
// Bytes [begin, end) of the line that begins at `begin`, joined with those that it continues on by
// a \ before its newline (or its CR and newline); without the last newline.
Span joined_line(std::string_view file, uint32_t begin);

// The same bytes with each joint made blank, so that offsets stay.
std::string without_joints(std::string_view file);

// What to write for a line that is no definition, where a word of another language shows what is
// meant: include "x", let limit = 5. Empty: nobody knows.
std::string line_meant(std::string_view line);

// Whether the comment in bytes [begin, end) ends with a \ that would join the next line to it, as
// since PCP 6.2.2, and that line says something.
bool comment_would_join(std::string_view file, Span line);

}  // namespace pmjit::parse
