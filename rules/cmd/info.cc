// pmjit info ARCHIVE…: what is in an archive; info -h HOST: what a live host has.

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "rules/cmd/colors.h"
#include "rules/cmd/common.h"
#include "rules/cmd/interrupt.h"
#include "rules/cmd/live_hosts.h"
#include "rules/cmd/missing_source.h"
#include "rules/cmd/recorded_window.h"
#include "rules/cmd/verbs.h"
#include "rules/cmd/zone_option.h"
#include "runtime/archive/format/names.h"
#include "runtime/archive/reader/mark_scan.h"
#include "runtime/archive/recording/folder.h"
#include "runtime/archive/summary/summary.h"
#include "runtime/base/near.h"
#include "runtime/client/host_summary.h"
#include "runtime/model/name_parts.h"
#include "runtime/report/archive_info/archive_report.h"
#include "runtime/report/host_info/host_report.h"
#include "runtime/report/progress.h"
#include "runtime/report/sink/sink.h"

namespace pmjit {

namespace {

struct InfoOptions {
  std::vector<std::string> archives, hosts;
  std::vector<std::string> names;  // arguments: archives and their metrics, or with -h metrics
  std::string format = "text";
  bool whole = false;  // lists
  ZoneOption zone;
};

// Standard output first: what is wrong stands below what is there.
int tell(const Archives& archives, const ArchiveSummary& summary, const std::string& text) {
  Sink sink(STDOUT_FILENO);
  sink.put(text);
  const auto written = sink.flush();
  if (!written) end_if_reader_has_gone();
  for (const std::string& warning : summary.warnings) complain("warning: " + warning);
  for (const Error& error : summary.damage) complain(error.text());
  if (!written) complain(written.error().text());
  const bool whole =
      summary.damage.empty() && summary.left_out.empty() && has_all_volumes(archives);
  return written && whole ? kExitOk : kExitErrors;
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

// Says what of the archives of a listing cannot be read, by the heads of their records. False:
// there is something.
bool are_whole(const Archives& archives) {
  bool whole = has_all_volumes(archives);
  for (size_t i = 0; i < archives.size(); ++i) {
    const Archive& archive = archives[i];
    for (const std::string& warning : archive.warnings()) {
      complain(fmt::format("warning: {}: {}", archive.name(), warning));
    }
    Stamp last = archive.start();
    MarkScan scan(archive.label(), archive.volumes(), {});
    while (const auto record = scan.next()) last = record->stamp;
    if (scan.at_end()) continue;
    whole = false;
    complain(
        fmt::format("archive {0}: is damaged after {1}\n  help: pmjit info {0} shows what "
                    "can be read",
                    archive.name(), iso_utc(last)));
  }
  return whole;
}

// Archives that can be read, and are of no series: a listing has them, too.
struct ApartArchives {
  std::vector<std::unique_ptr<Archives>> all{};
  std::vector<LeftOutArchive> why{};  // as many
};

// Moves readable archives that do not fit together out of the list of left-out ones.
ApartArchives take_apart_ones(ArchiveFolder& folder) {
  ApartArchives out;
  std::vector<LeftOutArchive> unreadable;
  for (LeftOutArchive& one : folder.left_out) {
    auto opened = Archives::open(one.name, {.without_bad_index = true});
    if (opened) out.all.push_back(*std::move(opened));
    (opened ? out.why : unreadable).push_back(std::move(one));
  }
  folder.left_out = std::move(unreadable);
  return out;
}

void note_apart_ones(const ApartArchives& apart, bool all) {
  constexpr size_t kFew = 3;
  const size_t shown = all ? apart.why.size() : std::min(kFew, apart.why.size());
  for (size_t i = 0; i < shown; ++i) {
    complain(fmt::format("note: {}; eval and run leave it out", apart.why[i].text()));
  }
  if (shown == apart.why.size()) return;
  complain(fmt::format("note: {} more, which -v names, do not go with the others",
                       apart.why.size() - shown));
}

void add_to_host(const FolderHost& more, std::vector<FolderHost>& hosts) {
  const auto host = std::ranges::find(hosts, more.name, &FolderHost::name);
  if (host == hosts.end()) return hosts.push_back(more);
  host->archives += more.archives;
  host->bytes += more.bytes;
  host->span = {std::min(host->span.first, more.span.first),
                std::max(host->span.last, more.span.last)};
}

int tell_hosts(const ArchiveFolder& folder, const ApartArchives& apart, const ArchiveReport& report,
               const ArchiveReportOptions& look) {
  FolderSummary summary{.left_out = folder.left_out};
  for (const auto& archives : folder.hosts) summary.hosts.push_back(folder_host(*archives));
  for (const auto& archives : apart.all) add_to_host(folder_host(*archives), summary.hosts);
  std::ranges::sort(summary.hosts, {}, &FolderHost::name);
  Sink sink(STDOUT_FILENO);
  sink.put(report.make_hosts(summary, look));
  const auto written = sink.flush();
  if (!written) return complain(written.error().text()), kExitErrors;
  bool whole = folder.left_out.empty();
  for (const auto& archives : folder.hosts) whole = are_whole(*archives) && whole;
  for (const auto& archives : apart.all) whole = are_whole(*archives) && whole;
  return whole ? kExitOk : kExitErrors;
}

Result<std::string> report_of_host(const InfoOptions& options, LiveHosts& host) {
  const auto summary = summarize_host(host.context(), options.names);
  if (!summary) return fail(summary.error());
  const auto zone = options.zone.zone(summary->timezone);
  if (!zone) return fail(zone.error());
  const HostReport* const report = find_host_report(options.format);
  return report->make(*summary, {.zone = *zone,
                                 .paint = table_paint(),
                                 .whole = options.whole,
                                 .several = options.hosts.size() > 1});
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

// What the arguments are: archives, and metrics of them.
struct InfoArguments {
  std::vector<std::string> archives, metrics;
};

bool names_archive(const std::string& argument) {
  std::error_code unknown;
  return std::filesystem::exists(argument, unknown) || find_files(argument).has_value() ||
         argument.find(',') != argument.npos;
}

// What is no archive is a metric where there is an archive that may have it.
InfoArguments take_apart(const InfoOptions& options) {
  InfoArguments out{.archives = options.archives};
  for (const std::string& argument : options.names) {
    (names_archive(argument) ? out.archives : out.metrics).push_back(argument);
  }
  if (out.archives.empty()) std::swap(out.archives, out.metrics);
  return out;
}

Error neither(const std::string& argument, const Archives& archives) {
  std::vector<std::string> names;
  for (const NameSpace::Leaf& leaf : archives.metadata().names.leaves()) {
    names.emplace_back(leaf.name);
  }
  const MetadataCatalog catalog(archives.metadata(), archives[0].name());
  std::string near = near_names_text(near_names(catalog, argument));
  if (near.empty()) near = near_names_text(names_with_part(catalog, argument));
  const size_t bracket = argument.find('[');
  if (bracket != argument.npos && std::ranges::count(names, argument.substr(0, bracket)) != 0) {
    return Error(Fault::usage, "info shows a metric with all its instances")
        .at("argument", argument)
        .help(fmt::format("pmjit info {1} {0} lists them; pmjit eval -a {1} '{2}' prints values",
                          argument.substr(0, bracket), archives[0].name(), argument));
  }
  return Error(Fault::not_found, fmt::format("there is no such archive, and no such metric in {}",
                                             archives[0].name()))
      .at("argument", argument)
      .help(near.empty() ? fmt::format("pmjit info -v {} lists its metrics", archives[0].name())
                         : near);
}

int tell_archives(const InfoOptions& options, const ArchiveFolder& folder,
                  const ApartArchives& apart, const std::vector<std::string>& metrics,
                  const Clock& clock) {
  const Archives& archives = *folder.hosts.front();
  const auto zone = options.zone.zone(archives.label().timezone);
  if (!zone) return complain(zone.error().text()), kExitErrors;
  const ArchiveReportOptions look{.zone = *zone, .paint = table_paint(), .whole = options.whole};
  const ArchiveReport* const report = find_archive_report(options.format);
  const bool is_listing = folder.hosts.size() > 1 || !apart.all.empty();
  if (is_listing && metrics.empty()) return tell_hosts(folder, apart, *report, look);
  if (folder.hosts.size() > 1) {
    return complain("these are archives of several hosts\n  help: name the archives of one"),
           kExitErrors;
  }
  for (const std::string& metric : metrics) {
    if (!has_metric(archives, metric)) {
      return complain(neither(metric, archives).text()), kExitErrors;
    }
  }
  Progress progress("reading", clock);
  ArchiveSummary summary = summarize(archives, [&](double done) { progress.update(done); });
  progress.clear();
  summary.left_out = folder.left_out;
  if (metrics.empty()) return tell(archives, summary, report->make(summary, look));
  return tell(archives, summary,
              find_host_report(options.format)
                  ->make(metric_facts(archives, metrics, summary),
                         {.zone = *zone, .paint = table_paint(), .whole = options.whole}));
}

int inform(const InfoOptions& options, const Clock& clock) {
  warn_of_zone(options.zone);
  if (!options.hosts.empty()) return inform_of_hosts(options, clock);
  const InfoArguments given = take_apart(options);
  if (given.archives.empty()) {
    return complain("no archive or host given\n  help: pmjit info ARCHIVE, or pmjit info -h HOST"),
           kExitErrors;
  }
  if (const std::string host = host_as_archive(given.archives); !host.empty()) {
    return complain(host), kExitErrors;
  }
  const std::string names = fmt::format("{}", fmt::join(given.archives, ","));
  auto folder = open_folder(names, {.without_bad_index = true});
  if (!folder) return complain(folder.error().text()), kExitErrors;
  const ApartArchives apart = take_apart_ones(*folder);
  warn_of_left_out(folder->left_out, names, options.whole);
  note_apart_ones(apart, options.whole);
  return tell_archives(options, *folder, apart, given.metrics, clock);
}

}  // namespace

Command info_command(const Clock& clock) {
  auto options = std::make_shared<InfoOptions>();
  return {
      .name = "info",
      .what = "what is in an archive or on a live host: span, gaps, metrics",
      .options =
          {{.names = "ARCHIVE",
            .target = &options->names,
            .value = "ARCHIVE",
            .what = "archive, folder of archives, or a metric of them",
            .more = "Several archives of one host follow one another. Of a metric pmjit shows help "
                    "text, type, labels and instances. A name above metrics stands for all of "
                    "them. "
                    "With `-h` all arguments are metrics."},
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
           {.names = "-v,--verbose",
            .target = &options->whole,
            .what = "show lists in full",
            .daily = true,
            .more = "All metrics, groups, gaps and instances are listed, and each archive of "
                    "a folder that is left out."},
           zone_option(options->zone, "time zone of times, e.g. Europe/Berlin"),
           host_zone_option(options->zone)},
      .footer =
          "A line of blocks shows what is there over time: █ data, ▓▒░ data in a part of that "
          "time, "
          "· none.\n"
          "Of an archive that is damaged or lacks volumes, pmjit shows what can be read. The "
          "exit status is 2. One that "
          "cannot be read at all is left out of a folder, with a warning, in every verb.",
      .run = [options, &clock] { return inform(*options, clock); },
      .examples = {"pmjit info web1", "pmjit info -h localhost", "pmjit info web1 disk.dev.read",
                   "pmjit info -v web1", "pmjit info -h localhost disk.dev.read kernel.all.load"},
      .group = "Look at data",
      .also = {"list", "ls", "show", "dump", "dumplog", "label", "metrics", "hosts"},
  };
}

}  // namespace pmjit
