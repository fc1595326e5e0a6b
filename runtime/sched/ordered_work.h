// OrderedWork: pieces of work by number, each done once, by several threads. They are begun in the
// order of their numbers, so that a piece may wait for those before it.
//
//   OrderedWork work(executor, {.pieces = n, .at_once = 8, .threads = 2}, [&](size_t i) {
//     work.wait_for(operand_of[i]);
//     compute(i);
//   });
//   work.run();                            // all are done; throws what a piece has thrown
//
// With one thread they are done one after the other, and nothing waits.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>

#include "runtime/base/executor.h"

namespace pmjit {

class OrderedWork {
 public:
  struct Cut {
    size_t pieces = 0;
    size_t at_once = 1;    // that a thread takes, which costs as much as a short piece
    unsigned threads = 1;  // this one included; no more than the executor has
  };
  // The executor outlives it.
  OrderedWork(Executor& executor, const Cut& cut, std::function<void(size_t)> piece);
  void run();
  // By pieces: until that one, of a lower number, is done.
  void wait_for(size_t piece) const;

 private:
  struct Abandoned {};  // a piece that others wait for has thrown
  void do_some();
  [[nodiscard]] bool do_one(size_t piece);

  Executor& executor_;
  Cut cut_;
  std::function<void(size_t)> piece_;
  std::unique_ptr<std::atomic<bool>[]> done_{};  // null: by one thread
  std::atomic<size_t> begun_{};
  std::atomic<bool> failed_{};
  std::mutex mutex_;  // of what follows
  std::exception_ptr thrown_;
};

}  // namespace pmjit
