#include "runtime/report/archive_report.h"

#include <algorithm>
#include <array>

namespace pmjit {

namespace {

constexpr std::array<ArchiveReport, 2> kReports = {{
    {"text", "for people", archive_text},
    {"json", "one object, stable", archive_json},
}};

}  // namespace

std::span<const ArchiveReport> archive_reports() { return kReports; }

const ArchiveReport* find_archive_report(std::string_view name) {
  const auto found = std::ranges::find(kReports, name, &ArchiveReport::name);
  return found == kReports.end() ? nullptr : found;
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

}  // namespace pmjit
