// Recorded metrics made by hand: u32.a, u32.b (singular), i64.set, u32.set (domain 1.1), text.s,
// ctr (u64 counter), of a context whose instances are 0 "zero", 1 "one", 2 "two".
#pragma once

#include <string>
#include <string_view>

#include "compiler/compat/registry/context_deriver.h"
#include "tests/unit/client/memory_context.h"

namespace pmjit::test {

class Recorded final : public MemoryContext {
 public:
  Recorded();
};

// Of 32-bit metrics, at a time in seconds.
FetchedSet set_of(PmId pmid, std::initializer_list<std::pair<int32_t, uint32_t>> values);

// "0:5 1:7", "!-12350", "5"; blocks as the number that they hold.
std::string text_of(const FetchedSet& set, int type);

}  // namespace pmjit::test
