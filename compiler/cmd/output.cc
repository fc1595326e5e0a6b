#include "compiler/cmd/output.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

#include "compiler/cmd/interrupt.h"
#include "runtime/base/limits.h"
#include "runtime/report/paged_writer.h"
#include "runtime/sched/assembly_line.h"

namespace pmjit {

namespace {

constexpr unsigned kPagesPerThread = 4;  // one in the making, one to be taken, two to spare

class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  ~Stopwatch() { seconds_ += std::chrono::duration<double>(Clock::now() - begin_).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double& seconds_;
  Clock::time_point begin_ = Clock::now();
};

// The first `left` evaluations of a block (-s).
void cut(ResultBlock& block, uint64_t left) {
  if (block.times.size() <= left) return;
  block.times.resize(left);
  if (!block.segments.empty()) block.segments.resize(left);
  if (!block.after_gap.empty()) block.after_gap.resize(left);
  for (Column& column : block.columns) column.rows.resize(left);
}

}  // namespace

Result<bool> Output::next(ResultBlock& block) {
  if (left_ == 0 || interrupted()) return false;
  auto more = evaluation_.next(block);
  if (!more || !*more) return more;
  cut(block, left_);
  left_ -= block.times.size();
  if (filter_ != nullptr) filter_->apply(block, infos_);
  stats_.lanes += evaluation_.lanes_of(block);
  if (also_ == nullptr) return true;
  const Stopwatch watch(stats_.gather_s);
  if (auto written = also_->write(block); !written) return fail(written.error());
  return true;
}

// A block is given back when its last page is taken; its memory, and that of the page's text, is
// used again.
class Output::Pages final : public AssemblyLine {
 public:
  Pages(Output& output, PagedWriter& writer)
      : output_(output), writer_(writer), cut_(writer.cut()) {}

  [[nodiscard]] Result<void> result() const {
    if (failed_writing_) return fail(*failed_writing_);
    if (failed_) return fail(*failed_);
    return {};
  }

 private:
  struct Block {
    ResultBlock results{};
    std::unique_ptr<Sheet> sheet{};
  };
  struct PageJob final : Job {
    Block* block = nullptr;
    PageRange range{};
    bool last = false;  // of its block
    double done = 0;    // of the evaluation, by then
    Page page{};
    double seconds = 0;
  };

  std::unique_ptr<Job> make() override;
  void work(Job& job) override;
  void take(std::unique_ptr<Job> job) override;
  bool next_block();

  Output& output_;
  PagedWriter& writer_;
  Block* block_ = nullptr;  // whose pages are being made
  PageCut cut_;             // into which
  std::optional<Error> failed_, failed_writing_;
  std::atomic<bool> stop_ = false;
  std::mutex free_;  // what follows
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<Block*> free_blocks_;
  std::vector<std::unique_ptr<PageJob>> free_pages_;
};

// False: there is none.
bool Output::Pages::next_block() {
  {
    const std::lock_guard lock(free_);
    if (free_blocks_.empty()) free_blocks_.push_back(blocks_.emplace_back(new Block).get());
    block_ = free_blocks_.back();
    free_blocks_.pop_back();
  }
  auto more = output_.next(block_->results);
  if (!more) failed_ = std::move(more).error();
  if (!more || !*more) return false;
  const Stopwatch watch(output_.stats_.settle_s);
  block_->sheet = writer_.settle(block_->results);
  cut_.begin(block_->results, block_->sheet->rows);
  return true;
}

std::unique_ptr<AssemblyLine::Job> Output::Pages::make() {
  while (block_ == nullptr || cut_.at_end()) {
    if (stop_ || failed_) return nullptr;
    if (block_ != nullptr && block_->sheet->failure) {
      failed_ = std::move(block_->sheet->failure);
      return nullptr;
    }
    if (!next_block()) return nullptr;
  }
  std::unique_ptr<PageJob> page;
  {
    const std::lock_guard lock(free_);
    if (!free_pages_.empty()) {
      page = std::move(free_pages_.back());
      free_pages_.pop_back();
    }
  }
  if (!page) page = std::make_unique<PageJob>();
  page->block = block_;
  page->range = *cut_.next();
  page->last = cut_.at_end();
  page->done = output_.evaluation_.done();
  return page;
}

void Output::Pages::work(Job& job) {
  PageJob& page = static_cast<PageJob&>(job);
  page.page.clear();
  page.seconds = 0;
  const Stopwatch watch(page.seconds);
  writer_.format(page.block->results, *page.block->sheet, page.range, page.page);
}

void Output::Pages::take(std::unique_ptr<Job> job) {
  std::unique_ptr<PageJob> page(static_cast<PageJob*>(job.release()));
  if (!failed_writing_) {
    const Stopwatch watch(output_.stats_.write_s);
    if (auto put = writer_.put(page->page); !put) failed_writing_ = put.error();
    stop_ = failed_writing_.has_value();
  }
  output_.stats_.format_s += page->seconds;
  output_.progress_.update(page->done);
  const std::lock_guard lock(free_);
  if (page->last) free_blocks_.push_back(page->block);
  free_pages_.push_back(std::move(page));
}

Result<void> Output::run(Executor& executor) {
  if (auto* paged = dynamic_cast<PagedWriter*>(&writer_)) {
    Pages pages(*this, *paged);
    pages.run(executor, std::min(kPagesPerThread * executor.threads(), limits::kPagesMax));
    return pages.result();
  }
  auto& writer = dynamic_cast<BlockWriter&>(writer_);
  ResultBlock block;
  for (;;) {
    auto more = next(block);
    if (!more) return fail(more.error());
    if (!*more) return {};
    const Stopwatch watch(stats_.format_s);
    if (auto written = writer.write(block); !written) return written;
    progress_.update(evaluation_.done());
  }
}

}  // namespace pmjit
