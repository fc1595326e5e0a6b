// Evaluation: the loop from a feed to an evaluator, for those who want results one block after the
// other. Of a recording: at the times when data were recorded (spec dialects.md §13), or on a grid.
//
//   Evaluation eval(program, recording, rosters, {.from = s, .to = t});
//   ResultBlock block;
//   while (true) { auto more = eval.next(block); if (!more || !*more) break; writer.write(block); }
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/clock.h"
#include "runtime/base/result.h"
#include "runtime/exec/evaluator.h"
#include "runtime/exec/split_watch.h"

namespace pmjit {

class Evaluation {
 public:
  // `recording` and `rosters` outlive it; rosters of result rows are ids in `rosters`.
  Evaluation(std::shared_ptr<const Program> program, const Recording& recording, Rosters& rosters,
             const EvaluationOptions& options);
  // Over any feed, which next() opens with the program's metrics. Without one the constants are
  // evaluated at options.from.
  Evaluation(std::shared_ptr<const Program> program, const Catalog& catalog, OpenFeed open,
             Rosters& rosters, const EvaluationOptions& options);
  Evaluation(const Evaluation&) = delete;
  Evaluation& operator=(const Evaluation&) = delete;

  // Fills `block` with the results of the next wave that has some in the window. An error comes
  // after every complete group before the damage. Rosters of the blocks before may be forgotten,
  // but with EvaluationOptions::keeps_rosters.
  [[nodiscard]] Result<Feed::Next> next_wave(ResultBlock& block);
  // The same of a feed that never says nothing_yet. False: the end.
  [[nodiscard]] Result<bool> next(ResultBlock& block);
  // The wave of the last results: what is missing in it, and whether it is the last of its time.
  [[nodiscard]] const Wave& wave() const { return wave_; }
  // After nothing_yet, as the feed's.
  [[nodiscard]] Stamp due() const { return feed_ ? feed_->due() : kStampMin; }
  [[nodiscard]] EvaluationStats stats() const;
  [[nodiscard]] const Catalog& names() const { return evaluator_.names(); }
  [[nodiscard]] double done() const { return feed_ ? feed_->done() : 0; }  // 0 … 1
  // Of its feed, since the last call.
  [[nodiscard]] std::vector<std::string> take_warnings();

 private:
  void forget_rosters();
  [[nodiscard]] Result<Feed::Next> constants(ResultBlock& block);
  bool cut();

  std::shared_ptr<const Program> program_;
  Rosters& rosters_;
  EvaluationOptions options_;
  OpenFeed open_;
  Stamp constants_at_;
  Evaluator evaluator_;
  SplitWatch split_;
  std::unique_ptr<Feed> feed_;  // none: not opened yet, or no operand to read
  Wave wave_;
  std::optional<Error> failure_;  // after the groups before it
  bool ended_ = false;
};

}  // namespace pmjit
