// What to write for `95 %`, which no dialect has: a metric may be a percentage itself, or a share.
//
//   percent_help("some_inst filesys.full > ", "95")
//     → "filesys.full is a percentage already: write 95"
#pragma once

#include <string>
#include <string_view>

namespace pmjit {

// `before`: what stands before the number, with the metric that is compared or not.
[[nodiscard]] std::string percent_help(std::string_view before, std::string_view number);

// `percent`, `pct`: a word that is no unit.
[[nodiscard]] bool is_percent_word(std::string_view word);

}  // namespace pmjit
