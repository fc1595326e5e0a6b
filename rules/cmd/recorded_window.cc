#include "rules/cmd/recorded_window.h"

#include <fmt/core.h>

#include "rules/cmd/common.h"
#include "runtime/archive/recording/records.h"

namespace pmjit {

namespace {

std::string recorded_text(const Recorded& recorded, const Zone& zone) {
  return fmt::format("the archive ({} … {})", iso_local(recorded.start, zone),
                     iso_local(recorded.end, zone));
}

constexpr const char* kTimesHelp =
    "14:30 is a time of the archive's first day, 10min so much after its start";

std::unexpected<Error> outside(const std::string& what, const Recorded& recorded,
                               const Zone& zone) {
  return fail(Error(Fault::usage, fmt::format("{} {}", what, recorded_text(recorded, zone)))
                  .help(kTimesHelp));
}

}  // namespace

Recorded recorded_between(Stamp start, Stamp end, const Clock& clock) {
  return {.start = start, .end = end, .now = unix_seconds(clock.wall())};
}

Result<Window> recorded_window(const WindowSpec& spec, const Recorded& recorded, const Zone& zone) {
  auto window = parse_window(spec, recorded, zone);
  if (!window) return window;
  const std::string start = iso_local(window->start, zone), end = iso_local(window->end, zone);
  if (window->start > recorded.end) {
    return outside(fmt::format("-S {} is {}, which is after", *spec.start, start), recorded, zone);
  }
  if (window->end < recorded.start) {
    return outside(fmt::format("-T {} is {}, which is before", *spec.finish, end), recorded, zone);
  }
  if (window->start > window->end) {
    return fail(Error(Fault::usage,
                      fmt::format("the window ends at {}, before it begins at {}", end, start))
                    .help("-S gives its begin, -T its end"));
  }
  if (!window->warning.empty()) complain("warning: " + window->warning);
  return window;
}

Result<Stamp> recorded_time(const std::string& option, const std::string& text,
                            const Recorded& recorded, const Zone& zone) {
  const auto there = parse_window({.start = text, .strict = true}, recorded, zone);
  if (!there) {
    const Error& wrong = there.error();
    return fail(Error(wrong.fault(), wrong.what()).at("option", option).help(wrong.help()));
  }
  if (there->start > recorded.end) {
    return outside(
        fmt::format("{} {} is {}, which is after", option, text, iso_local(there->start, zone)),
        recorded, zone);
  }
  return there->start;
}

Result<void> whole_up_to(Stamp end, const Archives& archives) {
  const auto last = archives.end();
  if (!last || end < *last) return {};
  const auto damage = damaged_tail(archives);
  if (!damage) return {};
  return fail(Error(*damage).help(fmt::format(
      "times after {} are missing; pmlogcheck lists what else is damaged", iso_utc(*last))));
}

}  // namespace pmjit
