// pmjit info ARCHIVE…: what is in an archive.

#include <fmt/ranges.h>
#include <unistd.h>

#include "rules/cmd/common.h"
#include "rules/cmd/verbs.h"
#include "rules/cmd/zone_option.h"
#include "runtime/archive/summary/summary.h"
#include "runtime/report/archive_info/archive_report.h"
#include "runtime/report/progress.h"
#include "runtime/report/sink/sink.h"

namespace pmjit {

namespace {

struct InfoOptions {
  std::vector<std::string> archives;
  std::string format = "text";
  ZoneOption zone;
};

// Standard output first: what is wrong stands below what is there.
int tell(const ArchiveSummary& summary, const std::string& text) {
  Sink sink(STDOUT_FILENO);
  sink.put(text);
  const auto written = sink.flush();
  for (const std::string& warning : summary.warnings) complain("warning: " + warning);
  for (const Error& error : summary.damage) complain(error.text());
  if (!written) complain(written.error().text());
  return written && summary.damage.empty() ? kExitOk : kExitErrors;
}

int inform(const InfoOptions& options, const Clock& clock) {
  if (options.archives.empty()) {
    return complain("no archive given\n  help: pmjit info ARCHIVE"), kExitErrors;
  }
  const auto archives = Archives::open(fmt::format("{}", fmt::join(options.archives, ",")));
  if (!archives) return complain(archives.error().text()), kExitErrors;
  const auto zone = options.zone.zone((*archives)->label().timezone);
  if (!zone) return complain(zone.error().text()), kExitErrors;
  Progress progress("reading", clock);
  const ArchiveSummary summary = summarize(**archives, [&](double done) { progress.update(done); });
  progress.clear();
  const ArchiveReport* report = find_archive_report(options.format);
  return tell(summary, report->make(summary, {.zone = options.zone.given() ? *zone : Zone("UTC")}));
}

}  // namespace

Command info_command(const Clock& clock) {
  auto options = std::make_shared<InfoOptions>();
  return {
      .name = "info",
      .what = "show what is in an archive",
      .options = {{.names = "-a,--archive,ARCHIVE",
                   .target = &options->archives,
                   .value = "ARCHIVE",
                   .what =
                       "the archive; several of one host, one after the other, with or without -a, "
                       "or with commas; a folder or a folio: those in it"},
                  {.names = "-o,--output",
                   .target = &options->format,
                   .what = "output format:",
                   .choices = choices_of(archive_reports())},
                  zone_option(options->zone,
                              "the zone of the times in text: Europe/Berlin, EST5EDT; without it "
                              "UTC"),
                  host_zone_option(options->zone)},
      .footer =
          "Example:\n  pmjit info ARCHIVE\n  pmjit info -z monday tuesday\n"
          "Shows hosts, spans, sizes, gaps, what is logged how often and what takes the room, and "
          "a "
          "line of blocks over time: █ data, ▓▒░ data in a part of that time, · none.\n"
          "Damage is shown with what can be read before it; the exit status is then 2.",
      .run = [options, &clock] { return inform(*options, clock); },
  };
}

}  // namespace pmjit
