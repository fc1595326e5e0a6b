// What a user sees, as golden text.
#include <gtest/gtest.h>

#include "compiler/diag/diag.h"
#include "compiler/diag/line_starts.h"

namespace pmjit {
namespace {

std::string shown(const SourceText& source, const Diags& diags) {
  return render_all(diags, source);
}

// The example at the head of diag.h.
TEST(Render, LabelsShareALine) {
  const SourceText source{"rates.conf", "# comment\n\ntotal = mem.free + rate(disk.read)\nx = 1\n"};
  Diags diags;
  diags.add(DiagCode::D_AddDimensions, Span{28, 29}, "Kbyte", "count / sec")
      .label({19, 27}, "this is Kbyte")
      .label({30, 45}, "this is count / sec")
      .help("divide by an interval, or take rate()");
  EXPECT_EQ(shown(source, diags), R"(error[D50]: dimensions differ: Kbyte and count / sec
  --> rates.conf:3:18
   |
 3 | total = mem.free + rate(disk.read)
   |         -------- ^ --------------- this is count / sec
   |         |
   |         this is Kbyte
   = help: divide by an interval, or take rate()
)");
}

TEST(Render, SeveralDiagnosticsAreApartByALine) {
  const SourceText source{"f", "a b"};
  Diags diags;
  diags.add(DiagCode::D_NoDigits, Span{0, 1});
  diags.add(DiagCode::D_NoDigits, Span{2, 3});
  EXPECT_EQ(shown(source, diags), R"(error[D08]: number without digits
  --> f:1:1
   |
 1 | a b
   | ^

error[D08]: number without digits
  --> f:1:3
   |
 1 | a b
   |   ^
)");
}

TEST(Render, ColumnsCountCodePoints) {
  const SourceText source{"f", "x[Größe] + €€ .", 9};
  Diags diags;
  diags.add(DiagCode::D_NoDigits, Span{20, 21});
  EXPECT_EQ(shown(source, diags), R"(error[D08]: number without digits
  --> f:9:15
   |
 9 | x[Größe] + €€ .
   |               ^
)");
}

TEST(Render, TabsAndControlBytesTakeOneColumn) {
  const SourceText source{"f", std::string("\t\x01\xff\0.", 5)};
  Diags diags;
  diags.add(DiagCode::D_NoDigits, Span{4, 5});
  const std::string text = shown(source, diags);
  EXPECT_NE(text.find(" 1 |  ???.\n   |     ^\n"), std::string::npos) << text;
}

TEST(Render, LabelsOnOtherLinesShowThoseLines) {
  const SourceText source{"f", "one\ntwo\nthree\n", 9};
  Diags diags;
  diags.add(DiagCode::S_Duplicate, Span{8, 13}, "three").label({0, 3}, "first defined here");
  EXPECT_EQ(shown(source, diags), R"(error[D30]: three is defined twice
   --> f:11:1
    |
 11 | three
    | ^^^^^
  9 | one
    | --- first defined here
)");
}

TEST(Render, ALabelOnThePlaceItselfStandsBesideIt) {
  const SourceText source{"f", "abc"};
  Diags diags;
  diags.add(DiagCode::D_NoDigits, Span{1, 2}).label({1, 2}, "here");
  EXPECT_NE(shown(source, diags).find("   |  ^ here\n"), std::string::npos);
}

TEST(Render, TheEndOfTheTextHasAPlace) {
  const SourceText source{"f", "1 +"};
  Diags diags;
  diags.add(DiagCode::P_Syntax, Span{3, 3}, "x");
  EXPECT_NE(shown(source, diags).find(" 1 | 1 +\n   |    ^\n"), std::string::npos);
  const SourceText empty{"f", ""};
  Diags at_start;
  at_start.add(DiagCode::P_Syntax, Span{0, 0}, "x");
  EXPECT_NE(shown(empty, at_start).find(" 1 |\n   | ^\n"), std::string::npos);
}

TEST(Render, ASpanOverSeveralLinesIsMarkedOnItsFirst) {
  const SourceText source{"f", "abc\ndef\n"};
  Diags diags;
  diags.add(DiagCode::D_NoDigits, Span{1, 6});
  EXPECT_NE(shown(source, diags).find(" 1 | abc\n   |  ^^\n"), std::string::npos);
}

TEST(Render, LongLinesAreCutAroundThePlace) {
  std::string text(200'000, 'a');
  text[100'000] = '.';
  const SourceText source{"f", text};
  Diags diags;
  diags.add(DiagCode::D_NoDigits, Span{100'000, 100'001}).label({7, 9}, "far away").help("so");
  const std::string out = shown(source, diags);
  EXPECT_LT(out.size(), 1000u);
  EXPECT_NE(out.find("f:1:100001"), std::string::npos);
  EXPECT_NE(out.find("far away"), std::string::npos);
  const size_t line = out.find(" 1 | ") + 5, mark = out.find('^');
  const size_t mark_column = mark - (out.rfind('\n', mark) + 1) - 5;
  const std::string row = out.substr(line, out.find('\n', line) - line);
  EXPECT_EQ(row.substr(0, 3), "…");
  EXPECT_EQ(row.at(mark_column + 2), '.');  // … is three bytes and one column
}

TEST(LineStarts, GiveThePlacesThatAreCounted) {
  for (const char* const text : {"", "\n", "one", "one\n", "\n\nGröße\n\nx\n", "a\nb"}) {
    const SourceText source{"f", text, 7};
    const LineStarts starts(source.text);
    for (uint32_t at = 0; at <= source.text.size(); ++at) {
      const LineColumn counted = line_column(source, at), found = line_column(source, starts, at);
      EXPECT_EQ(found.line, counted.line) << text << at;
      EXPECT_EQ(found.column, counted.column) << text << at;
      EXPECT_EQ(starts.number_of(at) + 6, counted.line);
    }
  }
}

TEST(LineStarts, EndALineBeforeItsLineFeed) {
  const LineStarts starts("ab\n\nc");
  EXPECT_EQ(starts.line_of(2), 0u);
  EXPECT_EQ(starts.end(0), 2u);
  EXPECT_EQ(starts.end(1), 3u);
  EXPECT_EQ(starts.start(2), 4u);
  EXPECT_EQ(starts.end(2), 5u);
}

}  // namespace
}  // namespace pmjit
