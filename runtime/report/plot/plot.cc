#include "runtime/report/plot/plot.h"

#include <fmt/format.h>

#include "runtime/report/plot/draw.h"

namespace pmjit {

namespace {

class ChartMaker final : public PlotWriter {
 public:
  ChartMaker(Sink& sink, const PlotOptions& options) : PlotWriter(sink), options_(options) {}

  void begin(const Schema& schema) override {
    Writer::begin(schema);
    gather_.emplace(schema_, options_.pauses);
  }
  Result<void> write(const ResultBlock& block) override {
    values_ += gather_->add(block);
    return {};
  }
  void set_facts(ChartFacts facts) override { facts_ = std::move(facts); }
  Result<void> end() override {
    Scene scene(schema_, *gather_, options_, facts_);
    sink_.put(options_.kind == PlotKind::html ? html_text(scene, facts_.reload_s)
                                              : svg_text(scene, false));
    counts_ = {.panels = scene.panels.size(), .times = gather_->moments().count()};
    for (const Panel& panel : scene.panels) counts_.series += panel.series.size();
    return sink_.flush();
  }
  ChartCounts counts() const override { return counts_; }

 private:
  PlotOptions options_;
  ChartFacts facts_;
  ChartCounts counts_;
  std::optional<Gather> gather_;
};

}  // namespace

Result<PlotKind> plot_kind(std::string_view file) {
  if (file.ends_with(".svg")) return PlotKind::svg;
  if (file.ends_with(".html")) return PlotKind::html;
  return fail(Error(Fault::usage, fmt::format("--plot {}: a chart is a .svg or .html file", file))
                  .help(".svg is a picture, .html a page that shows values under the pointer"));
}

Result<void> plottable(std::span<const ResultInfo> infos) {
  for (const ResultInfo& info : infos) {
    if (info.elem != Elem::text && info.elem != Elem::bytes) continue;
    const std::string_view what = info.elem == Elem::text ? "texts" : "bytes";
    return fail(Error(Fault::usage, fmt::format("--plot: {} has {}, which have no place in a chart",
                                                name_with_host(info), what))
                    .help("leave it out; -o table prints it"));
  }
  return {};
}

std::unique_ptr<PlotWriter> make_plot_writer(Sink& sink, const PlotOptions& options) {
  return std::make_unique<ChartMaker>(sink, options);
}

}  // namespace pmjit
