// What a target over archives has to say: what it does with an input, and what memory that may
// take. archive_target.cc is the fuzzer's door to it.
#pragma once

#include "runtime/base/bytes.h"

namespace pmjit::fuzz {

struct MemoryBound {
  size_t fixed, per_byte;  // bytes; of the input
};

extern const MemoryBound kMemory;
void run(Bytes all);

}  // namespace pmjit::fuzz
