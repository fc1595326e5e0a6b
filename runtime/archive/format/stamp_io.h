// Time stamps on disk. V2: seconds, microseconds. V3: 64-bit seconds with the LOW word first,
// nanoseconds (spec archives.md §2). A stamp whose fraction does not fit 32 bits, or whose seconds
// are so far out that differences would overflow, is damage.
#pragma once

#include <optional>

#include "runtime/base/bytes.h"
#include "runtime/model/stamp.h"

namespace pmjit {

enum class Version : uint8_t { v2 = 2, v3 = 3 };

// Beyond them differences of seconds would overflow.
inline constexpr int64_t kSecondsMax = int64_t{1} << 60;

inline constexpr size_t stamp_bytes(Version version) { return version == Version::v2 ? 8 : 12; }

// The bytes must be there: stamp_bytes(version) of them.
inline std::optional<Stamp> load_stamp(const std::byte* at, Version version) {
  Stamp stamp;
  int64_t nsec = 0;
  if (version == Version::v2) {
    stamp.sec = static_cast<int32_t>(load_be<uint32_t>(at));
    nsec = int64_t{load_be<uint32_t>(at + 4)} * 1000;
  } else {
    const uint64_t low = load_be<uint32_t>(at), high = load_be<uint32_t>(at + 4);
    stamp.sec = static_cast<int64_t>(high << 32 | low);
    nsec = load_be<uint32_t>(at + 8);
  }
  if (nsec > INT32_MAX || stamp.sec > kSecondsMax || stamp.sec < -kSecondsMax) return std::nullopt;
  stamp.nsec = static_cast<int32_t>(nsec);
  return stamp;
}

}  // namespace pmjit
