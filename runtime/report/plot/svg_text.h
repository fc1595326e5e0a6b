// Text for XML: escaped, and without characters that XML has no place for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pmjit {

// As content, or in an attribute with double or single quotes. What is not UTF-8 and what XML
// forbids (control characters, U+FFFE, U+FFFF) becomes U+FFFD.
std::string xml_text(std::string_view text);

// The same replacements without the escapes.
std::string xml_safe(std::string_view text);

// About how wide the text is in a font of `size` pixels: nobody knows the reader's fonts.
double text_width(std::string_view text, double size);

// As much of it as is about `width` wide, with "…" where something is missing.
std::string fitted(std::string_view text, double width, double size);

// The same with "…" in the middle: names that begin alike differ at their ends.
std::string fitted_middle(std::string_view text, double width, double size);

// Path: the data of an SVG path, short: tenths of a pixel, each point relative to the one before.
class Path {
 public:
  void move(double x, double y);
  void line(double x, double y);  // nothing where it would go nowhere
  void stay() { out_ += "h0"; }   // a stroke of no length: a dot, where ends are round
  void close() { out_ += 'z'; }
  [[nodiscard]] bool empty() const { return out_.empty(); }
  [[nodiscard]] const std::string& text() const { return out_; }

 private:
  void number(int64_t tenths);
  std::string out_;
  int64_t x_ = 0, y_ = 0;  // in tenths
};

// A length in an attribute, in tenths: "12.5", "12".
std::string px(double length);

// Style: the colours of a chart, on a light and on a dark page. Lines have six colours that people
// who see fewer tell apart too; a heat map goes from one end of the
// lightness to the other, through yellow, green and blue.
inline constexpr double kSmallFont = 11;   // of axes and legend
inline constexpr size_t kLineColours = 6;  // classes s0 … s5
inline constexpr size_t kHeatColours = 9;  // classes c0 … c8, the least to the largest

// The rules, for a <style>. Both pages: the reader's preference chooses.
std::string style_text();

}  // namespace pmjit
