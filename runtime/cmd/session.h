// What a tool does between its options and its work: the zone of what it reports, and the part of
// the archive it is about. Source: spec pmapi.md §20.3, archives.md §9, §16, §17.
//
//   ReportZone zone = report_zone(options, archives.label());
//   out << zone.note;
//   auto window = report_window(options, archives.start(), *archives.end(), zone.zone, clock);
#pragma once

#include <string>

#include "runtime/archive/format/label.h"
#include "runtime/base/clock.h"
#include "runtime/cmd/options.h"
#include "runtime/cmd/output.h"
#include "runtime/text/window.h"
#include "runtime/text/zone.h"

namespace pmjit {

struct ReportZone {
  Zone zone;
  std::string note;  // for standard output: -Z and -z are answered with a line
};
[[nodiscard]] ReportZone report_zone(const Options& options, const Label& label);

// `end` kStampMax: nobody knows it.
[[nodiscard]] Result<Window> report_window(const Options& options, Stamp start, Stamp end,
                                           Zone& zone, const Clock& clock);
// For tools whose times are microseconds from the start.
[[nodiscard]] Result<Window> report_micro_window(const Options& options, Stamp start, Stamp end,
                                                 Zone& zone, const Clock& clock);

// What no drop-in can do yet; empty: nothing of it. `archive`: values come from one.
[[nodiscard]] std::string_view not_yet(bool archive);

// The end of a tool's main(): everything is written out. Its exit status, 1 where that fails.
[[nodiscard]] int end_dropin(ToolOutput& out, Messages& messages, int status);

// What is said when these fail, without the program's name.
[[nodiscard]] std::string cannot_open(const std::string& archive, const Error& error);
[[nodiscard]] std::string invalid_window(const Error& error);
// That the end of an archive cannot be found; with the program's name, and an empty line behind.
[[nodiscard]] std::string no_end_warning(const std::string& program, const std::string& archive,
                                         const Error& error);

}  // namespace pmjit
