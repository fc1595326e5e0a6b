#include "compiler/cmd/stats.h"

#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>

#include "compiler/cmd/common.h"

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
  line("compiled", fmt::format("{:.1f} ms; {} of {} kernels for {} steps in {:.1f} ms{}, {} bytes",
                               made.compile_ms, code.kernels, made.shapes, made.steps, code.ms,
                               made.compiling_follows ? " while it ran" : "", code.code_bytes));
  if (made.compiling_follows && code.error) line("", "none of them: " + code.error->what());
}

}  // namespace

void print_stats(const Compilation& made, const EvaluationStats& stats, const OutputStats& output,
                 uint64_t values_written, RunTimes::Clock::time_point begin) {
  const double wall = std::chrono::duration<double>(RunTimes::now() - begin).count();
  const uint64_t work = stats.work_compiled + stats.work_interpreted;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  line("evaluator", made.evaluator);
  print_compiled(made);
  line("read", fmt::format("{} records, {} values, {:.1f} MB in {:.1f} ms: {}", stats.records,
                           stats.values_decoded, static_cast<double>(stats.bytes) / 1e6,
                           stats.source_s * 1e3, speed(stats.values_decoded, stats.source_s)));
  line("evaluated",
       fmt::format("{} times, {} lanes × operators in {:.1f} ms: {}, {:.0f} % of them in kernels",
                   stats.groups, work, stats.eval_s * 1e3, speed(work, stats.eval_s),
                   work == 0 ? 0.0
                             : 100.0 * static_cast<double>(stats.work_compiled) /
                                   static_cast<double>(work)));
  line("results", fmt::format("{} values, {} of them known", stats.values_out, values_written));
  line("formatted",
       fmt::format("{:.1f} ms of all threads: {}; written in {:.1f} ms", output.format_s * 1e3,
                   speed(values_written, output.format_s), output.write_s * 1e3));
  line("wall",
       fmt::format("{:.1f} ms, {} of decoded values; {:.0f} MB resident at most", wall * 1e3,
                   speed(stats.values_decoded, wall), static_cast<double>(usage.ru_maxrss) / 1024));
}

}  // namespace pmjit
