#include "rules/cmd/compile_jobs.h"

#include <algorithm>

#include "compiler/driver/adaptive_choice.h"
#include "rules/cmd/interrupt.h"

namespace pmjit {

namespace {

// So many blocks later all other threads still have something else to do: then it does not matter
// which of them compiles.
constexpr unsigned kBlocksWaitedMost = 8;

}  // namespace

RunJobs jobs_on(Executor& executor) {
  return [&executor](std::span<const std::function<void()>> jobs) {
    std::atomic<size_t> next = 0;
    const auto work = [&] {
      for (size_t i = next++; i < jobs.size() && interrupted() == 0; i = next++) jobs[i]();
    };
    Crew crew(executor, work);
    for (size_t i = 1; i < std::min<size_t>(executor.threads(), jobs.size()); ++i) crew.call();
    work();
    crew.wait();
  };
}

CompilesMeanwhile::CompilesMeanwhile(const Compilation& made, Executor& executor)
    : made_(made), alone_(executor.threads() == 1), crew_(executor, [this] { help(); }) {}

CompilesMeanwhile::~CompilesMeanwhile() { over_ = true; }

void CompilesMeanwhile::before_block() {
  if (!made_.compiling) return;
  if (made_.adapting) made_.adapting->look();
  if (!made_.compiling->waits()) return;
  if (alone_) return compile_all();
  Helper helper = Helper::none;
  if (helper_.compare_exchange_strong(helper, Helper::called)) {
    blocks_waited_ = 0;
    crew_.call();
  } else if (helper == Helper::called && ++blocks_waited_ > kBlocksWaitedMost) {
    help();
  }
}

// By whoever comes first: the thread that was called, or the one that is tired of waiting for it.
void CompilesMeanwhile::help() {
  Helper called = Helper::called;
  if (!helper_.compare_exchange_strong(called, Helper::here)) return;
  compile_all();
  helper_ = Helper::none;
}

void CompilesMeanwhile::compile_all() {
  while (!over_ && interrupted() == 0 && made_.compiling->compile_next()) {
  }
}

}  // namespace pmjit
