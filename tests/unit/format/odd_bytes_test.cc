// What a data file cannot show well: carriage returns, blanks at the end, a missing newline, and
// how mistakes are told.
#include "tests/unit/format/formatted.h"

namespace pmjit {
namespace {

void expect_formatted(const std::string& before, const std::string& after, Dialect dialect) {
  const FormattedText got(before, dialect);
  EXPECT_EQ(got.text, after) << before << " in " << dialect_text(dialect);
  EXPECT_FALSE(got.errors) << got.said;
}

TEST(FormatOddBytes, CarriageReturnsGo) {
  for (const Dialect dialect : kDialects) {
    expect_formatted("# c\r\n\na=b\r\na(oneline)=t\r\n", "# c\n\na = b\na(oneline) = t\n", dialect);
    expect_formatted("a=b\r\na(helptext)='1\r\n2'\r\n", "a = b\na(helptext) = '1\n2'\n", dialect);
  }
  // A \ before CR LF joins in strict, and hides the CR in a quoted text of the others.
  expect_formatted("a=b+\\\r\nc\r\n", "a = b + c\n", Dialect::strict);
  expect_formatted("a=b\na(oneline)='1\\\r\n2'\n", "a = b\na(oneline) = '1\\\n2'\n",
                   Dialect::strict);
  expect_formatted("a=b\na(oneline)='1\\\r\n2'\n", "a = b\na(oneline) = '1\n2'\n", Dialect::pcp7);
  EXPECT_TRUE(FormattedText("a=b+\\\r\nc\r\n", Dialect::pcp7).errors);
}

// libpcp opens no text with a quote that ends its line; a CR there is of the text, and parts them.
TEST(FormatOddBytes, ReturnsBehindAnOpeningQuoteStay) {
  for (const Dialect dialect : {Dialect::pcp6, Dialect::pcp7}) {
    const std::string refused = "a = b\na(helptext)  = \"\nc  = d\n";
    const FormattedText got(refused, dialect);
    EXPECT_EQ(got.text, "a = b\na(helptext)  = \"\nc = d\n");
    EXPECT_TRUE(got.errors);
    for (const char* opening : {"\"\r\n", "'\\\r\r\n", "\"\\\n\r\n"}) {
      const std::string text = std::string("a = b\na(helptext) = ") + opening;
      expect_formatted(text + "x\r\n" + opening[0] + "\n", text + "x\n" + opening[0] + "\n",
                       dialect);
    }
  }
  expect_formatted("a=b\na(helptext)=\"\r\nx\"\n", "a = b\na(helptext) = \"\nx\"\n",
                   Dialect::strict);
}

TEST(FormatOddBytes, LinesOfBlanksAreEmptyInStrictAlone) {
  for (const std::string& blanks : std::vector<std::string>{"  ", "\t", "\r", " \r"}) {
    expect_formatted("a=b\n" + blanks + "\nc=d\n", "a = b\n\nc = d\n", Dialect::strict);
    for (const Dialect dialect : {Dialect::pcp6, Dialect::pcp7}) {
      const FormattedText got("a=b\n" + blanks + "\nc=d\n", dialect);
      EXPECT_EQ(got.text, "a = b\n" + blanks + "\nc = d\n");
      EXPECT_TRUE(got.errors);
      EXPECT_NE(got.said.find("my.conf:2:1"), std::string::npos) << got.said;
      // libpcp does not see a last line without newline.
      expect_formatted("a=b\n" + blanks, "a = b\n", dialect);
    }
  }
}

TEST(FormatOddBytes, NoBackslashComesToStandAtTheEnd) {
  for (const Dialect dialect : kDialects) {
    expect_formatted("# c \\  \na=b\n", "# c \\ \na = b\n", dialect);
  }
  expect_formatted("# c \\\r\na=b\n", "# c \\ \na = b\n", Dialect::pcp7);
  expect_formatted("a=b\na(oneline)=t\\\r\nc=d\n", "a = b\na(oneline) = t\\\r\nc = d\n",
                   Dialect::pcp7);
  expect_formatted("a=b\na(oneline)=t\\  \nc=d\n", "a = b\na(oneline) = t\\ \nc = d\n",
                   Dialect::strict);
}

TEST(FormatOddBytes, BlanksAtTheEndAreOfAnUnquotedTextOfPcp) {
  expect_formatted("a=b  \na(oneline)=  t  \n", "a = b\na(oneline) = t  \n", Dialect::pcp6);
  expect_formatted("a=b  \na(oneline)=  t  \n", "a = b\na(oneline) = t\n", Dialect::strict);
}

TEST(FormatOddBytes, TheLastLineGetsItsNewline) {
  for (const Dialect dialect : kDialects) {
    expect_formatted("a=b", "a = b\n", dialect);
    expect_formatted("", "", dialect);
    expect_formatted("\n\n", "", dialect);
    EXPECT_EQ(FormattedText("a=b", dialect).last_line_revived, dialect != Dialect::strict);
    EXPECT_FALSE(FormattedText("a=b\n#c", dialect).last_line_revived);
    EXPECT_FALSE(FormattedText("a=b\n", dialect).last_line_revived);
  }
  expect_formatted("a=b\\\n", "a = b\n", Dialect::pcp7);
  EXPECT_TRUE(FormattedText("a=b\\\n", Dialect::pcp7).last_line_revived);
}

TEST(FormatOddBytes, MistakesHaveAPlaceAndACaret) {
  const FormattedText got("a=b\n  x.y=1 + + 2\nc=d\n", Dialect::pcp6);
  EXPECT_EQ(got.text, "a = b\n  x.y=1 + + 2\nc = d\n");
  EXPECT_NE(got.said.find("my.conf:2:11"), std::string::npos) << got.said;
  EXPECT_NE(got.said.find("Arithmetic expression expected to follow +"), std::string::npos);
  EXPECT_NE(got.said.find("^"), std::string::npos) << got.said;
  // Behind joints the place is that in the file.
  const FormattedText joined("a = b + \\\n  c + \\\n  * d\n", Dialect::pcp7);
  EXPECT_NE(joined.said.find("my.conf:3:3"), std::string::npos) << joined.said;
}

TEST(FormatOddBytes, MoreErrorsThanAreShownLeaveTheRest) {
  std::string text = "a=b\n";
  for (int i = 0; i < 1500; ++i) text += "  wrong\n";
  for (const Dialect dialect : kDialects) {
    const FormattedText got(text + "c=d", dialect);
    EXPECT_EQ(got.text, "a = b\n" + text.substr(4) + "c=d\n");
    EXPECT_NE(got.said.find("P11"), std::string::npos);
  }
}

}  // namespace
}  // namespace pmjit
