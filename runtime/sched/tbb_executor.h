// TbbExecutor: threads that do what is posted to them. The one door to oneTBB.
//
//   TbbExecutor executor(4);
//   executor.start();                     // meanwhile this thread does something else
//   executor.post([&] { decode(piece); });
//
// The threads are made when the first task comes, if not started before. One such executor at a
// time: TBB has one number of threads for the process.
#pragma once

#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>

#include "runtime/base/executor.h"

namespace pmjit {

class TbbArena;

class TbbExecutor final : public Executor {
 public:
  // `threads`: one of them is the caller's; with 1 whatever is posted has a thread beside it.
  explicit TbbExecutor(unsigned threads);
  ~TbbExecutor() override;
  TbbExecutor(const TbbExecutor&) = delete;
  TbbExecutor& operator=(const TbbExecutor&) = delete;

  void post(PostedTask task) override;
  [[nodiscard]] unsigned threads() const override { return threads_; }
  void start() override;
  // The processors that this process may use.
  [[nodiscard]] static unsigned processors();

 private:
  struct Posted;
  static void run(Posted* posted);
  TbbArena& arena();

  unsigned threads_;
  std::mutex mutex_;  // of all that follows
  std::condition_variable idle_;
  size_t posted_ = 0;  // that have not ended
  std::future<std::unique_ptr<TbbArena>> starting_;
  std::unique_ptr<TbbArena> arena_;
};

// The threads of a TbbExecutor, without TBB's headers. Private to runtime/sched.
class TbbArena {
 public:
  virtual ~TbbArena() = default;
  // Calls `run(of)` in one of the threads.
  virtual void enqueue(void (*run)(void*), void* of) = 0;
};

[[nodiscard]] std::unique_ptr<TbbArena> make_arena(unsigned threads);

}  // namespace pmjit
