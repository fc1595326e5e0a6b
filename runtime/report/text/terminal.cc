#include "runtime/report/text/terminal.h"

#include <algorithm>
#include <cstdlib>

namespace pmjit {

namespace {
constexpr int kWidthDefault = 100, kWidthLeast = 40;
}

size_t terminal_width(int asked) {
  const char* columns = asked > 0 ? nullptr : std::getenv("COLUMNS");
  if (columns) asked = std::atoi(columns);
  return static_cast<size_t>(asked > 0 ? std::max(asked, kWidthLeast) : kWidthDefault);
}

}  // namespace pmjit
