// What pmjit eval is asked, and what becomes of it before the first record is read: an archive that
// is open, a window, threads, a program.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rules/cmd/common.h"
#include "rules/cmd/plot_file.h"
#include "rules/cmd/stats.h"
#include "rules/cmd/zone_option.h"
#include "runtime/client/archive_context/grid_source.h"
#include "runtime/model/hosts_recording.h"
#include "runtime/report/writer.h"
#include "runtime/sched/parallel_source.h"
#include "runtime/sched/tbb_executor.h"
#include "runtime/text/window.h"

namespace pmjit {

struct EvalOptions {
  CommonOptions common;
  std::vector<std::string> expressions, instances;
  std::string format = "table";
  bool format_given = false;
  std::string start, finish, origin, align, interval, plot;
  ZoneOption zone;
  std::optional<int> digits;
  std::optional<uint64_t> samples;
  uint32_t block_rows = 0, threads = 0;
  bool stats = false, rate = false, reasons = false, sweep = false;
};

// The archive and what is asked of it, in the order in which it becomes known.
struct EvalJob {
  const EvalOptions& options;
  const Clock& clock;
  RunTimes times{};
  const Format& format = *find_format(options.format);
  bool reasons = false;
  std::unique_ptr<PlotFile> plot{};
  std::vector<std::unique_ptr<ArchivesSource>> archives{};  // of each host
  std::optional<HostsRecording> hosts{};                    // they together, where they are several
  const Recording* recorded = nullptr;                      // as it was recorded
  bool alone = false;  // so little is read that one thread does it
  std::optional<TbbExecutor> executor{};
  std::optional<Zone> zone{};
  std::vector<std::unique_ptr<GridSource>> grids{};  // -t: of each host
  std::optional<HostsRecording> hosts_on_grid{};
  std::optional<ParallelSource> shared{};  // decoded by several threads
  const Recording* values = nullptr;       // what is evaluated
  [[nodiscard]] Nanos step() const { return grids.empty() ? 0 : grids.front()->step(); }
  [[nodiscard]] bool several_hosts() const { return archives.size() > 1; }
  Window window{};
};

[[nodiscard]] Result<void> open(EvalJob& job);
// The program of the expressions; with --rate of their rates, with --sweep a root a point.
[[nodiscard]] Result<Compilation> compile(EvalJob& job);

}  // namespace pmjit
