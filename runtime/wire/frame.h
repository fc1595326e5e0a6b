// Framing: where a PDU begins and ends in a stream. Source: spec wire-protocol.md §1, §12.
//
//   Framer framer(limits::kServerPduBytesMax);
//   for (;;) {
//     auto frame = framer.next();
//     if (!frame) return fail(frame.error());            // no PCP: the connection ends
//     if (*frame) { use(decode((*frame)->bytes, channel)); continue; }
//     size_t got = read(socket, framer.room());          // as many bytes as come
//     if (got == 0) return framer.ended();
//     framer.filled(got);
//   }
//
// Bytes may come in pieces of any size, and several PDUs at once. The length in a header is checked
// as soon as the header is there, but memory follows the bytes that have come: a peer that lies
// about a length gets no more than twice what it sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "runtime/base/bytes.h"
#include "runtime/base/result.h"

namespace pmjit::wire {

inline constexpr size_t kHeaderBytes = 12;

struct PduHeader {
  uint32_t bytes = 0;  // of the whole PDU, the header included
  uint32_t code = 0;   // PduType, or one that nobody knows
  int32_t from = 0;
};

// Reads the header at the start of `bytes`, which are at least kHeaderBytes. It refuses a length
// below 12 or above `bytes_max`, and a code below 1. Nobody knows then where the next PDU begins,
// so the connection has to end.
[[nodiscard]] Result<PduHeader> read_header(Bytes bytes, uint32_t bytes_max);

class Framer {
 public:
  // Larger PDUs come again, but a connection among thousands must not keep the largest it ever had.
  static constexpr size_t kKeptBytes = 64u << 10;

  struct Frame {
    PduHeader header;
    Bytes bytes;  // the whole PDU; until room() is called
  };

  // PDUs of more bytes are refused: limits::kClientPduBytesMax, limits::kServerPduBytesMax.
  // Where everything was taken, more memory than `kept` bytes is given back.
  explicit Framer(uint32_t bytes_max, size_t kept = kKeptBytes)
      : bytes_max_(bytes_max), kept_(kept) {}

  // Where the next bytes go, at least one; next() has returned nothing before.
  [[nodiscard]] std::span<std::byte> room();
  void filled(size_t bytes);  // so many have come into it
  // The next whole PDU; none: more bytes are wanted. An error is final: a header that read_header()
  // refuses.
  [[nodiscard]] Result<std::optional<Frame>> next();
  // What has come and was not taken is of another protocol. Valid until room() is called.
  [[nodiscard]] Bytes take_rest();
  // The memory of all frames that were taken, which stay where they are in it: for one that is
  // needed longer. What has come behind them is still to be taken.
  [[nodiscard]] Buffer take_memory();
  // How many bytes are missing until the header is there, or the PDU is; never 0 after next() has
  // returned nothing.
  [[nodiscard]] size_t wanted() const;
  // The stream ended. An error if it did so within a PDU.
  [[nodiscard]] Result<void> ended() const;
  // Bytes of memory that are held.
  [[nodiscard]] size_t capacity() const { return buffer_.size(); }

 private:
  [[nodiscard]] size_t held() const { return end_ - begin_; }
  [[nodiscard]] Bytes come() const { return {buffer_.data() + begin_, held()}; }
  [[nodiscard]] Buffer with_room(size_t bytes) const;

  // Aligned: reading pages into memory that is not may take three times as long (AMD's Zen 3).
  Buffer buffer_;
  size_t begin_ = 0, end_ = 0;  // what has come and was not taken
  uint32_t bytes_max_;
  size_t kept_;
  std::optional<PduHeader> header_;  // of the PDU at begin_
};

}  // namespace pmjit::wire
