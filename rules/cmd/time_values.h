// Values of -t, -A, -S, -T, -O and --at: CommandOption::wrong of each.
#pragma once

#include <string>
#include <string_view>

#include "rules/cmd/command.h"

namespace pmjit {

// "is not an interval; use 10s, 1min, 2h"; empty: it is one, of more than nothing. 500ms is
// refused, for PCP's tools read it as 500 minutes, and 26.11.2026, which is 26.3126 seconds to
// them.
[[nodiscard]] std::string wrong_interval(const std::string& value);
[[nodiscard]] std::string wrong_time(const std::string& value);
// Of 1764197700, which is no time of PCP's tools: the date that it is. "": it is another text.
[[nodiscard]] std::string epoch_help(std::string_view text);
// Of 20261126 and 22h58, which are seconds, and hours and seconds, to PCP's tools: the date and the
// time of day that are meant where the recording has no such time. "": it is another text.
[[nodiscard]] std::string meant_time(std::string_view text);
// -T, of every verb that has a window.
[[nodiscard]] CommandOption finish_option(std::string& finish);

}  // namespace pmjit
