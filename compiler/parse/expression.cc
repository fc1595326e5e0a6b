// The list of stages from text to Ast.

#include <fmt/format.h>

#include <set>

#include "compiler/ast/words.h"
#include "compiler/parse/parse.h"
#include "compiler/parse/stages.h"
#include "runtime/base/limits.h"

namespace pmjit {

namespace parse {

bool add_bounded(const Diags& found, Diags& diags) {
  for (const Diag& diag : found.all()) {
    if (diags.all().size() == kErrorsMax)
      diags.add(DiagCode::P_TooManyErrors, diag.span, fmt::to_string(kErrorsMax));
    if (diags.all().size() > kErrorsMax) return false;
    diags.append(diag);
  }
  return true;
}

std::optional<Ast> parse_part(const ExpressionText& text, Parameters parameters, Diags& diags) {
  const std::vector<Token> tokens = scan(text);
  if (!check_tokens(text, tokens, diags)) return std::nullopt;
  std::optional<Ast> ast = build_tree(text, tokens, diags);
  if (!ast) return std::nullopt;
  Diags refused;
  check_literals(*ast, refused);
  refuse_ambiguous(*ast, refused);
  if (parameters == Parameters::refused) refuse_parameters(*ast, refused);
  if (refused.has_errors()) {
    add_bounded(refused, diags);
    return std::nullopt;
  }
  return ast;
}

}  // namespace parse

std::optional<Ast> parse_expression(const SourceText& source, Diags& diags) {
  return parse_expression(source, Parameters::refused, diags);
}

std::optional<Ast> parse_expression(const SourceText& source, Parameters parameters, Diags& diags) {
  if (source.text.size() > limits::kSourceBytesMax) {
    diags.add(DiagCode::P_TooLong, {0, 0}, fmt::to_string(limits::kSourceBytesMax));
    return std::nullopt;
  }
  if (is_plain_name(source.text) && !is_reserved_word(source.text))
    return parse::ast_of_name(source.text);
  return parse::parse_part({source.text, 0}, parameters, diags);
}

}  // namespace pmjit

namespace pmjit::parse {

Ast ast_of_name(std::string_view name) {
  const Span whole{0, static_cast<uint32_t>(name.size())};
  Ast out;
  out.root = out.exprs.add(
      {.span = whole, .op_span = whole, .text_span = whole, .text = std::string(name)});
  return out;
}

// Where a $name stands and nothing gives it a value.
void refuse_parameters(const Ast& ast, Diags& diags) {
  std::set<std::string_view> told;
  for (const Expr& e : ast.exprs) {
    if (e.kind != ExprKind::parameter || !told.insert(e.text).second) continue;
    diags.add(DiagCode::P_NoValue, e.span, e.text)
        .help("write a number; values come from `pmjit eval --sweep EXPR " + e.text + "=0..100:1`");
  }
}

}  // namespace pmjit::parse
