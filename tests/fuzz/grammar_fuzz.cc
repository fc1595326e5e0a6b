// Text to Ast and back: what parses prints as text that parses to the same tree, prints the same
// again, and has spans inside of its text; whatever does not parse has a diagnostic that can be
// shown.
#include <cstddef>
#include <cstdint>

#include "compiler/parse/parse.h"
#include "runtime/base/result.h"

namespace pmjit {
namespace {

bool inside(Span span, size_t size) { return span.begin <= span.end && span.end <= size; }

void check_ast(const Ast& ast, size_t size) {
  for (const Expr& e : ast.exprs)
    check(inside(e.span, size) && inside(e.op_span, size) && inside(e.text_span, size),
          "a span is outside");
  const SourceText printed{"<printed>", print(ast)};
  Diags diags;
  const auto again = parse_expression(printed, diags);
  check(again.has_value(), "what was printed does not parse");
  check(same_tree(ast, *again), "what was printed parses to another tree");
  check(print(*again) == printed.text, "printing is not stable");
  check(!dump(ast).empty(), "a tree has a dump");
}

void check_diags(const Diags& diags, const SourceText& source, bool parsed) {
  check(diags.has_errors() != parsed, "a result or an error, never both");
  constexpr size_t kShownMax = 20;  // each costs a walk over the text
  size_t shown = 0;
  for (const Diag& diag : diags.all()) {
    check(inside(diag.span, source.text.size()), "a diagnostic is outside of its text");
    if (++shown <= kShownMax) check(!render(diag, source).empty(), "a diagnostic has a text");
  }
}

}  // namespace
}  // namespace pmjit

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace pmjit;
  const SourceText source{"<fuzz>", std::string(reinterpret_cast<const char*>(bytes), size)};
  Diags diags;
  const auto ast = parse_expression(source, diags);
  check_diags(diags, source, ast.has_value());
  if (ast) check_ast(*ast, size);

  Diags of_file;
  const auto file = parse_definitions(source, of_file);
  bool whole = file.whole;
  for (const Definition& definition : file.definitions) {
    whole = whole && definition.ast;
    if (definition.ast) check_ast(*definition.ast, size);
  }
  check(whole || of_file.has_errors(), "what does not parse has a diagnostic");
  check_diags(of_file, source, !of_file.has_errors());
  return 0;
}
