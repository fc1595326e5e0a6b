// LiveChart: the chart of a run over live hosts, drawn anew while the run goes on. It has what came
// in a window of time that moves along, or all of a run that has an end.
//
//   LiveChart chart(sink, {.plot = {.kind = PlotKind::html}, .window = window}, clock);
//   chart.when_drawn([&](std::string_view text) { … });   // the whole chart, each time
//   …                                                     // blocks
//   chart.end();                                          // the last one, in the sink
//
// Drawing takes a tenth of the time at most: if a chart is large, it is drawn at fewer times.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/clock.h"
#include "runtime/model/results.h"
#include "runtime/report/plot/plot.h"

namespace pmjit {

struct LiveChartOptions {
  PlotOptions plot;
  Nanos window = 0;       // 0: all of the run
  uint32_t reload_s = 1;  // of a page, while the run goes on
};

class LiveChart final : public PlotWriter {
 public:
  // `clock` outlives it.
  LiveChart(Sink& sink, const LiveChartOptions& options, const Clock& clock)
      : PlotWriter(sink), options_(options), clock_(clock) {}
  // Called with each chart but the last.
  void when_drawn(std::function<void(std::string_view)> use) { use_ = std::move(use); }

  void begin(const Schema& schema) override;
  [[nodiscard]] Result<void> write(const ResultBlock& block) override;
  [[nodiscard]] Result<void> end() override;
  // Of a window, those of its own values count.
  void set_facts(ChartFacts facts) override { facts_ = std::move(facts); }
  [[nodiscard]] ChartCounts counts() const override { return counts_; }

 private:
  // Into text_; the page loads itself again if the run goes on.
  [[nodiscard]] Result<void> draw(bool goes_on);
  void forget_before(Stamp newest);

  LiveChartOptions options_;
  const Clock& clock_;
  std::function<void(std::string_view)> use_;
  std::deque<ResultBlock> blocks_;  // of the window
  std::string text_;                // of a chart
  Sink text_sink_{text_};
  std::unique_ptr<PlotWriter> chart_;  // without a window it has all that has come
  ChartFacts facts_;
  ChartCounts counts_;
  std::optional<Instant> not_before_;  // when the next one may be drawn
};

}  // namespace pmjit
