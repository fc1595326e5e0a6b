#include "rules/cmd/eval_job.h"

#include <fmt/core.h>

#include "runtime/base/file.h"

namespace pmjit {

namespace {

Error write_error(const std::string& path, int err) {
  return Error(Fault::io, fmt::format("cannot write the chart: {}", whole_file_text(err)))
      .at("file", path)
      .help("a file in a folder that you may write to");
}

}  // namespace

CommandOption plot_option(std::string& path) {
  return {
      .names = "--plot",
      .target = &path,
      .value = "FILE",
      .what = "draw a chart into FILE.svg or FILE.html",
      .wrong = [](const std::string& name) -> std::string {
        return name.empty() ? "is no file; use FILE.svg or FILE.html" : "";
      },
      .daily = true,
      .more =
          "An .svg file is a picture. An .html file shows values under the pointer. The file is "
          "written whole or not at all. Without `-o` nothing is printed then."};
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

Result<BlockWriter*> PlotFile::writer(std::span<const ResultInfo> infos, const Zone& zone) {
  if (path_.empty()) return nullptr;
  if (auto fit = plottable(infos); !fit) return fail(fit.error());
  writer_ = make_plot_writer(sink_, {.kind = kind_, .zone = zone});
  return writer_.get();
}

Result<void> PlotFile::write() {
  if (!writer_) return {};
  if (auto made = writer_->end(); !made) return made;
  if (const int err = write_whole_file(path_, text_); err != 0)
    return fail(write_error(path_, err));
  return {};
}

}  // namespace pmjit
