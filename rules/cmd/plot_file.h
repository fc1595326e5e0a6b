// --plot FILE: the results as a chart, in a file that is written whole or not at all.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "rules/cmd/command.h"
#include "runtime/report/plot/plot.h"

namespace pmjit {

[[nodiscard]] CommandOption plot_option(std::string& path);

// Where the chart goes, if anywhere.
class PlotFile {
 public:
  // No path: no chart, and the rest does nothing. An error: such a file cannot be written.
  [[nodiscard]] static Result<std::unique_ptr<PlotFile>> open(const std::string& path);
  // The writer that makes the chart of `infos`, null without one; times are shown in `zone`. It
  // needs no end().
  [[nodiscard]] Result<BlockWriter*> writer(std::span<const ResultInfo> infos, const Zone& zone);
  // The results have ended: the chart is written, and only now.
  [[nodiscard]] Result<void> write();
  // What is said of it where the evaluation failed.
  [[nodiscard]] std::string loss() const { return writer_ ? ", and no chart is written" : ""; }

 private:
  PlotFile() : sink_(text_) {}

  std::string path_;
  PlotKind kind_ = PlotKind::svg;
  std::string text_;
  Sink sink_;
  std::unique_ptr<BlockWriter> writer_;
};

}  // namespace pmjit
