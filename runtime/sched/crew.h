// Crew: threads of an executor that do one and the same work, each once per call, and that somebody
// waits for.
//
//   Crew crew(executor, [&] { while (decode_another()) {} });
//   crew.call();                          // one thread more does that
//   crew.wait();                          // all have ended, and what they wrote can be read
//
// The work must not throw. With an executor of one thread it is done in wait().
#pragma once

#include <functional>
#include <memory>

#include "runtime/base/executor.h"

namespace pmjit {

class Crew {
 public:
  // The executor outlives it.
  Crew(Executor& executor, std::function<void()> work);
  ~Crew();  // waits
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  // Also by those who work.
  void call();
  // Until every call is done; this thread does what no other has begun.
  void wait();

 private:
  struct State;
  Executor& executor_;
  std::shared_ptr<State> state_;  // shared with what is posted
};

// AssemblyLine: jobs that are made one after the other, done by several threads, and taken in the
// order in which they were made.
//
//   struct Line final : AssemblyLine { … } line;
//   line.run(executor, 8);      // at most 8 jobs are there at once
//
// make() and take() are each called by one thread at a time, not always the same, and both at once.
// What take() gives back is finished by any thread, and the jobs behind it are taken meanwhile.
// None of the four may throw.
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
  virtual std::unique_ptr<Job> take(std::unique_ptr<Job> job) = 0;  // null: it is finished
  virtual void finish(std::unique_ptr<Job>) {}

 private:
  class Shared;
  void run_alone();
};

}  // namespace pmjit
