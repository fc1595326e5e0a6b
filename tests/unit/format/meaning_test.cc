// The meaning stays: trees, names and attributes of every text that we have.
#include <fmt/format.h>

#include <filesystem>

#include "compiler/compat/definitions/parse.h"
#include "compiler/format/lines.h"
#include "compiler/parse/parse.h"
#include "tests/unit/format/formatted.h"
#include "tests/unit/turns.h"

namespace pmjit {
namespace {

std::optional<Ast> tree_of(const std::string& expression, Dialect dialect) {
  if (dialect == Dialect::strict) {
    Diags diags;
    return parse_expression({.name = "<expression>", .text = expression}, diags);
  }
  bool in_pattern = false;
  auto ast = pcp::parse(expression, dialect, in_pattern);
  return ast ? std::optional(*std::move(ast)) : std::nullopt;
}

// Parsed on its own, away from the lines that the formatter reads and compares by itself.
void expect_same_tree(const std::string& expression, Dialect dialect, size_t& compared) {
  SCOPED_TRACE(fmt::format("{} in {}", expression, dialect_text(dialect)));
  const FormattedText got("t.x=" + expression + "\n", dialect);
  const auto before = tree_of(expression, dialect);
  EXPECT_EQ(got.errors, !before) << got.said;
  if (!before) {
    EXPECT_EQ(got.text, "t.x=" + expression + "\n");
    return;
  }
  ASSERT_TRUE(got.text.starts_with("t.x = ")) << got.text;
  const auto after = tree_of(got.text.substr(6, got.text.size() - 7), dialect);
  ASSERT_TRUE(after) << got.text;
  EXPECT_TRUE(same_tree(*before, *after)) << got.text;
  ++compared;
}

TEST(FormatMeaning, ExpressionsKeepTheirTree) {
  std::ifstream in(ACCEPTED);
  size_t compared = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    for (const Dialect dialect : kDialects) expect_same_tree(line, dialect, compared);
  }
  EXPECT_GT(compared, 1000u);
}

TEST(FormatMeaning, ThePrecedenceOfPcpStays) {
  size_t compared = 0;
  const std::vector<std::string> texts{"a && b || c",
                                       "a || b && c",
                                       "a || (b && c)",
                                       "(a||b)&&c",
                                       "!a > b",
                                       "(!a) > b",
                                       "! a + 1",
                                       "!a&&b",
                                       "a ? b : c ? d : e",
                                       "(a ? b : c) ? d : e",
                                       "a?b:(c?d:e)",
                                       "a ? b ? c : d : e",
                                       "-a * b",
                                       "(-a) * b",
                                       "a / -b * c",
                                       "a / (-b) * c",
                                       "-a + b",
                                       "- -a",
                                       "--a",
                                       "-!a",
                                       "!-a",
                                       "!!a",
                                       "a < b < c",
                                       "a == (b == c)",
                                       "1 - (2 - 3)",
                                       "((a)) + (b)",
                                       "(((a+b)))[x]",
                                       "((a+b)[x])",
                                       "((a)+b)*c",
                                       "((a+b))*c",
                                       "(-(a))",
                                       "((!a)&&b)"};
  for (const std::string& text : texts) {
    for (const Dialect dialect : {Dialect::pcp6, Dialect::pcp7}) {
      expect_same_tree(text, dialect, compared);
    }
  }
  EXPECT_EQ(compared, texts.size() * 2);
}

TEST(FormatMeaning, EveryGoldenFileKeepsItsLinesAndIsFormattedOnce) {
  size_t files = 0, definitions = 0;
  namespace fs = std::filesystem;
  for (const auto& entry : fs::recursive_directory_iterator(PMJIT_GOLDEN "/derived")) {
    if (entry.path().extension() != ".conf") continue;
    ++files;
    const std::string before = bytes_of_file(entry.path());
    for (const Dialect dialect : {Dialect::pcp6, Dialect::pcp7}) {
      SCOPED_TRACE(fmt::format("{} in {}", entry.path().string(), dialect_text(dialect)));
      const FormattedText once(before, dialect);
      EXPECT_EQ(FormattedText(once.text, dialect).text, once.text);
      Diags diags;
      const auto lines = format::read_pcp_lines(before, false, dialect, diags);
      EXPECT_TRUE(
          format::same_meaning(lines, format::read_pcp_lines(once.text, false, dialect, diags)));
      for (const auto& line : lines) definitions += line.kind == LineKind::definition ? 1 : 0;
    }
  }
  EXPECT_GT(files, 80u);
  EXPECT_GT(definitions, 900u);
}

// The promise is checked inside: a text that broke it would stop the test.
TEST(FormatMeaning, NoTextOfPiecesBreaksThePromise) {
  const std::vector<std::string> pieces{"a",
                                        "b.c",
                                        "a = ",
                                        "=",
                                        "(",
                                        ")",
                                        "oneline",
                                        "helptext",
                                        "m(oneline) = ",
                                        "\"",
                                        "'",
                                        "\\",
                                        "\\\n",
                                        "\n",
                                        "\r",
                                        "\r\n",
                                        "#",
                                        " ",
                                        "\t",
                                        "1",
                                        ".",
                                        "-",
                                        "!",
                                        "?",
                                        ":",
                                        "&&",
                                        "||",
                                        "<",
                                        "*",
                                        "/",
                                        "matchinst(/",
                                        "/, ",
                                        "[x]",
                                        "[\\]",
                                        "rate(",
                                        ",",
                                        "mkconst(1, type=32",
                                        "#control x",
                                        "a = b + \\\n",
                                        "\\\r\n",
                                        "m(helptext)"};
  uint32_t state = 1;
  const auto random = [&](size_t below) {
    state = state * 1664525 + 1013904223;
    return (state >> 8) % below;
  };
  for (uint32_t i = 0; i < test::turns(4'000); ++i) {
    std::string text;
    for (size_t n = random(14) + 1; n > 0; --n) text += pieces[random(pieces.size())];
    for (const Dialect dialect : kDialects) {
      const FormattedText got(text, dialect);
      EXPECT_TRUE(got.text.empty() || got.text.ends_with('\n')) << text;
    }
  }
}

}  // namespace
}  // namespace pmjit
