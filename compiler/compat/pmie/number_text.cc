#include <cmath>
#include <cstdio>
#include <limits>

#include "compiler/compat/pmie/list.h"

namespace pmjit::pmie {

std::string number_text(double number) {
  if (std::isnan(number)) return "?";
  const bool is_int = number >= std::numeric_limits<int>::min() &&
                      number <= std::numeric_limits<int>::max() && number == std::trunc(number);
  const double size = std::fabs(number);
  constexpr size_t kRoom = 24;  // 23 characters: what is longer is cut (spec Q20)
  char text[kRoom];
  if (is_int)
    std::snprintf(text, kRoom, "%d", static_cast<int>(number));
  else
    std::snprintf(text, kRoom,
                  size < 0.5  ? "%g"
                  : size < 5  ? "%.2f"
                  : size < 50 ? "%.1f"
                              : "%.0f",
                  number);
  return text;
}

}  // namespace pmjit::pmie
