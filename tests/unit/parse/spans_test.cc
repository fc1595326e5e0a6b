// Every span of a tree covers what it is about, in an expression and in a file.
#include "compiler/ast/words.h"
#include "tests/unit/parse/lines.h"

namespace pmjit {
namespace {

std::string_view bytes(const std::string& text, Span span) {
  return std::string_view(text).substr(span.begin, span.end - span.begin);
}

void check_spans(const Ast& ast, const std::string& text) {
  for (const Expr& e : ast.exprs) {
    EXPECT_LE(e.span.begin, e.op_span.begin) << text;
    EXPECT_GE(e.span.end, e.op_span.end) << text;
    if (e.parenthesised) {
      EXPECT_EQ(text[e.span.begin], '(') << text;
      EXPECT_EQ(text[e.span.end - 1], ')') << text;
    }
    if (e.op != Operator::none) {
      EXPECT_EQ(bytes(text, e.op_span), operator_text(e.op)) << text;
    }
    if (e.kind == ExprKind::ternary) {
      EXPECT_EQ(bytes(text, e.op_span), "?") << text;
    }
    if (e.kind == ExprKind::call) {
      EXPECT_EQ(bytes(text, e.op_span), e.text) << text;
    }
    if (e.kind == ExprKind::instance) {
      EXPECT_EQ(text[e.op_span.begin], '[') << text;
    }
    if (e.kind == ExprKind::matchinst) {
      EXPECT_EQ(text[e.text_span.begin], '/') << text;
    }
    if (e.kind == ExprKind::matchinst) {
      EXPECT_EQ(bytes(text, e.op_span), "matchinst") << text;
    }
    if (e.kind == ExprKind::rescale) {
      EXPECT_EQ(bytes(text, e.text_span), '"' + e.text + '"') << text;
    }
    if (e.kind == ExprKind::name && !e.quoted) {
      EXPECT_EQ(bytes(text, e.text_span), e.text) << text;
    }
    for (const ExprId arg : ast.args_of(e)) {
      EXPECT_LE(e.span.begin, ast.exprs[arg].span.begin) << text;
      EXPECT_GE(e.span.end, ast.exprs[arg].span.end) << text;
    }
    for (const Spec& spec : ast.specs_of(e)) {
      EXPECT_EQ(bytes(text, spec.tag_span), spec.tag) << text;
      if (!spec.quoted && text[spec.value_span.begin] != '\'') {
        EXPECT_EQ(bytes(text, spec.value_span), spec.value) << text;
      }
    }
  }
}

TEST(Spans, CoverWhatTheyAreAbout) {
  for (const std::string& text : data_lines("accepted.txt")) {
    const Parsed parsed(text);
    ASSERT_TRUE(parsed.ast) << parsed.said();
    check_spans(*parsed.ast, text);
    EXPECT_EQ(bytes(text, parsed.ast->exprs[parsed.ast->root].span).size(),
              text.find_last_not_of(" \t") + 1 - text.find_first_not_of(" \t"));
  }
}

TEST(Spans, OfAFileAreOffsetsOfTheFile) {
  std::string file = "# heading\n";
  for (const std::string& text : data_lines("accepted.txt"))
    file += "some.name =  " + text + " \r\n";
  Diags diags;
  const SourceText source{"f", file};
  const auto parsed = parse_definitions(source, diags);
  ASSERT_FALSE(diags.has_errors()) << render_all(diags, source);
  for (const Definition& definition : parsed.definitions) {
    check_spans(*definition.ast, file);
    EXPECT_EQ(bytes(file, definition.name_span), "some.name");
    EXPECT_EQ(definition.ast->exprs[definition.ast->root].span, definition.expr_span);
  }
}

TEST(Spans, ArgumentsStandBeforeTheirUsers) {
  for (const std::string& text : data_lines("accepted.txt")) {
    const Parsed parsed(text);
    const Ast& ast = *parsed.ast;
    for (uint32_t i = 0; i < ast.exprs.size(); ++i)
      for (const ExprId arg : ast.args_of(ast.exprs[ExprId{{i}}])) EXPECT_LT(arg.index, i) << text;
  }
}

// A name alone is read without the parser, which a blank before it calls.
TEST(Spans, ANameAloneIsAsTheParserHasIt) {
  for (const std::string name : {"a.b", "kernel.all.load", "x9.y_z.sum", "rate.rate", "min.max"}) {
    Diags diags;
    const auto one = parse_expression({.name = "one", .text = name}, diags);
    const auto other = parse_expression({.name = "other", .text = " " + name}, diags);
    ASSERT_TRUE(one && other) << name;
    EXPECT_TRUE(same_tree(*one, *other)) << name;
    const Expr &x = one->exprs[one->root], &y = other->exprs[other->root];
    EXPECT_EQ(one->exprs.size(), 1U);
    for (const auto& [mine, parsed] :
         {std::pair(x.span, y.span), {x.op_span, y.op_span}, {x.text_span, y.text_span}}) {
      EXPECT_EQ(mine.begin + 1, parsed.begin) << name;
      EXPECT_EQ(mine.end + 1, parsed.end) << name;
    }
    EXPECT_EQ(x.quoted, y.quoted);
  }
}

}  // namespace
}  // namespace pmjit
