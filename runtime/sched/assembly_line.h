// AssemblyLine: jobs that are made one after the other, done by several threads, and taken in the
// order in which they were made.
//
//   struct Line final : AssemblyLine { … } line;
//   line.run(executor, 8);      // at most 8 jobs are there at once
//
// make() and take() are each called by one thread at a time, not always the same, and both at once.
// None of the three may throw.
#pragma once

#include <memory>

#include "runtime/sched/executor.h"

namespace pmjit {

class AssemblyLine {
 public:
  struct Job {
    virtual ~Job() = default;
  };
  virtual ~AssemblyLine() = default;
  void run(Executor& executor, unsigned jobs_at_once);

 protected:
  virtual std::unique_ptr<Job> make() = 0;  // null: there are no more
  virtual void work(Job& job) = 0;          // any thread, several jobs at once
  virtual void take(std::unique_ptr<Job> job) = 0;

 private:
  void run_alone();
  void run_pipeline(Executor& executor, unsigned jobs_at_once);
  // The three above, with what one thread hands over to the next.
  Job* make_one();
  void do_one(Job& job);
  void take_one(Job* job);

  char made_ = 0, taken_ = 0;  // what that is known by
};

}  // namespace pmjit
