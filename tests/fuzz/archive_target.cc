#include "tests/fuzz/archive_target.h"

#include <cstdint>

#include "tests/fuzz/memory_watch.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace pmjit::fuzz;
  const MemoryWatch watch;
  run({reinterpret_cast<const std::byte*>(data), size});
  watch.expect_at_most(kMemory.fixed + kMemory.per_byte * size);
  return 0;
}
