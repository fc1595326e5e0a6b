// MemoryWatch: how much memory was allocated at most since it began, by the sanitizer's hooks. What
// reading an archive takes has to follow from its size, not from a number that stands in it.
//
//   const MemoryWatch watch;
//   read(input);
//   watch.expect_at_most(kFixed + kPerByte * input.size());
#pragma once

#include <cstddef>

namespace pmjit::fuzz {

class MemoryWatch {
 public:
  MemoryWatch();
  void expect_at_most(size_t bytes) const;
};

}  // namespace pmjit::fuzz
