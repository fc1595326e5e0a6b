#include "runtime/base/bytes.h"

#include <gtest/gtest.h>

#include <vector>

namespace pmjit {
namespace {

std::vector<std::byte> bytes_of(std::initializer_list<int> list) {
  std::vector<std::byte> out;
  for (int b : list) out.push_back(static_cast<std::byte>(b));
  return out;
}

TEST(ByteReader, ReadsBigEndian) {
  const auto bytes = bytes_of(
      {0x01, 0x02, 0x03, 0x80, 0, 0, 1, 0xff, 0xff, 0xff, 0xfe, 1, 2, 3, 4, 5, 6, 7, 8, 'a', 'b'});
  ByteReader in(bytes);
  EXPECT_EQ(in.u8(), 1);
  EXPECT_EQ(in.u16(), 0x0203);
  EXPECT_EQ(in.u32(), 0x80000001u);
  EXPECT_EQ(in.i32(), -2);
  EXPECT_EQ(in.u64(), 0x0102030405060708u);
  EXPECT_EQ(in.text(2), "ab");
  EXPECT_TRUE(in.done());
}

TEST(ByteReader, EveryPrefixIsShort) {
  const auto bytes = bytes_of({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  for (size_t length = 0; length < bytes.size(); ++length) {
    ByteReader in(Bytes(bytes).first(length));
    (void)in.u32();
    (void)in.u64();
    EXPECT_FALSE(in.ok()) << length;
    EXPECT_FALSE(in.done()) << length;
  }
}

TEST(ByteReader, AfterAShortReadEverythingIsZero) {
  const auto bytes = bytes_of({1, 2, 3});
  ByteReader in(bytes);
  EXPECT_EQ(in.u32(), 0u);
  EXPECT_EQ(in.u8(), 0);
  EXPECT_TRUE(in.bytes(1).empty());
  EXPECT_EQ(in.text(1), "");
  EXPECT_EQ(in.left(), 0u);
  EXPECT_FALSE(in.ok());
}

TEST(ByteReader, HugeLengthsAreShortReads) {
  const auto bytes = bytes_of({1, 2});
  ByteReader in(bytes);
  in.skip(SIZE_MAX);
  EXPECT_FALSE(in.ok());
}

TEST(ByteReader, TrailingBytesAreNotDone) {
  const auto bytes = bytes_of({1, 2});
  ByteReader in(bytes);
  (void)in.u8();
  EXPECT_TRUE(in.ok());
  EXPECT_FALSE(in.done());
  EXPECT_EQ(in.pos(), 1u);
}

}  // namespace
}  // namespace pmjit
