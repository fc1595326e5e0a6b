// The loops that touch every value. Each looks at all its values and branches once at the end, so
// that the compiler can vectorise it; whoever gets a "no" looks again, one value at a time, to say
// what is wrong. No bounds are checked here: the callers have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace pmjit::bulk {

// `pairs` are {instance, x} of 8 bytes, big-endian, unaligned.
[[nodiscard]] bool indices_follow(const std::byte* pairs, size_t count, uint32_t first,
                                  uint32_t step);
[[nodiscard]] bool instances_equal(const std::byte* pairs, std::span<const int32_t> instances);
void instances(const std::byte* pairs, size_t count, int32_t* out);

// Every block, `step` bytes apart, starts with the word of the first.
[[nodiscard]] bool headers_equal(const std::byte* blocks, size_t count, size_t step);

// The x of each pair; the 4 or 8 bytes behind the header of each block. In the machine's order.
void values_in_pairs(const std::byte* pairs, size_t count, uint32_t* out);
void values_of_4(const std::byte* blocks, size_t count, uint32_t* out);
void values_of_8(const std::byte* blocks, size_t count, uint64_t* out);

}  // namespace pmjit::bulk
