// The summary of an archive as text: for people, and as one JSON object.
//
//   const ArchiveReport* report = find_archive_report("text");
//   sink.put(report->make(summary, {.zone = Zone("UTC")}));
//
// README.md of this folder has what stands in the JSON.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "runtime/model/archive_summary.h"
#include "runtime/text/zone.h"

namespace pmjit {

struct ArchiveReportOptions {
  Zone zone{};    // of the times in text for people; JSON has UTC
  int width = 0;  // of the terminal; 0: $COLUMNS
};

struct ArchiveReport {
  std::string_view name, what;
  std::string (*make)(const ArchiveSummary& summary, const ArchiveReportOptions& options);
};

[[nodiscard]] std::span<const ArchiveReport> archive_reports();
[[nodiscard]] const ArchiveReport* find_archive_report(std::string_view name);  // null: none

std::string archive_text(const ArchiveSummary& summary, const ArchiveReportOptions& options);
std::string archive_json(const ArchiveSummary& summary, const ArchiveReportOptions& options);

// "pause" …: the word for both.
std::string_view gap_cause_text(GapCause cause);

}  // namespace pmjit
