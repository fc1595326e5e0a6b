// round_trip(): what has to hold of any bytes that are decoded as a PDU. For unit tests and the
// fuzzer alike, so it ends in check().
//
//   const RoundTrip seen = round_trip(bytes, channel);
//   if (!seen.decoded) EXPECT_NE(seen.text, "");     // the reason
//
// - Refused: there is a reason, a place, and the code PM_ERR_IPC.
// - Decoded: encode, decode and encode again give the same bytes and the same text.
// - Results: what goes into columns is what the sets say; it is refused where decode() refuses.
// - copy_head() copies what would be encoded, or nothing.
#pragma once

#include <string>
#include <vector>

#include "runtime/base/bytes.h"
#include "runtime/wire/codec.h"

namespace pmjit::wire {

struct RoundTrip {
  bool decoded = false;
  std::string text;                // of the message, or why it was refused
  std::vector<std::byte> encoded;  // of what was decoded
  bool is_copied = false;          // by copy_head()
};

[[nodiscard]] RoundTrip round_trip(Bytes bytes, const Channel& channel);

// A copy of some bytes that ends where a page begins that nobody may read.
class GuardedBytes {
 public:
  explicit GuardedBytes(size_t most);
  GuardedBytes(const GuardedBytes&) = delete;
  GuardedBytes& operator=(const GuardedBytes&) = delete;
  ~GuardedBytes();

  [[nodiscard]] std::span<std::byte> put(Bytes bytes);

 private:
  std::byte* base_;
  size_t room_, mapped_;
};

}  // namespace pmjit::wire
