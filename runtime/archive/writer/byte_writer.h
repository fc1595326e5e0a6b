// Stamps of archives, as bytes.
#pragma once

#include "runtime/archive/format/stamp_io.h"
#include "runtime/base/byte_writer.h"

namespace pmjit {

// V2 microseconds are cut, not rounded; V3 seconds have the low word first.
inline void put_stamp(ByteWriter& out, Stamp stamp, Version version) {
  const auto seconds = static_cast<uint64_t>(stamp.sec);
  out.u32(static_cast<uint32_t>(seconds));
  if (version == Version::v3) out.u32(static_cast<uint32_t>(seconds >> 32));
  out.u32(static_cast<uint32_t>(version == Version::v2 ? stamp.nsec / 1000 : stamp.nsec));
}

}  // namespace pmjit
