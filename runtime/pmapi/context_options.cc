// What options say of a context that is open, and the usage text. Source: spec pmapi.md §20.3.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <optional>

#include "runtime/pmapi/convert.h"
#include "runtime/pmapi/messages.h"
#include "runtime/pmapi/open_context.h"
#include "runtime/pmapi/options.h"

using namespace pmjit;

namespace {

// The zone of -z or -Z. False: there is none, and the message is pending.
bool use_zone(int handle, pmOptions& opts) {
  const bool told = (opts.flags & PM_OPTFLAG_STDOUT_TZ) != 0;
  if (opts.tzflag != 0) {
    const int code = pmNewContextZone();
    if (code < 0) {
      fail_options(opts, fmt::format("Cannot set context timezone: {}", pm_error_text(code)));
      return false;
    }
    if (told) {
      const auto context = the_library().find(handle);
      const bool archive = context != nullptr && context->archive() != nullptr;
      fmt::print("Note: timezone set to local timezone of host \"{}\"{}\n\n",
                 pmGetContextHostName(handle), archive ? " from archive" : "");
    }
  } else if (opts.timezone != nullptr) {
    const int code = pmNewZone(opts.timezone);
    if (code < 0) {
      fail_options(opts, fmt::format("Cannot set timezone to \"{}\": {}", opts.timezone,
                                     pm_error_text(code)));
      return false;
    }
    if (told) fmt::print("Note: timezone set to \"TZ={}\"\n\n", opts.timezone);
  }
  return true;
}

struct Bounds {
  struct timespec start, end;
};

bool before(const struct timespec& a, const struct timespec& b) {
  return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

// Of the current context, an archive. False: its message is pending.
bool archive_bounds(pmOptions& opts, const char* name, Bounds& out) {
  pmHighResLogLabel label;
  if (const int code = pmGetHighResArchiveLabel(&label); code < 0) {
    fail_options(opts,
                 fmt::format("Cannot get archive {} label record: {}", name, pm_error_text(code)));
    return false;
  }
  out.start = label.start;
  out.end = {.tv_sec = PM_MAX_TIME_T};
  const int code = pmGetHighResArchiveEnd(&out.end);
  if (code >= 0) return true;
  out.end = {.tv_sec = PM_MAX_TIME_T};
  pmflush();
  std::fprintf(stderr,
               "%s: Cannot locate end of archive %s: %s\n\n"
               "WARNING: This archive is sufficiently damaged that it may not be possible to\n"
               "         produce complete information.  Continuing and hoping for the best.\n\n",
               pmGetProgname(), name, pmErrStr(code));
  return true;
}

// Of all archives, where they are apart. Behind that no context is current, as in libpcp.
bool bounds_of_all(pmOptions& opts, Bounds& out) {
  std::optional<Bounds> all;
  for (int i = 0; i < opts.narchives; ++i) {
    const int opened = pmNewContext(PM_CONTEXT_ARCHIVE, opts.archives[i]);
    if (opened < 0) {
      fail_options(
          opts, fmt::format("Cannot open archive {}: {}", opts.archives[i], pm_error_text(opened)));
      return false;
    }
    Bounds one{};
    const bool good = archive_bounds(opts, opts.archives[i], one);
    pmDestroyContext(opened);
    if (!good) return false;
    if (!all) all = one;
    if (before(one.start, all->start)) all->start = one.start;
    if (before(all->end, one.end)) all->end = one.end;
  }
  out = *all;
  return true;
}

bool find_bounds(int handle, pmOptions& opts, Bounds& out) {
  const auto context = the_library().find(handle);
  if (context != nullptr && context->archive() != nullptr) {
    const bool apart = (opts.flags & PM_OPTFLAG_MULTI) != 0 && opts.narchives > 1;
    if (apart) return bounds_of_all(opts, out);
    return archive_bounds(opts, opts.narchives > 0 ? opts.archives[0] : "", out);
  }
  out.end = {.tv_sec = PM_MAX_TIME_T};
  return pmtimespecNow(&out.start) == 0;
}

struct timeval micro_of(const struct timespec& time) {
  return {.tv_sec = time.tv_sec, .tv_usec = time.tv_nsec / 1'000};
}

bool find_window(pmOptions& opts, const Bounds& bounds) {
  char* why = nullptr;
  int code = 0;
  if (has_nanoseconds(opts)) {
    OptionTimes& times = nanoseconds_of(opts);
    code = pmParseHighResTimeWindow(opts.start_optarg, opts.finish_optarg, opts.align_optarg,
                                    opts.origin_optarg, &bounds.start, &bounds.end, &times.start,
                                    &times.finish, &times.origin, &why);
  } else {
    const struct timeval start = micro_of(bounds.start), end = micro_of(bounds.end);
    code = pmParseTimeWindow(opts.start_optarg, opts.finish_optarg, opts.align_optarg,
                             opts.origin_optarg, &start, &end, &opts.start, &opts.finish,
                             &opts.origin, &why);
  }
  if (code < 0) {
    fail_options(opts, fmt::format("invalid time window.\n{}", why == nullptr ? "" : why));
  }
  std::free(why);
  return code >= 0;
}

// The left half of an option's line. An argument that may be left out looks like any other.
std::string usage_of(const pmLongOptions& option) {
  std::string out = "  ";
  const std::string_view name = option.long_opt == nullptr ? "" : option.long_opt;
  const std::string_view argument = option.argname == nullptr ? "" : option.argname;
  if (option.short_opt != 0) {
    out += fmt::format("-{}", static_cast<char>(option.short_opt));
    if (option.has_arg != 0) out += fmt::format(" {}", argument);
    if (!name.empty()) out += ", ";
  }
  if (name.empty()) return out;
  out += fmt::format("--{}", name);
  if (option.has_arg != 0) out += fmt::format("={}", argument);
  return out;
}

std::string usage_line(const pmLongOptions& option) {
  constexpr size_t kTextAt = 24;
  const bool own_line = option.long_opt != nullptr && *option.long_opt == '\0';
  if (own_line && option.short_opt == '-') {
    return fmt::format("\n{}:\n", option.message == nullptr ? "" : option.message);
  }
  if (own_line && option.short_opt == '|') {
    return fmt::format("{}\n", option.message == nullptr ? "" : option.message);
  }
  if (option.message == nullptr) return {};
  std::string out = usage_of(option);
  if (out.size() < kTextAt) {
    out.resize(kTextAt, ' ');
  } else {
    out += "\n" + std::string(kTextAt, ' ');
  }
  return out + option.message + "\n";
}

}  // namespace

int pmGetContextOptions(int handle, pmOptions* opts) {
  if (opts == nullptr) return -EINVAL;
  return at_c_border([&] {
    if (!use_zone(handle, *opts)) return PM_ERR_GENERIC;
    const bool window = opts->start_optarg != nullptr || opts->finish_optarg != nullptr ||
                        opts->align_optarg != nullptr || opts->origin_optarg != nullptr ||
                        (opts->flags & PM_OPTFLAG_BOUNDARIES) != 0;
    if (!window) return 0;
    if (the_library().find(handle) == nullptr) return PM_ERR_GENERIC;
    Bounds bounds{};
    if (!find_bounds(handle, *opts, bounds)) return PM_ERR_GENERIC;
    return find_window(*opts, bounds) ? 0 : PM_ERR_GENERIC;
  });
}

void pmUsageMessage(pmOptions* opts) {
  if (opts == nullptr) return;
  (void)at_c_border([&] {
    if ((opts->flags & (PM_OPTFLAG_RUNTIME_ERR | PM_OPTFLAG_EXIT)) == 0) {
      add_message(fmt::format("Usage: {} {}\n", program_name(),
                              opts->short_usage == nullptr ? "[options]" : opts->short_usage));
      const pmLongOptions* option = opts->long_options;
      for (; option != nullptr && option->long_opt != nullptr; ++option) {
        add_message(usage_line(*option));
      }
    }
    return (opts->flags & PM_OPTFLAG_NOFLUSH) != 0 ? 0 : pmflush();
  });
}
