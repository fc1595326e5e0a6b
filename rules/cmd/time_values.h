// Values of -t, -A, -S, -T, -O and --at: CommandOption::wrong of each.
#pragma once

#include <string>

namespace pmjit {

// "is no interval; use 10s, 1min, 2h"; empty: it is one, of more than nothing.
[[nodiscard]] std::string wrong_interval(const std::string& value);
[[nodiscard]] std::string wrong_time(const std::string& value);

}  // namespace pmjit
