// Split operands: instances that are logged in separate records (spec dialects.md §13.3 rule 4),
// told by two observations of a segment, one after the other, with lists of instances that have
// none in common. They are not evaluated yet: the evaluation gives every group before the first
// such observation, then an error. On a grid, where every record has every metric, there are none;
// what derived metrics alone use is to them what the newest record has. Private to runtime/exec.
#pragma once

#include <optional>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/exec/sampler.h"
#include "runtime/program/program.h"

namespace pmjit {

class SplitWatch {
 public:
  SplitWatch(const Program& program, Rosters& rosters, bool on_grid);

  // Cuts the wave before the first group with a split operand; the error that then follows.
  [[nodiscard]] std::optional<Error> cut(Wave& wave);
  void keep_rosters() const;

 private:
  struct Last {
    RosterId roster;
    uint64_t segment = 0;
    bool operator==(const Last&) const = default;
  };
  // What was found of the operand before: of one with the same rows and past it is the same.
  struct Found {
    uint32_t operand = kNoIndex;  // none
    Last before, after;
    uint32_t group = 0;
  };
  // The first group of this wave in which the operand is split; the number of groups if none is.
  uint32_t first_split(const Wave& wave, uint32_t operand, Found& found);
  uint32_t find_split(const Wave& wave, uint32_t operand);
  bool apart(RosterId now, RosterId then);

  const Program& program_;
  Rosters& rosters_;
  std::vector<bool> watched_;  // of each operand
  std::vector<Last> last_;     // of the newest observation of each operand
};

}  // namespace pmjit
