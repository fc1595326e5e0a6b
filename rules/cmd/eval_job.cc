#include "rules/cmd/eval_job.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <set>
#include <string>

#include "compiler/driver/hosts.h"
#include "compiler/parse/parse.h"
#include "compiler/strict_rules/tree.h"
#include "rules/cmd/compile_jobs.h"
#include "rules/cmd/expected_run.h"
#include "rules/cmd/interrupt.h"
#include "rules/cmd/output.h"
#include "rules/cmd/recorded_window.h"
#include "rules/cmd/sweep.h"
#include "rules/cmd/threads_option.h"
#include "runtime/base/limits.h"
#include "runtime/report/text/human_text.h"
#include "runtime/text/interval.h"

namespace pmjit {

namespace {

constexpr Nanos kChartTimes = 600;  // of a live chart whose window is not said
constexpr double kNanosPerSecond = 1e9;

Result<Window> window_of(const EvalJob& job) {
  const EvalOptions& options = job.options;
  const Recording& source = *job.recorded;
  if (!options.align.empty() && job.interval.empty()) {
    return fail(Error(Fault::usage, "-A aligns a grid, and values come when they were recorded")
                    .help("give the grid's interval with -t as well"));
  }
  auto window =
      recorded_window({.start = if_given(options.start),
                       .finish = if_given(options.finish),
                       .align = if_given(options.align),
                       .origin = if_given(options.origin),
                       .strict = true},
                      recorded_between(source.start(), source.end(), job.clock), *job.zone);
  if (!window) {
    std::vector<const Archives*> archives;
    for (const auto& of_host : job.archives) archives.push_back(&of_host->archives());
    return fail(window_error(window.error(), archives));
  }
  // The end of an archive is its last record; without -T nothing recorded is cut off.
  if (options.finish.empty() && job.interval.empty()) window->end = kStampMax;
  return window;
}

Result<ReplayStep> step_of(const std::string& interval) {
  const auto time = parse_interval<NanoTime>(interval);
  if (!time) return fail(time.error().at("option", "-t"));
  const NanoTime step = pm_inc(*time, NanoTime{});  // carries
  if (step.sec > 0 || (step.sec == 0 && step.part > 0)) {
    return ReplayStep{.sec = step.sec, .nsec = static_cast<int32_t>(step.part)};
  }
  return fail(Error(Fault::usage, "-t " + interval + " is no step forward"));
}

std::vector<HostsRecording::Part> parts_of(const EvalJob& job) {
  std::vector<HostsRecording::Part> out;
  for (const auto& source : job.archives) {
    out.push_back({.name = source->host(), .recording = source.get()});
  }
  return out;
}

// -t 1hour of an archive of ten minutes: one time, before which there is nothing.
void note_long_step(EvalJob& job, const ReplayStep& step) {
  const double asked = static_cast<double>(step.sec) + step.nsec / kNanosPerSecond;
  const double recorded = seconds_between(job.window.end, job.window.start);
  if (asked <= recorded) return;
  constexpr double kMinutes = 300, kTens = 60;
  complain(fmt::format(
      "note: -t {} is longer than the {} that are asked for, so there is one time, the first\n"
      "  help: a shorter one gives more: -t {}",
      job.interval, human_duration(recorded),
      recorded > kMinutes ? "1min"
      : recorded > kTens  ? "10s"
                          : "1s"));
}

// With -t the archives are read as a grid sees them: each host from its own start to its own end.
Result<void> put_on_grid(EvalJob& job) {
  if (job.interval.empty()) return {};
  const auto step = step_of(job.interval);
  if (!step) return fail(step.error());
  note_long_step(job, *step);
  std::vector<HostsRecording::Part> parts;
  for (const auto& source : job.archives) {
    TimeGrid grid{.origin = job.window.origin, .end = job.window.end, .step = *step};
    if (job.several_hosts()) grid = grid_within(*source, grid);
    const Recording* reader = source.get();
    if (!job.alone && !job.several_hosts())
      reader = &job.shared.emplace_back(*source, *job.executor);
    job.grids.push_back(std::make_unique<GridSource>(*source, grid, reader));
    parts.push_back({.name = source->host(), .recording = job.grids.back().get()});
  }
  if (!job.several_hosts()) return {};
  const FeedTimes times{.origin = job.window.origin, .step = nanos(*step), .end = job.window.end};
  job.hosts_on_grid.emplace(std::move(parts), HostsRecordingOptions{.grid = times});
  // What is expected of the archives is asked with the identifiers of the grid.
  job.recorded =
      &job.hosts.emplace(parts_of(job), job.hosts_on_grid->catalog(), HostsRecordingOptions{});
  return {};
}

// All hosts are asked at once. What is wrong with an expression is said when it is compiled.
void expect_metrics(const LiveHosts& live, const CompileInput& input) {
  std::deque<Ast> asts;
  std::vector<const Ast*> all;
  for (const SourceText& text : input.expressions) {
    Diags diags;
    auto ast = parse_expression(text, diags);
    if (ast) all.push_back(&asts.emplace_back(*std::move(ast)));
  }
  live.fleet().expect(strict::metrics_in(all));
}

Compilation compiled_over(const EvalJob& job, const CompileInput& input,
                          const CompileOptions& how) {
  if (job.live) expect_metrics(*job.live, input);
  return job.several_hosts() ? compile_hosts(input, *job.several(), how)
                             : compile(input, job.catalog(), how);
}

// What -p has over these archives or hosts, and of archives the interval, if -t is not given.
Result<void> take_report(EvalJob& job) {
  const EvalOptions& options = job.options;
  if (options.report.empty()) return {};
  const auto report = open_report(options.report);
  if (!report) return fail(report.error());
  const auto definitions = compile_input(options.common, {options.report});
  if (!definitions) return fail(definitions.error());
  CompileOptions how = compile_options(options.common);
  how.evaluator = EvaluatorChoice::interpreter;
  how.on_grid = true;
  auto columns = columns_over(*report, {.definitions = *definitions,
                                        .host = job.several_hosts() ? "" : job.host(),
                                        .raw = options.raw,
                                        .compile = [&](const CompileInput& input) {
                                          return compiled_over(job, input, how);
                                        }});
  if (!columns) return fail(columns.error());
  job.report = *std::move(columns);
  for (const std::string& note : job.report->notes) complain("note: " + note);
  if (job.live || !job.interval.empty()) return {};
  const double seconds = rhythm_of(*job.recorded, job.report->metrics).interval;
  if (seconds > 0) job.interval = fmt::format("{}sec", seconds);
  return {};
}

Result<void> open_archives(EvalJob& job) {
  const EvalOptions& options = job.options;
  auto archives = open_hosts(options.common, extra_units_of(options.common.dialect));
  if (!archives) return fail(archives.error());
  job.archives = std::move(archives->hosts);
  job.has_all_archives = archives->whole;
  job.recorded = job.archives.front().get();
  if (!job.several_hosts()) return {};
  if (options.sweep) {
    return fail(Error(Fault::unsupported, "a sweep over several hosts is not there yet")
                    .help("give the archives of one host with -a"));
  }
  job.recorded = &job.hosts.emplace(parts_of(job), HostsRecordingOptions{});
  note_apart(job.archives);
  return {};
}

// Are reasons of unknown values to be worked out? An error where the format cannot do what is
// asked.
Result<bool> wants_reasons(const EvalOptions& options, const Format& format) {
  if (options.sweep) return false;
  const auto fits = check_output(format, options.digits.has_value());
  if (!fits) return fail(fits.error());
  if (!options.reasons || format.reasons != Format::Reasons::never) {
    return options.reasons || format.reasons == Format::Reasons::always;
  }
  return fail(Error(Fault::usage, fmt::format("--reasons: {} has no place for them", format.name))
                  .help("-o table or -o json"));
}

CompileOptions compile_options_of(EvalJob& job) {
  const EvalOptions& options = job.options;
  CompileOptions out = compile_options(options.common);
  out.on_grid = job.live || !job.grids.empty();
  if (options.stats) out.clock = &job.clock;
  out.reasons = job.reasons;
  out.run_jobs = jobs_on(*job.executor);
  out.kernels_may_follow = job.executor->threads() > 1;
  if (job.live) return out;  // nobody knows how long it will run: kernels follow if it does
  out.expected =
      expected_work(*job.recorded, {.from = job.window.origin,
                                    .to = job.window.end,
                                    .step = job.step(),
                                    .rows_most = static_cast<double>(options.samples.value_or(0))});
  return out;
}

// A chart of a run without an end has what came last.
Result<void> follow_with_chart(EvalJob& job) {
  const EvalOptions& options = job.options;
  if (!job.plot->wanted()) return {};
  const bool has_end = options.samples.has_value() || !options.finish.empty();
  LiveChartOptions how{.plot = {}, .window = has_end ? 0 : kChartTimes * job.live_step};
  if (!options.window.empty()) {
    const auto window = step_of(options.window);
    if (!window) return fail(window.error());
    how.window = nanos(*window);
  }
  const double step_s = static_cast<double>(job.live_step) / kNanosPerSecond;
  how.reload_s = static_cast<uint32_t>(std::clamp(std::ceil(step_s), 1.0, 3600.0));
  job.plot->follow(how, job.clock);
  if (how.window != 0) {
    const double window_s = static_cast<double>(how.window) / kNanosPerSecond;
    complain(fmt::format("note: {} is written every {}, with the last {}, until ^C", options.plot,
                         human_duration(step_s), human_duration(window_s)));
  }
  return {};
}

// Times of a host: from now on, a second apart unless -t says otherwise.
Result<void> set_live_times(EvalJob& job) {
  const EvalOptions& options = job.options;
  const auto step = step_of(options.interval.empty() ? "1sec" : options.interval);
  if (!step) return fail(step.error());
  job.live_step = nanos(*step);
  auto zone = options.zone.zone(job.live->timezone());
  if (!zone) return fail(zone.error());
  job.zone = *std::move(zone);
  const auto window = live_window({.start = if_given(options.start),
                                   .finish = if_given(options.finish),
                                   .align = if_given(options.align),
                                   .origin = if_given(options.origin),
                                   .strict = true},
                                  *job.zone, job.clock);
  if (!window) return fail(window.error());
  job.window = *window;
  return follow_with_chart(job);
}

// With -h: no recording, and each wave is one time. A host may keep us waiting.
Result<void> open_live(EvalJob& job) {
  const EvalOptions& options = job.options;
  if (options.sweep) {
    return fail(
        Error(Fault::usage, "a sweep needs all values at once, and a host has one at a time")
            .help("record an archive, and name it with -a"));
  }
  catch_interrupts();
  auto live = LiveHosts::open(options.hosts, job.clock);
  if (!live) return fail(live.error());
  job.live = *std::move(live);
  job.reasons = true;  // a row is little work, and cannot be evaluated again
  job.alone = true;
  job.executor.emplace(threads_of(options.threads));
  if (auto taken = take_report(job); !taken) return taken;
  return set_live_times(job);
}

}  // namespace

Result<void> open(EvalJob& job) {
  const EvalOptions& options = job.options;
  const auto reasons = wants_reasons(options, job.format);
  if (!reasons) return fail(reasons.error());
  job.reasons = *reasons;
  if (options.sweep && !options.plot.empty()) {
    return fail(Error(Fault::usage, "a sweep has no chart").help("--sweep or --plot"));
  }
  auto plot = PlotFile::open(options.plot);
  if (!plot) return fail(plot.error());
  job.plot = *std::move(plot);
  if (!options.hosts.empty()) return open_live(job);
  if (auto opened = open_archives(job); !opened) return opened;
  job.alone = options.threads == 0 && job.recorded->bytes() < limits::kSharedBytesLeast;
  job.executor.emplace(threads_of(options.threads));
  if (!job.alone && job.executor->threads() > 1) job.executor->start();
  auto zone = options.zone.zone(job.recorded->timezone());
  if (!zone) return fail(zone.error());
  job.zone = *std::move(zone);
  job.values = job.recorded;
  if (auto taken = take_report(job); !taken) return taken;
  const auto window = window_of(job);
  if (!window) return fail(window.error());
  job.window = *window;
  if (auto done = put_on_grid(job); !done) return done;
  if (!job.grids.empty()) {
    job.values = job.several_hosts() ? static_cast<const Recording*>(&*job.hosts_on_grid)
                                     : job.grids.front().get();
  } else if (!job.alone && !job.several_hosts()) {
    job.values = &job.shared.emplace_back(*job.recorded, *job.executor);
  }
  return {};
}

Result<Compilation> compile(EvalJob& job) {
  const EvalOptions& options = job.options;
  const auto& expressions = job.report ? job.report->expressions : options.expressions;
  auto input = options.sweep ? sweep_input(options.common, expressions,
                                           {options.format, options.rate, options.reasons})
                             : compile_input(options.common, expressions);
  if (!input) return fail(input.error());
  const CompileOptions how = compile_options_of(job);
  Compilation made = compiled_over(job, *input, how);
  if (job.report) {
    for (std::string& note : made.notes) note = job.report->with_headers(std::move(note));
    return made;
  }
  if (!options.shows_rates() || !made.ok()) return made;
  auto rates = expressions_of_rates(*made.program);
  if (rates.empty()) return made;
  input->expressions = std::move(rates);
  return compiled_over(job, *input, how);
}

std::vector<SourceText> expressions_of_rates(const Program& program) {
  const auto is_counter = [](const ProgramRoot& root) {
    return root.info.semantics == Semantics::counter;
  };
  std::vector<SourceText> out;
  if (std::ranges::none_of(program.roots, is_counter)) return out;
  // A root's name is what was written, a metric or a definition: an expression in each case.
  // Of several hosts each has a root of it.
  std::set<std::string> seen;
  for (const ProgramRoot& root : program.roots) {
    const std::string& text = root.info.name;
    if (!root.info.host.empty() && !seen.insert(text).second) continue;
    out.push_back({.name = "", .text = is_counter(root) ? "rate(" + text + ")" : text});
  }
  return out;
}

}  // namespace pmjit
