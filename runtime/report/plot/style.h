// Style: the colours of a chart, on a light and on a dark page. Lines have six colours that people
// who see fewer tell apart too, and a seventh line is dashed; a heat map goes from one end of the
// lightness to the other, through yellow, green and blue.
#pragma once

#include <string>

namespace pmjit {

inline constexpr size_t kLineColours = 6;  // classes s0 … s5
inline constexpr size_t kHeatColours = 9;  // classes c0 … c8, the least to the largest

// The rules, for a <style>. Both pages: the reader's preference chooses.
std::string style_text();

}  // namespace pmjit
