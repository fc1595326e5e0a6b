#include "runtime/report/archive_info/archive_report.h"

#include <array>

#include "runtime/report/find_named.h"

namespace pmjit {

namespace {

constexpr std::array<ArchiveReport, 2> kReports = {{
    {"text", "for people", archive_text},
    {"json", "one object, stable", archive_json},
}};

}  // namespace

std::span<const ArchiveReport> archive_reports() { return kReports; }

const ArchiveReport* find_archive_report(std::string_view name) {
  return find_named(archive_reports(), name);
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
