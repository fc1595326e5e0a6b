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
          .what = what + "; no more than eight a processor are used",
          .range = OptionRange{1, kThreadsMax}};
}

unsigned threads_of(unsigned asked) {
  const unsigned processors = TbbExecutor::processors();
  if (asked == 0) return processors;
  return std::min(asked, limits::kThreadsPerProcessorMax * processors);
}

}  // namespace pmjit
