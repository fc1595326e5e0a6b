// The reduce step: one value a row from the lanes of that row. Runs of rows with one roster are one
// kernel call; a row that is unknown as a whole gives an unknown result, never a partial one.

#include <algorithm>

#include "runtime/base/limits.h"
#include "runtime/exec/state.h"

namespace pmjit {

namespace {

// Appends a value a row of the run; the index of the first.
uint64_t reduce_values(ExecState& state, const Step& step, const Column& in, const Run& run,
                       Column& out) {
  const uint64_t base = out.grow(run.rows);
  const uint64_t count = uint64_t{run.rows} * run.lanes;
  std::vector<uint64_t> in_valid;
  const uint64_t* valid = nullptr;
  if (!in.valid.empty() && count != 0) {
    in_valid.assign(bits::words_for(count), 0);
    bits::copy(in_valid.data(), 0, in.valid.data(), run.offset, count);
    valid = in_valid.data();
  }
  std::vector<uint64_t> out_valid(bits::words_for(run.rows), 0);
  const void* values = in.values.data() + run.offset * elem_bytes(in.elem);
  const KernelFrame frame{.in = &values,
                          .valid = &valid,
                          .args = step.args.data(),
                          .rows = run.rows,
                          .lanes = run.lanes,
                          .out = out.values.data() + base * elem_bytes(out.elem),
                          .out_valid = out_valid.data()};
  const Kernel& kernel = step.kernel->now();
  kernel.fn(kernel.self, &frame);
  out.set_validity(base, out_valid.data(), run.rows);
  step.kernel->count(count);
  state.stats.add_work(step, kernel, count);
  return base;
}

void reduce_run(ExecState& state, const Step& step, const Column& in, const Run& run, Series& out) {
  const uint64_t base = reduce_values(state, step, in, run, out.column);
  for (uint32_t r = 0; r < run.rows; ++r) {
    Row row = in.rows[run.first_row + r];
    row.roster_id = Rosters::kSingularId;
    row.offset = base + r;
    out.column.rows.push_back(row);
    out.offered.push_back(Rosters::kSingularId);
  }
}

// Nearly always all rows are one run, and the result shares the rows of its track. False: it is not
// so, and nothing was done.
bool reduce_even(ExecState& state, const Step& step, const Column& in, Series& out) {
  const SlotId source = step.inputs[0].slot;
  if (state.constant(step.out) || state.constant(source) || !state.is_even(source)) return false;
  const Track& track = state.track_for(step.out);
  const bool same_rows =
      &track == &state.track_for(source) && track.rows().size() == in.rows.size();
  if (!same_rows) return false;
  const Row& first = in.rows.front();
  const Run run{.first_row = 0,
                .rows = static_cast<uint32_t>(in.rows.size()),
                .roster_id = first.roster_id,
                .lanes = state.rosters.size(first.roster_id),
                .offset = first.offset};
  reduce_values(state, step, in, run, out.column);
  out.column.rows = state.rows_at_updates(state.track_of[step.out.index], Rosters::kSingularId);
  state.even[step.out.index] = ExecState::Even::yes;
  return true;
}

}  // namespace

void run_reduce(ExecState& state, const Step& step) {
  Series& out = state.series_of(step.out);
  out.start_round(state.slot(step.out).elem);
  const SlotId source = step.inputs[0].slot;
  const Column& in = state.series_of(source).column;
  if (reduce_even(state, step, in, out)) return;
  for (uint32_t row = 0; row < in.rows.size();) {
    if (in.rows[row].status != kKnown) {
      append_single(out, state.at(source, RowRef{row}), -1);
      ++row;
      continue;
    }
    const Run run = in.run_at(row, state.rosters);
    reduce_run(state, step, in, run, out);
    row += run.rows;
  }
}

}  // namespace pmjit
