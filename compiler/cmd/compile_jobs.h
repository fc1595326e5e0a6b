// Who compiles kernels: all threads before a run, or one thread while it goes on.
#pragma once

#include <thread>

#include "compiler/driver/driver.h"
#include "runtime/sched/executor.h"

namespace pmjit {

// `executor` outlives the result. An interrupt leaves the rest of the jobs undone.
RunJobs jobs_on(Executor& executor);

// Compiles what `made` left for later, until that is done or the thread is told to stop.
std::jthread compile_meanwhile(const Compilation& made);

}  // namespace pmjit
