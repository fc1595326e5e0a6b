// Tokens: what the scanner hands to the bounds check, to the tree builder and to the wording of
// syntax errors. No ANTLR type: grammar_type is the number that the generated parser knows the
// token by.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/diag/diag.h"

namespace pmjit::parse {

enum class TokenKind : uint8_t {
  name,    // letters: a metric, a function or a tag
  quoted,  // 'name'
  number,
  parameter,  // $name
  string,     // "text"
  instance,   // [text]
  matchinst,  // matchinst(/pattern/ as one
  open,
  close,
  comma,
  assign,
  question,
  colon,
  minus,
  plus,
  product,
  relation,
  and_,
  or_,
  not_,
  open_pattern,
  open_quoted,
  open_instance,
  open_string,  // unterminated
  illegal,
  end,
};

struct Token {
  TokenKind kind;
  uint16_t grammar_type;
  Span span;
};

// Bytes of one expression, as they are looked at: continuation lines of a definition file are
// blanked out, so offsets are those of the source plus `base`.
struct ExpressionText {
  std::string_view text;
  uint32_t base = 0;  // of text[0] in the source

  [[nodiscard]] std::string_view of(Span span) const {
    return text.substr(span.begin - base, span.end - span.begin);
  }
};

// More would need gigabytes in ANTLR; a definition of that length is a program's mistake.
inline constexpr size_t kTokensMax = 400'000;

// All tokens, an `end` last; or the first kTokensMax of them, and no `end`.
std::vector<Token> scan(const ExpressionText& text);

// Reports what no parser needs to see: illegal characters, unterminated texts, nesting too deep for
// a parser that recurses, too many tokens. True when the tokens may be parsed.
bool check_tokens(const ExpressionText& text, const std::vector<Token>& tokens, Diags& diags);

// Reports tokens[at] as the first one that cannot stand where it stands. `functions`: to suggest.
void report_unexpected(const ExpressionText& text, const std::vector<Token>& tokens, size_t at,
                       const std::vector<std::string>& functions, Diags& diags);

}  // namespace pmjit::parse
