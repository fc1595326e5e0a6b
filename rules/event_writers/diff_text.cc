#include "rules/event_writers/diff_text.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace pmjit {

namespace {

std::string span_text(const Alert& alert, Zone& zone) {
  if (alert.goes_on) return fmt::format("{} on", event_time_text(alert.from, zone));
  return fmt::format("{} for {}", event_time_text(alert.from, zone),
                     duration_text(alert.to - alert.from));
}

std::string spans_text(const std::vector<Alert>& alerts, Zone& zone) {
  std::string out;
  for (const Alert& alert : alerts) {
    if (!out.empty()) out += "; ";
    out += span_text(alert, zone);
  }
  return out.empty() ? "-" : out;
}

std::string summary(const DiffInput& input) {
  std::array<size_t, 4> counts{};
  for (const AlertDiff& diff : input.diffs) ++counts[static_cast<size_t>(diff.change)];
  return fmt::format("{} gained, {} lost, {} moved, {} the same", counts[0], counts[1], counts[2],
                     counts[3]);
}

std::string only_lines(const DiffInput& input, std::string_view bullet) {
  std::string out;
  const auto add = [&](const std::vector<std::string>& rules, std::string_view where) {
    if (rules.empty()) return;
    out += fmt::format("{}only in the {} rules: {}\n", bullet, where, fmt::join(rules, ", "));
  };
  add(input.only_before, "old");
  add(input.only_after, "new");
  return out;
}

std::string diff_table(const DiffInput& input, Zone& zone) {
  size_t width = 0;
  for (const AlertDiff& diff : input.diffs) width = std::max(width, diff.rule.size());
  std::string out = only_lines(input, "");
  for (const AlertDiff& diff : input.diffs) {
    if (diff.change == AlertChange::same) continue;
    out += fmt::format("{:<6}  {:<{}}  ", alert_change_text(diff.change), diff.rule, width);
    switch (diff.change) {
      case AlertChange::gained: out += spans_text(diff.after, zone); break;
      case AlertChange::lost: out += spans_text(diff.before, zone); break;
      default:
        out += fmt::format("{} -> {}", spans_text(diff.before, zone), spans_text(diff.after, zone));
    }
    out += '\n';
  }
  return out + summary(input) + "\n";
}

std::string cell(std::string text) {
  for (size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) {
    text.insert(at, "\\");
  }
  return text;
}

std::string diff_markdown(const DiffInput& input, Zone& zone) {
  std::string out = fmt::format("{}: {}.\n\n", "Alerts", summary(input));
  out += only_lines(input, "- ");
  bool has_rows = false;
  for (const AlertDiff& diff : input.diffs) {
    if (diff.change == AlertChange::same) continue;
    if (!has_rows) out += "\n| change | rule | old | new |\n|---|---|---|---|\n";
    has_rows = true;
    out += fmt::format("| {} | {} | {} | {} |\n", alert_change_text(diff.change), cell(diff.rule),
                       cell(spans_text(diff.before, zone)), cell(spans_text(diff.after, zone)));
  }
  return out;
}

constexpr DiffFormat kFormats[] = {
    {"table", "a line a change, for people", diff_table},
    {"markdown", "a table for a review", diff_markdown},
};

}  // namespace

std::span<const DiffFormat> diff_formats() { return kFormats; }

const DiffFormat* find_diff_format(std::string_view name) {
  const auto* const found = std::ranges::find(kFormats, name, &DiffFormat::name);
  return found == std::end(kFormats) ? nullptr : found;
}

}  // namespace pmjit
