#include "rules/cmd/threads_option.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "runtime/base/limits.h"
#include "runtime/sched/tbb_executor.h"

namespace pmjit {

namespace {

constexpr unsigned kThreadsMax = 1'024;

}  // namespace

void add_threads_option(CLI::App& verb, unsigned& threads, const std::string& what) {
  verb.add_option("--threads", threads, what + "; no more than eight a processor are used")
      ->type_name("N")
      ->check(CLI::Range(1u, kThreadsMax));
}

unsigned threads_of(unsigned asked) {
  const unsigned processors = TbbExecutor::processors();
  if (asked == 0) return processors;
  return std::min(asked, limits::kThreadsPerProcessorMax * processors);
}

}  // namespace pmjit
