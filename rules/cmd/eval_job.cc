#include "rules/cmd/eval_job.h"

#include <fmt/core.h>

#include <algorithm>

#include "rules/cmd/binary_output.h"
#include "rules/cmd/compile_jobs.h"
#include "rules/cmd/expected_run.h"
#include "rules/cmd/rates.h"
#include "rules/cmd/sweep.h"
#include "rules/cmd/threads_option.h"
#include "runtime/base/limits.h"
#include "runtime/text/interval.h"

namespace pmjit {

namespace {

Result<Window> window_of(const EvalOptions& options, const Recording& source, Zone& zone,
                         const Clock& clock) {
  if (!options.align.empty() && options.interval.empty()) {
    return fail(Error(Fault::usage, "-A aligns a grid, and values come when they were recorded")
                    .help("give the grid's interval with -t as well"));
  }
  auto window = parse_window(
      {.start = if_given(options.start),
       .finish = if_given(options.finish),
       .align = if_given(options.align),
       .origin = if_given(options.origin),
       .strict = true},
      {.start = source.start(), .end = source.end(), .now = unix_seconds(clock.wall())}, zone);
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
  CompileOptions out = compile_options(options.common, *job.source);
  out.on_grid = job.grid != nullptr;
  if (options.stats) out.clock = &job.clock;
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
  auto source = open_source(options.common, extra_units_of(options.common.dialect));
  if (!source) return fail(source.error());
  job.source = *std::move(source);
  job.alone = options.threads == 0 && job.source->bytes() < limits::kSharedBytesLeast;
  job.executor.emplace(threads_of(options.threads));
  if (!job.alone && job.executor->threads() > 1) job.executor->start();
  auto zone = options.zone.zone(job.source->timezone());
  if (!zone) return fail(zone.error());
  job.zone = *std::move(zone);
  const auto window = window_of(options, *job.source, *job.zone, job.clock);
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

Result<Compilation> compile(EvalJob& job) {
  const EvalOptions& options = job.options;
  auto input = options.sweep ? sweep_input(options.common, options.expressions,
                                           {options.format, options.rate, options.reasons})
                             : compile_input(options.common, options.expressions);
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

}  // namespace pmjit
