// Executor: threads that do work handed to them. The one door to oneTBB.
//
//   Executor executor(4);
//   Executor::Task task(executor);
//   task.start([&] { decode(piece); });
//   task.wait();                          // what the work wrote can be read now
//
// Threads are made when the first work is started. Work must not throw. One executor at a time: TBB
// has one number of threads for the process.
#pragma once

#include <functional>
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
  // The processors that this process may use.
  [[nodiscard]] static unsigned processors();

  // One piece of work at a time; may be used again and again. Its executor outlives it.
  class Task {
   public:
    explicit Task(Executor& executor);
    ~Task();  // waits
    Task(Task&& other) noexcept;
    void start(std::function<void()> work);
    // Until the work is done; meanwhile this thread does what is waiting. Nothing was started: at
    // once.
    void wait();

   private:
    struct State;
    std::unique_ptr<State> state_;
  };

 private:
  struct Arena;
  Arena& arena();
  unsigned threads_;
  std::unique_ptr<Arena> arena_;
};

}  // namespace pmjit
