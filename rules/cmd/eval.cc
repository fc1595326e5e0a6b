// pmjit eval EXPR…: expressions over archives, at the times when data were recorded, or with -t at
// those of a grid; and over a host, from now on.

#include <fmt/core.h>
#include <unistd.h>

#include <span>
#include <sstream>

#include "rules/cmd/block_rows.h"
#include "rules/cmd/common.h"
#include "rules/cmd/compile_jobs.h"
#include "rules/cmd/eval_job.h"
#include "rules/cmd/interrupt.h"
#include "rules/cmd/output.h"
#include "rules/cmd/sweep.h"
#include "rules/cmd/threads_option.h"
#include "rules/cmd/verbs.h"
#include "runtime/base/file.h"
#include "runtime/exec/evaluation.h"
#include "runtime/exec/filter.h"
#include "runtime/report/progress.h"
#include "runtime/report/sweep/sweep.h"
#include "runtime/report/text/values.h"

namespace pmjit {

namespace {

constexpr double kSilence = 2;  // seconds of a live run; then a format that waits says so
constexpr uint64_t kSamplesMax = 9'000'000'000'000'000;

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

std::vector<ResultInfo> infos_of(const Program& program, const EvalJob& job) {
  std::vector<ResultInfo> out;
  for (const ProgramRoot& root : program.roots) {
    out.push_back(root.info);
    if (const HostsCatalog* const hosts = job.several()) {
      out.back().recorded_domain = hosts->recorded_domain(root.info.domain);
    }
  }
  return out;
}

// None: there is one.
std::vector<std::string> host_names(const EvalJob& job) {
  std::vector<std::string> out;
  if (!job.several_hosts()) return out;
  if (job.live) return job.live->names();
  for (const auto& source : job.archives) out.push_back(source->host());
  return out;
}

EvaluationOptions evaluation_options_of(const EvalJob& job, const Compilation& made) {
  const EvalOptions& options = job.options;
  const uint32_t asked = options.block_rows;
  const auto usual = [&] {
    return made.sweep ? sweep_block_rows(*made.sweep)
                      : result_rows(*made.program, *job.recorded, job.window.origin);
  };
  return {.from = job.window.origin,
          .to = job.window.end,
          .block_rows = asked != 0 || job.live ? asked : usual(),
          .step = job.step(),
          .reasons = job.reasons,
          .gaps = made.sweep.has_value(),
          .clock = options.stats ? &job.clock : nullptr};
}

Zone shown_zone(const EvalJob& job) { return job.options.zone.given() ? *job.zone : Zone("UTC"); }

std::unique_ptr<Writer> writer_of(const EvalJob& job, const Compilation& made, Sink& sink) {
  const EvalOptions& options = job.options;
  const WriterOptions look{.digits = options.digits,
                           .reasons = job.live ? options.reasons : job.reasons,
                           .zone = shown_zone(job)};
  return made.sweep ? find_sweep_format(options.format)->make(sink, look, *made.sweep)
                    : job.format.make(sink, look);
}

// Full names of -i; none: all.
Result<std::vector<std::string>> wanted_instances(const EvalJob& job,
                                                  const std::vector<ResultInfo>& infos) {
  if (job.options.instances.empty()) return std::vector<std::string>();
  // All points of a sweep have the same instances.
  const auto told_apart = std::span(infos).first(job.options.sweep ? 1 : infos.size());
  return resolve_instances(instance_names(job.options.instances), told_apart, job.catalog());
}

Evaluation evaluation_of(const EvalJob& job, const Compilation& made, Rosters& rosters,
                         const EvaluationOptions& how) {
  if (!job.live) return {made.program, *job.values, rosters, how};
  return {made.program, job.catalog(),
          [&job, &rosters](std::vector<WantedMetric> metrics) {
            const FeedTimes times{
                .origin = job.window.origin, .step = job.live_step, .end = job.window.end};
            return job.live->feeds().open(std::move(metrics), times, rosters);
          },
          rosters, how};
}

// A sweep's results are of all times together: there are none of some of them.
bool prints_nothing(const EvalJob& job) { return job.options.sweep && interrupted() != 0; }

std::string how_it_ends(const EvalJob& job, const Sink& sink) {
  if (prints_nothing(job)) return "nothing is printed of a sweep that has not come to its end";
  if (!sink.whole()) return "output closed early; its last row is incomplete";
  return "the output ends with a whole row, but before the archive does";
}

// The exit status; what went wrong is said. A chart is written of whole results only.
int finish(EvalJob& job, const Sink& sink, const Result<void>& done, const Result<void>& ended) {
  const std::string loss = job.plot->loss();
  if (!done && !sink.stopped()) {
    complain(done.error().text() + "\n  the output ends before this place" + loss);
    return kExitErrors;
  }
  if (!ended && !sink.stopped()) return complain(ended.error().text() + loss), kExitErrors;
  // A host has no end: whoever interrupts has seen enough.
  if (interrupted() != 0 && !job.live) {
    complain("interrupted: " + how_it_ends(job, sink) + loss);
    return kExitSignal + interrupted();
  }
  const Instant begin = job.clock.now();
  const auto drawn = job.plot->write();
  if (!job.options.plot.empty()) job.times.draw_s = seconds_since(begin, job.clock);
  if (!drawn) return complain(drawn.error().text()), kExitErrors;
  return interrupted() != 0 ? kExitSignal + interrupted() : kExitOk;
}

// Why the first unknown values are unknown, which a second evaluation finds.
void explain_unknown(EvalJob& job, Output& output, const std::vector<std::string>& only) {
  job.reasons = true;
  const auto made = compile(job);
  if (!made || !made->ok()) return;
  const Recording& source = job.grids.empty() ? *job.recorded : *job.values;
  Rosters rosters;
  Evaluation again(made->program, source, rosters, evaluation_options_of(job, *made));
  std::optional<InstanceFilter> filter;
  if (!only.empty()) filter.emplace(only, again.names(), rosters);
  output.explain_unknown(again, rosters, filter ? &*filter : nullptr);
}

void find_reasons(EvalJob& job, Output& output, const std::vector<std::string>& only) {
  if (!output.shares().wants_reasons() || job.live) return;
  try {
    explain_unknown(job, output, only);
  } catch (const ReadingStopped&) {
    // Who interrupts now has all values.
  }
}

// Results that are unknown so often that an output without them could be taken for the whole.
void report_unknown(EvalJob& job, Output& output, const std::vector<ResultInfo>& infos,
                    const std::vector<std::string>& only) {
  find_reasons(job, output, only);
  const bool told = job.format.reasons == Format::Reasons::always || job.options.reasons;
  for (const std::string& line : output.shares().lines(infos)) {
    complain("note: " + line + (told ? "" : "; -o json says which"));
  }
}

// When nothing was recorded, which does not show in the values of a grid.
std::optional<std::vector<TimeSpan>> pauses_of(const EvalJob& job) {
  if (job.grids.empty() || job.several_hosts()) return std::nullopt;
  return recorded_pauses(job.archives.front()->archives());
}

// What a chart says beside the values: whoever looks at it does not see standard error.
void tell_chart(EvalJob& job, Output& output, const std::vector<ResultInfo>& infos,
                const std::vector<std::string>& only) {
  if (!job.plot->wanted()) return;
  find_reasons(job, output, only);
  ChartFacts facts{.pauses = pauses_of(job)};
  for (size_t k = 0; k < infos.size(); ++k) facts.unknown.push_back(output.shares().lines_of(k));
  job.plot->set_facts(std::move(facts));
}

int write(EvalJob& job, const Compilation& made) {
  const EvalOptions& options = job.options;
  CompilesMeanwhile compiling(made, *job.executor);
  Rosters rosters;
  EvaluationOptions how = evaluation_options_of(job, made);
  how.before_block = [&] { compiling.before_block(); };
  Evaluation evaluation = evaluation_of(job, made, rosters, how);
  const std::vector<ResultInfo> infos = infos_of(*made.program, job);
  const auto only = wanted_instances(job, infos);
  if (!only) return complain(only.error().text()), kExitErrors;
  std::optional<InstanceFilter> filter;
  if (!only->empty()) filter.emplace(*only, evaluation.names(), rosters);
  Progress progress("evaluating", job.clock);
  Sink sink(STDOUT_FILENO);
  sink.before_writing([&] { progress.clear(); });  // standard output may be the same terminal
  sink.stop_when([] { return interrupted() != 0; }, job.clock);
  auto writer = writer_of(job, made, sink);
  const auto chart = job.plot->writer(infos, shown_zone(job));
  if (!chart) return complain(chart.error().text()), kExitErrors;
  const Schema schema{.infos = infos,
                      .host = job.host(),
                      .hosts = host_names(job),
                      .catalog = &evaluation.names(),
                      .rosters = &rosters,
                      .only = *only,
                      .live = job.live != nullptr};
  writer->begin(schema);
  if (*chart != nullptr) (*chart)->begin(schema);
  Output output(evaluation, rosters, *writer, *chart, filter ? &*filter : nullptr, infos, progress,
                options.samples, options.stats ? &job.clock : nullptr);
  if (job.live) {
    const Instant began = job.clock.now();
    bool told = !job.format.at_end;
    output.follow(sink, [&, told, began](Stamp due) mutable {
      job.live->wait(due);
      if (!told && seconds_since(began, job.clock) > kSilence) {
        told = true;
        complain(
            fmt::format("note: -o {} prints at the end of the run, which an interrupt ends too; "
                        "-o csv prints each time as it comes",
                        job.format.name));
      }
      warn(writer->take_warnings());
      warn(evaluation.take_warnings());
    });
  }
  InlineExecutor one;
  auto done = job.alone ? output.run(one) : output.run(*job.executor);
  progress.clear();
  const Instant rows_done = job.clock.now();
  const auto ended = prints_nothing(job) ? sink.status() : writer->end();
  job.times.end_s = seconds_since(rows_done, job.clock);
  warn(writer->take_warnings());
  warn(evaluation.take_warnings());
  if (job.live) {
    warn_of_skipped(evaluation.stats().skipped);
    job.live->report_missed();
  }
  if (done && ended && interrupted() == 0) tell_chart(job, output, infos, *only);
  const int status = finish(job, sink, done, ended);
  // A live run ends by an interrupt as well as it may.
  const bool whole = status == kExitOk || (job.live && status != kExitErrors);
  if (whole && !options.sweep) report_unknown(job, output, infos, *only);
  if (options.stats) {
    job.times.wall_s = seconds_since(job.times.begin, job.clock);
    print_stats(made, evaluation.stats(), output.stats(), output.shares().lanes(), writer->values(),
                job.times);
  }
  return status;
}

int evaluate(const EvalOptions& options, const Clock& clock) {
  const Instant begin = clock.now();
  warn_of_zone(options.zone);
  EvalJob job{.options = options, .clock = clock, .times = {.begin = begin}};
  if (auto opened = open(job); !opened) {
    if (interrupted() != 0) return stop_before_start();
    return complain(opened.error().text()), kExitErrors;
  }
  // Of archives there was nothing until now that would end half written.
  if (!job.live) {
    catch_interrupts();
    stop_reading_at_interrupts();
  }
  job.times.open_s = seconds_since(begin, job.clock);
  const auto made = compile(job);
  if (interrupted() != 0) return stop_before_start();
  if (!made) return complain(made.error().text()), kExitErrors;
  return report(*made) ? write(job, *made) : kExitErrors;
}

// Which times.
CommandOptions window_options(EvalOptions& options) {
  return {
      {.names = "-S,--start",
       .target = &options.start,
       .what = "start: 10min (after the first record; of a host, from now), -1hour (before the "
               "last record), @14:30, 2024-03-01T14:30:00Z, \"2 hours ago\", "
               "\"3/15/2024 14:00\""},
      {.names = "-T,--finish", .target = &options.finish, .what = "end, likewise"},
      {.names = "-O,--origin", .target = &options.origin, .what = "first evaluation, likewise"},
      {.names = "-t,--interval",
       .target = &options.interval,
       .value = "INTERVAL",
       .what = "a grid: values at the origin and every 10sec, 1min ... from there, interpolated as "
               "pmval does (counters exactly); without it those recorded, when they were "
               "recorded. Of a host as they are then; without it every second"},
      {.names = "-A,--align",
       .target = &options.align,
       .value = "INTERVAL",
       .what = "the grid's first time is a multiple of this (with -t): 1min, 1hour"},
  };
}

// Which values, and how they are shown.
CommandOptions value_options(EvalOptions& options) {
  return {
      {.names = "--rate",
       .target = &options.rate,
       .what = "of counters their rates: rate() around every expression that is a counter"},
      zone_option(options.zone,
                  "the zone of the times above and of those in the table: Europe/Berlin, EST5EDT; "
                  "without it $TZ, and the table in UTC"),
      host_zone_option(options.zone),
      {.names = "-s,--samples",
       .target = &options.samples,
       .value = "N",
       .what = "the first N evaluations only",
       .range = OptionRange{1, kSamplesMax}},
      {.names = "-i,--instances",
       .target = &options.instances,
       .what = "only these instances, with commas: names, or first words of names"},
      {.names = "-f,--precision",
       .target = &options.digits,
       .value = "INT",
       .what = "digits after the point of floating values",
       .range = OptionRange{0, kDigitsMax}},
      {.names = "--sweep",
       .target = &options.sweep,
       .what =
           "of a truth value with parameters, `x > $t`, how long and how often it is true at each "
           "of their values: EXPR NAME=FROM..TO:STEP or NAME=V1,V2 ..."},
      {.names = "--reasons",
       .target = &options.reasons,
       .what = "why values are unknown, below the table; json always says so; without it a line on "
               "standard error if more than a tenth of a result is unknown for one reason"},
      {.names = "--stats",
       .target = &options.stats,
       .what = "what was read and evaluated, how and how fast, to standard error"},
      threads_option(options.threads,
                     "how many threads decode records, evaluate and make text; "
                     "without it one a processor, or one alone for small archives"),
      {.names = "--block-rows",
       .target = &options.block_rows,
       .value = "N",
       .what = "records a block at most",
       .range = OptionRange{0, UINT32_MAX},
       .hidden = true},
  };
}

CommandOptions all_options(EvalOptions& options) {
  CommandOptions out = {
      {.names = "EXPR",
       .target = &options.expressions,
       .what =
           "expressions, metric names, or names of definitions; a name above leaves stands for all "
           "of them; none: every definition of the -c files"},
      {.names = "-a,--archive",
       .target = &options.common.archives,
       .value = "ARCHIVE",
       .what = "the archives to read, with commas or by -a again; those of one host follow one "
               "another, several hosts stand side by side; a folder or a folio: those in it"},
      {.names = "-o,--output",
       .target = &options.format,
       .what = "output format:",
       .choices = choices_of(formats()),
       .given = &options.format_given},
      host_option(options.hosts),
      plot_option(options.plot),
  };
  out = joined(std::move(out), window_options(options));
  out = joined(std::move(out), value_options(options));
  return joined(std::move(out), compiler_options(options.common));
}

}  // namespace

Command eval_command(const Clock& clock) {
  auto options = std::make_shared<EvalOptions>();
  return {
      .name = "eval",
      .what = "evaluate expressions over archives or hosts",
      .options = all_options(*options),
      .footer =
          "Examples:\n"
          "  pmjit eval -a ARCHIVE 'rate(disk.dev.read)' 'sum(rate(disk.dev.read)) > 100'\n"
          "  pmjit eval -a WEB1 -a WEB2 'sum_host(kernel.all.load)'  # two hosts\n"
          "  pmjit eval -h localhost -t 5sec -o csv 'rate(disk.all.read)'  # until ^C\n"
          "  pmjit eval -h web1 -h web2 -s 10 'sum_host(kernel.all.load)'\n"
          "  pmjit eval -a MONDAY,TUESDAY -o csv 'sum(rate(disk.dev.read))'  # or -a FOLDER\n"
          "  pmjit eval -a ARCHIVE -t 1min -A 1min --rate -o csv-wide \\\n"
          "      disk.dev mem.util.used\n"
          "  pmjit eval -a ARCHIVE -Z Europe/Berlin --rate --plot day.html \\\n"
          "      disk.dev kernel.all.load\n"
          "  pmjit eval -a ARCHIVE --sweep 'rate(disk.dev.read) > $t' t=0..100:1 # one pass\n"
          "Values are those recorded, when they were recorded, or with -t interpolated at the "
          "times "
          "of a grid; those of a host as they are, every second or every -t, from now on. "
          "grammar/README.md is the language's manual.",
      .run =
          [options, &clock] {
            if (!options->plot.empty() && !options->format_given) options->format = "none";
            return evaluate(*options, clock);
          },
  };
}

}  // namespace pmjit
