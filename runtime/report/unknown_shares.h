// UnknownShares: which results are unknown so often that the user should hear of it, although the
// output may have no place for reasons.
//
//   UnknownShares shares;
//   shares.add(block, rosters);                        // every block that is given out
//   while (shares.wants_reasons()) shares.explain(…);  // blocks of the same again, with reasons
//   for (const std::string& line : shares.lines(infos)) …
//
// Rows that are unknown as a whole say why themselves, and each counts for as many values as the
// metric has instances otherwise. Why one lane of a known row is unknown costs
// time to find out. So add() only counts such lanes. Only where they are many, explain() looks at
// the first of them, and the others are taken to be alike.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/model/results.h"
#include "runtime/report/known_lanes.h"

namespace pmjit {

class UnknownShares {
 public:
  // Of these results a known row without lanes counts as well: derived metrics of PCP's dialects
  // have no value, and say not why.
  void count_empty(std::vector<bool> results) { may_be_empty_ = std::move(results); }
  // After the last add(): nothing is said of that one.
  void leave_out(size_t result) { share_of(result) = {}; }
  // Why nothing of its host is there: kHostDown of that one is told so.
  void explain_down(size_t result, std::string why) { share_of(result).down = std::move(why); }
  // Also explains, where the block has reasons.
  void add(const ResultBlock& block, const Rosters& rosters);
  // Is more than a tenth of a result unknown lane by lane, and too little known of why?
  [[nodiscard]] bool wants_reasons() const;
  void explain(const ResultBlock& block, const Rosters& rosters);
  // Of results more than a tenth of whose values is unknown for one reason: which, how many and
  // why. A line for all of which the same is to be said. `hint`: ends a line that leaves open which
  // ones.
  [[nodiscard]] std::vector<std::string> lines(const std::vector<ResultInfo>& infos,
                                               std::string_view hint = {}) const;
  // Of results that count_empty() names, as many of whose times have no value, the same.
  [[nodiscard]] std::vector<std::string> empty_lines(const std::vector<ResultInfo>& infos) const;
  // What of it is of one result, without its name: "14 of 55 values are unknown: …".
  [[nodiscard]] std::vector<std::string> lines_of(size_t result) const;
  // All lanes of known rows.
  [[nodiscard]] uint64_t lanes() const;

 private:
  struct Share {
    LostTimes known{};                  // rows, and their lanes
    uint64_t lost_rows = 0;             // unknown as a whole
    uint64_t unknown_lanes = 0;         // of known rows
    uint64_t explained = 0;             // of these
    uint64_t rows = 0, empty_rows = 0;  // where they are counted
    std::map<int32_t, uint64_t> rows_by_reason{}, lanes_by_reason{};
    std::string down{};  // why nothing of its host is there

    [[nodiscard]] uint64_t values() const { return known.lanes + lost_rows * known.values_each(); }
    [[nodiscard]] bool often_unknown() const;
    [[nodiscard]] uint64_t unknown_for(int32_t reason) const;
    [[nodiscard]] std::string text(std::string_view hint) const;
    [[nodiscard]] std::string empty_text() const;
  };
  // There are none before the first block, and a window without a row has no block.
  Share& share_of(size_t result) {
    if (shares_.size() <= result) shares_.resize(result + 1);
    return shares_[result];
  }
  using TextOf = std::function<std::string(const Share&)>;
  [[nodiscard]] std::vector<std::string> lines_by(const TextOf& text_of,
                                                  const std::vector<ResultInfo>& infos) const;

  std::vector<bool> may_be_empty_;
  std::vector<Share> shares_;  // of each result
};

}  // namespace pmjit
