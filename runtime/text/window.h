// Window: the part of a recording that -S -T -A -O ask for. Source: spec pmapi.md §13.2,
// archives.md §17.5.
//
//   Zone zone;
//   auto window = parse_window({.start = "10min", .finish = "-1h"},
//                              {.start = log_start, .end = log_end, .now = now_sec}, zone);
//   if (!window) ...              pmParseTimeWindow's −1; error().what() is its message
//   if (!window->aligned) ...     0: usable, and its message
//
// Understood: [+]INTERVAL (from the start), -INTERVAL (from the end), @ctime form (date_text.h),
// free-format dates (date_text.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/model/stamp.h"
#include "runtime/text/zone.h"

namespace pmjit {

struct WindowSpec {  // what the user wrote; none: the option is not given
  std::optional<std::string_view> start, finish, align, origin;  // -S -T -A -O
  // ISO 8601 goes before free-format dates, which read its T and Z as zones, and an offset is as
  // long as it says: the reference keeps 32 bits of its seconds. A time of day alone, or with a
  // zone, is one of a recording's day, as behind @; to the reference it is one of today.
  bool strict = false;
};

struct Recorded {
  Stamp start, end;  // an end of kStampMax seconds: none is known, as for a live host
  int64_t now;       // seconds since the epoch; of the wall clock, for "tomorrow"
};

struct Window {
  Stamp start, end, origin;
  bool aligned = true;  // no: -A could not be applied, and the window is usable all the same
  std::string
      warning;  // then the reference's two lines; empty where a -T read later took them away
  // As they were asked for, which may be outside of what is recorded.
  std::optional<Stamp> asked_start{}, asked_end{}, asked_origin{};
};

// A start after the end is no mistake: no samples.
[[nodiscard]] Result<Window> parse_window(const WindowSpec& spec, const Recorded& recorded,
                                          const Zone& zone);

// The same in the microseconds of pmParseTimeWindow of 6.0.3, by which pminfo and pmprobe go; the
// one above is its pmParseHighResTimeWindow.
[[nodiscard]] Result<Window> parse_micro_window(const WindowSpec& spec, const Recorded& recorded,
                                                const Zone& zone);
// What pmval of 6.0.3 makes of the latter.
[[nodiscard]] Window cut_to_microseconds(Window window);

}  // namespace pmjit
