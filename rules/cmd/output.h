// From an evaluation to a writer: blocks are evaluated one after the other, made text by all
// threads of the executor where the format allows that, and written in order.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/base/clock.h"
#include "runtime/base/executor.h"
#include "runtime/base/result.h"
#include "runtime/exec/evaluation.h"
#include "runtime/exec/filter.h"
#include "runtime/report/progress.h"
#include "runtime/report/unknown_shares.h"
#include "runtime/report/writer.h"

namespace pmjit {

class PagedWriter;

struct OutputStats {
  double settle_s = 0;  // what is looked up before text is made of a block; not of all formats
  double gather_s = 0;  // for a chart
  double format_s = 0, write_s = 0;  // of all threads together; of other formats both are the first
};

class Output {
 public:
  // All outlive it. `also`: another writer of the same blocks, or null. `filter`: null: every
  // instance. `samples`: evaluations at most. `clock`: null: nobody wants stats().
  Output(Evaluation& evaluation, const Rosters& rosters, Writer& writer, BlockWriter* also,
         InstanceFilter* filter, const std::vector<ResultInfo>& infos, Progress& progress,
         std::optional<uint64_t> samples, const Clock* clock)
      : evaluation_(evaluation),
        rosters_(rosters),
        writer_(writer),
        also_(also),
        filter_(filter),
        infos_(infos),
        progress_(progress),
        left_(samples.value_or(UINT64_MAX)),
        clock_(clock) {}

  // Of what arrives: `wait` waits for more, at most until the time that it is given, and each time
  // leaves through `sink` when it is there. Before run().
  void follow(Sink& sink, std::function<void(Stamp)> wait) {
    sink_ = &sink;
    wait_ = std::move(wait);
  }
  // Everything, up to the first failure of the evaluation or of the output.
  [[nodiscard]] Result<void> run(Executor& executor);
  [[nodiscard]] const OutputStats& stats() const { return stats_; }
  [[nodiscard]] uint64_t times() const { return times_; }       // that were given out
  [[nodiscard]] Stamp last_time() const { return last_time_; }  // of them
  // Of results that count_empty() is about; before run().
  void count_empty(std::vector<bool> results) { shares_.count_empty(std::move(results)); }
  // Of what was given out.
  [[nodiscard]] const UnknownShares& shares() const { return shares_; }
  [[nodiscard]] UnknownShares& shares() { return shares_; }
  // Of `again`, an evaluation of the same with reasons, as much as shares() wants.
  void explain_unknown(Evaluation& again, const Rosters& rosters, InstanceFilter* filter);

 private:
  class Pages;
  [[nodiscard]] Result<void> run_paged(PagedWriter& writer, Executor& executor);
  [[nodiscard]] Result<void> run_live();
  // The next of the evaluation. False: the end.
  [[nodiscard]] Result<bool> arrive(ResultBlock& block);
  // The next results that are wanted. False: there are none, or somebody asked to stop.
  [[nodiscard]] Result<bool> next(ResultBlock& block);

  Evaluation& evaluation_;
  const Rosters& rosters_;
  Writer& writer_;
  BlockWriter* also_;
  InstanceFilter* filter_;
  const std::vector<ResultInfo>& infos_;
  Progress& progress_;
  uint64_t left_, times_ = 0;
  Stamp last_time_{};
  const Clock* clock_;
  Sink* sink_ = nullptr;  // null: nothing arrives, all is there
  std::function<void(Stamp)> wait_{};
  OutputStats stats_;
  UnknownShares shares_;
};

// What a binary format cannot be asked for.

// An error where the format is binary and standard output a terminal, or digits (-f) are given.
[[nodiscard]] Result<void> check_output(const Format& format, bool has_digits);

}  // namespace pmjit
