// Evaluator: a program over the waves of a feed, one after the other. It is the only way to
// evaluate: recorded groups, grids and hosts come as waves.
//
//   Evaluator evaluator(program, catalog, rosters, {});
//   while (true) {
//     evaluator.give_back(wave, results);
//     if (feed.next(wave) …) evaluator.step(wave, results);
//   }
//
// All that changes while a program runs lives here: history, and the last row of slow operands.
// evaluation.h has the loop for those who only want results.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/base/clock.h"
#include "runtime/model/feed.h"
#include "runtime/model/results.h"
#include "runtime/program/guards.h"
#include "runtime/program/program.h"

namespace pmjit {

struct EvaluationOptions {
  Stamp from = kStampMin, to = kStampMax;  // evaluation times outside are not given
  uint32_t block_rows = 0;                 // records a block at most; 0: limits.h
  Nanos step = 0;                          // between due times; 0: records are as recorded
  bool reasons = false;                    // fill ResultBlock::reasons
  bool gaps = false;                       // fill ResultBlock::after_gap
  bool keeps_rosters = false;              // those of every block: blocks are used later
  const Clock* clock = nullptr;            // for times in stats(); none: they are 0
  // Of waves with rows of many hosts (Wave::hosts): what each of them has, by HostId. Metrics and
  // domains have the same identifiers on all of them. They outlive the evaluator.
  std::vector<const Catalog*> hosts{};
  std::function<void()> before_block{};  // called by next(): nothing of the program runs then
};

struct EvaluationStats {
  uint64_t bytes = 0, records = 0, alike = 0, values_decoded = 0, groups = 0, skipped = 0;
  // Lanes × operators of the steps that worked on them.
  uint64_t work_compiled = 0, work_interpreted = 0;
  // Of each slot that a sets step fills: its times that were evaluated many at once, and the
  // others.
  std::vector<GuardCounts> sets{};
  void add_work(const Step& step, const Kernel& kernel, uint64_t lanes) {
    (kernel.compiled ? work_compiled : work_interpreted) += lanes * step.operators;
  }
  double source_s = 0, eval_s = 0;
};

// What a feed has to bring for the program, in the order of its operands.
[[nodiscard]] std::vector<WantedMetric> wanted_by(const Program& program);

// Why waves of several hosts cannot be evaluated. None: each value is one of a host and an
// instance, so that the hosts stand side by side.
[[nodiscard]] std::optional<Error> refuses_hosts(const Program& program);
// The same of waves that have a row per host. None: no value is of several hosts, and no instance
// domains meet.
[[nodiscard]] std::optional<Error> refuses_rows_of_hosts(const Program& program);

class Evaluator {
 public:
  // `catalog` and `rosters` outlive it; rosters of waves and of results are ids in `rosters`.
  // Of `options` it uses the window, step, reasons, gaps and clock.
  Evaluator(std::shared_ptr<const Program> program, const Catalog& catalog, Rosters& rosters,
            const EvaluationOptions& options);
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  // Fills `results` with a row per group of the wave. The content of the wave's columns is taken.
  // Where the program has no operand, its constants are evaluated at each group. A wave that is not
  // the last of its time leaves no history.
  void step(Wave& wave, ResultBlock& results);
  // Before the feed fills the wave again: memory goes back the way it came. Whatever has become of
  // the content of `results`, which is gone.
  void give_back(Wave& wave, ResultBlock& results);
  // Those that a later step needs; those of past results are not.
  void keep_rosters() const;

  [[nodiscard]] const EvaluationStats& stats() const;
  // Instances of results: of the catalog, and guests of domains that others meet.
  [[nodiscard]] const Catalog& names() const;
  // Is it in the domain only because an equivalent one has it?
  [[nodiscard]] bool is_guest(InDomId domain, int32_t instance) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pmjit
