// The memory that the collector shares with the process of a shared object (pmjit-pmda-host), which
// leaves its large answers there. That spares two copies of each by the kernel.
//
//   0          u32  where the next answer may be: room 1 or 2; 0: nowhere. The collector's word.
//   kHeadBytes      the rooms, one behind the other: each has a RESULT, as it would be sent, at
//   kPduAt
//
// The process leaves an answer, and sends an ERROR with kLeftInMemory. It leaves none that is too
// large or too small for it, but sends that as always. The memory does not get shorter (F_SEAL).
#pragma once

#include <cstddef>
#include <cstdint>

namespace pmjit {

struct AnswerMemory {
  static constexpr size_t kHeadBytes = 4096, kStepBytes = 4u << 20, kRooms = 2;
  static constexpr size_t kBytes = kHeadBytes + kRooms * kStepBytes;
  // Where the PDU begins in a room, whose values the kernel copies behind another head of up to 32
  // bytes. To copy bytes to a place that is a little further on in its page takes ten times as long
  // (AMD's Zen 3), so they are further on here.
  static constexpr size_t kPduAt = 72;
  static constexpr size_t kRoomBytes = kStepBytes - kPduAt;
  static constexpr size_t kLeastBytes = 16u << 10;  // of an answer
  // An error of nobody's. Where an agent returns it, the process says another one.
  static constexpr int kLeftInMemory = -20'001;

  // Of the PDU in a room: 1 or 2.
  static constexpr size_t place_of(uint32_t room) {
    return kHeadBytes + (room - 1) * kStepBytes + kPduAt;
  }
};

}  // namespace pmjit
