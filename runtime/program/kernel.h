// The C struct shared by generated code and host: all that the two know of each other.
//
// A kernel computes one value a lane from dense operands. Everything about rosters, joins, time and
// history is settled before it runs (runtime/exec): operands of other rosters have been gathered,
// singular ones repeated, the previous row of a lane and the seconds since it are operands like any
// other. An interpreted kernel (compiler/interp) and a compiled one (compiler/codegen) take the
// same frame and leave the same bits.
//
//   element-wise:  lane i of the result from lane i of every operand, 0 ≤ i < rows × lanes
//   reducing:      one result a row from the `lanes` values of that row of the one operand
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <atomic>
#include <cstdint>
#include <forward_list>
#include <memory>
#include <utility>

struct PmjitKernelFrame {
  const void* const* in;         // an operand's first value; 64 bytes beyond the last may be read
  const uint64_t* const* valid;  // a bitmap an operand, bit 0 is the first value; null: all valid
  const uint64_t* args;          // constants: bits of an int64, uint64 or double each
  uint64_t rows, lanes;          // element-wise kernels use the product alone
  void* out;                     // 64 bytes beyond the last value may be written
  uint64_t* out_valid;           // words_for(results) words, tail bits zero
};

namespace pmjit {

using KernelFrame = PmjitKernelFrame;

// fn(self, frame): `self` is the interpreter's body and unused by compiled code.
struct Kernel {
  void (*fn)(const void* self, const KernelFrame* frame) = nullptr;
  const void* self = nullptr;
  bool compiled = false;
};

// KernelSlot: the kernel of all steps of one shape. It is there from the start, and better ones
// that leave the same bits may take its place while the program runs: kernels that are compiled
// meanwhile by another thread. It counts the lanes it has worked on, from which it is seen what a
// better one would save.
//
//   const Kernel& kernel = slot.now();     // whoever runs a step, once a call
//   slot.count(lanes);                     // likewise
//   slot.replace(compiled, owner);         // whoever compiled it
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
