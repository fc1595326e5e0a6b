#include "runtime/report/archive_info/archive_report.h"

#include <algorithm>
#include <array>
#include <vector>

#include "runtime/report/find_named.h"

namespace pmjit {

namespace {

constexpr std::array<ArchiveReport, 2> kReports = {{
    {"text", "for people", archive_text, folder_text},
    {"json", "one object, stable", archive_json, folder_json},
}};

struct Cell {
  double share = 0;  // of its time that has data
  bool touched = false;
};

class TimelineCells {
 public:
  TimelineCells(const TimeSpan& all, size_t cells)
      : start_(all.first), seconds_(all.seconds()), cells_(std::max<size_t>(cells, 1)) {}

  void add(const TimeSpan& data) {
    if (data.last < data.first) return;
    const double from = place(data.first), to = place(data.last);
    const size_t first = index(from), last = index(to);
    for (size_t i = first; i <= last; ++i) {
      const auto left = static_cast<double>(i);
      cells_[i].share += std::max(0.0, std::min(to, left + 1) - std::max(from, left));
      cells_[i].touched = true;
    }
  }

  [[nodiscard]] std::string text() const {
    std::string out;
    for (const Cell& cell : cells_) out += glyph(cell);
    return out;
  }

 private:
  [[nodiscard]] double place(Stamp stamp) const {
    const auto width = static_cast<double>(cells_.size());
    if (seconds_ <= 0) return 0;
    return std::clamp(seconds_between(stamp, start_) / seconds_ * width, 0.0, width);
  }
  [[nodiscard]] size_t index(double place) const {
    return std::min(static_cast<size_t>(place), cells_.size() - 1);
  }
  [[nodiscard]] std::string_view glyph(const Cell& cell) const {
    constexpr double kFull = 1 - 1e-9;  // what rounding leaves of 1
    if (!cell.touched) return "·";
    if (cell.share >= kFull || seconds_ <= 0) return "█";
    return cell.share >= 2.0 / 3 ? "▓" : cell.share >= 1.0 / 3 ? "▒" : "░";
  }

  Stamp start_;
  double seconds_;
  std::vector<Cell> cells_;
};

}  // namespace

std::span<const ArchiveReport> archive_reports() { return kReports; }

const ArchiveReport* find_archive_report(std::string_view name) {
  return find_named(archive_reports(), name);
}

std::string metric_label(const MetricSummary& metric) {
  return metric.name.empty() ? pmid_text(metric.pmid) : metric.name;
}

size_t undescribed_metrics(const ArchiveSummary& summary) {
  return static_cast<size_t>(std::ranges::count_if(
      summary.metrics, [](const MetricSummary& metric) { return metric.name.empty(); }));
}

std::string_view gap_cause_text(GapCause cause) {
  switch (cause) {
    case GapCause::pause: return "pause";
    case GapCause::mark: return "mark";
    case GapCause::archive: return "next archive";
    case GapCause::volume: return "missing volume";
    case GapCause::damage: return "damage";
  }
  return "";
}

std::string timeline(const TimeSpan& all, const RecordedSpan& recorded, size_t cells) {
  TimelineCells line(all, cells);
  Stamp from = recorded.span.first;
  for (const Gap& gap : recorded.gaps) {
    if (gap.from >= recorded.span.last) break;
    if (gap.to && *gap.to <= from) continue;
    if (gap.from >= from) line.add({.first = from, .last = gap.from});
    from = gap.to.value_or(kStampMax);
  }
  if (from <= recorded.span.last) line.add({.first = from, .last = recorded.span.last});
  return line.text();
}

}  // namespace pmjit
