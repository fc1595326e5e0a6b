// Results as cases write them, one line an evaluation time:
//
//   t=10s sda=1.5 sdb=?      lanes by name; ? is unknown, a lane that is not listed is vacant
//   t=20s 42                 one value without instances
//   t=30s ? (stale)          unknown as a whole; the reason may be left out of an expectation
//   t=40s sda=?(no-value)    with the tag `reasons: lanes`, where each must be named
//   t=40s -                  no lanes at all
//
// Several roots: a line [name] before the lines of each.
#pragma once

#include <string>
#include <vector>

#include "runtime/model/catalog.h"
#include "runtime/model/results.h"
#include "runtime/model/roster.h"

namespace pmjit::cases {

// The lines of one root, block after block.
class ResultText {
 public:
  ResultText(ResultInfo info, const Catalog& catalog, const Rosters& rosters, bool reasons_of_lanes)
      : info_(std::move(info)),
        catalog_(catalog),
        rosters_(rosters),
        reasons_of_lanes_(reasons_of_lanes) {}

  // A block with reasons.
  void add(const ResultBlock& block, size_t root);
  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }

 private:
  [[nodiscard]] std::string row_text(Stamp time, const Column& column, const LaneReasons& reasons,
                                     const Row& row) const;
  [[nodiscard]] std::string lane_text(const Column& column, const LaneReasons& reasons,
                                      uint64_t index) const;

  ResultInfo info_;
  const Catalog& catalog_;
  const Rosters& rosters_;
  bool reasons_of_lanes_;
  std::vector<std::string> lines_;
};

// The same lines in one layout: comments and doubled blanks gone, a row of unknown lanes alone is
// `?`.
std::vector<std::string> canonical_lines(const std::vector<std::string>& lines);
// A reason is compared only where the expectation names one.
bool same_line(const std::string& expected, const std::string& actual);

}  // namespace pmjit::cases
