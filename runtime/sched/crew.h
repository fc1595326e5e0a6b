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

}  // namespace pmjit
