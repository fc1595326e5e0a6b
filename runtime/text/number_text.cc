#include "runtime/text/number_text.h"

#include <fmt/format.h>

#include <cmath>

namespace pmjit {

namespace {

struct Scale {
  double below,
      above;  // taken by positive values from `above` on, by negative ones down to `below`
  double unit;
  char letter;
};

// A minus takes a place, so negative values step up a digit earlier.
constexpr Scale kScales[] = {
    {-99'995e6, 999'995e6, 1e12, 'T'},
    {-99'995e3, 999'995e3, 1e9, 'G'},
    {-99'995, 999'995, 1e6, 'M'},
    {-99.995, 999.995, 1e3, 'K'},
};
constexpr double kMost = 999'995e9, kLeast = -99'995e9, kNothing = 0.005;

}  // namespace

std::string number_text(double value) {
  if (value >= kMost) return " inf?  ";
  if (value <= kLeast) return "-inf?  ";
  if (std::isnan(value) || std::fabs(value) < kNothing) return "  0.00 ";
  for (const Scale& scale : kScales) {
    if (value >= scale.above || value <= scale.below) {
      return fmt::format("{:6.2f}{}", value / scale.unit, scale.letter);
    }
  }
  return fmt::format("{:6.2f} ", value);
}

}  // namespace pmjit
