// Executor: threads that do work handed to them. The one door to oneTBB.
//
//   Executor executor(4);
//   executor.start();                     // meanwhile this thread does something else
//   Executor::Crew crew(executor, [&] { while (decode_another()) {} });
//   crew.call();                          // one thread more does that
//   crew.wait();                          // all have ended, and what they wrote can be read
//
// Threads are made when the first is called, if not started before. Work must not throw. One
// executor at a time: TBB has one number of threads for the process.
#pragma once

#include <functional>
#include <future>
#include <memory>

namespace pmjit {

class Executor {
 public:
  // `threads`: how many work at once, that of whoever waits included; 1 at least.
  explicit Executor(unsigned threads);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  [[nodiscard]] unsigned threads() const { return threads_; }
  // Makes them, which takes milliseconds: does not wait for that.
  void start();
  // The processors that this process may use.
  [[nodiscard]] static unsigned processors();

  // Threads that do one and the same work, each once a call. Its executor outlives it.
  class Crew {
   public:
    Crew(Executor& executor, std::function<void()> work);
    ~Crew();  // waits
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;
    void call();
    // Until every call is done; this thread does what no other has begun.
    void wait();

   private:
    struct State;
    std::unique_ptr<State> state_;
  };

 private:
  friend class AssemblyLine;
  struct Arena;
  Arena& arena();
  unsigned threads_;
  std::future<std::unique_ptr<Arena>> starting_;
  std::unique_ptr<Arena> arena_;
};

}  // namespace pmjit
