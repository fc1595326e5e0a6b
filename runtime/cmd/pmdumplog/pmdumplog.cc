// pmdumplog: what is in an archive, record by record. Source: spec tools.md §2.

#include <fmt/core.h>

#include <filesystem>
#include <unordered_set>

#include "runtime/client/archive_context/archive_context.h"
#include "runtime/client/derived_context.h"
#include "runtime/cmd/dropin.h"
#include "runtime/cmd/options.h"
#include "runtime/cmd/pmdumplog/dump.h"
#include "runtime/cmd/session.h"

namespace pmjit {

namespace {

constexpr OptionRow kDumpRows[] = {
    standard(Standard::debug),
    section("Options"),
    own('a', "all", "", "dump everything"),
    own('d', "descs", "", "dump metric descriptions"),
    own('e', "labelsets", "", "dump all metric label metadata"),
    own('h', "helptext", "", "dump all metric help text"),
    own('I', "on-disk-insts", "", "dump on-disk instance domain descriptions"),
    own('i', "insts", "", "dump instance domain descriptions"),
    own('L', "", "", "more verbose form of archive label dump"),
    own('l', "label", "", "dump the archive label"),
    own('M', "markrecs", "", "report <mark> records"),
    own('m', "metrics", "", "dump values of the metrics (default)"),
    standard(Standard::name_space),
    own('r', "reverse", "", "process archive in reverse chronological order"),
    standard(Standard::start),
    own('s', "sizes", "", "report size of data records in archive"),
    standard(Standard::finish),
    own('t', "", "", "dump the temporal index"),
    own('v', "", "FILE", "verbose hex dump of a physical file in raw format"),
    own('x', "", "", "include date, usec (-xx) and Epoch (-xxx) in reported timestamps"),
    standard(Standard::zone),
    standard(Standard::host_zone),
    without_letter(Standard::version),
    standard(Standard::help),
};
constexpr OptionTable kDumpTable{
    .usage = "[options] [archive [metricname ...]]", .rows = kDumpRows, .archive_operand = true};

void take_option(const OptionReader::Own& option, DumpRequest& request) {
  switch (option.row->letter) {
    case 'a':
      request.descs = request.indoms = request.label = request.long_label = true;
      request.records = request.sizes = request.index = true;
      break;
    case 'd': request.descs = true; break;
    case 'e': request.label_sets = true; break;
    case 'h': request.texts = true; break;
    case 'I': request.disk_indoms = true; break;
    case 'i': request.indoms = true; break;
    case 'L': request.label = request.long_label = true; break;
    case 'l': request.label = true; break;
    case 'M': request.marks = true; break;
    case 'm': request.records = true; break;
    case 'r': request.reverse = true; break;
    case 's': request.sizes = true; break;
    case 't': request.index = true; break;
    case 'v': request.raw_file = option.argument; break;
    case 'x': ++request.stamp_detail; break;
    default: break;
  }
}

// Archives that ask for unknown features are read all the same, after a warning.
Result<std::unique_ptr<Archives>> open_archive(const std::string& name, ArchiveOptions options,
                                               Messages& messages) {
  auto archive = Archive::open(name, options);
  if (!archive && archive.error().pm_code() == pm_err::E_FEATURE) {
    messages.complain("Warning: unsupported feature bits, other errors may follow ...");
    options.features = Features::any;
    archive = Archive::open(name, options);
  }
  if (!archive) return std::unexpected(archive.error());
  std::vector<std::unique_ptr<Archive>> members;
  members.push_back(*std::move(archive));
  return Archives::of(std::move(members));
}

bool names_several(const std::string& name) {
  std::error_code ignored;
  return name.contains(',') || std::filesystem::is_directory(name, ignored);
}

// The metrics of the operands, each once, leaves of inner nodes in the order of a traversal.
std::vector<PmId> find_metrics(const std::vector<std::string>& operands, const Metadata& metadata,
                               DerivedContext& context, Messages& messages) {
  std::vector<PmId> out;
  std::unordered_set<PmId> known;
  const auto add = [&](PmId pmid) {
    if (known.insert(pmid).second) out.push_back(pmid);
  };
  for (const std::string& operand : operands) {
    const auto leaves = operand.empty() ? std::nullopt : metadata.names.leaves(operand);
    const auto derived = context.look_up(operand);
    if (derived && (!leaves || context.derived(*derived))) {
      add(*derived);
      continue;
    }
    if (!leaves) {
      messages.complain(
          fmt::format("pmLookupName({}): {}", operand, pm_error_text(pm_err::E_NAME)));
      continue;
    }
    for (const NameSpace::Leaf& leaf : *leaves) add(leaf.pmid);
  }
  return out;
}

bool dump_sections(Dump& dump, std::optional<Stamp> end, const std::vector<PmId>& metrics,
                   const DumpWindow& window) {
  const DumpRequest& request = dump.request;
  if (request.label) dump_label(dump, end);
  if (request.descs) dump_descs(dump);
  if (request.label_sets) dump_label_sets(dump);
  if (request.texts) dump_texts(dump);
  if (request.disk_indoms) dump_disk_indoms(dump);
  if (request.indoms) dump_indoms(dump);
  if (request.index) dump_index(dump);
  return !request.records || dump_records(dump, metrics, window);
}

int dump_archive(const Options& options, const DumpRequest& request, DerivedMetrics& derived,
                 const Clock& clock, ToolOutput& out, Messages& messages) {
  if (const std::string_view missing = not_yet(true); !missing.empty()) {
    messages.complain(missing);
    return 1;
  }
  if (names_several(options.archives)) {
    messages.complain("Multiple archives are not supported");
    return 1;
  }
  const auto archives =
      open_archive(options.archives, {.extra_units = derived.extra_units()}, messages);
  if (!archives) {
    messages.complain(cannot_open(options.archives, archives.error()));
    return 1;
  }
  use_local_names(options, LocalNames::all, **archives);
  DerivedContext context(std::make_unique<ArchiveContext>(**archives, BadVolumes::pass_over),
                         derived);
  ReportZone zone = report_zone(options, (*archives)->label());
  out << zone.note;
  const auto end = (*archives)->end();
  if (!end) messages.add(no_end_warning(messages.program(), options.archives, end.error()));
  const auto window =
      report_window(options, (*archives)->start(), end ? *end : kStampMax, zone.zone, clock);
  if (!window) {
    messages.complain(invalid_window(window.error()));
    return 1;
  }
  const std::vector<PmId> metrics =
      find_metrics(options.operands, (*archives)->metadata(), context, messages);
  if (metrics.empty() && !options.operands.empty()) {
    messages.add("No metric names can be translated, dump abandoned\n");
    return 1;
  }
  const Label& label = (*archives)->label();
  Dump dump{request, **archives,
            StampText(label.version, request.stamp_detail, label.start, std::move(zone.zone)), out,
            messages};
  const bool whole = dump_sections(
      dump, end ? std::optional(*end) : std::nullopt, metrics,
      {.start = window->start, .end = window->end, .ends = options.start || options.finish});
  return whole ? 0 : 1;
}

}  // namespace

int run_pmdumplog(int argc, const char* const* argv, DerivedMetrics& derived, const Clock& clock) {
  OptionReader reader(kDumpTable, argc, argv, derived);
  DumpRequest request;
  while (const auto option = reader.next()) take_option(*option, request);
  ToolOutput out;
  int status = 0;
  if (request.raw_file) {
    if (!reader.operands().empty()) reader.ask_for_usage();
    if (reader.over()) return reader.usage();
    status = dump_raw(*request.raw_file, out, reader.messages());
  } else {
    const Options& options = reader.finish();
    if (reader.over()) return reader.usage();
    if (!request.any_section()) request.records = true;
    status = dump_archive(options, request, derived, clock, out, reader.messages());
  }
  return end_dropin(out, reader.messages(), status);
}

std::string StampText::text(Stamp stamp, Fraction fraction) {
  if (detail_ == 0) return time_of_day(stamp, fraction, zone_);
  std::string out = date_and_time(stamp, fraction, zone_);
  if (detail_ > 1) {
    // Where the reference prints microseconds it reckons in them.
    Stamp start = label_start_;
    if (fraction == Fraction::micro) start.nsec -= start.nsec % 1000;
    const double offset = seconds_between(stamp, start);
    out += fmt::format(" ({:.{}f})", offset, fraction == Fraction::micro ? 6 : 9);
  }
  return out;
}

std::string StampText::operator()(Stamp stamp) {
  std::string out = text(stamp, fraction_);
  if (detail_ > 2) out += fmt::format(" {}", static_cast<uint64_t>(stamp.sec));
  return out;
}

std::string StampText::of_event(Stamp stamp) { return text(stamp, Fraction::micro); }

}  // namespace pmjit
