// Texts without the blanks at their ends.
#pragma once

#include <string_view>

#include "runtime/base/chars.h"

namespace pmjit {

// Of a text that is all blank: its end.
[[nodiscard]] constexpr std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace pmjit
