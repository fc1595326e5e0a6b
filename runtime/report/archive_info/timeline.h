// A line of block characters: where there are data, and where gaps.
//
//   timeline(all, {.span = all, .gaps = gaps}, 60)      "████████▓·····░███"
//
// █ data in all of the cell's time, ▓ ▒ ░ in less and less of it, · none. A gap of any length shows
// as a cell that is not full, and a single record as one that is not empty.
#pragma once

#include <span>
#include <string>

#include "runtime/model/archive_summary.h"

namespace pmjit {

struct RecordedSpan {
  TimeSpan span;              // data from here to there …
  std::span<const Gap> gaps;  // … but for these, which are in order of time
};

// `all` is what the `cells` stand for.
std::string timeline(const TimeSpan& all, const RecordedSpan& recorded, size_t cells);

}  // namespace pmjit
