// GridColumn: the recorded rows of one metric, and its values at the times of a grid: those of
// interpolation.h, from two rows side by side. It holds while every row has the same instances, in
// order of time: then the observation before a time is the last row before it, that behind it the
// next row, for all instances alike. Where that is not so the column gives up, before any value
// that could differ, and interpolation.h goes on.
//
//   GridColumn column({.desc = desc, .elem = elem, .exact = true, .column = 3, .marks = &marks});
//   column.begin();
//   while (column.fill(window, times, rosters, out) == GridColumn::Fill::needs_more) window.read();
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "runtime/archive/recording/archives_source.h"
#include "runtime/client/archive_context/counter_value.h"
#include "runtime/client/archive_context/grid_window.h"
#include "runtime/model/column.h"
#include "runtime/model/desc.h"

namespace pmjit {

// What interpolation knows of the instances of a domain: where in its results each of them stands,
// and of large domains since and until when there are values of it (seconds since the start).
struct GridDomain {
  struct Instance {
    uint32_t rank = 0;
    double birth = -std::numeric_limits<double>::infinity();
    double death = std::numeric_limits<double>::infinity();
  };
  std::unordered_map<int32_t, Instance> instances;

  [[nodiscard]] static GridDomain of(const Archives& archives, InDomId indom);
};

// A time of a grid.
struct GridTime {
  Stamp asked;  // as interpolation has it, which carries in its own way
  Stamp stamp;
  double t = 0;               // `asked` in seconds since the start of the recording
  bool behind_mark = false;   // a mark stands before it in the block
  uint32_t record = 0;        // of the block
};

struct GridColumnOptions {
  Desc desc;
  Elem elem = Elem::f64;  // a number
  bool exact = false;
  bool goes_on = false;                // TimeGrid
  uint32_t column = 0;                 // of the window
  const GridDomain* domain = nullptr;  // null: the metric is singular. Outlives it.
  Marks* marks = nullptr;              // that exact values do not reach over; outlives it
};

class GridColumn {
 public:
  explicit GridColumn(const GridColumnOptions& options);

  enum class Fill : uint8_t { done, needs_more, gives_up };
  // New times.
  void begin() { filled_ = 0; }
  // Appends a row of each time that is left, as far as the window has what that takes. What it gives
  // up it does for good.
  [[nodiscard]] Fill fill(const GridWindow& window, std::span<const GridTime> times,
                          Rosters& rosters, Column& out);
  // How many of the times have their row.
  [[nodiscard]] size_t filled() const { return filled_; }
  // Had it values in this segment?
  [[nodiscard]] bool known() const { return known_; }

  // The first block that it still takes rows from; of those before it keeps copies of what it needs.
  [[nodiscard]] uint64_t block() const { return block_; }
  void keep_before(uint64_t block);

 private:
  static constexpr uint8_t kInWindow = 2;
  struct Observation {
    Stamp stamp;
    double t = 0;
    const std::byte* values = nullptr;
    uint64_t block = 0;        // that they are in, or
    uint8_t home = kInWindow;  // which of kept_ has them
  };
  enum class Ready : uint8_t { yes, needs_more, gives_up };

  [[nodiscard]] Ready advance(const GridWindow& window, double t);
  void take(const GridWindow& window);
  [[nodiscard]] bool fits(const GridWindow& window, RosterId roster_id, double t);
  [[nodiscard]] bool adopt(const GridWindow& window, std::span<const int32_t> instances, double t);
  [[nodiscard]] bool has_value(const GridWindow& window, const GridTime& at);
  [[nodiscard]] bool interrupted(const GridWindow& window, Stamp until) const;
  void append(const GridWindow& window, const GridTime& at, Rosters& rosters, Column& out);
  template <class Word>
  void write(const GridTime& at, Word* to) const;
  [[nodiscard]] uint64_t between(const GridTime& at, uint64_t prior, uint64_t next) const;

  GridColumnOptions options_;
  bool counter_, exact_number_;
  bool wrap_ = counters_wrap();
  uint64_t block_ = 0;
  uint32_t row_ = 0;  // of it, the next
  bool given_up_ = false, known_ = false;
  double last_ = -std::numeric_limits<double>::infinity();  // time of the row that was taken last
  double death_ = std::numeric_limits<double>::infinity();  // of the first instance to go
  RosterId roster_id_ = Rosters::kNobodyId;                 // of the window, of these:
  std::vector<int32_t> instances_;
  std::vector<int32_t> results_;  // the same in the order of results
  std::vector<uint32_t> order_;   // of each of these its place in a row; empty: the same
  RosterId results_id_ = Rosters::kNobodyId;
  std::optional<Observation> prior_, next_;  // next_ is behind the time
  std::array<Buffer, 2> kept_;
  size_t filled_ = 0;
};

}  // namespace pmjit
