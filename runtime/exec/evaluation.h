// Evaluation: a program over a source, at the times when data were recorded (spec dialects.md §13).
//
//   Evaluation eval(program, source, rosters, {.from = s, .to = t});
//   ResultBlock block;
//   while (true) { auto more = eval.next(block); if (!more || !*more) break; writer.write(block); }
//
// All that changes while a program runs lives here: open groups, history, the last row of slow
// operands.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/model/recording.h"
#include "runtime/model/results.h"
#include "runtime/program/program.h"

namespace pmjit {

struct EvaluationOptions {
  Stamp from = kStampMin, to = kStampMax;  // evaluation times outside are not given
  uint32_t block_rows = 0;                 // records a block at most; 0: limits.h
  Nanos step = 0;                          // of a GridSource; 0: records are as recorded
  bool reasons = false;                    // fill ResultBlock::reasons
  bool gaps = false;                       // fill ResultBlock::after_gap
  bool keeps_rosters = false;              // those of every block: blocks are used later
  std::function<void()> before_block{};    // called by next(): nothing of the program runs then
};

struct EvaluationStats {
  uint64_t bytes = 0, records = 0, values_decoded = 0, groups = 0;
  // Lanes × operators of the steps that worked on them.
  uint64_t work_compiled = 0, work_interpreted = 0;
  void add_work(const Step& step, const Kernel& kernel, uint64_t lanes) {
    (kernel.compiled ? work_compiled : work_interpreted) += lanes * step.operators;
  }
  double source_s = 0, eval_s = 0;
};

class Evaluation {
 public:
  // `source` and `rosters` outlive the evaluation; rosters of result rows are ids in `rosters`.
  Evaluation(std::shared_ptr<const Program> program, const Recording& source, Rosters& rosters,
             const EvaluationOptions& options);
  ~Evaluation();
  Evaluation(const Evaluation&) = delete;
  Evaluation& operator=(const Evaluation&) = delete;

  // Fills `block` with the results of the next groups. False: the end. An error comes after every
  // complete group before the damage. Rosters of the blocks before may be forgotten,
  // but with EvaluationOptions::keeps_rosters.
  [[nodiscard]] Result<bool> next(ResultBlock& block);
  // Instead of next(): evaluates at `when`, later than before, with what was observed there: a
  // column an operand, of one row. Their content is taken. Unlike next() it forgets no rosters.
  void push(Stamp when, std::span<Column> observed, ResultBlock& block);
  // Where too many piled up: all that no later evaluation needs, those of past results among them.
  void forget_rosters();
  [[nodiscard]] const EvaluationStats& stats() const;
  // Of results, also where some of them were taken out.
  [[nodiscard]] uint64_t lanes_of(const ResultBlock& block) const;
  // Instances of results: of the source, and guests of domains that others meet.
  [[nodiscard]] const Catalog& names() const;
  // Is it in the domain only because an equivalent one has it?
  [[nodiscard]] bool is_guest(InDomId domain, int32_t instance) const;
  [[nodiscard]] double done() const;  // 0 … 1
  [[nodiscard]] const std::vector<std::string>& warnings() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pmjit
