// The printer's layout, names and escapes. That what it prints reads back is shown in
// tests/unit/parse.
#include <gtest/gtest.h>

#include "compiler/ast/ast.h"
#include "compiler/ast/words.h"
#include "compiler/parse/parse.h"

namespace pmjit {
namespace {

std::string layout(const std::string& text) {
  const SourceText source{"<expression>", text};
  Diags diags;
  const auto ast = parse_expression(source, diags);
  return ast ? print(*ast) : render_all(diags, source);
}

TEST(Print, OneLayout) {
  EXPECT_EQ(layout("  a+b *c"), "a + b * c");
  EXPECT_EQ(layout("((a))"), "(a)");
  EXPECT_EQ(layout("- - a"), "- -a");
  EXPECT_EQ(layout("! ! a"), "!!a");
  EXPECT_EQ(layout("a?b:c"), "a ? b : c");
  EXPECT_EQ(layout("avg ( x [i j] )"), "avg(x[i j])");
  EXPECT_EQ(layout("matchinst ( ! /a/ ,b )"), "matchinst(!/a/, b)");
  EXPECT_EQ(layout("mkconst ( 1.50,type=float ,units = \"s\" )"),
            "mkconst(1.50, type=float, units=\"s\")");
  EXPECT_EQ(layout("rescale(a,\"Kbyte\")"), "rescale(a, \"Kbyte\")");
  EXPECT_EQ(layout("a ? novalue( ) : b"), "a ? novalue() : b");
}

TEST(Print, EscapesWhatEndsAText) {
  EXPECT_EQ(layout("x[a\\bc\\]\\\\]"), "x[abc\\]\\\\]");
  EXPECT_EQ(layout("'a\\'b'"), "'a\\'b'");
  EXPECT_EQ(layout("matchinst(/a\\/\\\\d/, x)"), "matchinst(/a\\/\\\\d/, x)");
}

TEST(Print, QuotesWhatIsNoPlainName) {
  Ast ast;
  ast.root = ast.exprs.add({.kind = ExprKind::name, .text = "odd name"});
  EXPECT_EQ(print(ast), "'odd name'");
  ast.exprs[ast.root].text = "units";
  EXPECT_EQ(print(ast), "'units'");
  ast.exprs[ast.root].text = "avg";
  EXPECT_EQ(print(ast), "avg");
}

TEST(Words, PlainNames) {
  EXPECT_TRUE(is_plain_name("a.b_9"));
  EXPECT_FALSE(is_plain_name(""));
  EXPECT_FALSE(is_plain_name("9a"));
  EXPECT_FALSE(is_plain_name("a-b"));
  EXPECT_FALSE(is_plain_name("ä"));
}

TEST(Words, EscapeAndBack) {
  for (const std::string text : {"", "a", "]", "\\", "a]b\\c", "\\\\]"})
    EXPECT_EQ(unescape(escape(text, ']')), text);
}

TEST(Ast, EmptyTrees) {
  const Ast empty;
  EXPECT_TRUE(same_tree(empty, empty));
  EXPECT_EQ(dump(empty), "");
}

}  // namespace
}  // namespace pmjit
