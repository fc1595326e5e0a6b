#include "runtime/report/table_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "runtime/report/text/grid.h"
#include "runtime/report/text/human_text.h"
#include "runtime/text/zone.h"

namespace pmjit {

namespace {

// "22:13:20.5Z"
std::string clock_text(Stamp time, Zone& zone) {
  const std::string iso = iso_local(time, zone);
  return iso.substr(iso.find('T') + 1);
}

// Milliseconds are enough for people, where they tell the times apart.
std::vector<std::string> time_headings(std::span<const Stamp> times, Zone& zone) {
  constexpr int32_t kNsPerMs = 1'000'000;
  std::vector<std::string> out;
  std::set<std::string> distinct;
  for (Stamp time : times) {
    time.nsec -= time.nsec % kNsPerMs;
    distinct.insert(out.emplace_back(clock_text(time, zone)));
  }
  if (distinct.size() == times.size()) return out;
  std::ranges::transform(times, out.begin(), [&](Stamp time) { return clock_text(time, zone); });
  return out;
}

// The name of a line. If it must be cut, the instance stays: it is what neighbours differ in.
std::string label(const FirstValues& line, size_t width) {
  if (line.instance.empty()) return fit(line.metric, width);
  const std::string instance = "[" + line.instance + "]";
  const size_t taken = display_width(instance);
  return taken < width ? fit(line.metric, width - taken) + instance
                       : fit(line.metric + instance, width);
}

}  // namespace

std::string first_values_text(std::span<const Stamp> times, const std::vector<FirstValues>& lines,
                              size_t width, Zone& zone, const Paint& paint) {
  const std::vector<std::string> clock = time_headings(times, zone);
  std::vector<size_t> widths;
  for (const std::string& text : clock) widths.push_back(display_width(text));
  size_t names = 0;
  for (const FirstValues& line : lines) {
    names = std::max(names, display_width(label(line, SIZE_MAX)));
    for (size_t i = 0; i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(line.cells[i]));
    }
  }
  // Whatever the names, there is one time.
  const size_t beside_one = width - std::min(width / 2, widths[0] + Grid::kGap);
  names = std::min(names, beside_one);
  size_t shown = 1;
  for (size_t used = names + Grid::kGap + widths[0]; shown < clock.size(); ++shown) {
    used += Grid::kGap + widths[shown];
    if (used > width) break;
  }

  std::vector<Grid::Heading> headings{{.text = "values"}};
  for (size_t i = 0; i < shown; ++i) {
    headings.push_back({.text = clock[i], .right = true, .shrinks = true});
  }
  Grid grid(std::move(headings));
  for (const FirstValues& line : lines) {
    std::vector<std::string> cells{label(line, names)};
    cells.insert(cells.end(), line.cells.begin(),
                 line.cells.begin() + static_cast<std::ptrdiff_t>(shown));
    grid.add(std::move(cells));
  }
  std::string out = grid.text(width, paint);
  if (shown < clock.size()) {
    out += fmt::format("… and at {} more time{}: csv and json have them all\n",
                       clock.size() - shown, clock.size() - shown == 1 ? "" : "s");
  }
  return out;
}

}  // namespace pmjit
