#include "runtime/wire/frame.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "runtime/base/limits.h"
#include "tests/unit/wire/wire_files.h"

namespace pmjit::wire {
namespace {

void pour(Framer& framer, Bytes bytes) {
  while (!bytes.empty()) {
    const auto room = framer.room();
    const size_t now = std::min(room.size(), bytes.size());
    std::ranges::copy(bytes.first(now), room.begin());
    framer.filled(now);
    bytes = bytes.subspan(now);
    if (framer.wanted() == 0) return;
  }
}

TEST(Framing, PiecesOfAnySizeGiveTheSamePdus) {
  std::vector<std::byte> stream;
  for (const RecordedPdu& recorded : recorded_pdus()) {
    stream.insert(stream.end(), recorded.bytes.begin(), recorded.bytes.end());
  }
  for (const size_t most : {1u, 3u, 13u, 100u, 4'000u, 1'000'000u}) {
    Framer framer(limits::kServerPduBytesMax);
    std::mt19937 random(static_cast<unsigned>(most));
    Bytes left = stream;
    size_t seen = 0;
    for (;;) {
      const auto frame = framer.next();
      ASSERT_TRUE(frame) << frame.error().text();
      if (*frame) {
        ASSERT_LT(seen, recorded_pdus().size());
        const auto& expected = recorded_pdus()[seen++].bytes;
        ASSERT_TRUE(std::ranges::equal((*frame)->bytes, expected));
        EXPECT_EQ((*frame)->header.bytes, expected.size());
        continue;
      }
      if (left.empty()) break;
      ASSERT_GT(framer.wanted(), 0u);
      const auto room = framer.room();
      ASSERT_GE(room.size(), 1u);
      const size_t now = std::min({room.size(), left.size(), 1 + random() % most});
      std::ranges::copy(left.first(now), room.begin());
      framer.filled(now);
      left = left.subspan(now);
    }
    EXPECT_EQ(seen, recorded_pdus().size());
    EXPECT_TRUE(framer.ended());
    EXPECT_LE(framer.capacity(), 64u << 10);
  }
}

TEST(Framing, AStreamThatEndsWithinAPduSaysSo) {
  Framer framer(limits::kClientPduBytesMax);
  EXPECT_EQ(framer.wanted(), kHeaderBytes);
  EXPECT_TRUE(framer.ended());
  pour(framer, bytes_of_hex("00000010 0000"));
  EXPECT_EQ(framer.wanted(), 6u);
  EXPECT_EQ(framer.ended().error().text(),
            "the connection ended within a PDU: 6 more bytes were expected\n"
            "  help: the other side stopped, or was restarted");
  pour(framer, bytes_of_hex("7004 00000000"));
  EXPECT_FALSE(*framer.next());
  EXPECT_EQ(framer.wanted(), 4u);
}

TEST(Framing, AHeaderThatLiesEndsTheStream) {
  const auto why = [](std::string_view hex) {
    Framer framer(limits::kClientPduBytesMax);
    pour(framer, bytes_of_hex(hex));
    const auto frame = framer.next();
    return frame ? std::string("fine") : frame.error().what();
  };
  EXPECT_EQ(why("0000000b 00007000 00000000"), "a PDU claims a length of 11 bytes");
  EXPECT_EQ(why("ffffffff 00007000 00000000"), "a PDU claims a length of -1 bytes");
  EXPECT_EQ(why("00010000 00007003 00000000"), "fine");
  EXPECT_EQ(why("00010001 00007003 00000000"),
            "a PDU FETCH claims 65537 bytes, more than the limit of 65536");
  EXPECT_EQ(why("0000000c 00000000 00000000"), "a PDU has the type 0x0");
  EXPECT_EQ(why("0000000c ffffffff 00000000"), "a PDU has the type 0xffffffff");
  EXPECT_EQ(why("48545450 2f312e31 20343030"),  // "HTTP/1.1 400"
            "a PDU of type 0x2f312e31 claims 1213486160 bytes, more than the limit of 65536");
}

TEST(Framing, MemoryFollowsWhatHasComeNotWhatIsClaimed) {
  Framer framer(limits::kServerPduBytesMax);
  pour(framer, bytes_of_hex("04000000 00007001 00000000"));  // 64 MB
  ASSERT_TRUE(framer.next());
  EXPECT_LE(framer.room().size(), 4'096u);
  EXPECT_LE(framer.capacity(), 4'096u);
  std::vector<std::byte> more(10'000);
  pour(framer, more);
  ASSERT_TRUE(framer.next());
  EXPECT_LE(framer.capacity(), 64u << 10);
}

TEST(Framing, AReadThatLeavesRoomIsAllThatHasCome) {
  Framer framer(limits::kServerPduBytesMax);
  std::vector<std::byte> large(3'000);
  std::ranges::copy(bytes_of_hex("00000bb8 00007001 00000000"), large.begin());
  for (int times = 0; times < 3; ++times) {
    for (size_t at = 0; at < large.size();) {
      ASSERT_FALSE(*framer.next());
      const auto room = framer.room();
      const size_t now = std::min(room.size(), large.size() - at);
      std::copy_n(large.begin() + static_cast<std::ptrdiff_t>(at), now, room.begin());
      framer.filled(now);
      at += now;
      EXPECT_TRUE(at < large.size() || now < room.size());
    }
    ASSERT_TRUE(*framer.next());
  }
}

TEST(Framing, MemoryGoesAndWhatIsBehindItStays) {
  Framer framer(limits::kServerPduBytesMax);
  const auto two = bytes_of_hex("00000010 00007001 00000000 01020304 00000010 00007001");
  std::ranges::copy(two, framer.room().begin());
  framer.filled(two.size());
  const auto first = framer.next();
  ASSERT_TRUE(*first);
  const Buffer memory = framer.take_memory();
  EXPECT_EQ((*first)->bytes.data(), memory.data());
  EXPECT_EQ((*first)->bytes[15], std::byte{4});
  ASSERT_FALSE(*framer.next());
  pour(framer, bytes_of_hex("00000000 05060708"));
  const auto second = framer.next();
  ASSERT_TRUE(*second);
  EXPECT_EQ((*second)->bytes[15], std::byte{8});
}

}  // namespace
}  // namespace pmjit::wire
