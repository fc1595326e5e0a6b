#include "runtime/client/archive_context/grid_window.h"

#include <algorithm>

#include "runtime/model/record_decoder.h"
#include "runtime/model/row_sharing.h"

namespace pmjit {

namespace {

// A metric that is logged once a minute among others of each second finds its next row within so
// much: 16 MB of values, rows and columns, however large the blocks are.
constexpr uint64_t kWindowValuesMax = 2u << 20;
constexpr uint64_t kColumnAsValues = sizeof(Column) / sizeof(uint64_t);
// Blocks that are read before a column takes anything from them: they stay in the processor's
// cache.
constexpr uint64_t kBlocksAhead = 4;

uint64_t size_in_values(const Block& block) {
  uint64_t out = kRowAsValues * rows_once(block);
  for (const Column& column : block.columns) out += kColumnAsValues + column.count;
  return out;
}

// What is read before the first time of a grid, so that metrics have a row before it.
constexpr Nanos kLookBackLeast = 600'000'000'000;
constexpr Nanos kLookBackSteps = 4;
// It begins some fetches behind a mark, and what is logged once stands right behind that.
constexpr Nanos kLookBackStepsCertain = 64;

}  // namespace

GridWindow::GridWindow(const ArchivesSource& recorded, Wanted wanted, Stamp from, bool from_start)
    : recorded_(recorded),
      plan_{.metrics = std::move(wanted.metrics), .from = from},
      domains_(std::move(wanted.domains)),
      start_(recorded.start()),
      from_start_(from_start) {
  for (const GridDomain* domain : domains_) lists_.try_emplace(domain, domain);
}

Result<std::unique_ptr<GridWindow>> GridWindow::open(const ArchivesSource& recorded,
                                                     const Recording& reader, Wanted wanted,
                                                     const Times& times) {
  const Nanos steps = times.certain ? kLookBackStepsCertain : kLookBackSteps;
  const Nanos back = nanos(times.from) - std::max(kLookBackLeast, steps * times.step);
  const bool from_start = back <= nanos(recorded.start());
  const Stamp first = from_start ? kStampMin : stamp_from_nanos(back);
  std::unique_ptr<GridWindow> window(
      new GridWindow(recorded, std::move(wanted), first, from_start));
  window->plan_.checks_others = times.certain;
  auto cursor = reader.open(window->plan_, window->rosters_);
  if (!cursor) return fail(cursor.error());
  window->cursor_ = *std::move(cursor);
  return window;
}

const GridReturns& GridWindow::returns() {
  if (!returns_) returns_.emplace(recorded_, plan_, domains_);
  return *returns_;
}

GridWindow::Read GridWindow::read() {
  if (state_ != Read::block) return state_;
  if (size_ > kWindowValuesMax) return Read::full;
  forget_rosters();
  std::unique_ptr<Kept> kept;
  if (spare_.empty()) {
    kept = std::make_unique<Kept>();
  } else {
    kept = std::move(spare_.back());
    spare_.pop_back();
  }
  const auto more = cursor_->next(kept->block);
  bytes_ += kept->block.bytes;
  if (!more) return state_ = Read::doubtful;
  if (!*more) return state_ = Read::end;
  if (!in_order(*kept)) return state_ = Read::doubtful;
  kept->size = size_in_values(kept->block);
  size_ += kept->size;
  blocks_.push_back(std::move(kept));
  return Read::block;
}

// A mark of that very time may stand behind a record of it.
bool GridWindow::is_unmarked(double until) {
  const uint64_t size_max = kBlocksAhead * values_of_block(plan_.metrics.size());
  while (from_start_ && marks_.empty() && time_ <= until && size_ < size_max) {
    if (read() != Read::block) break;
  }
  return from_start_ && marks_.empty() && (time_ > until || state_ == Read::end);
}

bool GridWindow::in_order(Kept& kept) {
  kept.seconds.clear();
  double time = time_;
  for (const Record& record : kept.block.records) {
    const double t = kept.seconds.emplace_back(seconds_between(record.stamp, start_));
    if (record.mark) {
      // Interpolation sees the border of two archives behind the last record of the first.
      for (const double from : {time, t}) {
        marks_.push_back(marks_.empty() ? from : std::max(marks_.back(), from));
      }
    } else if (t < time) {
      return false;  // nobody looks at the block: its records are none that were read
    }
    time = std::max(time, t);
  }
  time_ = time;
  return true;
}

void GridWindow::release(uint64_t before) {
  for (; first_ < before && !blocks_.empty(); ++first_) {
    size_ -= blocks_.front()->size;
    spare_.push_back(std::move(blocks_.front()));
    blocks_.pop_front();
  }
}

void GridWindow::forget_rosters() {
  if (!rosters_.crowded()) return;
  for (const auto& kept : blocks_) {
    for (const Column& column : kept->block.columns) {
      for (const Row& row : column.rows) rosters_.keep(row.roster_id);
    }
  }
  rosters_.forget_others();
}

}  // namespace pmjit
