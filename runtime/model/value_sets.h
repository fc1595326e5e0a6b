// Between value sets, as a fetch delivers them, and rows of a column, as evaluation has them.
#pragma once

#include <span>

#include "runtime/model/column.h"
#include "runtime/model/desc.h"
#include "runtime/model/value.h"

namespace pmjit {

// Appends `row` with the values of `set`; `row` says when. A value that is not of the metric's type
// is not valid. `last`: the roster of the values before, which is looked at first; then of these.
void append_set(const FetchedSet& set, const Desc& desc, Row row, RosterId& last, Rosters& rosters,
                Column& column);

// How values of a metric are delivered: numbers of 32 bits in place.
ValueFormat format_of(const Desc& desc);

// What is known of a row as a fetch would bring it: `instances`, and which value behind `offset`
// each has (below 0: none). Blocks of `out` are in `column`, and live as long.
void take_known(const Column& column, uint64_t offset, std::span<const int32_t> instances,
                std::span<const int32_t> lanes, const Desc& desc, FetchedSet& out);

}  // namespace pmjit
