#include <gtest/gtest.h>

#include "runtime/report/plot/svg_text.h"

namespace pmjit {
namespace {

TEST(XmlText, Escapes) {
  EXPECT_EQ(xml_text("a<b> & \"c\" 'd'"), "a&#60;b&#62; &#38; &#34;c&#34; &#39;d&#39;");
  EXPECT_EQ(xml_text("größe ☃"), "größe ☃");
}

TEST(XmlText, WhatXmlHasNoPlaceFor) {
  EXPECT_EQ(xml_text(std::string_view("a\0\x1b[31m\x7f", 8)),
            "a\xef\xbf\xbd\xef\xbf\xbd[31m\xef\xbf\xbd");
  EXPECT_EQ(xml_text("\xff\xc3"), "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(xml_text("\xef\xbf\xbe"), "\xef\xbf\xbd");  // U+FFFE
}

TEST(Fitted, CutsWhatIsTooWide) {
  EXPECT_EQ(fitted("short", 100, 11), "short");
  const std::string cut = fitted("a name that is rather long", 100, 11);
  EXPECT_LE(text_width(cut, 11), 100);
  EXPECT_TRUE(cut.ends_with("…"));
  EXPECT_EQ(fitted("x", -1, 11), "");
}

TEST(Fitted, InTheMiddle) {
  const std::string name = "001932 browser/of/somebody/chrome";
  EXPECT_EQ(fitted_middle(name, 1'000, 10), name);
  EXPECT_EQ(fitted_middle(name, 5.8 * 11, 10), "00193…hrome");
  EXPECT_EQ(fitted_middle("äöüäöüäöü", 5.8 * 5, 10), "äö…öü");
}

TEST(Path, TenthsOfAPixelRelativeToTheLast) {
  Path path;
  path.move(1, 2.04);
  path.line(3.5, 2);
  path.line(3.5, 1.9);
  path.line(3.5, 1.9);
  path.line(-0.24, 4);
  path.close();
  EXPECT_EQ(path.text(), "M1 2h2.5v-0.1l-3.7 2.1z");
}

// Rounding does not add up along a path.
TEST(Path, EndsWhereItShould) {
  Path path;
  path.move(0, 0);
  for (int i = 1; i <= 1000; ++i) path.line(i * 0.333, 0);
  path.line(0, 0);
  EXPECT_TRUE(path.text().ends_with("h-333"));
}

}  // namespace
}  // namespace pmjit
