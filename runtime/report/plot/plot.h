// The chart of an evaluation as a writer: it puts a picture, or a page with it, into its sink when
// the results have ended, or whenever somebody wants to see what has come.
//
//   auto kind = plot_kind("disks.svg");             // refuses other names
//   auto fit = plottable(infos);                    // refuses texts
//   auto writer = make_plot_writer(sink, {.kind = *kind, .zone = zone});
//   …                                               // blocks
//   writer->set_facts({.unknown = …});
//   auto drawn = writer->end();
//   writer->counts().panels
//
// Memory is bounded by kResultsMax, kLinesMax and kHeatLanesMax, whatever the number of times.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/model/archive_summary.h"
#include "runtime/report/writer.h"

namespace pmjit {

enum class PlotKind : uint8_t { svg, html };

// By the end of the file's name.
[[nodiscard]] Result<PlotKind> plot_kind(std::string_view file);

// Texts and bytes have no place on an axis.
[[nodiscard]] Result<void> plottable(std::span<const ResultInfo> infos);

// A time for which a host recorded nothing.
struct Unrecorded {
  TimeSpan span{};
  bool interrupted = false;  // by a mark, or between two archives: no value goes on through it
};
using HostPauses = std::vector<Unrecorded>;  // of one host, in order

struct PlotOptions {
  PlotKind kind = PlotKind::svg;
  Zone zone{"UTC"};  // of the times on the axis
  // Of each host of the results. None: results of one host come at recorded times, and show it.
  std::vector<HostPauses> pauses{};
};

// What a chart says beyond the results that it gets.
struct ChartFacts {
  // Of each result, or of none: how many of its values are unknown, and why.
  std::vector<std::vector<std::string>> unknown{};
  std::vector<std::string> notes{};  // below all panels
  // A page loads itself again after so many seconds; 0: never, for it stays as it is.
  uint32_t reload_s = 0;
};

struct ChartCounts {
  size_t panels = 0, series = 0;
  uint64_t times = 0;
};

// After end() it may go on: the next end() draws what has come until then.
class PlotWriter : public BlockWriter {
 public:
  using BlockWriter::BlockWriter;
  // Before end().
  virtual void set_facts(ChartFacts facts) = 0;
  // Of what has been drawn: after end().
  [[nodiscard]] virtual ChartCounts counts() const = 0;
};
std::unique_ptr<PlotWriter> make_plot_writer(Sink& sink, const PlotOptions& options);

}  // namespace pmjit
