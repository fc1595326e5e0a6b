#include "rules/strict/parallel_rows.h"

#include <algorithm>
#include <utility>

#include "rules/strict/clock_feed.h"
#include "runtime/base/file.h"
#include "runtime/program/program.h"

namespace pmjit::strict {

namespace {

constexpr uint32_t kTimesMost = 1024;         // of a part
constexpr uint32_t kTimesLeast = 32;          // for what it costs to find its place
constexpr uint64_t kValuesMost = 1u << 20u;   // of results, in a part
constexpr unsigned kPartsAThread = 2;         // in a turn
constexpr uint32_t kTimesToHistoryLeast = 4;  // evaluated twice: at most a fourth

uint64_t values_a_time(const Program& program, const RecordedFeeds& feeds) {
  uint64_t out = 0;
  for (const ProgramRoot& root : program.roots) {
    const InDomId domain = root.info.domain;
    out += domain == kNullId ? 1 : std::max<uint64_t>(1, feeds.largest_set(domain));
  }
  return out;
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
  const uint64_t turns = uint64_t{options.executor->threads()} * kPartsAThread;
  const uint64_t wanted = std::min<uint64_t>({kTimesMost, (out.times + turns - 1) / turns,
                                              kValuesMost / values_a_time(program, *recorded)});
  if (wanted < std::max(kTimesLeast, kTimesToHistoryLeast * out.history)) return std::nullopt;
  out.each = static_cast<uint32_t>(wanted);
  return out;
}

struct RowsInParts::Part {
  // All outlive it.
  Part(std::shared_ptr<const Program> program, const RowsGrid& grid, const FeedPart& part,
       const EvaluationOptions& options)
      : evaluation(
            std::move(program), grid.feeds.catalog(),
            [this, &grid, part](std::vector<WantedMetric> wanted) {
              return open(grid, part, std::move(wanted));
            },
            rosters, options) {}

  Result<std::unique_ptr<Feed>> open(const RowsGrid& grid, const FeedPart& part,
                                     std::vector<WantedMetric> wanted) {
    const auto metrics_alone = [&](std::vector<WantedMetric> metrics) {
      return grid.feeds.recorded()->open_part(std::move(metrics), part, rosters);
    };
    return open_with_clock(metrics_alone, std::move(wanted), grid.zone);
  }

  Rosters rosters;
  Evaluation evaluation;
  std::vector<ResultBlock> blocks;
  size_t given = 0;  // of blocks
  bool failed = false;

  void evaluate() {
    try {
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
  const size_t turn = size_t{options_.executor->threads()} * kPartsAThread;
  while (coming_.size() < turn && cut_off_ < cut_.times) {
    const uint64_t first = cut_off_;
    cut_off_ = std::min(first + cut_.each, cut_.times);
    const uint64_t from = first - std::min<uint64_t>(first, cut_.history);
    const Stamp last = cut_off_ == cut_.times ? grid_.end : time(cut_off_ - 1);
    const FeedTimes times{
        .origin = time(from), .step = grid_.step, .end = last, .rows_max = options_.block_rows};
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
const Catalog& RowsInParts::names() const {
  return alone_ ? alone_->names() : given_[part_]->evaluation.names();
}

}  // namespace pmjit::strict
