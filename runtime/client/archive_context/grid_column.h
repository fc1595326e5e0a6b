// GridColumn: the recorded rows of one metric, and its values at the times of a grid: those of
// interpolation.h, in a closed form. While the times of rows rise, the observation of an instance
// before a time is that of the last row that has it, and the one behind it that of the next; mostly
// these are two rows side by side, for all instances alike. Where the closed form need not hold the
// column gives up, before any value that could differ, and interpolation.h goes on.
//
// Which rows these are is the same for all metrics that are logged together: the first of them
// leaves a plan, and the others follow it, which costs their values alone: those of many times are
// often one piece of a column of the window.
//
//   GridColumn column({.desc = desc, .elem = elem, .exact = true, .column = 3, .marks = &marks});
//   column.begin();
//   while (column.fill(window, times, rosters, out) == GridColumn::Fill::needs_more) window.read();
//   column.finish(rows, out);
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime/archive/recording/archives_source.h"
#include "runtime/archive/recording/marks.h"
#include "runtime/client/archive_context/counter_value.h"
#include "runtime/client/archive_context/grid_rows.h"
#include "runtime/client/archive_context/grid_window.h"
#include "runtime/model/column.h"
#include "runtime/model/desc.h"

namespace pmjit {

struct GridColumnOptions {
  Desc desc;
  Elem elem = Elem::f64;  // a number
  bool exact = false;
  bool goes_on = false;          // TimeGrid
  bool certain = false;          // likewise: what interpolation looks for must be known to be found
  uint32_t column = 0;           // of the window
  uint32_t instances = 1;        // that there ever were of its domain
  Marks* marks = nullptr;        // that exact values do not reach over; outlives it
  double asked_from = -kAlways;  // of libpcp's values: when the time before the first one was
};

class GridColumn {
 public:
  explicit GridColumn(const GridColumnOptions& options);

  enum class Fill : uint8_t { done, needs_more, gives_up };
  struct Plan;
  // New times.
  void begin() {
    is_.filled = is_.alike = 0;
    is_.all_alike = true;
  }
  // Appends the values of each time that is left, as far as the window has what that takes. What
  // it gives up it does for good.
  [[nodiscard]] Fill fill(GridWindow& window, std::span<const GridTime> times, Rosters& rosters,
                          Column& out, Plan& plan);
  // What fill() would do, from what it did for another column. None: that need not be the same.
  [[nodiscard]] std::optional<Fill> follow(const GridWindow& window,
                                           std::span<const GridTime> times, const Plan& plan,
                                           Column& out);
  // The rows of these values; `rows` is of the same times.
  void finish(GridRows& rows, Column& out);
  // Where no more can be read for it: has the recording no row of it any more? Then that is known.
  bool ends(GridWindow& window);
  // How many of the times have their row.
  [[nodiscard]] size_t filled() const { return is_.filled; }
  // When the row before the last time was; none: there is none, or nobody has read it.
  [[nodiscard]] std::optional<double> prior_row() const {
    return is_.prior ? std::optional(is_.prior->t) : std::nullopt;
  }
  // The same of the one behind it.
  [[nodiscard]] std::optional<double> next_row() const {
    return is_.next ? std::optional(is_.next->t) : std::nullopt;
  }
  // Had it values in this segment?
  [[nodiscard]] bool known() const { return is_.known; }

  // The first block that it still takes rows from; of those before it keeps copies of what it
  // needs.
  [[nodiscard]] uint64_t block() const { return is_.block; }
  void keep_before(uint64_t block);

 private:
  static constexpr uint8_t kInWindow = 2;
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Observed {  // a row
    Stamp stamp;
    double t = 0;
    const std::byte* values = nullptr;
    uint64_t block = 0;        // that it is in, and
    uint32_t row = 0;          // where
    uint64_t offset = 0;       // of its first value
    uint8_t home = kInWindow;  // else which of kept_ has its values
    uint8_t list = 0;          // of lists_
    // The same row of metrics that are logged together.
    [[nodiscard]] bool is_like(const Observed& other) const {
      return block == other.block && row == other.row && stamp == other.stamp &&
             home == other.home && list == other.list;
    }
  };
  // The last observation of an instance that the row before the time does not have.
  struct Gone {
    uint32_t rank = 0;
    int32_t instance = 0;
    GridReturn last;
    const GridReturn* back = nullptr;  // null: it holds
    double death = kAlways;            // until when
  };
  // What a value is made of: a lane of the row before or one that is gone, and a lane of the row
  // behind or a return; of neither where the value before is the answer.
  struct Source {
    uint32_t lane = kNone, gone = kNone, next_lane = kNone;
    const GridReturn* back = nullptr;
  };
  enum class Ready : uint8_t { yes, needs_more, gives_up };
  enum class Layout : uint8_t { none, at_row, between };

  [[nodiscard]] Fill fill_times(GridWindow& window, Rosters& rosters, Column& out, Plan& plan);
  [[nodiscard]] Ready advance(GridWindow& window, double t);
  [[nodiscard]] bool may_see_mark(const GridWindow& window, double t) const;
  void take(GridWindow& window);
  [[nodiscard]] bool may_change(GridWindow& window) const;
  [[nodiscard]] bool take_list(GridWindow& window, RosterId roster_id, uint8_t& slot);
  void step(GridWindow& window);
  void note_gone(GridWindow& window);
  [[nodiscard]] bool holds() const { return options_.desc.semantics == Semantics::discrete; }
  [[nodiscard]] bool interrupted(Stamp from, Stamp until) const;
  [[nodiscard]] bool is_plain(const GridTime& at) const;
  [[nodiscard]] bool has_row(const GridWindow& window, const GridTime& at) const;
  struct Found {  // of a time
    bool plain = false, has_values = false;
  };
  void append(const GridTime& at, Found found, Rosters& rosters, Column& out);
  void append_row(const GridTime& at, RosterId roster_id, size_t lanes, Column& out);
  void lay_out(GridWindow& window, const GridTime& at, Rosters& rosters);
  [[nodiscard]] double death_of(const GridWindow& window, int32_t instance) const;
  [[nodiscard]] std::optional<Source> source_of(const GridReturns& returns, const GridTime& at,
                                                uint32_t lane, uint32_t next_lane) const;
  [[nodiscard]] bool counts(const Gone& gone, const GridTime& at) const;
  void append_values(const GridTime& at, bool plain, size_t lanes, Column& out) const;
  template <class Word>
  void write(const GridTime& at, bool plain, Word* to) const;
  [[nodiscard]] uint64_t returning(const GridTime& at, const Source& source, uint64_t bits) const;
  struct Ends {
    Stamp from, until;
    double t, next;
  };
  // A part of a whole. Of this one it is only known that nothing stays nothing.
  struct Share {
    uint64_t done = 0, whole = 1;
    uint64_t half = 0;     // of the whole
    uint64_t inverse = 0;  // UINT64_MAX / whole
    uint64_t most = 0;     // beyond, the part takes more than 64 bits to find
  };
  // Where a time is between two observations.
  struct Moment {
    bool at_row = true;              // the value is that of the row before
    Share share{};                   // done of whole, where the bits are enough
    double t_done = 0, t_whole = 0;  // in seconds, as libpcp has them
    Nanos done = 0, whole = 0;       // exactly; 0 of 0: that of the row before
  };
  [[nodiscard]] Moment moment_of(const GridTime& at, const Ends& ends) const;
  [[nodiscard]] Moment moment_of(const GridTime& at) const;
  template <class Word>
  void write_plain(const Moment& moment, const Word* prior, const Word* next, Word* to) const;
  template <class Word>
  void write_between(const Moment& moment, const GridList& list, const Word* prior,
                     const Word* next, Word* to) const;
  [[nodiscard]] static bool put_share(const Share& share, uint64_t sign_bit, uint64_t prior,
                                      uint64_t next, uint64_t& out);
  void note_step(const GridTime& at, Plan& plan) const;
  [[nodiscard]] bool decides_like(const Plan& plan) const;
  [[nodiscard]] bool reads_like(const GridWindow& window, const Plan& plan) const;
  void find_bases(const GridWindow& window, const Plan& plan);
  template <class Word>
  void follow_moves(const Plan& plan, Word* to) const;
  template <class Word>
  void follow_between(const Plan& plan, uint32_t first, std::span<Word> out, const Word* prior,
                      const Word* next) const;
  [[nodiscard]] uint64_t between(const Moment& moment, uint64_t prior, uint64_t next) const;

  GridColumnOptions options_;
  bool counter_, exact_number_;
  bool wrap_ = counters_wrap();
  size_t bytes_;           // of a value
  uint64_t sign_bit_ = 0;  // of one; unsigned ones have none
  std::array<Buffer, 2> kept_;
  std::vector<Gone> gone_;  // by rank
  // How values come from rows that are not alike.
  Layout layout_ = Layout::none;
  double layout_until_ = kAlways;
  std::vector<Source> sources_;
  std::vector<int32_t> results_;
  RosterId results_id_ = Rosters::kNobodyId;
  std::span<const GridTime> times_;  // of the batch
  struct Asked {                     // between which two a mark was looked for
    bool known = false, marked = false;
    Stamp from{}, until{};
  };
  mutable Asked asked_;

  // What decides which rows come next: the same for columns that are logged together.
  struct Numbers {
    uint64_t block = 0;
    uint32_t row = 0;  // of it, the next
    bool given_up = false, ended = false, known = false;
    bool goes_on = false;    // as GridColumnOptions have it, until the first time
    bool changes = false;    // have there been other instances?
    double last = -kAlways;  // time of the row that was taken last
    std::array<RosterId, 2> roster_ids{Rosters::kNobodyId, Rosters::kNobodyId};  // of the window
    std::optional<Observed> prior{}, next{};  // next is behind the time
    RosterId plain_id = Rosters::kNobodyId;
    size_t filled = 0;
    // Rows that are not made yet, of the first times of the batch, while all are alike.
    bool all_alike = true;
    size_t alike = 0, alike_lanes = 0;
    RosterId alike_roster{};
  };
  struct Position : Numbers {
    // The instances of the row before the time and of the one behind it, which mostly are the same.
    std::array<std::shared_ptr<const GridList>, 2> lists{};
    // Of plain rows: of which list the roster is.
    std::shared_ptr<const GridList> plain_list{};

    void become(const Position& other);
  };
  Position is_;
  std::vector<const std::byte*> bases_;  // of the plan that is followed, by Plan::Place::base
};

// What fill() did, as moves of values that stand one behind the other.
struct GridColumn::Plan {
  // The first value of a row: of the row before or behind the time when fill() began, or of a block
  // from `from.block` on.
  struct Place {
    static constexpr uint32_t kPrior = 0, kNext = 1, kBlocks = 2;
    uint32_t base = kPrior;
    uint64_t offset = 0;
  };
  // The values of some times: those of as many rows from `prior` on, or of that row each time, or
  // each between two rows that begin as far behind `prior` and `next` as its span says.
  struct Move {
    enum class Kind : uint8_t { rows, row, between };
    Kind kind = Kind::rows;
    uint32_t times = 1;
    uint32_t first = 0;  // of spans and moments
    Place prior, next;
  };
  struct Span {
    uint64_t prior = 0, next = 0;
    Share share;  // of the moment
  };
  [[nodiscard]] Place place_of(const Observed& row) const;
  void add(const Observed& prior, size_t lanes);
  void add_between(const Observed& prior, const Observed& next, const Moment& moment);

  bool sound = false;  // all rows are plain, and have values
  GridColumnOptions options{};
  Position from{}, to{};
  std::vector<Move> moves{};
  std::vector<Span> spans{};
  std::vector<Moment> moments{};  // of each span
  size_t times = 0;
  Fill result = Fill::gives_up;
};

}  // namespace pmjit
