#include "rules/cmd/eval_job.h"

#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>

#include "rules/cmd/common.h"
#include "runtime/report/text/human_text.h"

namespace pmjit {

namespace {

// "12.3 M/s"
std::string speed(uint64_t count, double seconds) {
  const double each = static_cast<double>(count) / std::max(seconds, 1e-9);
  if (each >= 1e6) return fmt::format("{:.1f} M/s", each / 1e6);
  return fmt::format("{:.1f} k/s", each / 1e3);
}

void line(std::string_view name, const std::string& text) {
  say(fmt::format("{:<11}{}\n", name, text));
}

// Of kernels that follow: those that were ready in time.
void print_compiled(const Compilation& made) {
  const auto code = made.compiling ? made.compiling->figures() : Compiling::Figures{};
  line("compiled",
       fmt::format(
           "{:.1f} ms; {} of {} kernels for {} steps in {:.1f} ms{}{}, {} bytes", made.compile_ms,
           code.kernels, made.shapes, made.steps, code.ms,
           made.compiling_follows ? " while it ran" : "",
           code.adapted > 0 ? fmt::format(", {} adapted to the work as it came", code.adapted) : "",
           code.code_bytes));
  if (code.error && (made.compiling_follows || made.adapting)) {
    line("", (code.kernels > 0 ? "no more of them: " : "none of them: ") + code.error->what());
  }
}

void print_evaluated(const EvaluationStats& stats) {
  const uint64_t work = stats.work_compiled + stats.work_interpreted;
  const double compiled =
      work == 0 ? 0 : static_cast<double>(stats.work_compiled) / static_cast<double>(work);
  line("read", fmt::format("{} records, {} values, {} in {:.1f} ms: {}", stats.records,
                           stats.values_decoded, human_bytes(stats.bytes), stats.source_s * 1e3,
                           speed(stats.values_decoded, stats.source_s)));
  if (stats.alike > 0) {
    line("", fmt::format("{} of these records were like one before, and only copied", stats.alike));
  }
  line("evaluated",
       fmt::format("{} times, {} lanes × operators in {:.1f} ms: {}, {:.0f} % of them in kernels",
                   stats.groups, work, stats.eval_s * 1e3, speed(work, stats.eval_s),
                   100 * compiled));
  uint64_t times = 0, at_once = 0;
  for (const GuardCounts& of_metric : stats.sets) {
    times += of_metric.all();
    at_once += of_metric.held;
  }
  if (times == 0) return;
  line("", fmt::format("{} times a derived metric, {} of them many at once", times, at_once));
}

void print_output(const OutputStats& output, uint64_t lanes, uint64_t values_written,
                  const RunTimes& times) {
  line("results", fmt::format("{} values, {} of them known", lanes, values_written));
  if (output.settle_s > 0) line("settled", fmt::format("{:.1f} ms: names", output.settle_s * 1e3));
  line("formatted",
       fmt::format("{:.1f} ms of all threads: {}; written in {:.1f} ms", output.format_s * 1e3,
                   speed(values_written, output.format_s), (output.write_s + times.end_s) * 1e3));
  if (times.draw_s) {
    line("chart", fmt::format("gathered in {:.1f} ms, drawn in {:.1f} ms", output.gather_s * 1e3,
                              *times.draw_s * 1e3));
  }
}

}  // namespace

void print_stats(const Compilation& made, const EvaluationStats& stats, const OutputStats& output,
                 uint64_t lanes, uint64_t values_written, const RunTimes& times) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  line("opened", fmt::format("{:.1f} ms", times.open_s * 1e3));
  const bool adapted = made.compiling && made.compiling->figures().adapted > 0;
  line("evaluator", made.evaluator + (adapted ? ", as chosen before the run" : ""));
  print_compiled(made);
  print_evaluated(stats);
  print_output(output, lanes, values_written, times);
  line("wall", fmt::format("{:.1f} ms, {} of decoded values; {:.0f} MB resident at most",
                           times.wall_s * 1e3, speed(stats.values_decoded, times.wall_s),
                           static_cast<double>(usage.ru_maxrss) / 1024));
}

}  // namespace pmjit
