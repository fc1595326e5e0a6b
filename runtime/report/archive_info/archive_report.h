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
#include "runtime/report/text/paint.h"
#include "runtime/text/zone.h"

namespace pmjit {

struct ArchiveReportOptions {
  Zone zone{};         // of the times in text for people; JSON has UTC
  int width = 0;       // of the terminal; 0: $COLUMNS
  Paint paint{};       // of text for people
  bool whole = false;  // lists in text for people have all their lines
};

struct ArchiveReport {
  std::string_view name, what;
  std::string (*make)(const ArchiveSummary& summary, const ArchiveReportOptions& options);
  // Of a folder with archives of several hosts.
  std::string (*make_hosts)(const FolderSummary& folder, const ArchiveReportOptions& options);
};

[[nodiscard]] std::span<const ArchiveReport> archive_reports();
[[nodiscard]] const ArchiveReport* find_archive_report(std::string_view name);  // null: none

std::string archive_text(const ArchiveSummary& summary, const ArchiveReportOptions& options);
std::string archive_json(const ArchiveSummary& summary, const ArchiveReportOptions& options);
std::string folder_text(const FolderSummary& folder, const ArchiveReportOptions& options);
std::string folder_json(const FolderSummary& folder, const ArchiveReportOptions& options);

// What the archive does not describe has no name: it is called by its number.
std::string metric_label(const MetricSummary& metric);
size_t undescribed_metrics(const ArchiveSummary& summary);

std::string left_out_json(std::span<const LeftOutArchive> archives);

// "pause" …: the word for both.
std::string_view gap_cause_text(GapCause cause);

// A line of block characters: where there are data, and where gaps.
//
//   timeline(all, {.span = all, .gaps = gaps}, 60)      "████████▓·····░███"
//
// █ data in all of the cell's time, ▓ ▒ ░ in less and less of it, · none. A gap of any length shows
// as a cell that is not full, and a single record as one that is not empty.
struct RecordedSpan {
  TimeSpan span;              // data from here to there …
  std::span<const Gap> gaps;  // … but for these, which are in order of time
};

// `all` is what the `cells` stand for.
std::string timeline(const TimeSpan& all, const RecordedSpan& recorded, size_t cells);

}  // namespace pmjit
