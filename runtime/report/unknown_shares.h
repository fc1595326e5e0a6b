// UnknownShares: which results are unknown so often that the user should hear of it, although the
// output may have no place for reasons.
//
//   UnknownShares shares;
//   shares.add(block, rosters);                        // every block that is given out
//   while (shares.wants_reasons()) shares.explain(…);  // blocks of the same again, with reasons
//   for (const std::string& line : shares.lines(infos)) …
//
// Rows that are unknown as a whole say why themselves. Why one lane of a known row is unknown costs
// time to find out. So add() only counts such lanes. Only where they are many, explain() looks at
// the first of them, and the others are taken to be alike.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/model/results.h"

namespace pmjit {

class UnknownShares {
 public:
  // Of these results a known row without lanes counts as well: derived metrics of PCP's dialects
  // have no value, and say not why.
  void count_empty(std::vector<bool> results) { may_be_empty_ = std::move(results); }
  // After the last add(): nothing is said of that one.
  void leave_out(size_t result) { shares_.at(result) = {}; }
  // After the last add(): nothing is said of values that are unknown because none stands before
  // them.
  void pass_over_begin() {
    for (Share& share : shares_) share.passes_begin = true;
  }
  // Why nothing of its host is there: kHostDown of that one is told so.
  void explain_down(size_t result, std::string why) { shares_.at(result).down = std::move(why); }
  // Also explains, where the block has reasons.
  void add(const ResultBlock& block, const Rosters& rosters);
  // Is more than a tenth of a result unknown lane by lane, and too little known of why?
  [[nodiscard]] bool wants_reasons() const;
  void explain(const ResultBlock& block, const Rosters& rosters);
  // Of results more than a tenth of whose values is unknown for one reason: which, how many and
  // why. A line for all of which the same is to be said.
  [[nodiscard]] std::vector<std::string> lines(const std::vector<ResultInfo>& infos) const;
  // Of results that count_empty() names, as many of whose times have no value, the same.
  [[nodiscard]] std::vector<std::string> empty_lines(const std::vector<ResultInfo>& infos) const;
  // What of it is of one result, without its name: "14 of 55 values are unknown: …".
  [[nodiscard]] std::vector<std::string> lines_of(size_t result) const;
  // All lanes of known rows.
  [[nodiscard]] uint64_t lanes() const;

 private:
  struct Share {
    uint64_t values = 0;                // a row that is unknown as a whole has one at least
    uint64_t lanes = 0;                 // of known rows
    uint64_t unknown_lanes = 0;         // of them
    uint64_t explained = 0;             // of these
    uint64_t rows = 0, empty_rows = 0;  // where they are counted
    std::map<int32_t, uint64_t> rows_by_reason{}, lanes_by_reason{};
    std::string down{};         // why nothing of its host is there
    bool passes_begin = false;  // pass_over_begin()

    [[nodiscard]] bool often_unknown() const;
    [[nodiscard]] uint64_t unknown_for(int32_t reason) const;
    [[nodiscard]] std::string text() const;
    [[nodiscard]] std::string empty_text() const;
  };
  using TextOf = std::string (Share::*)() const;
  [[nodiscard]] std::vector<std::string> lines_by(TextOf text,
                                                  const std::vector<ResultInfo>& infos) const;

  std::vector<bool> may_be_empty_;
  std::vector<Share> shares_;  // of each result
};

}  // namespace pmjit
