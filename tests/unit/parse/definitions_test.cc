// Definition files: lines, comments, continuation, attributes, and every mistake of a line.
#include "tests/unit/parse/lines.h"

namespace pmjit {
namespace {

struct File {
  SourceText source;
  Diags diags;
  DefinitionFile file;

  explicit File(std::string text) : source{"a.conf", std::move(text)} {
    file = parse_definitions(source, diags);
  }
  [[nodiscard]] std::string said() const { return render_all(diags, source); }
  // "P09 3:1; …"
  [[nodiscard]] std::string places() const {
    std::string out;
    for (const Diag& diag : diags.all()) {
      const LineColumn at = line_column(source, diag.span.begin);
      out += (out.empty() ? "" : "; ") + std::string(diag_code_text(diag.code)) + " " +
             std::to_string(at.line) + ":" + std::to_string(at.column);
    }
    return out;
  }
  [[nodiscard]] std::string printed() const {
    if (diags.has_errors()) return said();
    std::string out;
    for (const Definition& d : file.definitions) out += d.name + "=" + print(*d.ast) + ";";
    return out;
  }
};

TEST(Definitions, LinesCommentsAndBlanks) {
  EXPECT_EQ(File("").printed(), "");
  EXPECT_EQ(File("# a = 1\n\n   \n\t\r\n a.b_1 = 1 +\t2\r\nc=d").printed(), "a.b_1=1 + 2;c=d;");
  EXPECT_EQ(File("a = b == c").printed(), "a=b == c;");
  EXPECT_EQ(File("type = 'type'").printed(), "type='type';");
}

TEST(Definitions, BackslashJoinsLines) {
  EXPECT_EQ(
      File("a = 1 + \\\n  2 + \\\r\n 3\nc = 4 \\\n\nd = \\\n5\n \\\r\n e.f \\\n = 6").printed(),
      "a=1 + 2 + 3;c=4;d=5;e.f=6;");
  EXPECT_EQ(File("a = 1 \\").places(), "P02 1:7");
  EXPECT_EQ(File("a = x[b\\\nc]").printed(), "a=x[b  c];");
  EXPECT_EQ(File("a.\\\nb = 1").places(), "P09 1:1");
}

// It ends with its line; one with a \ that would drop a line in 7.x is refused.
TEST(Definitions, CommentsAreNotJoined) {
  EXPECT_EQ(File("# c \\\r\na = 1\n# d \\\n# e \\ \nb = 2\n# f \\\n \t\n# g \\").printed(),
            "a=1;b=2;");
  EXPECT_EQ(File("# c \\\n# d \\\na = 1\n#\\\nb = 2").places(), "D28 2:5; D28 4:2");
}

TEST(Definitions, ErrorsAfterAJoinStandOnTheirOwnLine) {
  EXPECT_EQ(File("a = 1 + \\\n  2 + +3\n").places(), "P01 2:7");
}

TEST(Definitions, EveryErrorOfTheFileIsListed) {
  const File file("a = 1 +\nb = 2\nc = a || b && c\nno equals sign\n1t = 3\nd =\n = 4\n");
  EXPECT_EQ(file.places(), "P01 1:8; D02 3:7; P09 4:1; P09 5:1; P09 6:3; P09 7:2");
  EXPECT_EQ(file.said().substr(0, file.said().find("\n\n")),
            "error[P01]: syntax error: found the end of the expression, expected a metric name, a "
            "number, a "
            "function or (\n  --> a.conf:1:8\n   |\n 1 | a = 1 +\n   |        ^");
}

TEST(Definitions, WhatParsesIsGivenBesideErrors) {
  const File file("a = 1 +\nb = 2\nc =\n");
  ASSERT_EQ(file.file.definitions.size(), 3u);
  EXPECT_FALSE(file.file.definitions[0].ast);
  EXPECT_EQ(print(*file.file.definitions[1].ast), "2");
  EXPECT_FALSE(file.file.definitions[2].ast);
  EXPECT_TRUE(file.file.whole);
}

TEST(Definitions, NamesAreWordsJoinedByDots) {
  for (const std::string name :
       {"1t.c", "t.1c", "t..c", "t.c-", "t_.c.", ".a", "a b", "'a'", "_a", "ä"})
    EXPECT_EQ(File(name + " = 1").places(), "P09 1:1") << name;
  for (const std::string name : {"t_.c_1", "a", "a.b.c", "A9.z_"})
    EXPECT_EQ(File(name + " = 1").places(), "") << name;
}

TEST(Definitions, Attributes) {
  const File file(
      "a = 1\na(oneline) =  The first one \na ( helptext ) = \"Longer \\\"text\\\" with\ntwo "
      "lines, and a \\\\ "
      "here.\\\nNo newline.\"\nb = 2\nb(oneline) = 'it\\'s'\nb(helptext)=\"\"");
  ASSERT_FALSE(file.diags.has_errors()) << file.said();
  const auto& all = file.file.attributes;
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].metric, "a");
  EXPECT_EQ(all[0].key, "oneline");
  EXPECT_EQ(all[0].value, "The first one");
  EXPECT_EQ(all[1].value, "Longer \"text\" with\ntwo lines, and a \\ here.No newline.");
  EXPECT_EQ(all[2].value, "it's");
  EXPECT_EQ(all[3].value, "");
  EXPECT_EQ(file.file.definitions.size(), 2u);
}

TEST(Definitions, AttributeErrors) {
  EXPECT_EQ(File("b(oneline) = too early\n").places(), "P09 1:1");
  EXPECT_EQ(File("a = 1\na(onelin) = x").places(), "P09 2:3");
  EXPECT_EQ(File("a = 1\na(oneline) = x\na(oneline) = y").places(), "P09 3:1");
  EXPECT_EQ(File("a = 1\na() = x").places(), "P09 2:3");
  EXPECT_EQ(File("a = 1\na(oneline = x").places(), "P09 2:2");
  EXPECT_EQ(File("a = 1\na oneline) = x").places(), "P09 2:10");
  EXPECT_EQ(File("a = 1\na)oneline( = x").places(), "P09 2:10");
  EXPECT_EQ(File("a = 1\na(oneline) x = y").places(), "P09 2:12");
  EXPECT_EQ(File("a = 1\na(helptext) =").places(), "P09 2:13");
  EXPECT_EQ(File("a = 1\na(oneline) = \"ok\" trailing\nb = ").places(), "P09 2:19; P09 3:3");
  EXPECT_EQ(File("a = 1\na(oneline) = \"never closed\nb = 2\n").places(), "P03 2:14");
  EXPECT_EQ(File("a = 1\n(oneline) = x").places(), "P09 2:1");
}

TEST(Definitions, AMetricThatFailedIsStillDefinedForItsAttributes) {
  EXPECT_EQ(File("a = 1 +\na(oneline) = x\n").places(), "P01 1:8");
}

TEST(Definitions, ErrorsAreBounded) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "wrong\n";
  const File file(text);
  EXPECT_EQ(file.diags.all().size(), 1001u);
  EXPECT_EQ(diag_code_text(file.diags.all().back().code), "P11");
}

}  // namespace
}  // namespace pmjit
