// pmjit eval EXPR…: expressions over archives, at the times when data were recorded, or with -t at
// those of a grid; and over a host, from now on.

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <sstream>

#include "rules/cmd/block_rows.h"
#include "rules/cmd/colors.h"
#include "rules/cmd/common.h"
#include "rules/cmd/compile_jobs.h"
#include "rules/cmd/eval_job.h"
#include "rules/cmd/interrupt.h"
#include "rules/cmd/output.h"
#include "rules/cmd/recorded_window.h"
#include "rules/cmd/sweep.h"
#include "runtime/archive/recording/records.h"
#include "runtime/base/file.h"
#include "runtime/exec/evaluation.h"
#include "runtime/exec/filter.h"
#include "runtime/report/progress.h"
#include "runtime/report/sweep/sweep.h"
#include "runtime/report/text/human_text.h"

namespace pmjit {

namespace {

constexpr double kSilence = 2;  // seconds of a live run; then a format that waits says so

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

// Of a report they are called as its columns.
std::vector<ResultInfo> infos_of(const Program& program, EvalJob& job) {
  std::vector<ResultInfo> out;
  for (const ProgramRoot& root : program.roots) {
    out.push_back(root.info);
    if (const HostsCatalog* const hosts = job.several()) {
      out.back().recorded_domain = hosts->recorded_domain(root.info.domain);
    }
  }
  if (job.report) {
    job.report->name_results(out);
    if (job.step() > 0) {
      job.report->layout.interval = human_duration(static_cast<double>(job.step()) / 1e9);
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

// Lines of the terminal that shows the results; 0: no terminal does.
size_t terminal_height() {
  winsize size{};
  const bool has_size =
      ::isatty(STDOUT_FILENO) != 0 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return has_size ? size.ws_row : 0;
}

std::unique_ptr<Writer> writer_of(const EvalJob& job, const Compilation& made, Sink& sink) {
  const EvalOptions& options = job.options;
  const WriterOptions look{.digits = options.digits,
                           .reasons = job.live ? options.reasons : job.reasons,
                           .height = terminal_height(),
                           .zone = *job.zone,
                           .paint = table_paint(),
                           .layout = job.report ? &job.report->layout : nullptr};
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

bool is_damage(const Error& error) { return error.pm_code() == pm_err::E_LOGREC; }

// Of several archives that are not, the last is returned and the others are said.
Result<void> whole_archives(const EvalJob& job) {
  Result<void> out;
  for (const auto& source : job.archives) {
    warn_of_times({.from = job.window.origin, .to = job.window.end, .step = job.step()},
                  source->archives(), *job.zone);
    auto whole = whole_up_to(job.window.end, source->archives());
    if (whole) continue;
    if (!out) complain(out.error().text());
    out = std::move(whole);
  }
  return out;
}

// A sweep's results are of all times together: there are none of some of them.
bool prints_nothing(const EvalJob& job) { return job.options.sweep && interrupted() != 0; }

std::string how_it_ends(const EvalJob& job, const Sink& sink) {
  if (prints_nothing(job)) return "nothing is printed of a sweep that has not come to its end";
  if (!sink.whole()) return std::string(kRowCutShort);
  return "the output ends with a whole row, but before the archive does";
}

// Says what is damaged in the records that were read. Missing volumes have been said.
bool all_is_there(const EvalJob& job) {
  bool all = true;
  for (const auto& source : job.archives) {
    const auto described = described_up_to(job.window.end, *source);
    if (!described) complain(described.error().text());
    all = all && described && has_all_volumes(source->archives());
  }
  return all;
}

// After which time nothing is there. Of several hosts that is the end of the archive that the error
// is about.
std::optional<Stamp> last_time(const EvalJob& job, const Output& output, const Error& error) {
  if (!job.several_hosts()) {
    return output.times() > 0 ? std::optional(output.last_time()) : std::nullopt;
  }
  for (const auto& source : job.archives) {
    const auto tail = damaged_tail(source->archives());
    if (!tail || !error.text().contains(Error(*tail).help("").text())) continue;
    const auto end = source->archives().end();
    if (end) return *end;
  }
  return std::nullopt;
}

// Damage ends an evaluation: after which time.
Error with_last_time(const EvalJob& job, const Output& output, const Error& error) {
  const auto last = is_damage(error) ? last_time(job, output, error) : std::nullopt;
  if (!last) return error;
  return Error(error).help(
      fmt::format("times after {} are missing; {}", iso_local(*last, *job.zone), error.help()));
}

// An error: not all of what is recorded is given out.
Result<void> run_whole(EvalJob& job, Output& output) {
  InlineExecutor one;
  auto done = job.alone ? output.run(one) : output.run(*job.executor);
  if (!done) return fail(with_last_time(job, output, done.error()));
  if (interrupted() != 0 || job.grids.empty()) return done;
  return whole_archives(job);
}

// The exit status; what went wrong is said. Of damaged archives a chart has what could be read, of
// other failures there is none.
int finish(EvalJob& job, const Sink& sink, const Result<void>& done, const Result<void>& ended,
           bool damaged) {
  const std::string loss = job.plot->loss();
  if (!sink.status() && !sink.stopped()) {
    if (!loss.empty()) complain("the reader of the output has gone" + loss);
    end_if_reader_has_gone();
  }
  if (!done && !sink.stopped()) {
    const std::string_view ends =
        job.several_hosts() ? "the values of this host end" : "the output ends";
    const bool draws = damaged && ended;
    complain(
        fmt::format("{}\n  {} before this place{}", done.error().text(), ends, draws ? "" : loss));
    const auto drawn = draws ? job.plot->write() : Result<void>();
    if (!drawn) complain(drawn.error().text());
    return kExitErrors;
  }
  if (!ended && !sink.stopped()) return complain(ended.error().text() + loss), kExitErrors;
  // A host has no end: whoever interrupts has seen enough.
  if (interrupted() != 0 && !job.live) {
    complain("interrupted: " + how_it_ends(job, sink) + loss);
    return kExitSignal + interrupted();
  }
  job.damaged = !all_is_there(job);
  const Instant begin = job.clock.now();
  const auto drawn = job.plot->write();
  if (!job.options.plot.empty()) job.times.draw_s = seconds_since(begin, job.clock);
  if (!drawn) return complain(drawn.error().text()), kExitErrors;
  return interrupted() != 0 ? kExitSignal + interrupted() : kExitOk;
}

// When hosts recorded nothing, which shows neither in the values of a grid nor in those of others.
std::vector<HostPauses> pauses_of(const EvalJob& job) {
  std::vector<HostPauses> out;
  if (!job.plot->wanted() || (job.grids.empty() && !job.several_hosts())) return out;
  for (const auto& source : job.archives) out.push_back(recorded_pauses(source->archives()));
  return out;
}

// What a chart says beside the values: whoever looks at it does not see standard error.
void tell_chart(EvalJob& job, Output& output, const std::vector<ResultInfo>& infos,
                const std::vector<std::string>& only, bool damaged) {
  if (!job.plot->wanted()) return;
  find_reasons(job, output, only);
  ChartFacts facts;
  if (damaged && job.several_hosts()) {
    facts.notes.push_back("an archive is damaged: values of its host are missing");
  } else if (damaged) {
    facts.notes.push_back(fmt::format("the archive is damaged: times after {} are missing",
                                      iso_local(output.last_time(), *job.zone)));
  }
  for (size_t k = 0; k < infos.size(); ++k) facts.unknown.push_back(output.shares().lines_of(k));
  job.plot->set_facts(std::move(facts));
}

// Each time is waited for; what is to be told of it is told then.
void follow_hosts(EvalJob& job, Sink& sink, Output& output, Writer& writer,
                  Evaluation& evaluation) {
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
    warn(writer.take_warnings());
    warn(evaluation.take_warnings());
  });
}

int write(EvalJob& job, const Compilation& made) {
  const EvalOptions& options = job.options;
  CompilesMeanwhile compiling(made, *job.executor);
  Rosters rosters;
  EvaluationOptions how = evaluation_options_of(job, made);
  how.before_block = [&] { compiling.before_block(); };
  // Estimates have read other records than those of the window.
  for (const auto& source : job.archives) source->undescribed().forget();
  Evaluation evaluation = evaluation_of(job, made, rosters, how);
  const std::vector<ResultInfo> infos = infos_of(*made.program, job);
  const auto only = wanted_instances(job, infos);
  if (!only) return complain(only.error().text()), kExitErrors;
  std::optional<InstanceFilter> filter;
  if (!only->empty()) filter.emplace(*only, evaluation.names(), rosters);
  Progress progress("evaluating", job.clock);
  Sink sink(STDOUT_FILENO);
  sink.before_writing([&] { progress.clear(); });  // standard output may be the same terminal
  stop_writing_at_interrupts(sink, job.clock);
  auto writer = writer_of(job, made, sink);
  const auto chart = job.plot->writer(infos, *job.zone, pauses_of(job));
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
  output.count_empty(derived_by_pcp(*made.program, job.catalog()));
  if (job.live) follow_hosts(job, sink, output, *writer, evaluation);
  const auto done = run_whole(job, output);
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
  const bool damaged = !done && is_damage(done.error()) && output.times() > 0;
  if ((done || damaged) && ended && (interrupted() == 0 || job.live)) {
    tell_chart(job, output, infos, *only, damaged);
  }
  const int status = finish(job, sink, done, ended, damaged);
  // A live run ends by an interrupt as well as it may.
  const bool whole = status == kExitOk || (job.live && status != kExitErrors);
  if (whole) report_no_rows(job, *made.program, output);
  if (whole && !options.sweep) {
    const auto notes = notes_of_patterns(*made.program, job.catalog());
    for (const PatternNote& note : notes) output.shares().leave_out(note.result);
    report_unknown(job, output, infos, *only);
    for (const PatternNote& note : notes) complain("note: " + note.text);
    hint_at_grid(job, *made.program);
    hint_at_rates(job, infos);
    hint_at_repeats(job, infos);
  }
  if (options.stats) {
    job.times.wall_s = seconds_since(job.times.begin, job.clock);
    print_stats(made, evaluation.stats(), output.stats(), output.shares().lanes(), writer->values(),
                job.times);
  }
  return status;
}

}  // namespace

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

int evaluate(const EvalOptions& options, const Clock& clock) {
  const Instant begin = clock.now();
  warn_of_zone(options.zone);
  EvalJob job{.options = options, .clock = clock, .times = {.begin = begin}};
  if (auto opened = open(job); !opened) {
    if (interrupted() != 0) return stop_before_start();
    return complain_of_report(opened.error()), kExitErrors;
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
  if (!report(*made)) return kExitErrors;
  const int status = write(job, *made);
  if (status != kExitOk) return status;
  return job.damaged || !job.has_all_archives || !made->skipped.empty() ? kExitErrors : kExitOk;
}

}  // namespace pmjit
