#include "runtime/base/executor.h"

#include <utility>

namespace pmjit {

namespace {

// Tasks that run inside a post() of one another: more are not needed to meet in every order, and
// the stack is bounded.
constexpr unsigned kDepthMax = 32;

}  // namespace

void InlineExecutor::post(PostedTask task) {
  tasks_.push_back(std::move(task));
  if (runs_ == Runs::at_once) drain();
}

void InlineExecutor::drain() {
  if (std::exchange(running_, true)) return;  // the drain that goes on runs it
  while (!tasks_.empty()) {
    PostedTask task = std::move(tasks_.front());
    tasks_.pop_front();
    task();
  }
  running_ = false;
}

void SeededExecutor::post(PostedTask task) {
  tasks_.push_back(std::move(task));
  ++depth_;
  while (depth_ < kDepthMax && !tasks_.empty() && random_() % 2 == 0) run_one();
  --depth_;
}

void SeededExecutor::drain() {
  while (!tasks_.empty()) run_one();
}

void SeededExecutor::run_one() {
  std::swap(tasks_[random_() % tasks_.size()], tasks_.back());
  PostedTask task = std::move(tasks_.back());
  tasks_.pop_back();
  task();
}

}  // namespace pmjit
