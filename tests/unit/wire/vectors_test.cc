// The recorded PDUs: each decodes and encodes back to the same bytes; every prefix and every change
// of one byte decodes or is refused with a reason. PMJIT_WIRE_CHANGES=1: every other value of each
// byte; N: every Nth of them.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "runtime/base/sanitized.h"
#include "tests/unit/wire/round_trip.h"
#include "tests/unit/wire/wire_files.h"

namespace pmjit::wire {
namespace {

// What pmcd answered with PM_ERR_IPC, too: a negative context, no metric, half a DESC_REQ, a type
// that nobody knows.
const std::map<std::string, std::string> kRefused = {
    {"client-requests-and-errors.hex:11", "the context is negative"},
    {"client-requests-and-errors.hex:21", "the number of metrics is 0"},
    {"client-requests-and-errors.hex:33", "it ends within metric: 2 bytes of 4 are there"},
    {"client-requests-and-errors.hex:177", "a PDU of type 0x7018 is unknown"},
};

TEST(WireVectors, EncodeBackToTheSameBytes) {
  size_t same = 0, refused = 0, padding = 0, copied = 0;
  for (const RecordedPdu& recorded : recorded_pdus()) {
    SCOPED_TRACE(recorded.place);
    const RoundTrip seen = round_trip(recorded.bytes, recorded.channel);
    if (const auto expected = kRefused.find(recorded.place); expected != kRefused.end()) {
      EXPECT_FALSE(seen.decoded);
      EXPECT_NE(seen.text.find(expected->second), std::string::npos) << seen.text;
      ++refused;
      continue;
    }
    ASSERT_TRUE(seen.decoded) << seen.text;
    ASSERT_EQ(seen.encoded.size(), recorded.bytes.size()) << seen.text;
    for (size_t i = 0; i < recorded.bytes.size(); ++i) {
      if (seen.encoded[i] == recorded.bytes[i]) continue;
      ASSERT_EQ(seen.encoded[i], std::byte{'~'}) << "offset " << i << ": " << seen.text;
      ++padding;
    }
    ++same;
    copied += seen.is_copied ? 1 : 0;
  }
  EXPECT_GT(copied, 0u) << "results that an agent's client gets as they came";
  EXPECT_EQ(refused, kRefused.size());
  EXPECT_GT(same, 780u);
  fmt::print(
      "wire vectors: {} of {} encode back to the same bytes, {} bytes of padding masked; "
      "{} malformed ones refused\n",
      same, recorded_pdus().size() - refused, padding, refused);
}

TEST(WireVectors, EveryPrefixIsRefused) {
  GuardedBytes guarded(64u << 10);
  size_t prefixes = 0;
  for (const RecordedPdu& recorded : recorded_pdus()) {
    for (size_t length = 0; length < recorded.bytes.size(); ++length) {
      const auto bytes = guarded.put(Bytes(recorded.bytes).first(length));
      EXPECT_FALSE(round_trip(bytes, recorded.channel).decoded) << recorded.place << " " << length;
      // The same with the length that it has: what its header says does not give it away.
      if (length < 4) continue;
      for (size_t i = 0; i < 4; ++i) bytes[i] = static_cast<std::byte>(length >> (24 - 8 * i));
      (void)round_trip(bytes, recorded.channel);
      ++prefixes;
    }
  }
  fmt::print("wire prefixes: {} refused or decoded\n", prefixes);
}

TEST(WireVectors, EveryChangeOfOneByteIsRefusedOrDecodes) {
  const char* wish = std::getenv("PMJIT_WIRE_CHANGES");
  const int step = wish != nullptr ? std::max(1, std::atoi(wish)) : kSanitized ? 181 : 37;
  GuardedBytes guarded(64u << 10);
  size_t changes = 0, refused = 0;
  std::set<std::vector<std::byte>> seen;  // many PDUs are alike
  for (const RecordedPdu& recorded : recorded_pdus()) {
    if (!seen.insert(recorded.bytes).second) continue;
    const auto bytes = guarded.put(recorded.bytes);
    for (std::byte& byte : bytes) {
      const std::byte before = byte;
      // They begin elsewhere at each byte, so that every bit changes.
      for (int by = 1 + static_cast<int>(changes % static_cast<size_t>(step)); by < 256;
           by += step) {
        byte = before ^ static_cast<std::byte>(by);
        refused += round_trip(bytes, recorded.channel).decoded ? 0 : 1;
        ++changes;
      }
      byte = before;
    }
  }
  EXPECT_GT(refused, 0u);
  fmt::print("wire byte changes: {}, {} of them refused with a reason\n", changes, refused);
}

}  // namespace
}  // namespace pmjit::wire
