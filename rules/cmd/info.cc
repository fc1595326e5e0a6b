// pmjit info ARCHIVE…: what is in an archive; info -h HOST: what a live host has.

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>

#include "rules/cmd/colors.h"
#include "rules/cmd/common.h"
#include "rules/cmd/interrupt.h"
#include "rules/cmd/live_hosts.h"
#include "rules/cmd/verbs.h"
#include "rules/cmd/zone_option.h"
#include "runtime/archive/recording/folder.h"
#include "runtime/archive/summary/summary.h"
#include "runtime/client/host_summary.h"
#include "runtime/report/archive_info/archive_report.h"
#include "runtime/report/host_info/host_report.h"
#include "runtime/report/progress.h"
#include "runtime/report/sink/sink.h"

namespace pmjit {

namespace {

struct InfoOptions {
  std::vector<std::string> archives, hosts;
  std::vector<std::string> names;  // arguments: archives too, or with -h metrics
  std::string format = "text";
  ZoneOption zone;
};

// Standard output first: what is wrong stands below what is there.
int tell(const ArchiveSummary& summary, const std::string& text) {
  Sink sink(STDOUT_FILENO);
  sink.put(text);
  const auto written = sink.flush();
  if (!written) end_if_reader_has_gone();
  for (const std::string& warning : summary.warnings) complain("warning: " + warning);
  for (const Error& error : summary.damage) complain(error.text());
  if (!written) complain(written.error().text());
  return written && summary.damage.empty() ? kExitOk : kExitErrors;
}

FolderHost folder_host(const Archives& archives) {
  FolderHost out{.name = archives[0].host(), .archives = archives.size()};
  const auto end = archives.end();
  out.span = {archives.start(), end ? *end : archives.start()};
  for (size_t i = 0; i < archives.size(); ++i) {
    for (const VolumeFile& volume : archives[i].volumes()) out.bytes += volume.bytes;
  }
  return out;
}

int tell_hosts(const ArchiveFolder& folder, const ArchiveReport& report,
               const ArchiveReportOptions& look) {
  std::vector<FolderHost> hosts;
  for (const auto& archives : folder.hosts) hosts.push_back(folder_host(*archives));
  std::ranges::sort(hosts, {}, &FolderHost::name);
  Sink sink(STDOUT_FILENO);
  sink.put(report.make_hosts(hosts, look));
  const auto written = sink.flush();
  if (!written) return complain(written.error().text()), kExitErrors;
  return folder.left_out.empty() ? kExitOk : kExitErrors;
}

Result<std::string> report_of_host(const InfoOptions& options, LiveHosts& host) {
  const auto summary = summarize_host(host.context(), options.names);
  if (!summary) return fail(summary.error());
  const auto zone = options.zone.zone(summary->timezone);
  if (!zone) return fail(zone.error());
  const HostReport* const report = find_host_report(options.format);
  return report->make(*summary,
                      {.zone = *zone, .paint = table_paint(), .several = options.hosts.size() > 1});
}

// One host after the other: one that cannot be reached costs the others nothing.
int inform_of_hosts(const InfoOptions& options, const Clock& clock) {
  catch_interrupts();
  Sink sink(STDOUT_FILENO);
  int status = kExitOk;
  for (size_t i = 0; i < options.hosts.size() && interrupted() == 0; ++i) {
    const auto host = LiveHosts::open({options.hosts[i]}, clock);
    const auto text =
        host ? report_of_host(options, **host) : Result<std::string>(fail(host.error()));
    if (interrupted() != 0) break;
    if (!text) {
      complain(text.error().text());
      status = kExitErrors;
      continue;
    }
    if (i > 0 && options.format == "text") sink.put("\n");
    sink.put(*text);
    if (auto written = sink.flush(); !written) return output_failed(written.error().text());
  }
  if (interrupted() == 0) return status;
  complain("interrupted: hosts are missing");
  return kExitSignal + interrupted();
}

int inform(const InfoOptions& options, const Clock& clock) {
  warn_of_zone(options.zone);
  if (!options.hosts.empty()) return inform_of_hosts(options, clock);
  std::vector<std::string> names = options.archives;
  names.insert(names.end(), options.names.begin(), options.names.end());
  if (names.empty()) {
    return complain("no archive or host given\n  help: pmjit info ARCHIVE, or pmjit info -h HOST"),
           kExitErrors;
  }
  const auto folder = open_folder(fmt::format("{}", fmt::join(names, ",")), {});
  if (!folder) return complain(folder.error().text()), kExitErrors;
  warn_of_left_out(folder->left_out);
  const auto zone = options.zone.zone(folder->hosts.front()->label().timezone);
  if (!zone) return complain(zone.error().text()), kExitErrors;
  const ArchiveReportOptions look{.zone = *zone, .paint = table_paint()};
  const ArchiveReport* report = find_archive_report(options.format);
  if (folder->hosts.size() > 1) return tell_hosts(*folder, *report, look);
  Progress progress("reading", clock);
  const ArchiveSummary summary =
      summarize(*folder->hosts.front(), [&](double done) { progress.update(done); });
  progress.clear();
  return tell(summary, report->make(summary, look));
}

}  // namespace

Command info_command(const Clock& clock) {
  auto options = std::make_shared<InfoOptions>();
  return {
      .name = "info",
      .what = "what is in an archive or on a live host: span, gaps, metrics",
      .options = {{.names = "ARCHIVE",
                   .target = &options->names,
                   .value = "ARCHIVE",
                   .what = "archive, or folder of archives; with -h a metric",
                   .more =
                       "Several archives of one host follow one another. With `-h` the arguments "
                       "are metrics, or names above metrics."},
                  {.names = "-a,--archive",
                   .target = &options->archives,
                   .value = "ARCHIVE",
                   .what = "the same as the argument ARCHIVE",
                   .daily = true},
                  host_option(options->hosts),
                  {.names = "-o,--output",
                   .target = &options->format,
                   .value = "FORMAT",
                   .what = "output format, see below",
                   .choices = choices_of(archive_reports()),
                   .daily = true},
                  zone_option(options->zone, "time zone of times, e.g. Europe/Berlin"),
                  host_zone_option(options->zone)},
      .footer =
          "A line of blocks shows what is there over time: █ data, ▓▒░ data in a part of that "
          "time, "
          "· none.\n"
          "Of a damaged archive pmjit shows what can be read, and the exit status is 2.",
      .run = [options, &clock] { return inform(*options, clock); },
      .examples = {"pmjit info web1", "pmjit info -h localhost", "pmjit info -Z Europe/Berlin web1",
                   "pmjit info -h localhost disk.dev.read kernel.all.load"},
      .group = "Look at data",
      .also = {"list", "ls", "show", "dump", "dumplog", "label", "metrics", "hosts"},
  };
}

}  // namespace pmjit
