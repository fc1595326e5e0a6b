// What the steps of one evaluation share: the program, where its slots stand, and scratch memory.
// Private to runtime/exec.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "runtime/base/bytes.h"
#include "runtime/exec/clock_tracks.h"
#include "runtime/exec/equivalent_instances.h"
#include "runtime/exec/evaluator.h"
#include "runtime/exec/sampler.h"
#include "runtime/exec/shared_tracks.h"
#include "runtime/exec/slot_series.h"

namespace pmjit {

// Where one input of a step is at one update of the step's clock.
struct InputRow {
  const Column* column = nullptr;  // null: there is nothing (status tells why)
  uint32_t row = 0;
  RosterId roster{};
  RosterId offered{};
  RosterId delivered{};  // of an operand of a sets step
  int32_t status = kKnown;
  // Nobody is there. Of a slot without instance axis: its one lane is vacant.
  [[nodiscard]] bool nobody() const {
    return column && status == kKnown && roster == Rosters::kNobodyId;
  }
};

// Why there is nothing to compare with, where the update before has this status: a host that was
// down then need not be down now.
inline int32_t status_of_history(int32_t before) {
  return before == kHostDown ? int32_t{kFirstSample} : before;
}

// Of a derived metric, from one evaluation to the next.
struct SetsState {
  std::unique_ptr<SetEvaluation> evaluation{};
  uint64_t segment = 0;
  std::vector<FetchedSet> sets{};
  FetchedSet made{};
};

// Why lanes of a slot are unknown (reasons.cc).
struct SlotReasons {
  LaneReasons of_value{};          // of this wave, by index into the values of its column
  std::vector<int32_t> carried{};  // of the carried rows, by index into their values
  std::vector<int32_t> kept{};     // of those that will be; empty: none of this wave is

  void end_round() {
    of_value.clear();
    if (kept.empty()) return;
    std::swap(carried, kept);
    kept.clear();
  }
  void forget_round() {
    of_value.clear();
    kept.clear();
  }
};

// What lanes steps need while they run, kept so that none of them allocates it (lanes_step.cc).
struct LanesScratch;

struct ExecState {
  std::shared_ptr<const Program> program;
  const Catalog& catalog;
  const MetNames& names;  // of instances; the catalog itself knows no guests
  Rosters& rosters;
  Nanos step = 0;                           // as EvaluationOptions have it
  std::vector<const Catalog*> hosts{};      // likewise
  std::span<const HostId> rows_of_hosts{};  // Wave::hosts of this wave
  SharedTracks tracks{};
  std::vector<uint32_t> track_of{};  // of a slot; kNoIndex: constant over time
  std::vector<Series> series{};      // of a slot
  // Of a slot where a sets step fills it: of each host, of one source one.
  std::vector<std::vector<SetsState>> sets{};
  std::vector<std::unique_ptr<Meeting>> meetings{};  // of a slot, where a meet step fills it
  std::vector<SlotReasons> reasons{};                // of a slot; empty: nobody asks
  std::vector<bool> last_use{};                      // of a root: no later one has its slot
  std::vector<bool> looks_back{};                    // of a slot: some step needs its history
  std::vector<bool> observed{};                      // of a slot: it is an operand's
  // Lists of rows of this wave that take_observations() found to be as the strict dialect sees
  // them: operands that share one are, too. Two, for instances and single values take turns.
  std::array<const void*, 2> plain_rows{};
  // Of a track that is looked at: lists of rows that steps share which have made known values of
  // one roster at each of its updates. Steps over single values and over instances take turns.
  struct EvenRows {
    struct Made {
      RosterId roster{};
      RowList rows{};
    };
    std::array<Made, 4> made{};
    uint32_t next = 0;  // the one that the next roster takes
  };
  std::vector<EvenRows> even_rows{};  // of this wave, by track
  enum class Even : uint8_t { unknown, yes, no };
  std::vector<Even> even{};  // of a slot, as is_even() has found it in this wave
  // Lists of rows of operands that is_even() looked at last. Those that share one are alike.
  struct EvenList {
    const void* identity = nullptr;
    bool even = false;
  };
  std::array<EvenList, 4> even_lists{};  // of this wave
  uint32_t next_even_list = 0;
  // Of this wave: lists that results take unchanged, those that were found last.
  std::array<const void*, 4> result_rows{};
  uint32_t next_result_rows = 0;
  Dictionary texts{};  // of encode and decode steps
  std::shared_ptr<LanesScratch> lanes_scratch{};
  EvaluationStats stats{};

  [[nodiscard]] const Slot& slot(SlotId id) const { return program->slots[id]; }
  [[nodiscard]] Series& series_of(SlotId id) { return series[id.index]; }
  [[nodiscard]] const Series& series_of(SlotId id) const { return series[id.index]; }
  [[nodiscard]] Meeting& meeting_of(const Step& step);
  [[nodiscard]] const Track& track_for(SlotId id) const { return tracks[track_of[id.index]]; }
  // Are all rows that a slot has of this wave known, of one roster and one behind the other?
  [[nodiscard]] bool is_even(SlotId id);
  // The rows of every even slot of that track whose values begin at the start of its column.
  [[nodiscard]] const RowList& rows_at_updates(uint32_t track, RosterId roster);
  [[nodiscard]] bool constant(SlotId id) const { return track_of[id.index] == kNoIndex; }
  // The rows that later waves need, from here to the last of this wave. Not of a constant.
  [[nodiscard]] RowRef oldest_needed(SlotId id) const;

  // What knows the instances of a group's source: with guests, and without.
  [[nodiscard]] const Catalog& names_at(uint32_t group) const;
  [[nodiscard]] const Catalog& catalog_at(uint32_t group) const {
    return rows_of_hosts.empty() ? catalog : *hosts[host_index(group)];
  }
  // Whose row it is, of those that are evaluated together.
  [[nodiscard]] uint32_t host_index(uint32_t group) const {
    return rows_of_hosts.empty() ? 0 : rows_of_hosts[group].index;
  }
  // The row of `id` that is in force at an update of another slot's clock; as it is known then.
  [[nodiscard]] InputRow in_force(SlotId id, uint32_t group) const;
  [[nodiscard]] InputRow at(SlotId id, RowRef ref) const;
};

// One file a step kind. Each fills series_of(step.out) for the wave.
void run_lanes(ExecState& state, const Step& step);
void run_reduce(ExecState& state, const Step& step);
void run_reduce_hosts(ExecState& state, const Step& step);
void run_select(ExecState& state, const Step& step);
void run_scalar(ExecState& state, const Step& step);
void run_matching(ExecState& state, const Step& step);
void run_known(ExecState& state, const Step& step);
void run_proven(ExecState& state, const Step& step);
void run_nobody(ExecState& state, const Step& step);
void run_encode(ExecState& state, const Step& step);
void run_decode(ExecState& state, const Step& step);
void run_equals(ExecState& state, const Step& step);
void run_spread(ExecState& state, const Step& step, const Wave& wave);
void run_sets(ExecState& state, const Step& step, const Wave& wave);
void run_meet(ExecState& state, const Step& step, const Wave& wave);

// take(out, input, row) for every row of the step's one input, which `out` gets a row for.
template <class Take>
void each_row(ExecState& state, const Step& step, Take take) {
  Series& out = state.series_of(step.out);
  out.start_round(state.slot(step.out).elem);
  const SlotId source = step.inputs[0].slot;
  const Column& in = state.series_of(source).column;
  for (uint32_t row = 0; row < in.rows.size(); ++row) {
    take(out, state.at(source, RowRef{row}), in.rows[row]);
  }
}

// A row as it is, all `lanes` of it.
void append_whole(Series& out, const InputRow& from, uint64_t lanes);
// A row with some of the lanes of `from`, which are `roster`; the others are vacant.
void append_lanes(Series& out, const InputRow& from, std::span<const uint32_t> lanes,
                  RosterId roster);
// Appends to a slot without instance axis a row that copies value `lane` of `from`; lane < 0: no
// value.
void append_single(Series& out, const InputRow& from, int64_t lane);
// The same where the instance is not there: a row of nobody, for its one lane is vacant.
void append_vacant(Series& out, const InputRow& from);

// Operands: recorded value sets as the strict dialect sees them. Instances ascend and stand once; a
// singular metric has exactly one lane; what was not delivered is unknown with its reason. Private
// to runtime/exec.

// Moves the operand's observations of a wave into its slot.
void take_observations(ExecState& state, const ProgramOperand& operand, Observations& from);
// Moves their memory back.
void give_back_observations(ExecState& state, const ProgramOperand& operand, Observations& to);

// Why lanes are unknown, where somebody asks: from a lane without a value back through the steps
// that made it, to the first operand that has none, down to what was observed. Source: spec
// dialects.md §4.2. Private to runtime/exec.
//
// The rows of a wave know what they were made from; of those before it only the carried ones of
// each slot are still there. So the reasons of these are worked out before their wave ends, and
// kept with them.

// After the steps of a wave, before its results are assembled: of all unknown lanes of the roots,
// and of the rows of every slot that are kept. Nothing if nobody asks.
void find_reasons(ExecState& state, const Wave& wave);

// Puts together what an evaluation gives: for each root a row at every evaluation time of the
// wave. Private to runtime/exec.

// Of each root: no later one has its slot (ExecState::last_use).
std::vector<bool> last_uses(const Program& program);

// Fills `block` from the wave that all steps have run for. Columns are moved out of their slots:
// last use.
void assemble(ExecState& state, const Wave& wave, const EvaluationOptions& options,
              ResultBlock& block);
// Moves their memory back into the slots, whatever has become of the content.
void take_back_results(ExecState& state, ResultBlock& block);

}  // namespace pmjit
