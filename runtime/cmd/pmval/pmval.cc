// pmval: the values of one metric over time. Source: spec pmapi.md §24.2.
#include <algorithm>
#include <cstdlib>

#include "runtime/client/derived_context.h"
#include "runtime/cmd/dropin.h"
#include "runtime/cmd/live_session.h"
#include "runtime/cmd/options.h"
#include "runtime/cmd/pmval/sampling.h"
#include "runtime/cmd/session.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

constexpr OptionRow kValRows[] = {
    section("General options"),
    standard(Standard::align),
    standard(Standard::archive),
    standard(Standard::debug),
    standard(Standard::gui_mode),
    standard(Standard::host),
    standard(Standard::name_space),
    standard(Standard::origin),
    standard(Standard::gui_port),
    standard(Standard::start),
    standard(Standard::samples),
    standard(Standard::finish),
    standard(Standard::interval),
    standard(Standard::zone),
    standard(Standard::host_zone),
    standard(Standard::version),
    standard(Standard::help),
    standard(Standard::spec_local),
    standard(Standard::local),
    standard(Standard::container),
    standard(Standard::derived),
    section("Reporting options"),
    own('d', "delay", "", "delay, pause between updates for archive replay"),
    own('f', "precision", "N", "fixed output format with N digits precision"),
    own('i', "instances", "INST", "comma-separated metrics instance list"),
    own('r', "raw", "", "output raw counter values (no rate conversion)"),
    own('U', "nointerp", "FILE", "non-interpolated fetching; ignores interval"),
    own('v', "verbose", "", "increase diagnostic output"),
    own('w', "width", "N", "set the width of each column of output"),
    own('x', "filter", "VALUE", "store to the metric before fetching (filter)"),
    own('X', "timestamp", "", "include date and microseconds in reported timestamps"),
};
constexpr OptionTable kValTable{.usage = "[options] metricname", .rows = kValRows};

std::optional<int> natural_number(const std::string& text) {
  char* end = nullptr;
  const long number = std::strtol(text.c_str(), &end, 10);
  if (*end != '\0' || number < 0 || number > INT32_MAX) return std::nullopt;
  return static_cast<int>(number);
}

void take_option(const OptionReader::Own& option, OptionReader& reader, ValRequest& into) {
  switch (option.row->letter) {
    case 'd': into.delay = true; break;
    case 'f':
      into.digits = natural_number(option.argument);
      if (!into.digits) reader.complain("-f requires +ve numeric argument");
      break;
    case 'i': into.instances = split_instances(option.argument); break;
    case 'r': into.raw = true; break;
    case 'U':
      into.records = true;
      reader.apply(Standard::archive, option.argument);
      break;
    case 'w':
      into.width = natural_number(option.argument);
      if (into.width.value_or(0) == 0) reader.complain("-w requires +ve numeric argument");
      break;
    case 'x': into.filter = option.argument; break;  // of live hosts only
    case 'X': ++into.stamp_detail; break;
    default: break;
  }
}

// Seconds since the epoch in a double, which leaves a quarter of a microsecond of them.
double epoch_seconds(Stamp stamp) { return to_real(NanoTime{stamp.sec, stamp.nsec}); }

// What there is between the window's ends, or what -s says. Times are cut to microseconds, their
// number is reckoned before that.
ValPlan plan_samples(const Options& options, const Window& window, const ValRequest& request,
                     bool events) {
  const Window cut = cut_to_microseconds(window);
  // An end in the first second of 1970 is none to the reference.
  const Stamp end = cut.end.sec == 0 ? kStampMax : cut.end;
  ValPlan plan{.start = cut.origin, .end = end, .samples = options.samples};
  if (options.interval && (*options.interval != NanoTime{})) {
    plan.interval = *options.interval;
  }
  if (plan.samples || request.records || events || plan.end.sec == kStampMax.sec) return plan;
  const double span = epoch_seconds(window.end) - epoch_seconds(window.origin);
  const double step = to_real(plan.interval);
  plan.samples = std::max(0, static_cast<int>(std::clamp(span / step, -2e9, 2e9)) + 1);
  return plan;
}

// What pmval does once it has a source.
int follow(const ValSource& source, const Window& window, const Options& options,
           const ValRequest& request, const MetricSpec& spec, const std::string& host,
           ReportZone& zone, ToolOutput& out, Messages& messages) {
  const auto series = find_series(source.context, source.metadata(), spec, request, messages);
  if (!series) return 1;
  const bool events = is_event_type(series->desc.pm_type);
  // Agents in this process are not stored to.
  if (source.network != nullptr && request.filter &&
      !store_filter(source.context, *series, *request.filter, messages)) {
    return 1;
  }
  if (zone.note.empty() && !events) out << "\n";
  if (series->desc.pm_type == pm_type::nosupport && !request.width) {
    messages.complain(fmt::format("unknown performance metric value type {}",
                                  pm_type_text(series->desc.pm_type)));
    return 1;
  }
  const int width = ValColumns(*series, request).width();
  if (request.digits.value_or(0) > std::max(0, width - 2)) {
    messages.complain(fmt::format("-f {} too large for column width {}", *request.digits, width));
    return 1;
  }
  const ValPlan plan = plan_samples(options, window, request, events);
  out << val_header(*series, request, plan, spec.from.source, host, zone.zone);
  return ValSampling(source, *series, request, plan, zone.zone, out, messages).run() ? 0 : 1;
}

int report(ArchiveContext& archive, Context& context, const Options& options,
           const ValRequest& request, const MetricSpec& spec, const Clock& clock, ToolOutput& out,
           Messages& messages) {
  const Archives& archives = archive.replay().archives();
  ReportZone zone = report_zone(options, archives.label());
  out << zone.note;
  const auto end = archives.end();
  if (!end) messages.add(no_end_warning(messages.program(), spec.from.source, end.error()));
  const auto window =
      report_window(options, archives.start(), end ? *end : kStampMax, zone.zone, clock);
  if (!window) {
    messages.complain(invalid_window(window.error()));
    return 1;
  }
  return follow({.context = context, .clock = clock, .archive = &archive}, *window, options,
                request, spec, archives.label().host, zone, out, messages);
}

int report_live(LiveSession& session, const Options& options, ValRequest request,
                const MetricSpec& spec, const Clock& clock, ToolOutput& out, Messages& messages) {
  request.live = true;
  if (options.host_zone && session.lacks_zone()) {
    messages.complain(
        fmt::format("Cannot set context timezone: {}", pm_error_text(pm_err::E_VALUE)));
    return 1;
  }
  const Stamp now = stamp_from_nanos(clock.wall().time_since_epoch().count());
  const auto window = report_window(options, now, kStampMax, session.zone(), clock);
  if (!window) {
    messages.complain(invalid_window(window.error()));
    return 1;
  }
  ReportZone zone{.zone = session.zone(), .note = session.zone_note()};
  out << zone.note;
  return follow({.context = session.metrics(), .clock = clock, .network = session.network()},
                *window, options, request, spec, session.host(), zone, out, messages);
}

int sample_metric(const Options& options, const ValRequest& own, const MetricSpec& spec,
                  DerivedMetrics& derived, const Clock& clock, ToolOutput& out,
                  Messages& messages) {
  if (options.gui || options.gui_port) {
    messages.complain("time control by a GUI is not supported");
    return 1;
  }
  if (spec.from.kind != SourceKind::archive || options.local) {
    constexpr std::string_view kNoLocal = "Cannot establish local context";
    const auto session = LiveSession::open(options, kNoLocal, derived, clock, messages);
    if (session == nullptr) return 1;
    return report_live(*session, options, own, spec, clock, out, messages);
  }
  const auto archives = Archives::open(spec.from.source, {.extra_units = derived.extra_units()});
  if (!archives) {
    messages.complain(cannot_open(spec.from.source, archives.error()));
    return 1;
  }
  use_local_names(options, LocalNames::all, **archives);
  auto recorded = std::make_unique<ArchiveContext>(**archives, BadVolumes::pass_over);
  ArchiveContext& archive = *recorded;
  DerivedContext context(std::move(recorded), derived);
  return report(archive, context, options, own, spec, clock, out, messages);
}

void check_number(size_t operands, OptionReader& reader) {
  if (operands == 0) reader.complain("error - no metricname specified");
  if (operands > 1) reader.complain("error - too many arguments");
}

void check_uses(const ValRequest& request, const Options& options, const MetricSpec& spec,
                OptionReader& reader) {
  const bool archive = spec.from.kind == SourceKind::archive;
  if (request.delay && !archive) reader.complain("delay can only be used with archives");
  if (request.records && !archive) {
    // The reference ends no line here.
    reader.messages().add(reader.messages().program() +
                          ": uninterpolated mode can only be used with archives");
    reader.ask_for_usage();
  }
  if (request.delay && options.gui) reader.complain("guiflag cannot be used with delay");
}

// The operand; a mistake in it is told with the usage text.
MetricSpec read_operand(const Options& options, OptionReader& reader) {
  const bool archive = options.source == SourceKind::archive;
  const MetricSource source{.kind = archive ? SourceKind::archive : SourceKind::host,
                            .source = archive ? options.archives : "local:"};
  auto spec = parse_metric_spec(options.operands.front(), source);
  if (spec) {
    // A source in it is like one of an option.
    const bool same = spec->from.kind == source.kind && spec->from.source == source.source;
    if (!options.source || !same) reader.apply_source(spec->from.kind, spec->from.source);
    return *std::move(spec);
  }
  reader.messages().add(spec.error().what());
  reader.ask_for_usage();
  return {};
}

}  // namespace

int run_pmval(int argc, const char* const* argv, DerivedMetrics& derived, const Clock& clock) {
  OptionReader reader(kValTable, argc, argv, derived);
  ValRequest own;
  while (const auto option = reader.next()) take_option(*option, reader, own);
  // Mistakes of one kind hide those of the next.
  if (!reader.over()) check_number(reader.operands().size(), reader);
  if (reader.over()) return reader.usage();
  const Options& options = reader.gather();
  const MetricSpec spec = read_operand(options, reader);
  reader.check_together();
  if (!reader.over()) check_uses(own, options, spec, reader);
  if (reader.over()) return reader.usage();
  ToolOutput out;
  int status = sample_metric(options, own, spec, derived, clock, out, reader.messages());
  return end_dropin(out, reader.messages(), status);
}

}  // namespace pmjit
