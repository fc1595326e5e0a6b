// The tree, one expression a line:
//
//   binary + @0..14 op@9..10
//     name mem.free @0..8
//     integer 1 @11..14 op@12..13 ()
#include <fmt/format.h>

#include <array>

#include "compiler/ast/ast.h"

namespace pmjit {
namespace {

std::string_view kind_text(ExprKind kind) {
  static constexpr auto kTexts = std::to_array<std::string_view>(
      {"integer", "real", "name", "unary", "binary", "ternary", "instance", "call", "rescale",
       "matchinst", "mkconst", "novalue", "parameter"});
  return kTexts[static_cast<size_t>(kind)];
}

std::string span_text(Span span) { return fmt::format("@{}..{}", span.begin, span.end); }

void dump_expr(const Ast& ast, ExprId id, size_t depth, std::string& out) {
  const Expr& e = ast.exprs[id];
  out.append(depth * 2, ' ') += kind_text(e.kind);
  if (e.op != Operator::none) (out += ' ') += operator_text(e.op);
  if (e.negated) out += " !";
  if (!e.text.empty()) (out += ' ') += e.text;
  for (const Spec& spec : ast.specs_of(e)) out += fmt::format(" {}={}", spec.tag, spec.value);
  (out += ' ') += span_text(e.span);
  if (e.op_span != e.span) out += " op" + span_text(e.op_span);
  if (e.parenthesised) out += " ()";
  out += '\n';
  for (const ExprId arg : ast.args_of(e)) dump_expr(ast, arg, depth + 1, out);
}

}  // namespace

std::string dump(const Ast& ast) {
  std::string out;
  if (ast.root.known()) dump_expr(ast, ast.root, 0, out);
  return out;
}

}  // namespace pmjit
