// What the user asks of pmjit eval, and what it opens before it reads the first record: an archive,
// a window, threads, a program.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/diag/diag.h"
#include "compiler/driver/driver.h"
#include "rules/cmd/command.h"
#include "rules/cmd/common.h"
#include "rules/cmd/live_chart.h"
#include "rules/cmd/live_hosts.h"
#include "rules/cmd/output.h"
#include "rules/cmd/report_columns.h"
#include "rules/cmd/zone_option.h"
#include "runtime/base/clock.h"
#include "runtime/client/archive_context/grid_source.h"
#include "runtime/exec/evaluation.h"
#include "runtime/model/hosts.h"
#include "runtime/program/program.h"
#include "runtime/report/plot/plot.h"
#include "runtime/report/writer.h"
#include "runtime/sched/parallel_source.h"
#include "runtime/sched/tbb_executor.h"
#include "runtime/text/window.h"

namespace pmjit {

// What eval --stats prints: which evaluator ran and why, what was read, and how fast each stage
// was.

// Of what happens once, around the evaluation.
struct RunTimes {
  Instant begin{};
  double wall_s = 0;                  // from the beginning to these figures
  double end_s = 0;                   // of the output, behind the last row
  double open_s = 0;                  // archives: their metadata; threads; the window
  std::optional<double> draw_s = {};  // a chart
};

// Of every stage that took part. `lanes`: of the results that were given out.
void print_stats(const Compilation& made, const EvaluationStats& stats, const OutputStats& output,
                 uint64_t lanes, uint64_t values_written, const RunTimes& times);

// Which results are derived metrics as PCP's dialects evaluate them: whole value sets at a time,
// and none where there is no value; but for those with a pattern that selects nobody.
[[nodiscard]] std::vector<bool> derived_by_pcp(const Program& program, const Catalog& catalog);
// Of each of those: all that is to be said of it.
struct PatternNote {
  size_t result;
  std::string text;
};
[[nodiscard]] std::vector<PatternNote> notes_of_patterns(const Program& program,
                                                         const Catalog& catalog);
// Of those that look back at recorded times, over metrics that are logged in several groups a tick:
// they compare with the group before. Empty: there are none.
[[nodiscard]] std::string note_of_groups(const Program& program, const Recording& recorded);

// --plot FILE: the results as a chart, in a file that is written whole or not at all.
[[nodiscard]] CommandOption plot_option(std::string& path);
[[nodiscard]] CommandOption plot_window_option(std::string& window);

// When nothing was recorded: before the first record and after the last, in pauses, at marks and
// between two archives. Only heads of records are read, up to the first that is damaged.
[[nodiscard]] HostPauses recorded_pauses(const Archives& archives);

// Where the chart goes, if anywhere.
class PlotFile {
 public:
  // No path: no chart, and the rest does nothing. An error: such a file cannot be written.
  [[nodiscard]] static Result<std::unique_ptr<PlotFile>> open(const std::string& path);
  // Of live hosts, before writer(): the file is written at each time, too, whole.
  void follow(const LiveChartOptions& how, const Clock& clock);
  // The writer that makes the chart of `infos`, null without one; times are shown in `zone`,
  // `pauses` are those of PlotOptions. It needs no end().
  [[nodiscard]] Result<BlockWriter*> writer(std::span<const ResultInfo> infos, const Zone& zone,
                                            std::vector<HostPauses> pauses);
  [[nodiscard]] bool wanted() const { return !path_.empty(); }
  // What the chart says of the results, when they have ended.
  void set_facts(ChartFacts facts) {
    if (writer_) writer_->set_facts(std::move(facts));
  }
  // The results have ended: the chart is written, and only now. Says so.
  [[nodiscard]] Result<void> write();
  // What is said of it where the evaluation failed.
  [[nodiscard]] std::string loss() const { return writer_ ? ", and no chart is written" : ""; }

 private:
  PlotFile() : sink_(text_) {}
  void write_on_the_way(std::string_view text);

  std::string path_;
  PlotKind kind_ = PlotKind::svg;
  std::string text_;
  Sink sink_;
  std::unique_ptr<PlotWriter> writer_;
  std::optional<LiveChartOptions> live_{};
  const Clock* clock_ = nullptr;  // of a live one
  bool failed_on_the_way_ = false;
};

struct EvalOptions {
  CommonOptions common;
  std::vector<std::string> expressions, instances, hosts;
  std::string format = "table";
  bool format_given = false;
  std::string start, finish, origin, align, interval, plot, window, report;
  ZoneOption zone;
  std::optional<int> digits;
  std::optional<uint64_t> samples;
  uint32_t block_rows = 0, threads = 0;
  bool stats = false, rate = false, raw = false, reasons = false, sweep = false;

  // Counters as rates: asked for, or what the format's readers expect.
  [[nodiscard]] bool shows_rates() const { return rate || (format == "columns" && !raw); }
};

// The archive and what is asked of it, in the order in which it becomes known.
struct EvalJob {
  const EvalOptions& options;
  const Clock& clock;
  RunTimes times{};
  const Format& format = *find_format(options.format);
  std::string interval = options.interval;  // of -t, or what takes its place
  bool reasons = false;
  bool damaged = false;          // records that were read; it has been said
  bool has_all_archives = true;  // of the folder; what is left out has been said
  std::unique_ptr<PlotFile> plot{};
  std::unique_ptr<LiveHosts> live{};                        // -h; then there is no recording
  std::vector<std::unique_ptr<ArchivesSource>> archives{};  // of each host
  std::optional<HostsRecording> hosts{};                    // they together, where they are several
  const Recording* recorded = nullptr;                      // as it was recorded
  bool alone = false;  // so little is read that one thread does it
  std::optional<TbbExecutor> executor{};
  std::optional<Zone> zone{};
  std::optional<ReportColumns> report{};             // -p
  std::deque<ParallelSource> shared{};               // decoded by several threads
  std::vector<std::unique_ptr<GridSource>> grids{};  // -t: of each host
  std::optional<HostsRecording> hosts_on_grid{};
  const Recording* values = nullptr;  // what is evaluated
  Nanos live_step = 0;                // between the fetches of -h
  [[nodiscard]] Nanos step() const {
    if (live) return live_step;
    return grids.empty() ? 0 : grids.front()->step();
  }
  [[nodiscard]] const Catalog& catalog() const {
    return live ? live->feeds().catalog() : values->catalog();
  }
  // Empty: there are several.
  [[nodiscard]] std::string host() const {
    if (several_hosts()) return {};
    return live ? live->name() : recorded->host();
  }
  // Null: there is one.
  [[nodiscard]] const HostsCatalog* several() const {
    if (live) return live->feeds().hosts();
    return hosts ? &hosts->catalog() : nullptr;
  }
  [[nodiscard]] bool several_hosts() const { return live ? live->size() > 1 : archives.size() > 1; }
  Window window{};
};

[[nodiscard]] Result<void> open(EvalJob& job);
// The program of the expressions; with --rate of their rates, with --sweep a root a point.
[[nodiscard]] Result<Compilation> compile(EvalJob& job);

// Runs it and writes what comes out. The exit status.
[[nodiscard]] int evaluate(const EvalOptions& options, const Clock& clock);
[[nodiscard]] EvaluationOptions evaluation_options_of(const EvalJob& job, const Compilation& made);

// What is said beside the results, on standard error. `only`: full names of -i.

// Finds why values are unknown where so many are that it is to be said.
void find_reasons(EvalJob& job, Output& output, const std::vector<std::string>& only);
void report_unknown(EvalJob& job, Output& output, const std::vector<ResultInfo>& infos,
                    const std::vector<std::string>& only);
void report_no_rows(const EvalJob& job, const Program& program, const Output& output);
void hint_at_grid(const EvalJob& job, const Program& program);
void hint_at_rates(const EvalJob& job, const std::vector<ResultInfo>& infos);
void hint_at_repeats(const EvalJob& job, const std::vector<ResultInfo>& infos);

// Of a run without a row: the nearest records of its metrics. Empty: it needs none.
[[nodiscard]] std::string note_of_empty_window(const EvalJob& job, const Program& program);

// --rate: of every result that is a counter its rate, by writing rate() around the expression.

// An expression a root of the program, in its order; empty: none of them is a counter.
std::vector<SourceText> expressions_of_rates(const Program& program);

}  // namespace pmjit
