// The stages behind the door, in order: scan, check_tokens (tokens.h), build_tree, check_literals,
// refuse_ambiguous. Each adds its diagnostics; expression.cc is the list.
#pragma once

#include <optional>
#include <vector>

#include "compiler/ast/ast.h"
#include "compiler/parse/parse.h"
#include "compiler/parse/tokens.h"

namespace pmjit::parse {

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
