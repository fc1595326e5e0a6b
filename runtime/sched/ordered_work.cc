#include "runtime/sched/ordered_work.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "runtime/sched/crew.h"

namespace pmjit {

OrderedWork::OrderedWork(Executor& executor, const Cut& cut, std::function<void(size_t)> piece)
    : executor_(executor), cut_(cut), piece_(std::move(piece)) {
  cut_.threads = std::min(cut_.threads, executor.threads());
}

void OrderedWork::run() {
  if (cut_.threads < 2 || cut_.pieces <= cut_.at_once) {
    for (size_t i = 0; i < cut_.pieces; ++i) piece_(i);
    return;
  }
  done_ = std::make_unique<std::atomic<bool>[]>(cut_.pieces);
  Crew crew(executor_, [this] { do_some(); });
  for (unsigned i = 1; i < cut_.threads; ++i) crew.call();
  do_some();
  crew.wait();
  if (thrown_) std::rethrow_exception(thrown_);
}

void OrderedWork::do_some() {
  while (!failed_.load(std::memory_order_relaxed)) {
    const size_t first = begun_.fetch_add(cut_.at_once, std::memory_order_relaxed);
    if (first >= cut_.pieces) return;
    const size_t end = std::min(cut_.pieces, first + cut_.at_once);
    for (size_t i = first; i < end; ++i) {
      if (!do_one(i)) return;
    }
  }
}

bool OrderedWork::do_one(size_t piece) {
  try {
    piece_(piece);
  } catch (const Abandoned&) {
    return false;
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!thrown_) thrown_ = std::current_exception();
    failed_.store(true, std::memory_order_release);
    return false;
  }
  done_[piece].store(true, std::memory_order_release);
  return true;
}

void OrderedWork::wait_for(size_t piece) const {
  if (done_ == nullptr) return;
  while (!done_[piece].load(std::memory_order_acquire)) {
    if (failed_.load(std::memory_order_acquire)) throw Abandoned{};
    std::this_thread::yield();
  }
}

}  // namespace pmjit
