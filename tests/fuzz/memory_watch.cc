#include "tests/fuzz/memory_watch.h"

#include <sanitizer/allocator_interface.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace pmjit::fuzz {

namespace {

// The targets have one thread.
size_t g_live = 0, g_peak = 0;

void allocated(const volatile void* /*block*/, size_t bytes) {
  g_live += bytes;
  g_peak = std::max(g_peak, g_live);
}

// What was there before the watch began may go now.
void freed(const volatile void* block) {
  const size_t bytes = __sanitizer_get_allocated_size(block);
  g_live -= std::min(bytes, g_live);
}

}  // namespace

MemoryWatch::MemoryWatch() {
  static const bool installed = __sanitizer_install_malloc_and_free_hooks(allocated, freed) != 0;
  if (!installed) std::abort();
  g_live = g_peak = 0;
}

void MemoryWatch::expect_at_most(size_t bytes) const {
  if (g_peak <= bytes) return;
  std::fprintf(stderr, "ERROR: %zu bytes of memory, at most %zu are expected\n", g_peak, bytes);
  std::abort();
}

}  // namespace pmjit::fuzz
