// GridColumn: the recorded rows of one metric, and its values at the times of a grid: those of
// interpolation.h, in a closed form. While the times of rows rise, the observation of an instance
// before a time is that of the last row that has it, and the one behind it that of the next; mostly
// these are two rows side by side, for all instances alike. Where the closed form need not hold the
// column gives up, before any value that could differ, and interpolation.h goes on.
//
//   GridColumn column({.desc = desc, .elem = elem, .exact = true, .column = 3, .marks = &marks});
//   column.begin();
//   while (column.fill(window, times, rosters, out) == GridColumn::Fill::needs_more) window.read();
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime/archive/recording/archives_source.h"
#include "runtime/client/archive_context/counter_value.h"
#include "runtime/client/archive_context/grid_window.h"
#include "runtime/model/column.h"
#include "runtime/model/desc.h"

namespace pmjit {

// A time of a grid.
struct GridTime {
  Stamp asked;  // as interpolation has it, which carries in its own way
  Stamp stamp;
  double t = 0;              // `asked` in seconds since the start of the recording
  bool behind_mark = false;  // a mark stands before it in the block
  uint32_t record = 0;       // of the block
};

struct GridColumnOptions {
  Desc desc;
  Elem elem = Elem::f64;  // a number
  bool exact = false;
  bool goes_on = false;    // TimeGrid
  uint32_t column = 0;     // of the window
  uint32_t instances = 1;  // that there ever were of its domain
  Marks* marks = nullptr;  // that exact values do not reach over; outlives it
};

class GridColumn {
 public:
  explicit GridColumn(const GridColumnOptions& options);

  enum class Fill : uint8_t { done, needs_more, gives_up };
  // New times.
  void begin() { filled_ = 0; }
  // Appends a row of each time that is left, as far as the window has what that takes. What it
  // gives up it does for good.
  [[nodiscard]] Fill fill(GridWindow& window, std::span<const GridTime> times, Rosters& rosters,
                          Column& out);
  // Where no more can be read for it: has the recording no row of it any more? Then that is known.
  bool ends(GridWindow& window);
  // How many of the times have their row.
  [[nodiscard]] size_t filled() const { return filled_; }
  // Had it values in this segment?
  [[nodiscard]] bool known() const { return known_; }

  // The first block that it still takes rows from; of those before it keeps copies of what it
  // needs.
  [[nodiscard]] uint64_t block() const { return block_; }
  void keep_before(uint64_t block);

 private:
  static constexpr uint8_t kInWindow = 2;
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Observed {  // a row
    Stamp stamp;
    double t = 0;
    const std::byte* values = nullptr;
    uint64_t block = 0;        // that they are in, or
    uint8_t home = kInWindow;  // which of kept_ has them
    uint8_t list = 0;          // of lists_
  };
  // The last observation of an instance that the row before the time does not have.
  struct Gone {
    uint32_t rank = 0;
    int32_t instance = 0;
    GridReturn last;
    const GridReturn* back = nullptr;  // null: it holds
  };
  // What a value is made of: a lane of the row before or one that is gone, and a lane of the row
  // behind or a return; of neither where the value before is the answer.
  struct Source {
    uint32_t lane = kNone, gone = kNone, next_lane = kNone;
    const GridReturn* back = nullptr;
  };
  enum class Ready : uint8_t { yes, needs_more, gives_up };
  enum class Layout : uint8_t { none, at_row, between };

  [[nodiscard]] Ready advance(GridWindow& window, double t);
  void take(GridWindow& window);
  [[nodiscard]] bool may_change(GridWindow& window) const;
  [[nodiscard]] bool take_list(GridWindow& window, RosterId roster_id, uint8_t& slot);
  void step(GridWindow& window);
  void note_gone(const GridReturns& returns);
  [[nodiscard]] bool holds() const { return options_.desc.semantics == Semantics::discrete; }
  [[nodiscard]] bool interrupted(Stamp from, Stamp until) const;
  [[nodiscard]] bool is_plain(const GridTime& at) const;
  [[nodiscard]] bool has_row(const GridWindow& window, const GridTime& at) const;
  void append(GridWindow& window, const GridTime& at, Rosters& rosters, Column& out);
  void lay_out(GridWindow& window, const GridTime& at, Rosters& rosters);
  [[nodiscard]] std::optional<Source> source_of(const GridReturns& returns, const GridTime& at,
                                                uint32_t lane, uint32_t next_lane) const;
  [[nodiscard]] bool counts(const Gone& gone, const GridTime& at) const;
  template <class Word>
  void write(const GridTime& at, bool plain, Word* to) const;
  template <class Word>
  void write_plain(const GridTime& at, Word* to) const;
  struct Ends {
    Stamp from, until;
    double t, next;
  };
  [[nodiscard]] uint64_t between(const GridTime& at, const Ends& ends, uint64_t prior,
                                 uint64_t next) const;

  GridColumnOptions options_;
  bool counter_, exact_number_;
  bool wrap_ = counters_wrap();
  size_t bytes_;  // of a value
  uint64_t block_ = 0;
  uint32_t row_ = 0;  // of it, the next
  bool given_up_ = false, ended_ = false, known_ = false;
  double last_ = -kAlways;  // time of the row that was taken last
  // The instances of the row before the time and of the one behind it, which mostly are the same.
  std::array<std::shared_ptr<const GridList>, 2> lists_;
  std::array<RosterId, 2> roster_ids_{Rosters::kNobodyId, Rosters::kNobodyId};  // of the window
  std::optional<Observed> prior_, next_;  // next_ is behind the time
  std::array<Buffer, 2> kept_;
  std::vector<Gone> gone_;  // by rank
  bool changes_ = false;    // have there been others?
  // How values come from rows that are not alike.
  Layout layout_ = Layout::none;
  double layout_until_ = kAlways;
  std::vector<Source> sources_;
  std::vector<int32_t> results_;
  RosterId results_id_ = Rosters::kNobodyId;
  // Of plain rows: of which list the roster is.
  std::shared_ptr<const GridList> plain_list_;
  RosterId plain_id_ = Rosters::kNobodyId;
  size_t filled_ = 0;
};

}  // namespace pmjit
