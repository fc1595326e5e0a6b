#include "rules/cmd/threads_option.h"

#include <algorithm>

#include "runtime/base/limits.h"
#include "runtime/sched/tbb_executor.h"

namespace pmjit {

namespace {

constexpr unsigned kThreadsMax = 1'024;

}  // namespace

CommandOption threads_option(unsigned& threads, const std::string& what) {
  return {.names = "--threads",
          .target = &threads,
          .value = "N",
          .what = what,
          .range = OptionRange{1, kThreadsMax},
          .more = "No more than eight per processor are used. The output is the same."};
}

unsigned threads_of(unsigned asked) {
  const unsigned processors = TbbExecutor::processors();
  if (asked == 0) return processors;
  return std::min(asked, limits::kThreadsPerProcessorMax * processors);
}

}  // namespace pmjit
