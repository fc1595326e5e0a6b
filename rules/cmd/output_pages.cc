// Output of formats that are paged: one thread evaluates the next block while the others make text
// of the last one.
#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "rules/cmd/output.h"
#include "runtime/base/limits.h"
#include "runtime/report/paged_writer.h"
#include "runtime/sched/crew.h"

namespace pmjit {

namespace {

constexpr unsigned kPagesPerThread = 6;  // those to be taken wait for a block to be evaluated

}  // namespace

// A block is given back when its last page is taken; its memory, and that of the page's text, is
// used again.
class Output::Pages final : public AssemblyLine {
 public:
  Pages(Output& output, PagedWriter& writer, bool ahead)
      : output_(output), writer_(writer), cut_(writer.cut()), ahead_(ahead) {}

  [[nodiscard]] Result<void> result() const {
    if (failed_writing_) return fail(*failed_writing_);
    if (failed_) return fail(*failed_);
    return {};
  }

 private:
  struct CutBlock {
    ResultBlock results{};
    std::unique_ptr<Sheet> sheet{};
    std::vector<PageRange> pages{};
    double done = 0;  // of the evaluation, by then
  };
  struct BlockJob final : Job {};
  struct PageJob final : Job {
    CutBlock* block = nullptr;
    PageRange range{};
    bool last = false;  // of its block
    Page page{};
    double seconds = 0;
  };

  std::unique_ptr<Job> make() override;
  void work(Job& job) override;
  std::unique_ptr<Job> take(std::unique_ptr<Job> job) override;
  void finish(std::unique_ptr<Job> job) override;
  [[nodiscard]] CutBlock* free_block();
  [[nodiscard]] std::unique_ptr<PageJob> free_page();
  [[nodiscard]] std::unique_ptr<Job> begin_next();
  [[nodiscard]] Result<bool> evaluate(CutBlock& block);
  void evaluate_next();  // unless another thread does
  [[nodiscard]] bool await_next();

  Output& output_;
  PagedWriter& writer_;
  PageCut cut_;
  const bool ahead_;           // is the next block evaluated while pages of the last one are made?
  CutBlock* block_ = nullptr;  // whose pages are being made
  size_t page_ = 0;            // the next of them
  bool begun_ = false;         // has a job for the next block been given out?
  std::atomic_flag taken_up_;  // does a thread evaluate it?
  std::optional<Error> failed_, failed_writing_;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;  // of what follows
  std::condition_variable evaluated_;
  bool is_evaluated_ = false;
  Result<CutBlock*> next_ = nullptr;  // when evaluated; null: there are no more
  std::vector<std::unique_ptr<CutBlock>> blocks_;
  std::vector<CutBlock*> free_blocks_;
  std::vector<std::unique_ptr<PageJob>> free_pages_;
};

auto Output::Pages::free_block() -> CutBlock* {
  const std::lock_guard lock(mutex_);
  if (free_blocks_.empty()) return blocks_.emplace_back(new CutBlock).get();
  CutBlock* const block = free_blocks_.back();
  free_blocks_.pop_back();
  return block;
}

std::unique_ptr<Output::Pages::PageJob> Output::Pages::free_page() {
  const std::lock_guard lock(mutex_);
  if (free_pages_.empty()) return std::make_unique<PageJob>();
  std::unique_ptr<PageJob> page = std::move(free_pages_.back());
  free_pages_.pop_back();
  return page;
}

std::unique_ptr<AssemblyLine::Job> Output::Pages::begin_next() {
  begun_ = true;
  taken_up_.clear();
  return std::make_unique<BlockJob>();
}

// False: there are no more.
Result<bool> Output::Pages::evaluate(CutBlock& block) {
  auto more = output_.next(block.results);
  if (!more || !*more) return more;
  const Stopwatch watch(output_.clock_, output_.stats_.settle_s);
  block.sheet = writer_.settle(block.results);
  block.pages.clear();
  cut_.begin(block.results, block.sheet->rows);
  while (auto page = cut_.next()) block.pages.push_back(*page);
  block.done = output_.evaluation_.done();
  return true;
}

void Output::Pages::evaluate_next() {
  if (taken_up_.test_and_set()) return;
  CutBlock* const block = free_block();
  auto more = evaluate(*block);
  {
    const std::lock_guard lock(mutex_);
    if (more) {
      next_ = *more ? block : nullptr;
    } else {
      next_ = fail(std::move(more).error());
    }
    is_evaluated_ = true;
  }
  evaluated_.notify_one();
}

// Whoever evaluates it needs nothing of this thread. False: there is none, or it failed.
bool Output::Pages::await_next() {
  evaluate_next();
  std::unique_lock lock(mutex_);
  evaluated_.wait(lock, [&] { return is_evaluated_; });
  is_evaluated_ = begun_ = false;
  if (!next_) {
    failed_ = std::move(next_).error();
    return false;
  }
  block_ = *next_;
  page_ = 0;
  return block_ != nullptr;
}

std::unique_ptr<AssemblyLine::Job> Output::Pages::make() {
  while (block_ == nullptr || page_ == block_->pages.size()) {
    if (stop_) return nullptr;
    if (block_ != nullptr && block_->sheet->failure) {
      failed_ = std::move(block_->sheet->failure);
      return nullptr;
    }
    block_ = nullptr;  // it may be what is evaluated next
    if (!begun_) return begin_next();
    if (!await_next()) return nullptr;
  }
  if (ahead_ && !begun_ && !block_->sheet->failure) return begin_next();
  std::unique_ptr<PageJob> page = free_page();
  page->block = block_;
  page->range = block_->pages[page_++];
  page->last = page_ == block_->pages.size();
  return page;
}

void Output::Pages::work(Job& job) {
  auto* const page = dynamic_cast<PageJob*>(&job);
  if (page == nullptr) return;
  page->page.clear();
  page->seconds = 0;
  const Stopwatch watch(output_.clock_, page->seconds);
  writer_.format(page->block->results, *page->block->sheet, page->range, page->page);
}

std::unique_ptr<AssemblyLine::Job> Output::Pages::take(std::unique_ptr<Job> job) {
  auto* const made = dynamic_cast<PageJob*>(job.get());
  if (made == nullptr) return job;
  job.release();
  std::unique_ptr<PageJob> page(made);
  if (!failed_writing_) {
    const Stopwatch watch(output_.clock_, output_.stats_.write_s);
    if (auto put = writer_.put(page->page); !put) failed_writing_ = put.error();
    stop_ = failed_writing_.has_value();
  }
  output_.stats_.format_s += page->seconds;
  output_.progress_.update(page->block->done);
  const std::lock_guard lock(mutex_);
  if (page->last) free_blocks_.push_back(page->block);
  free_pages_.push_back(std::move(page));
  return nullptr;
}

// Here, not in work(): the pages behind need not wait to be written, and their memory, still in the
// processor's cache, is used again.
void Output::Pages::finish(std::unique_ptr<Job>) { evaluate_next(); }

Result<void> Output::run_paged(PagedWriter& writer, Executor& executor) {
  Pages pages(*this, writer, executor.threads() > 1);
  pages.run(executor, std::min(kPagesPerThread * executor.threads(), limits::kPagesMax));
  return pages.result();
}

}  // namespace pmjit
