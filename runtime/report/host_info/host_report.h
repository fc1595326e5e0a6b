// The summary of a live host as text: for people, and as one JSON object.
//
//   const HostReport* report = find_host_report("text");
//   sink.put(report->make(summary, {.zone = Zone("UTC")}));
//
// Text for people begins with the host, its agents, what is below the root of the name space, and
// the instance domains. No list has more than a dozen lines: JSON has them all. Where metrics were
// asked for by name it has a paragraph for each of them instead. It shows no control characters:
// what a host says must not command the terminal.
//
// | JSON          | members                                                                    |
// |---|---|
// | the object    | host asked version timezone time labels agents metrics domains              |
// | of an agent   | domain name status metrics                                                 |
// | of a metric   | name pmid type semantics units indom; error instead of these after pmid;   |
// |               | oneline help labels where it was asked for by name; of an archive recorded |
// |               | (records, values, errors, interval)                                        |
// | of a domain   | indom instances (id, name) metrics; error instead of instances; oneline    |
//
// `labels` is an object, with the labels of outer levels that inner ones do not replace; null:
// there are none.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "runtime/model/host_summary.h"
#include "runtime/report/text/paint.h"
#include "runtime/text/zone.h"

namespace pmjit {

struct HostReportOptions {
  Zone zone{};           // of the time in text for people; JSON has UTC
  int width = 0;         // of the terminal; 0: $COLUMNS
  Paint paint{};         // of text for people
  bool whole = false;    // lists in text for people have all their lines
  bool several = false;  // hosts: text about metrics begins with the name of theirs
};

struct HostReport {
  std::string_view name, what;
  std::string (*make)(const HostSummary& summary, const HostReportOptions& options);
};

[[nodiscard]] std::span<const HostReport> host_reports();
[[nodiscard]] const HostReport* find_host_report(std::string_view name);  // null: none

std::string host_text(const HostSummary& summary, const HostReportOptions& options);
std::string host_json(const HostSummary& summary, const HostReportOptions& options);

// "u64", as eval calls it; "EVENT" and the like where eval has no such values.
std::string value_type_text(int pm_type);

// Labels of all levels as one JSON object; empty: there are none, or they are no labels.
std::string joined_labels(const std::vector<std::string>& levels);

}  // namespace pmjit
