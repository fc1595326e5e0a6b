// Window: the part of a recording that -S -T -A -O ask for. Source: spec pmapi.md §13.2,
// archives.md §17.5.
//
//   auto window = parse_window({.start = "10min", .finish = "-1h"}, source.start(), source.end());
//   if (!window->warning.empty()) tell(window->warning);
//
// Understood: [+]INTERVAL (from the start), -INTERVAL (from the end), @ctime form (clock_text.h),
// ISO 8601. The reference's free-format dates ("2 hours ago", "3/15/2024") are refused with
// Fault::unsupported.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/model/stamp.h"

namespace pmjit {

struct WindowSpec {  // what the user wrote; none: the option is not given
  std::optional<std::string_view> start, finish, align, origin;  // -S -T -A -O
};

struct Window {
  Stamp start, end, origin;
  std::string warning;  // -A could not be applied: the reference's two lines; usable all the same
};

// `log_end` kStampMax: no end, as for a live host. A start after the end is no mistake: no samples.
[[nodiscard]] Result<Window> parse_window(const WindowSpec& spec, Stamp log_start, Stamp log_end);

}  // namespace pmjit
