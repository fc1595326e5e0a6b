// Decimal digits of integers, two at a time.
#pragma once

#include <cstdint>

namespace pmjit {

// The shortest text of it; room for 20 bytes. Returns the end.
char* put_whole(char* at, uint64_t value);
// The last `count` digits of it, with leading zeros.
char* put_padded(char* at, uint64_t value, int count);

}  // namespace pmjit
