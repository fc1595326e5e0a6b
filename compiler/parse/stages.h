// The stages behind the door, in order: scan, check_tokens (stages.h), build_tree, check_literals,
// refuse_ambiguous. Each adds its diagnostics; expression.cc is the list.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ast/ast.h"
#include "compiler/diag/diag.h"
#include "compiler/parse/parse.h"

namespace pmjit::parse {

// Tokens: what the scanner hands to the bounds check, to the tree builder and to the wording of
// syntax errors. No ANTLR type: grammar_type is the number that the generated parser knows the
// token by.
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

// Of an unquoted name alone, which is most of what is evaluated: it needs no parser.
[[nodiscard]] Ast ast_of_name(std::string_view name);

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

// The generated parser, and its tree made ours. None when a diagnostic was added: the first token
// that cannot stand where it stands, or a tree deeper than limits::kNestingMax.
std::optional<Ast> build_tree(const ExpressionText& text, const std::vector<Token>& tokens,
                              Diags& diags);

// P06: of a number.
void check_number(const Expr& e, Diags& diags);

// P06 to P08: numbers out of range, regular expressions that do not compile, tags and their values.
void check_literals(const Ast& ast, Diags& diags);

// The D rows that are visible in the text: what another dialect, or C, reads differently.
void refuse_ambiguous(const Ast& ast, Diags& diags);

// Errors that one text may have: a generated file can be wrong on every line.
inline constexpr size_t kErrorsMax = 1'000;

// Adds them, at most kErrorsMax in all; one more says that there are others. False once that was
// said.
bool add_bounded(const Diags& found, Diags& diags);

// P12: there is nobody here who would give a parameter its value.
void refuse_parameters(const Ast& ast, Diags& diags);

// The whole list, for a part of a text.
std::optional<Ast> parse_part(const ExpressionText& text, Parameters parameters, Diags& diags);

}  // namespace pmjit::parse
