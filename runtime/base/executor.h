// Executor: where work is done: by threads (runtime/sched/tbb_executor.h), by the thread that posts
// it, or in an order that a test's seed gives. Who needs work done takes an Executor&.
//
//   void decode_all(Executor& executor, std::span<Piece> pieces) {
//     for (Piece& piece : pieces) executor.post([&piece] { piece.decode(); });
//   }
//
// Who also waits for the work uses a Crew (runtime/sched/crew.h). Every executor here is destroyed
// only after everything posted to it has run.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <random>
#include <vector>

namespace pmjit {

using PostedTask = std::move_only_function<void()>;  // must not throw

class Executor {
 public:
  virtual ~Executor() = default;
  // Runs the task once, soon. It may run before post() returns, so the caller holds no lock that
  // the task takes.
  virtual void post(PostedTask task) = 0;
  // How many threads work at once, that of the caller included; at least 1.
  [[nodiscard]] virtual unsigned threads() const = 0;
  // Makes the threads, which takes milliseconds, and does not wait for that. Optional.
  virtual void start() {}

 protected:
  Executor() = default;
  Executor(const Executor&) = default;
  Executor& operator=(const Executor&) = default;
};

// One thread, which must be the same for all calls. Tasks run in the order of their posts: at once,
// or when drain() is called. What a running task posts runs after it, never inside.
class InlineExecutor final : public Executor {
 public:
  enum class Runs : uint8_t { at_once, in_drain };
  explicit InlineExecutor(Runs runs = Runs::at_once) : runs_(runs) {}
  ~InlineExecutor() override { drain(); }
  InlineExecutor(const InlineExecutor&) = delete;
  InlineExecutor& operator=(const InlineExecutor&) = delete;

  void post(PostedTask task) override;
  [[nodiscard]] unsigned threads() const override { return 1; }
  // Runs what was posted, and what that posts, until nothing is left.
  void drain();
  [[nodiscard]] size_t waiting() const { return tasks_.size(); }

 private:
  Runs runs_;
  bool running_ = false;
  std::deque<PostedTask> tasks_;
};

// One thread that behaves like several, for tests of interleavings: equal seeds give equal runs.
// Tasks run in random order, some inside a post(), as if the thread that posts had been held up
// there. So no task may wait for the one that posted it.
class SeededExecutor final : public Executor {
 public:
  // `threads`: what threads() says, so that users share their work out.
  explicit SeededExecutor(uint64_t seed, unsigned threads = 4)
      : random_(seed), threads_(threads == 0 ? 1 : threads) {}
  ~SeededExecutor() override { drain(); }
  SeededExecutor(const SeededExecutor&) = delete;
  SeededExecutor& operator=(const SeededExecutor&) = delete;

  void post(PostedTask task) override;
  [[nodiscard]] unsigned threads() const override { return threads_; }
  void drain();

 private:
  void run_one();

  std::mt19937_64 random_;
  unsigned threads_;
  unsigned depth_ = 0;  // of tasks that run inside a post()
  std::vector<PostedTask> tasks_;
};

}  // namespace pmjit
