// ReadAhead: what searches forward that read on to a mark or to the end of the data have told. When
// an instance is gone the algorithm reads that far to find that it is not observed again; with this
// the next search for one that is gone goes on where that one ended, and each record is read once.
//
//   ahead.begin();                              a search forward begins
//   ahead.met(behind, t, beyond);               each record and mark that it meets, until
//   ahead.stopped(before, metrics);             it meets a mark or the end
//   if (ahead.covers(reader.position(), metrics)) ...      what follows up to ahead.end() is known
//
// It knows nothing once stamps did not rise strictly, or a context has jumped: then what was found
// first need not be what is nearest. Source: spec archives.md §14.4.
#pragma once

#include <cstdint>
#include <optional>

#include "runtime/archive/recording/records.h"

namespace pmjit {

class ReadAhead {
 public:
  void begin() { from_.reset(); }
  // `behind`: the position behind it; `t`: its time; `beyond`: is that behind the fetch's?
  void met(const RecordPosition& behind, double t, bool beyond);
  // `before`: the position before the mark or the end; `metrics`: how many are followed.
  void stopped(const RecordPosition& before, size_t metrics);
  // For good: a context that jumps, or goes backward.
  void give_up() { given_up_ = true; }

  // Has the search come so far that what it meets is told of later?
  [[nodiscard]] bool following() const { return from_.has_value() && !given_up_; }
  // Of the record that was met last.
  [[nodiscard]] double time() const { return time_; }
  // Was all met between `position` and end(), with at least these metrics followed?
  [[nodiscard]] bool covers(const RecordPosition& position, size_t metrics) const;
  [[nodiscard]] const RecordPosition& end() const { return known_->end; }

 private:
  struct Known {
    RecordPosition from, end;
    size_t metrics;
  };

  std::optional<RecordPosition> from_, farthest_;
  std::optional<Known> known_;
  double time_ = 0, latest_ = 0;  // of the last record, and of the one at farthest_
  bool given_up_ = false;
};

}  // namespace pmjit
