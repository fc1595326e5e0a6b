#include "runtime/exec/evaluation.h"

#include <algorithm>
#include <utility>

#include "runtime/base/result.h"
#include "runtime/exec/sampler.h"

namespace pmjit {

namespace {

OpenFeed open_recording(const Recording& recording, Rosters& rosters,
                        const EvaluationOptions& options) {
  return [&recording, &rosters, rows_max = options.block_rows, joined = options.step == 0,
          clock = options.clock](std::vector<WantedMetric> metrics) {
    return Sampler::open(recording, {.metrics = std::move(metrics), .rows_max = rows_max}, rosters,
                         {.joined = joined, .clock = clock});
  };
}

}  // namespace

Evaluation::Evaluation(std::shared_ptr<const Program> program, const Recording& recording,
                       Rosters& rosters, const EvaluationOptions& options)
    : Evaluation(std::move(program), recording.catalog(),
                 open_recording(recording, rosters, options), rosters, options) {
  // There is one evaluation, at the start of the window.
  if (program_->operands.empty()) constants_at_ = std::max(options_.from, recording.start());
}

Evaluation::Evaluation(std::shared_ptr<const Program> program, const Catalog& catalog,
                       OpenFeed open, Rosters& rosters, const EvaluationOptions& options)
    : program_(std::move(program)),
      rosters_(rosters),
      options_(options),
      open_(std::move(open)),
      constants_at_(options.from),
      evaluator_(program_, catalog, rosters, options),
      split_(*program_, rosters, options.step != 0) {}

// Between waves: nothing of the last one is needed but what is kept here.
void Evaluation::forget_rosters() {
  if (options_.keeps_rosters || !rosters_.crowded()) return;
  evaluator_.keep_rosters();
  split_.keep_rosters();
  if (feed_) feed_->keep_rosters(rosters_);
  rosters_.forget_others();
}

Result<Feed::Next> Evaluation::constants(ResultBlock& block) {
  ended_ = true;
  wave_.groups = {Group{.t = constants_at_}};
  evaluator_.step(wave_, block);
  return Feed::Next::wave;
}

// The first group beyond the window ends the evaluation, wherever waves end, be it one that cannot
// be evaluated.
bool Evaluation::cut() {
  const auto all = wave_.groups.size();
  const auto found =
      std::ranges::find_if(wave_.groups, [&](const Group& group) { return group.t > options_.to; });
  const auto beyond = static_cast<size_t>(found - wave_.groups.begin());
  failure_ = split_.cut(wave_);
  const bool ends = beyond < all && beyond <= wave_.groups.size();
  if (ends) failure_.reset();
  return ends;
}

Result<Feed::Next> Evaluation::next_wave(ResultBlock& block) {
  evaluator_.give_back(wave_, block);
  forget_rosters();
  block.clear();
  if (failure_) return fail(*failure_);
  if (ended_) return Feed::Next::end;
  if (options_.before_block) options_.before_block();
  if (program_->operands.empty()) return constants(block);
  if (!feed_) {
    auto opened = open_(wanted_by(*program_));
    if (!opened) return fail(opened.error());
    feed_ = *std::move(opened);
  }
  while (true) {
    const auto next = feed_->next(wave_);
    if (!next) return fail(next.error());
    ended_ = *next == Feed::Next::end;
    if (*next != Feed::Next::wave) return *next;
    ended_ = cut();
    evaluator_.step(wave_, block);
    if (!block.times.empty()) return Feed::Next::wave;
    if (failure_) return fail(*failure_);
    if (ended_) return Feed::Next::end;
    evaluator_.give_back(wave_, block);
    block.clear();
  }
}

Result<bool> Evaluation::next(ResultBlock& block) {
  const auto next = next_wave(block);
  if (!next) return fail(next.error());
  check(*next != Feed::Next::nothing_yet, "a recording is all there");
  return *next == Feed::Next::wave;
}

EvaluationStats Evaluation::stats() const {
  EvaluationStats out = evaluator_.stats();
  if (!feed_) return out;
  const FeedStats read = feed_->stats();
  out.bytes = read.bytes;
  out.records = read.records;
  out.alike = read.alike;
  out.values_decoded = read.values;
  out.skipped = read.skipped;
  out.source_s = read.source_s;
  return out;
}

std::vector<std::string> Evaluation::take_warnings() {
  return feed_ ? feed_->take_warnings() : std::vector<std::string>();
}

}  // namespace pmjit
