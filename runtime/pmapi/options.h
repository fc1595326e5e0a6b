// Options that all clients share: what pmGetOptions() does with each, and what other functions of
// the library do with them. Source: spec pmapi.md §20.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/pmapi/border.h"

namespace pmjit {

// pmOptions of programs that keep times in nanoseconds: these stand behind all else.
struct OptionTimes {
  struct timespec start, finish, origin, interval;
};
[[nodiscard]] inline bool has_nanoseconds(const pmOptions& opts) {
  return opts.version >= PMAPI_VERSION_3;
}
[[nodiscard]] inline OptionTimes& nanoseconds_of(pmOptions& opts) {
  return *reinterpret_cast<OptionTimes*>(&opts + 1);
}

// A mistake: its message, and that the program is to show its usage.
void refuse_option(pmOptions& opts, const std::string& why);
// Something else went wrong.
void fail_options(pmOptions& opts, const std::string& why);

void add_archive_option(pmOptions& opts, const char* name);
void add_host_option(pmOptions& opts, const char* name);
void add_archive_list(pmOptions& opts, const char* names);
void add_host_list(pmOptions& opts, const char* names);
void add_folio_option(pmOptions& opts, const char* path);
void add_own_archives(pmOptions& opts);
void end_options(pmOptions& opts);

}  // namespace pmjit
