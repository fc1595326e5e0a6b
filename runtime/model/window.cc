#include "runtime/model/window.h"

#include <algorithm>

#include "runtime/model/clock_text.h"
#include "runtime/model/interval.h"

namespace pmjit {

namespace {

constexpr std::string_view kAlignMessage = "alignment specified by -A switch could not be applied";
constexpr std::string_view kForms =
    "understood are: 10min or +10min (after the start), -1h (before the end), "
    "2023-11-14T22:13:20Z, 2023-11-14 22:13 (local time), and @ with a date as ctime prints it "
    "(@12:30, @Nov 14 22:13, @14 22:13:20 2023); other free-format dates are not";

// Beyond what a stamp holds is the farthest stamp: a window is clamped to its recording anyhow.
Stamp clamped(Nanos ns) {
  return stamp_from_nanos(std::clamp(ns, nanos(kStampMin), nanos(kStampMax)));
}

// The first parser's message stands, for it says where the text stopped making sense.
Result<Stamp> or_iso(std::string_view text, const Error& first) {
  if (auto stamp = parse_iso(text)) return *stamp;
  return fail(Error(Fault::unsupported, first.what()).help(std::string(kForms)));
}

Result<Stamp> parse_time(std::string_view text, Stamp start, Stamp end) {
  const std::string_view whole = text;
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  if (text.starts_with('@')) {
    text.remove_prefix(1);
    auto stamp = parse_ctime(text, start);
    return stamp ? stamp : or_iso(text, stamp.error());
  }
  const bool before_end = text.starts_with('-') && end != kStampMax;
  if (before_end || text.starts_with('+')) text.remove_prefix(1);
  auto interval = parse_interval(text);
  if (!interval) return or_iso(whole, interval.error());
  return clamped(before_end ? nanos(end) - nanos(*interval) : nanos(start) + nanos(*interval));
}

Nanos round_up(Nanos value, Nanos step) {
  Nanos rest = value % step;
  if (rest < 0) rest += step;
  return rest == 0 ? value : value + step - rest;
}

// The origin rounded up to a multiple of `step`, or one step below that where it lies past the end.
// Without an end 6.0.3 always takes that step down.
std::optional<Stamp> aligned_origin(Stamp origin, Nanos step, const Window& window) {
  Nanos up = round_up(nanos(origin), step);
  if (window.end == kStampMax || up > nanos(window.end)) up -= step;
  if (up < nanos(window.start) || up > nanos(window.end)) return std::nullopt;
  return clamped(up);
}

}  // namespace

Result<Window> parse_window(const WindowSpec& spec, Stamp log_start, Stamp log_end) {
  Window window{.start = log_start, .end = log_end, .origin = log_start, .warning = {}};
  if (spec.start) {
    auto start = parse_time(*spec.start, window.start, window.end);
    if (!start) return fail(start.error().at("option", "-S"));
    window.start = std::max(*start, log_start);
  }
  Nanos step = 0;
  if (spec.align) {
    auto interval = parse_interval(*spec.align);
    if (!interval) return fail(interval.error().at("option", "-A"));
    step = nanos(*interval);
    const std::string message = caret_text(*spec.align, 0, kAlignMessage);
    if (step == 0) return fail(Error(Fault::usage, message).at("option", "-A"));
    const Nanos up = round_up(nanos(window.start), step);
    if (up < nanos(log_start) || up > nanos(log_end)) {
      window.warning = message;
    } else {
      window.start = clamped(up);
    }
  }
  if (spec.finish) {
    auto end = parse_time(*spec.finish, window.start, window.end);
    if (!end) return fail(end.error().at("option", "-T"));
    window.end = std::min(*end, log_end);
  }
  window.origin = window.start;
  if (!spec.origin) return window;
  auto origin = parse_time(*spec.origin, window.start, window.end);
  if (!origin) return fail(origin.error().at("option", "-O"));
  window.origin = *origin < window.start ? window.start : std::min(*origin, window.end);
  if (step == 0) return window;
  if (auto aligned = aligned_origin(window.origin, step, window)) {
    window.origin = *aligned;
  } else {
    window.warning = caret_text(*spec.align, 0, kAlignMessage);
  }
  return window;
}

}  // namespace pmjit
