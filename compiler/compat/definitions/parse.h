// The compatible dialects' parser: an expression into an Ast, or the message and the place that
// libpcp gives. Source: spec derived-metrics.md §3–§5.
//
//   bool in_pattern = false;
//   auto ast = pcp::parse("rate(disk.dev.read) * 2", Dialect::pcp6, in_pattern);
//   if (!ast) show(ast.error().offset, ast.error().message);
//
// It is an operator-precedence parser and not the grammar's (grammar/derived.g4), for the message
// of a mistake is that of the innermost construct that is still open, and its place the first token
// that cannot stand, mistakes of the scanner among them; and because a tool that loads 2,000
// definitions and prints one shall not wait for them.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "compiler/ast/ast.h"
#include "compiler/ast/dialect.h"

namespace pmjit::pcp {

struct SyntaxError {
  int64_t offset = 0;   // of the ^; -1 for an empty text
  std::string message;  // may be empty
};

// Spans are offsets of `text`. `in_pattern`: see PcpScanner.
[[nodiscard]] std::expected<Ast, SyntaxError> parse(std::string_view text, Dialect dialect,
                                                    bool& in_pattern);

}  // namespace pmjit::pcp
