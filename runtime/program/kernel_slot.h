// KernelSlot: the kernel of all steps of one shape. It is there from the start, and a better one
// that leaves the same bits may take its place while the program runs: a kernel that is compiled
// meanwhile by another thread.
//
//   const Kernel& kernel = slot.now();     // whoever runs a step, once a call
//   slot.replace(compiled, owner);         // whoever compiled it, once
#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "runtime/program/kernel.h"

namespace pmjit {

class KernelSlot {
 public:
  // `owner`: what the kernel lives on.
  KernelSlot(const Kernel& first, std::shared_ptr<const void> owner)
      : first_(first), first_owner_(std::move(owner)), now_(&first_) {}
  KernelSlot(const KernelSlot&) = delete;
  KernelSlot& operator=(const KernelSlot&) = delete;

  [[nodiscard]] const Kernel& now() const { return *now_.load(std::memory_order_acquire); }
  // Once. The first one stays: a step may be in it.
  void replace(const Kernel& better, std::shared_ptr<const void> owner) {
    better_ = better;
    better_owner_ = std::move(owner);
    now_.store(&better_, std::memory_order_release);
  }

 private:
  Kernel first_{}, better_{};
  std::shared_ptr<const void> first_owner_, better_owner_;
  std::atomic<const Kernel*> now_;
};

}  // namespace pmjit
