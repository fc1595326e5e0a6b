// Who compiles kernels: all threads of the executor before a run, or one of them while it goes on.
#pragma once

#include <atomic>

#include "compiler/driver/driver.h"
#include "runtime/sched/crew.h"

namespace pmjit {

// `executor` outlives the result. An interrupt leaves the rest of the jobs undone.
RunJobs jobs_on(Executor& executor);

// Compiles what was left for later, and what turns out to be worth it: a thread of the executor
// does so beside the evaluation; where there is only one, it does so between blocks. When it goes,
// that waits for the batch at hand at most.
class CompilesMeanwhile {
 public:
  // Both outlive it.
  CompilesMeanwhile(const Compilation& made, Executor& executor);
  ~CompilesMeanwhile();
  CompilesMeanwhile(const CompilesMeanwhile&) = delete;
  CompilesMeanwhile& operator=(const CompilesMeanwhile&) = delete;

  // EvaluationOptions::before_block
  void before_block();

 private:
  // Of the thread that compiles. Called: one will, when it is free.
  enum class Helper : uint8_t { none, called, here };

  void help();
  void compile_all();

  const Compilation& made_;
  std::atomic<bool> over_ = false;
  std::atomic<Helper> helper_ = Helper::none;
  unsigned blocks_waited_ = 0;  // since it was called
  bool alone_;
  Crew crew_;  // the last: it ends before what it works on
};

}  // namespace pmjit
