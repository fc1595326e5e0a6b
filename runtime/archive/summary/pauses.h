// Pauses: gaps between records. Which pause is a long one is known only when all records were seen,
// so the longest are kept; gaps that have a cause of their own are kept whatever their length.
#pragma once

#include <optional>
#include <vector>

#include "runtime/model/archive_summary.h"

namespace pmjit {

class Pauses {
 public:
  // The next record. `cause`: why nothing came before it, where something says so.
  void add(Stamp stamp, std::optional<GapCause> cause);
  // The records end here, with the cause of the last gap where they do not end by themselves, and
  // its end where that is known.
  void end(std::optional<GapCause> cause, std::optional<Stamp> to);

  struct Found {
    std::vector<Gap> gaps;  // in order of time
    bool more = false;      // pauses that were not kept
  };
  // Gaps with a cause, and pauses of more than `least` seconds.
  [[nodiscard]] Found longer_than(double least) const;

 private:
  struct Pause {
    double seconds;
    Stamp from, to;
  };
  std::optional<Stamp> last_;
  std::vector<Gap> told_;
  std::vector<Pause> longest_;  // a heap, the shortest in front
  bool dropped_ = false;
};

}  // namespace pmjit
