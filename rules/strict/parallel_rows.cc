#include "rules/strict/parallel_rows.h"

#include <algorithm>
#include <utility>

#include "rules/strict/clock_feed.h"
#include "runtime/base/file.h"
#include "runtime/base/limits.h"
#include "runtime/model/record_decoder.h"
#include "runtime/program/program.h"

namespace pmjit::strict {

namespace {

constexpr uint32_t kTimesMost = 1024;  // of a part
constexpr uint32_t kTimesLeast = 32;   // for what it costs to find its place
// Of results that were computed and that nobody has used yet, whatever the threads.
constexpr uint64_t kBytesAhead = 24u << 20u;
constexpr uint64_t kTurnsAhead = 2;           // one that is given, and one that is evaluated
constexpr unsigned kPartsAThread = 2;         // in a turn, unless they would be short
constexpr uint32_t kTimesToHistoryLeast = 4;  // evaluated twice: at most a fourth

uint64_t lanes_at_most(InDomId domain, const RecordedFeeds& feeds) {
  return domain == kNullId ? 1 : std::max<uint64_t>(1, feeds.largest_set(domain));
}

// Of results, their bits of validity too.
uint64_t bytes_a_time(const Program& program, const RecordedFeeds& feeds) {
  uint64_t bits = 0;
  for (const ProgramRoot& root : program.roots) {
    bits += lanes_at_most(root.info.domain, feeds) * (8 * elem_bytes(root.info.elem) + 1);
  }
  return bits / 8 + program.roots.size() * sizeof(Row);
}

// A part begins with a block of an unknown size, and with one like it behind that: so many times
// that these are as large as all others.
uint32_t rows_of_block(const Program& program, const RecordedFeeds& feeds) {
  uint64_t lanes = 0;
  for (const ProgramOperand& operand : program.operands)
    lanes += lanes_at_most(operand.desc.indom, feeds);
  const uint64_t rows = values_of_block(program.operands.size()) / lanes;
  return static_cast<uint32_t>(std::clamp<uint64_t>(rows, 1, limits::kBlockRowsMax));
}

}  // namespace

std::optional<GridCut> GridCut::of(const Program& program, const RowsGrid& grid,
                                   const RowsOptions& options) {
  const RecordedFeeds* const recorded = grid.feeds.recorded();
  if (recorded == nullptr) return std::nullopt;
  if (options.executor == nullptr || options.executor->threads() < 2) return std::nullopt;
  if (options.reasons || program.operands.empty()) return std::nullopt;
  const auto history = history_rows(program);
  if (!history) return std::nullopt;
  const Nanos span = nanos(std::min(grid.end, recorded->end())) - nanos(grid.origin);
  if (span < 0) return std::nullopt;
  GridCut out{.times = static_cast<uint64_t>(span / grid.step) + 1, .history = *history};
  const uint64_t bytes = bytes_a_time(program, *recorded);
  const uint32_t least = std::max(kTimesLeast, kTimesToHistoryLeast * out.history);
  const uint64_t parts = uint64_t{options.executor->threads()} * kPartsAThread;
  const uint64_t turn = std::min(parts, kBytesAhead / (kTurnsAhead * least * bytes));
  if (turn < 2) return std::nullopt;
  out.turn = static_cast<uint32_t>(turn);
  out.each = static_cast<uint32_t>(std::min<uint64_t>(
      {kTimesMost, (out.times + turn - 1) / turn, kBytesAhead / (kTurnsAhead * turn * bytes)}));
  if (out.each < least) return std::nullopt;
  out.rows_max = rows_of_block(program, *recorded);
  if (options.block_rows != 0) out.rows_max = std::min(out.rows_max, options.block_rows);
  return out;
}

struct RowsInParts::Part {
  // All outlive it.
  Part(std::shared_ptr<const Program> program, const RowsGrid& grid, const FeedPart& part,
       const EvaluationOptions& options)
      : program_(std::move(program)), grid_(grid), part_(part), options_(options) {}

  Rosters rosters;
  std::vector<ResultBlock> blocks;
  size_t given = 0;  // of blocks
  bool failed = false;

  // Rows that wait to be given keep nothing of what they were read and computed with: that takes
  // some ten times as much.
  void evaluate() {
    try {
      Evaluation evaluation(
          program_, grid_.feeds.catalog(),
          [this](std::vector<WantedMetric> wanted) { return open(std::move(wanted)); }, rosters,
          options_);
      while (true) {
        ResultBlock block;
        const auto more = evaluation.next(block);
        failed = !more;
        if (!more || !*more) return;
        blocks.push_back(std::move(block));
      }
    } catch (const ReadingStopped&) {
      failed = true;  // who goes on alone meets it in his thread
    }
  }

 private:
  Result<std::unique_ptr<Feed>> open(std::vector<WantedMetric> wanted) {
    const auto metrics_alone = [&](std::vector<WantedMetric> metrics) {
      return grid_.feeds.recorded()->open_part(std::move(metrics), part_, rosters);
    };
    return open_with_clock(metrics_alone, std::move(wanted), grid_.zone);
  }

  std::shared_ptr<const Program> program_;
  const RowsGrid& grid_;
  FeedPart part_;
  EvaluationOptions options_;
};

RowsInParts::RowsInParts(std::shared_ptr<const Program> program, const RowsGrid& grid,
                         const RowsOptions& options, const GridCut& cut, std::vector<Stamp> marks)
    : program_(std::move(program)),
      grid_(grid),
      options_(options),
      cut_(cut),
      marks_(std::move(marks)),
      crew_(*options.executor, [this] { evaluate_one(); }) {
  call_next();
}

RowsInParts::~RowsInParts() = default;

Stamp RowsInParts::time(uint64_t number) const {
  return stamp_from_nanos(nanos(grid_.origin) + static_cast<Nanos>(number) * grid_.step);
}

void RowsInParts::call_next() {
  coming_.clear();
  begun_ = 0;
  while (coming_.size() < cut_.turn && cut_off_ < cut_.times) {
    const uint64_t first = cut_off_;
    cut_off_ = std::min(first + cut_.each, cut_.times);
    const uint64_t from = first - std::min<uint64_t>(first, cut_.history);
    const Stamp last = cut_off_ == cut_.times ? grid_.end : time(cut_off_ - 1);
    const FeedTimes times{
        .origin = time(from), .step = grid_.step, .end = last, .rows_max = cut_.rows_max};
    coming_.push_back(std::make_unique<Part>(
        program_, grid_, FeedPart{.times = times, .goes_on = from > 0, .marks = marks_},
        EvaluationOptions{.from = time(first),
                          .to = last,
                          .step = grid_.step,
                          .reasons = options_.reasons,
                          .keeps_rosters = true}));
  }
  for (size_t i = 0; i < coming_.size(); ++i) crew_.call();
}

void RowsInParts::evaluate_one() { coming_[begun_++]->evaluate(); }

Result<Feed::Next> RowsInParts::next(ResultBlock& block) {
  if (alone_) return alone_->next(block);
  while (true) {
    for (; part_ < given_.size(); ++part_) {
      Part& part = *given_[part_];
      if (part.given < part.blocks.size()) {
        block = std::move(part.blocks[part.given++]);
        if (!block.times.empty()) last_ = block.times.back();
        return Feed::Next::wave;
      }
      if (part.failed) {
        alone_ = in_one_go(program_, grid_, options_, last_);
        return alone_->next(block);
      }
    }
    if (coming_.empty()) return Feed::Next::end;
    crew_.wait();
    given_ = std::exchange(coming_, {});
    part_ = 0;
    call_next();
  }
}

const Rosters& RowsInParts::rosters() const {
  return alone_ ? alone_->rosters() : given_[part_]->rosters;
}
// Programs over equivalent domains, whose evaluations have names of their own, are in no parts.
const Catalog& RowsInParts::names() const {
  return alone_ ? alone_->names() : grid_.feeds.catalog();
}

}  // namespace pmjit::strict
