// KernelSlot: the kernel of all steps of one shape. It is there from the start, and better ones
// that leave the same bits may take its place while the program runs: kernels that are compiled
// meanwhile by another thread. It counts the lanes it has worked on, from which it is seen what a
// better one would save.
//
//   const Kernel& kernel = slot.now();     // whoever runs a step, once a call
//   slot.count(lanes);                     // likewise
//   slot.replace(compiled, owner);         // whoever compiled it
#pragma once

#include <atomic>
#include <cstdint>
#include <forward_list>
#include <memory>
#include <utility>

#include "runtime/program/kernel.h"

namespace pmjit {

class KernelSlot {
 public:
  // `owner`: what the kernel lives on.
  KernelSlot(const Kernel& first, std::shared_ptr<const void> owner)
      : held_{{first, std::move(owner)}}, now_(&held_.front().kernel) {}
  KernelSlot(const KernelSlot&) = delete;
  KernelSlot& operator=(const KernelSlot&) = delete;

  [[nodiscard]] const Kernel& now() const { return *now_.load(std::memory_order_acquire); }
  // By one thread at a time. Those before stay: a step may be in one.
  void replace(const Kernel& better, std::shared_ptr<const void> owner) {
    held_.push_front({better, std::move(owner)});
    now_.store(&held_.front().kernel, std::memory_order_release);
  }

  // Of two threads that run the program at once one may be forgotten now and then, for what is
  // estimated from it need not be exact, and a locked addition would cost every call.
  void count(uint64_t lanes) const {
    lanes_.store(lanes_.load(std::memory_order_relaxed) + lanes, std::memory_order_relaxed);
  }
  [[nodiscard]] uint64_t lanes() const { return lanes_.load(std::memory_order_relaxed); }

 private:
  struct Held {
    Kernel kernel;
    std::shared_ptr<const void> owner;
  };
  std::forward_list<Held> held_;  // the newest first
  std::atomic<const Kernel*> now_;
  mutable std::atomic<uint64_t> lanes_ = 0;
};

}  // namespace pmjit
