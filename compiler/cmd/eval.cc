// pmjit eval EXPR…: expressions over archives, at the times when data were recorded, or with -t at
// those of a grid.

#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <ctime>
#include <sstream>

#include "compiler/cmd/common.h"
#include "compiler/cmd/plot_file.h"
#include "compiler/cmd/rates.h"
#include "compiler/cmd/stats.h"
#include "compiler/cmd/zone_option.h"
#include "runtime/archive/replay/grid_source.h"
#include "runtime/base/limits.h"
#include "runtime/exec/evaluation.h"
#include "runtime/exec/filter.h"
#include "runtime/model/interval.h"
#include "runtime/model/window.h"
#include "runtime/report/progress.h"
#include "runtime/report/values.h"
#include "runtime/report/writer.h"
#include "runtime/sched/parallel_source.h"

namespace pmjit {

namespace {

constexpr int kThreadsMax = 1'024;

struct EvalOptions {
  CommonOptions common;
  std::vector<std::string> expressions, instances;
  std::string format = "table";
  std::string start, finish, origin, align, interval, plot;
  ZoneOption zone;
  std::optional<int> digits;
  std::optional<uint64_t> samples;
  uint32_t block_rows = 0, threads = 0;
  bool stats = false, rate = false, reasons = false;
};

std::optional<std::string_view> given(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return text;
}

Result<Window> window_of(const EvalOptions& options, const Source& source, Zone& zone) {
  if (!options.align.empty() && options.interval.empty()) {
    return fail(Error(Fault::usage, "-A aligns a grid, and values come when they were recorded")
                    .help("give the grid's interval with -t as well"));
  }
  auto window =
      parse_window({.start = given(options.start),
                    .finish = given(options.finish),
                    .align = given(options.align),
                    .origin = given(options.origin),
                    .strict = true},
                   {.start = source.start(), .end = source.end(), .now = std::time(nullptr)}, zone);
  if (!window) return window;
  if (!window->warning.empty()) complain("warning: " + window->warning);
  // The end of an archive is its last record; without -T nothing recorded is cut off.
  if (options.finish.empty() && options.interval.empty()) window->end = kStampMax;
  return window;
}

Result<ReplayStep> step_of(const std::string& interval) {
  const auto time = parse_interval<NanoTime>(interval);
  if (!time) return fail(time.error().at("option", "-t"));
  const NanoTime step = pm_inc(*time, NanoTime{});  // carries
  if (step.sec > 0 || (step.sec == 0 && step.part > 0)) {
    return ReplayStep{.sec = step.sec, .nsec = static_cast<int32_t>(step.part)};
  }
  return fail(Error(Fault::usage, "-t " + interval + " is no step forward")
                  .help("an interval above zero, such as 10sec or 1min"));
}

// What is evaluated: the archives as they are, or (-t) as a grid sees them.
Result<std::unique_ptr<GridSource>> sampled(const EvalOptions& options,
                                            const ArchivesSource& source, const Window& window) {
  if (options.interval.empty()) return nullptr;
  const auto step = step_of(options.interval);
  if (!step) return fail(step.error());
  return std::make_unique<GridSource>(
      source, TimeGrid{.origin = window.origin, .end = window.end, .step = *step});
}

// Names of -i, as the language's [name] takes them: the full name, or a first word that only one
// has.
std::vector<std::string> instance_names(const std::vector<std::string>& lists) {
  std::vector<std::string> out;
  for (const std::string& list : lists) {
    std::istringstream in(list);
    for (std::string name; std::getline(in, name, ',');) out.push_back(name);
  }
  return out;
}

std::vector<ResultInfo> infos_of(const Program& program) {
  std::vector<ResultInfo> out;
  for (const ProgramRoot& root : program.roots) out.push_back(root.info);
  return out;
}

// The first `left` evaluations of a block (-s).
void cut(ResultBlock& block, uint64_t left) {
  if (block.times.size() <= left) return;
  block.times.resize(left);
  block.segments.resize(left);
  for (Column& column : block.columns) column.rows.resize(left);
}

Result<void> write_all(const EvalOptions& options, Evaluation& evaluation,
                       std::span<Writer* const> writers, InstanceFilter* filter,
                       const std::vector<ResultInfo>& infos, Progress& progress) {
  ResultBlock block;
  uint64_t left = options.samples.value_or(UINT64_MAX);
  while (left > 0) {
    auto more = evaluation.next(block);
    if (!more) return fail(more.error());
    if (!*more) break;
    cut(block, left);
    left -= block.times.size();
    if (filter) filter->apply(block, infos);
    for (Writer* writer : writers) {
      if (auto written = writer->write(block); !written) return written;
    }
    progress.update(evaluation.done());
  }
  return {};
}

// Are reasons of unknown values to be worked out?
Result<bool> wants_reasons(const EvalOptions& options, const Format& format) {
  if (!options.reasons || format.reasons != Format::Reasons::never) {
    return options.reasons || format.reasons == Format::Reasons::always;
  }
  return fail(Error(Fault::usage, fmt::format("--reasons: {} has no place for them", format.name))
                  .help("-o table or -o json"));
}

CompileOptions compile_options_of(const EvalOptions& options, const Source& source, bool reasons) {
  CompileOptions out = compile_options(options.common, source);
  out.on_grid = !options.interval.empty();
  out.reasons = reasons;
  return out;
}

// With --rate what is a counter is replaced by its rate.
Compilation compile_all(const EvalOptions& options, CompileInput& input, const Catalog& catalog,
                        const CompileOptions& how) {
  Compilation made = compile(input, catalog, how);
  if (!options.rate || !made.ok()) return made;
  auto rates = expressions_of_rates(*made.program);
  if (rates.empty()) return made;
  input.expressions = std::move(rates);
  return compile(input, catalog, how);
}

std::string cut_short(const PlotFile& plot) {
  return "\n  the output ends before this place" + plot.loss();
}

int evaluate(const EvalOptions& options) {
  const auto begin = RunTimes::now();
  const Format* format = find_format(options.format);
  const auto reasons = wants_reasons(options, *format);
  if (!reasons) return complain(reasons.error().text()), kExitErrors;
  const auto plot = PlotFile::open(options.plot);
  if (!plot) return complain(plot.error().text()), kExitErrors;
  Executor executor(options.threads != 0 ? options.threads : Executor::processors());
  if (options.threads > 1 && options.interval.empty()) executor.start();
  auto source = open_source(options.common, extra_units_of(options.common.dialect));
  if (!source) return complain(source.error().text()), kExitErrors;
  auto input = compile_input(options.common, options.expressions);
  if (!input) return complain(input.error().text()), kExitErrors;
  auto zone = options.zone.zone((*source)->timezone());
  if (!zone) return complain(zone.error().text()), kExitErrors;
  auto window = window_of(options, **source, *zone);
  if (!window) return complain(window.error().text()), kExitErrors;
  const auto grid = sampled(options, **source, *window);
  if (!grid) return complain(grid.error().text()), kExitErrors;
  const ParallelSource shared(**source, executor);
  const bool alone = options.threads == 0 && (*source)->bytes() < limits::kSharedBytesLeast;
  const Source& recorded = alone ? **source : static_cast<const Source&>(shared);
  const Source& values = *grid ? **grid : recorded;
  const Catalog& catalog = values.catalog();
  const CompileOptions how = compile_options_of(options, **source, *reasons);
  const Compilation made = compile_all(options, *input, catalog, how);
  if (!report(made)) return kExitErrors;

  Rosters rosters;
  Evaluation evaluation(made.program, values, rosters,
                        {.from = window->origin,
                         .to = window->end,
                         .block_rows = options.block_rows,
                         .step = *grid ? (*grid)->step() : 0,
                         .reasons = *reasons});
  const std::vector<ResultInfo> infos = infos_of(*made.program);
  std::vector<std::string> only;
  std::unique_ptr<InstanceFilter> filter;
  if (!options.instances.empty()) {
    auto names = resolve_instances(instance_names(options.instances), infos, catalog);
    if (!names) return complain(names.error().text()), kExitErrors;
    only = *std::move(names);
    filter = std::make_unique<InstanceFilter>(only, evaluation.names(), rosters);
  }
  Progress progress("evaluating");
  Sink sink(STDOUT_FILENO);
  sink.before_writing([&] { progress.clear(); });  // standard output may be the same terminal
  const Zone shown_zone = options.zone.given() ? *zone : Zone("UTC");
  auto writer =
      format->make(sink, {.digits = options.digits, .reasons = *reasons, .zone = shown_zone});
  std::vector<Writer*> writers{writer.get()};
  const auto fit = (*plot)->add_to(writers, infos, shown_zone);
  if (!fit) return complain(fit.error().text()), kExitErrors;
  const Schema schema{.infos = infos,
                      .host = (*source)->host(),
                      .catalog = &evaluation.names(),
                      .rosters = &rosters,
                      .only = only};
  for (Writer* each : writers) each->begin(schema);
  auto done = write_all(options, evaluation, writers, filter.get(), infos, progress);
  progress.clear();
  auto ended = writer->end();
  if (done && ended) ended = (*plot)->write();
  for (const std::string& warning : evaluation.warnings()) complain("warning: " + warning);
  if (options.stats) print_stats(made, evaluation.stats(), writer->values(), begin);
  if (!done) return complain(done.error().text() + cut_short(**plot)), kExitErrors;
  if (!ended) return complain(ended.error().text()), kExitErrors;
  return kExitOk;
}

std::string format_list() {
  std::string out = "output format:";
  for (const Format& format : formats()) out += fmt::format("\n{} - {}", format.name, format.what);
  return out;
}

std::vector<std::string> format_names() {
  std::vector<std::string> out;
  for (const Format& format : formats()) out.emplace_back(format.name);
  return out;
}

}  // namespace

void add_eval(CLI::App& app, int& status) {
  auto options = std::make_shared<EvalOptions>();
  CLI::App* verb = app.add_subcommand("eval", "evaluate expressions over archives");
  verb->add_option(
      "EXPR", options->expressions,
      "expressions, metric names, or names of definitions; a name above leaves stands for all "
      "of them; none: every definition of the -c files");
  add_archive_option(*verb, options->common);
  verb->add_option("-o,--output", options->format, format_list())
      ->check(CLI::IsMember(format_names()))
      ->capture_default_str();
  add_plot_option(*verb, options->plot);
  verb->add_option("-S,--start", options->start,
                   "start: 10min (after the first record), -1hour (before the last), @14:30, "
                   "2024-03-01T14:30:00Z, \"2 hours ago\", \"3/15/2024 14:00\"");
  verb->add_option("-T,--finish", options->finish, "end, likewise");
  verb->add_option("-O,--origin", options->origin, "first evaluation, likewise");
  verb->add_option("-t,--interval", options->interval,
                   "a grid: values at the origin and every 10sec, 1min ... from there, "
                   "interpolated as pmval does (counters exactly); without it those recorded, when "
                   "they were recorded")
      ->type_name("INTERVAL");
  verb->add_option("-A,--align", options->align,
                   "the grid's first time is a multiple of this (with -t): 1min, 1hour")
      ->type_name("INTERVAL");
  verb->add_flag("--rate", options->rate,
                 "of counters their rates: rate() around every expression that is a counter");
  add_zone_option(*verb, options->zone,
                  "the zone of the times above and of those in the table: Europe/Berlin, EST5EDT; "
                  "without it $TZ, and the table in UTC");
  verb->add_option("-s,--samples", options->samples, "the first N evaluations only")
      ->type_name("N")
      ->check(CLI::Range(1.0, 9e15));
  verb->add_option("-i,--instances", options->instances,
                   "only these instances, with commas: names, or first words of names")
      ->allow_extra_args(false);
  verb->add_option("-f,--precision", options->digits, "digits after the point of floating values")
      ->check(CLI::Range(0, kDigitsMax));
  verb->add_flag("--reasons", options->reasons,
                 "why values are unknown, below the table; json always says so");
  verb->add_flag("--stats", options->stats,
                 "what was read and evaluated, how and how fast, to standard error");
  verb->add_option("--threads", options->threads,
                   "how many threads decode records, evaluation's among them; without it one a "
                   "processor, or one alone for small archives and with -t")
      ->type_name("N")
      ->check(CLI::Range(1, kThreadsMax));
  verb->add_option("--block-rows", options->block_rows, "records a block at most")->group("");
  add_compile_options(*verb, options->common);
  verb->footer(
      "Examples:\n"
      "  pmjit eval -a ARCHIVE 'rate(disk.dev.read)' 'sum(rate(disk.dev.read)) > 100'\n"
      "  pmjit eval -a MONDAY,TUESDAY -o csv 'sum(rate(disk.dev.read))'    # or -a FOLDER\n"
      "  pmjit eval -a ARCHIVE -t 1min -A 1min --rate -o csv-wide disk.dev mem.util.used\n"
      "  pmjit eval -a ARCHIVE -Z Europe/Berlin --rate --plot day.html disk.dev kernel.all.load\n"
      "Values are those recorded, when they were recorded, or with -t interpolated at the times of "
      "a grid; grammar/README.md is the language's manual.");
  verb->callback([options, verb, &status] {
    if (!options->plot.empty() && verb->count("--output") == 0) options->format = "none";
    status = evaluate(*options);
  });
}

}  // namespace pmjit
