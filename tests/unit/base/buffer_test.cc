#include "runtime/base/bytes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <numeric>
#include <utility>

namespace pmjit {
namespace {

TEST(Buffer, GrowingKeepsTheContentAndTheAlignment) {
  Buffer buffer;
  EXPECT_EQ(buffer.size(), 0u);
  for (size_t bytes : {8u, 64u, 72u, 4096u, 100'000u}) {
    const size_t was = buffer.size() / sizeof(uint64_t);
    buffer.resize(bytes);
    ASSERT_EQ(buffer.size(), bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer.data()) % kBufferAlign, 0u);
    for (size_t i = 0; i < was; ++i) ASSERT_EQ(buffer.as<uint64_t>()[i], i);
    std::iota(buffer.as<uint64_t>(), buffer.as<uint64_t>() + bytes / sizeof(uint64_t), uint64_t{0});
  }
}

TEST(Buffer, PaddingMayBeTouched) {
  Buffer buffer(3);
  std::memset(buffer.data(), 0x5a, buffer.size() + kBufferPadding);
  EXPECT_EQ(buffer.as<uint8_t>()[2], 0x5a);
}

TEST(Buffer, ClearKeepsTheMemory) {
  Buffer buffer(1'000);
  const std::byte* before = buffer.data();
  buffer.clear();
  EXPECT_EQ(buffer.size(), 0u);
  buffer.resize(1'000);
  EXPECT_EQ(buffer.data(), before);
}

TEST(Buffer, MovingLeavesAnEmptyOne) {
  Buffer a(16);
  a.as<uint64_t>()[1] = 42;
  Buffer b(std::move(a));
  EXPECT_EQ(b.as<uint64_t>()[1], 42u);
  EXPECT_EQ(a.size(), 0u);  // NOLINT(bugprone-use-after-move): what is left is part of the contract
  Buffer c(8);
  c = std::move(b);
  EXPECT_EQ(c.size(), 16u);
  EXPECT_EQ(c.as<uint64_t>()[1], 42u);
}

TEST(Buffer, ReserveDoesNotChangeTheSize) {
  Buffer buffer(8);
  buffer.as<uint64_t>()[0] = 7;
  buffer.reserve(10'000);
  EXPECT_EQ(buffer.size(), 8u);
  const std::byte* reserved = buffer.data();
  buffer.resize(10'000);
  EXPECT_EQ(buffer.data(), reserved);
  EXPECT_EQ(buffer.as<uint64_t>()[0], 7u);
}

}  // namespace
}  // namespace pmjit
