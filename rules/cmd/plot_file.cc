#include "rules/cmd/common.h"
#include "rules/cmd/eval_job.h"

#include <fmt/core.h>

#include "rules/cmd/time_values.h"
#include "runtime/base/file.h"

namespace pmjit {

namespace {

Error write_error(const std::string& path, int err) {
  return Error(Fault::io, fmt::format("cannot write the chart: {}", whole_file_text(err)))
      .at("file", path)
      .help("a file in a folder that you may write to");
}

std::string counts_text(const ChartCounts& counts) {
  const auto counted = [](uint64_t count, std::string_view what, std::string_view plural) {
    return fmt::format("{} {}", count, count == 1 ? what : plural);
  };
  return counted(counts.panels, "panel", "panels") + ", " +
         counted(counts.series, "series", "series") + ", " + counted(counts.times, "time", "times");
}

}  // namespace

CommandOption plot_option(std::string& path) {
  return {
      .names = "--plot",
      .target = &path,
      .value = "FILE",
      .what = "draw a chart into FILE.svg or FILE.html",
      .wrong = [](const std::string& name) -> std::string {
        return name.empty() ? "is not a file for a chart; use FILE.svg or FILE.html" : "";
      },
      .daily = true,
      .more =
          "An .svg file is a picture. An .html file shows values under the pointer. pmjit writes "
          "the "
          "file whole or not at all. Without `-o` it prints nothing then. For a damaged archive "
          "it draws what can be read. For a live host it writes the file anew at each time, and "
          "a page in a browser follows."};
}

CommandOption plot_window_option(std::string& window) {
  return {.names = "--window",
          .target = &window,
          .value = "INTERVAL",
          .what = "with -h and --plot: the time that the chart shows",
          .wrong = wrong_interval,
          .more =
              "Without it a chart of a live host shows the last 600 times. If the run has an end, "
              "the chart shows all of it."};
}

Result<std::unique_ptr<PlotFile>> PlotFile::open(const std::string& path) {
  std::unique_ptr<PlotFile> out(new PlotFile);
  if (path.empty()) return out;
  const auto kind = plot_kind(path);
  if (!kind) return fail(kind.error());
  if (const int err = can_write_whole_file(path); err != 0) return fail(write_error(path, err));
  out->path_ = path;
  out->kind_ = *kind;
  return out;
}

Result<BlockWriter*> PlotFile::writer(std::span<const ResultInfo> infos, const Zone& zone,
                                      std::vector<HostPauses> pauses) {
  if (path_.empty()) return nullptr;
  if (auto fit = plottable(infos); !fit) return fail(fit.error());
  const PlotOptions look{.kind = kind_, .zone = zone, .pauses = std::move(pauses)};
  if (!live_) {
    writer_ = make_plot_writer(sink_, look);
    return writer_.get();
  }
  live_->plot = look;
  auto chart = std::make_unique<LiveChart>(sink_, *live_, *clock_);
  chart->when_drawn([this](std::string_view text) { write_on_the_way(text); });
  writer_ = std::move(chart);
  return writer_.get();
}

void PlotFile::follow(const LiveChartOptions& how, const Clock& clock) {
  live_ = how;
  clock_ = &clock;
}

// A disk that is full may have room at the next time. What fails at the end is an error.
void PlotFile::write_on_the_way(std::string_view text) {
  const int err = write_whole_file(path_, text);
  if (err != 0 && !failed_on_the_way_) {
    complain("warning: " + write_error(path_, err).text());
  }
  failed_on_the_way_ = err != 0;
}

Result<void> PlotFile::write() {
  if (!writer_) return {};
  if (auto made = writer_->end(); !made) return made;
  if (const int err = write_whole_file(path_, text_); err != 0)
    return fail(write_error(path_, err));
  fmt::print(stderr, "wrote {} ({})\n", path_, counts_text(writer_->counts()));
  return {};
}

}  // namespace pmjit
