// Blame: why a kernel gave a lane no value. Kernels only say that there is none; who wants to know
// why has the lane worked out again, operator by operator. Made along with a program where reasons
// are asked for.
#pragma once

#include <cstdint>

#include "runtime/model/results.h"
#include "runtime/program/kernel.h"

namespace pmjit {

// An input that has no value there, or else what went wrong in the kernel itself.
struct Blamed {
  static constexpr int32_t kItself = -1;
  int32_t input = kItself;  // index into the frame's `in`
  Reason reason = kKnown;   // of kItself
};

// Immutable.
class Blame {
 public:
  virtual ~Blame() = default;
  // `frame` has one row of one lane, for which the kernel gives no value.
  [[nodiscard]] virtual Blamed of(const KernelFrame& frame) const = 0;
};

}  // namespace pmjit
