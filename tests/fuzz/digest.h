// Digest: a number for what was read, to see that reading again gives the same.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/base/bytes.h"
#include "runtime/model/stamp.h"

namespace pmjit::fuzz {

class Digest {
 public:
  void add(Bytes bytes) {
    for (const std::byte byte : bytes) add_byte(std::to_integer<uint8_t>(byte));
  }
  void add(std::string_view text) {
    add(text.size());
    add(std::as_bytes(std::span(text)));
  }
  void add(uint64_t number) {
    for (int i = 0; i < 8; ++i) add_byte(static_cast<uint8_t>(number >> (8 * i)));
  }
  void add(Stamp stamp) {
    add(static_cast<uint64_t>(stamp.sec));
    add(static_cast<uint64_t>(stamp.nsec));
  }
  friend bool operator==(const Digest&, const Digest&) = default;

 private:
  void add_byte(uint8_t byte) { state_ = (state_ ^ byte) * 0x100000001b3; }  // FNV-1a
  uint64_t state_ = 0xcbf29ce484222325;
};

}  // namespace pmjit::fuzz
