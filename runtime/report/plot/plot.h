// The chart of an evaluation as a writer: it puts a picture, or a page with it, into its sink when
// the results have ended.
//
//   auto kind = plot_kind("disks.svg");             // refuses other names
//   auto fit = plottable(infos);                    // refuses texts
//   auto writer = make_plot_writer(sink, {.kind = *kind, .zone = zone});
//
// Memory is bounded by kResultsMax, kLinesMax and kHeatLanesMax, whatever the number of times.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "runtime/report/writer.h"

namespace pmjit {

enum class PlotKind : uint8_t { svg, html };

// By the end of the file's name.
[[nodiscard]] Result<PlotKind> plot_kind(std::string_view file);

// Texts and bytes have no place on an axis.
[[nodiscard]] Result<void> plottable(std::span<const ResultInfo> infos);

struct PlotOptions {
  PlotKind kind = PlotKind::svg;
  Zone zone{"UTC"};  // of the times on the axis
};
std::unique_ptr<BlockWriter> make_plot_writer(Sink& sink, const PlotOptions& options);

}  // namespace pmjit
