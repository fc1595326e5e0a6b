// Series notation: what follows a metric on a line of `samples`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/model/elem.h"

namespace pmjit::cases {

// "5", "0+10x3" (0 10 20 30), "_", "-", "!" as single tokens; at most kSeriesMax of them.
inline constexpr size_t kSeriesMax = 100'000;
Result<std::vector<std::string>> expand_series(const std::vector<std::string>& words);

// The bits of a number of this type. Numbers that do not fit the type are refused.
Result<uint64_t> parse_value(std::string_view text, Elem elem);
// The number or text of these bits, as cases write it.
std::string value_text(uint64_t bits, Elem elem);

}  // namespace pmjit::cases
