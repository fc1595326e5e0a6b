// Sweeps as text: a line a point, when all is evaluated. The formats stand in one table.
//
//   auto writer = find_sweep_format("csv")->make(sink, options, points);   // then as any Writer
#pragma once

#include "runtime/model/sweep_points.h"
#include "runtime/report/writer.h"

namespace pmjit {

// Its blocks have a column a point, in their order, and ResultBlock::after_gap.
struct SweepFormat {
  std::string_view name;
  std::unique_ptr<Writer> (*make)(Sink& sink, const WriterOptions& options, SweepPoints points);
};
std::span<const SweepFormat> sweep_formats();
const SweepFormat* find_sweep_format(std::string_view name);  // null: no such format

std::unique_ptr<Writer> make_sweep_table(Sink& sink, const WriterOptions& options,
                                         SweepPoints points);
std::unique_ptr<Writer> make_sweep_csv(Sink& sink, const WriterOptions& options,
                                       SweepPoints points);
std::unique_ptr<Writer> make_sweep_json(Sink& sink, const WriterOptions& options,
                                        SweepPoints points);

}  // namespace pmjit
