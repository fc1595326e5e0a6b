// pmNumberStr: a number in seven characters, "  1.50K". Source: spec pmapi.md §16.5.
#pragma once

#include <string>

namespace pmjit {

std::string number_text(double value);

}  // namespace pmjit
