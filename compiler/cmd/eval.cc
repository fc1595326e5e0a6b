// pmjit eval EXPR…: expressions over archives, at the times when data were recorded, or with -t at
// those of a grid.

#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <ctime>
#include <sstream>

#include "compiler/cmd/binary_output.h"
#include "compiler/cmd/common.h"
#include "compiler/cmd/compile_jobs.h"
#include "compiler/cmd/expected.h"
#include "compiler/cmd/interrupt.h"
#include "compiler/cmd/output.h"
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
  std::string start, finish, origin, align, interval;
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

// Are reasons of unknown values to be worked out? An error where the format cannot do what is
// asked.
Result<bool> wants_reasons(const EvalOptions& options, const Format& format) {
  const auto fits = check_output(format, options.digits.has_value());
  if (!fits) return fail(fits.error());
  if (!options.reasons || format.reasons != Format::Reasons::never) {
    return options.reasons || format.reasons == Format::Reasons::always;
  }
  return fail(Error(Fault::usage, fmt::format("--reasons: {} has no place for them", format.name))
                  .help("-o table or -o json"));
}

// The archive and what is asked of it, in the order in which it becomes known.
struct EvalJob {
  const EvalOptions& options;
  const RunTimes::Clock::time_point begin = RunTimes::now();
  const Format& format = *find_format(options.format);
  bool reasons = false;
  std::unique_ptr<ArchivesSource> source{};
  bool alone = false;  // so little is read that one thread does it
  std::optional<Executor> executor{};
  std::optional<Zone> zone{};
  std::unique_ptr<GridSource> grid{};      // -t
  std::optional<ParallelSource> shared{};  // decoded by several threads
  const Source* values = nullptr;          // one of these three
  Window window{};
};

Result<void> open(EvalJob& job) {
  const EvalOptions& options = job.options;
  const auto reasons = wants_reasons(options, job.format);
  if (!reasons) return fail(reasons.error());
  job.reasons = *reasons;
  auto source = open_source(options.common, extra_units_of(options.common.dialect));
  if (!source) return fail(source.error());
  job.source = *std::move(source);
  job.alone = options.threads == 0 && job.source->bytes() < limits::kSharedBytesLeast;
  job.executor.emplace(options.threads != 0 ? options.threads : Executor::processors());
  if (!job.alone && job.executor->threads() > 1) job.executor->start();
  auto zone = options.zone.zone(job.source->timezone());
  if (!zone) return fail(zone.error());
  job.zone = *std::move(zone);
  const auto window = window_of(options, *job.source, *job.zone);
  if (!window) return fail(window.error());
  job.window = *window;
  auto grid = sampled(options, *job.source, *window);
  if (!grid) return fail(grid.error());
  job.grid = *std::move(grid);
  job.values = job.source.get();
  if (job.grid) {
    job.values = job.grid.get();
  } else if (!job.alone) {
    job.values = &job.shared.emplace(*job.source, *job.executor);
  }
  return {};
}

CompileOptions compile_options_of(EvalJob& job) {
  const EvalOptions& options = job.options;
  CompileOptions out = compile_options(options.common, *job.source);
  out.on_grid = job.grid != nullptr;
  out.reasons = job.reasons;
  out.expected =
      expected_work(*job.source, {.from = job.window.origin,
                                  .to = job.window.end,
                                  .step = job.grid ? job.grid->step() : 0,
                                  .rows_most = static_cast<double>(options.samples.value_or(0))});
  out.run_jobs = jobs_on(*job.executor);
  out.kernels_may_follow = job.executor->threads() > 1;
  return out;
}

Result<Compilation> compile(EvalJob& job) {
  const EvalOptions& options = job.options;
  auto input = compile_input(options.common, options.expressions);
  if (!input) return fail(input.error());
  const Catalog& catalog = job.values->catalog();
  const CompileOptions how = compile_options_of(job);
  Compilation made = compile(*input, catalog, how);
  if (!options.rate || !made.ok()) return made;
  auto rates = expressions_of_rates(*made.program);
  if (rates.empty()) return made;
  input->expressions = std::move(rates);
  return compile(*input, catalog, how);
}

// Full names of -i; none: all.
Result<std::vector<std::string>> wanted_instances(const EvalJob& job,
                                                  const std::vector<ResultInfo>& infos) {
  if (job.options.instances.empty()) return std::vector<std::string>();
  return resolve_instances(instance_names(job.options.instances), infos, job.values->catalog());
}

// The exit status; what went wrong is said.
int write(EvalJob& job, const Compilation& made) {
  const EvalOptions& options = job.options;
  const std::jthread compiling = compile_meanwhile(made);
  Rosters rosters;
  Evaluation evaluation(made.program, *job.values, rosters,
                        {.from = job.window.origin,
                         .to = job.window.end,
                         .block_rows = options.block_rows,
                         .step = job.grid ? job.grid->step() : 0,
                         .reasons = job.reasons});
  const std::vector<ResultInfo> infos = infos_of(*made.program);
  const auto only = wanted_instances(job, infos);
  if (!only) return complain(only.error().text()), kExitErrors;
  std::optional<InstanceFilter> filter;
  if (!only->empty()) filter.emplace(*only, evaluation.names(), rosters);
  Progress progress("evaluating");
  Sink sink(STDOUT_FILENO);
  sink.before_writing([&] { progress.clear(); });  // standard output may be the same terminal
  auto writer = job.format.make(sink, {.digits = options.digits,
                                       .reasons = job.reasons,
                                       .zone = options.zone.given() ? *job.zone : Zone("UTC")});
  writer->begin({.infos = infos,
                 .host = job.source->host(),
                 .catalog = &evaluation.names(),
                 .rosters = &rosters,
                 .only = *only});
  Output output(evaluation, *writer, filter ? &*filter : nullptr, infos, progress, options.samples);
  Executor one(1);
  auto done = output.run(job.alone ? one : *job.executor);
  progress.clear();
  auto ended = writer->end();
  for (const std::string& warning : evaluation.warnings()) complain("warning: " + warning);
  if (options.stats) {
    print_stats(made, evaluation.stats(), output.stats(), writer->values(), job.begin);
  }
  if (!done) {
    return complain(done.error().text() + "\n  the output ends before this place"), kExitErrors;
  }
  if (!ended) return complain(ended.error().text()), kExitErrors;
  if (interrupted() == 0) return kExitOk;
  complain("interrupted: the output ends with a whole row, but before the archive does");
  return kExitSignal + interrupted();
}

int evaluate(const EvalOptions& options) {
  catch_interrupts();
  EvalJob job{.options = options};
  if (auto opened = open(job); !opened) return complain(opened.error().text()), kExitErrors;
  const auto made = compile(job);
  if (!made) return complain(made.error().text()), kExitErrors;
  return report(*made) ? write(job, *made) : kExitErrors;
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
                   "how many threads decode records (not with -t), evaluate and make text; without "
                   "it one a processor, or one alone for small archives")
      ->type_name("N")
      ->check(CLI::Range(1, kThreadsMax));
  verb->add_option("--block-rows", options->block_rows, "records a block at most")->group("");
  add_compile_options(*verb, options->common);
  verb->footer(
      "Examples:\n"
      "  pmjit eval -a ARCHIVE 'rate(disk.dev.read)' 'sum(rate(disk.dev.read)) > 100'\n"
      "  pmjit eval -a MONDAY,TUESDAY -o csv 'sum(rate(disk.dev.read))'    # or -a FOLDER\n"
      "  pmjit eval -a ARCHIVE -t 1min -A 1min --rate -o csv-wide disk.dev mem.util.used\n"
      "Values are those recorded, when they were recorded, or with -t interpolated at the times of "
      "a grid; grammar/README.md is the language's manual.");
  verb->callback([options, &status] { status = evaluate(*options); });
}

}  // namespace pmjit
