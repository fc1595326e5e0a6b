#include "compiler/cmd/compile_jobs.h"

#include <algorithm>
#include <atomic>

#include "compiler/cmd/interrupt.h"

namespace pmjit {

RunJobs jobs_on(Executor& executor) {
  return [&executor](std::span<const std::function<void()>> jobs) {
    std::atomic<size_t> next = 0;
    const auto work = [&] {
      for (size_t i = next++; i < jobs.size() && interrupted() == 0; i = next++) jobs[i]();
    };
    Executor::Crew crew(executor, work);
    for (size_t i = 1; i < std::min<size_t>(executor.threads(), jobs.size()); ++i) crew.call();
    work();
    crew.wait();
  };
}

std::jthread compile_meanwhile(const Compilation& made) {
  if (!made.compiling_follows) return {};
  return std::jthread(
      [compiling = made.compiling](const std::stop_token& stop) { compiling->run_until(stop); });
}

}  // namespace pmjit
