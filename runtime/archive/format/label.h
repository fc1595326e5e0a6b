// Label: the first record of every file of an archive. Source: spec archives.md §3, §9.
//
//   auto label = read_label(bytes, kMetaVolume);    // the first of the file
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>

#include "runtime/base/bytes.h"
#include "runtime/base/result.h"
#include "runtime/model/pm_codes.h"
#include "runtime/model/stamp.h"
#include "runtime/model/value_layout.h"

namespace pmjit {

// Damage of an archive becomes an Error at the file's door.
[[nodiscard]] Error damage_error(const std::string& file_name, const Damage& damage);

// What a look-up in metadata yields: the thing, or the PM_ERR number that the PMAPI has for its
// absence. No place and no text: those who print know what was asked for.
template <class T>
using OrPmCode = std::expected<T, pm_err::PmErrorCode>;

// Time stamps on disk. V2: seconds, microseconds. V3: 64-bit seconds with the LOW word first,
// nanoseconds (spec archives.md §2). A stamp whose fraction does not fit 32 bits, or whose seconds
// are so far out that differences would overflow, is damage.
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

inline constexpr int32_t kMetaVolume = -1, kIndexVolume = -2;

// What a record of the metadata is: its first word.
enum class MetaRecord : uint32_t {
  desc = 1,
  indom_v2 = 2,
  label_v2 = 3,
  text = 4,
  indom = 5,
  indom_delta = 6,
  label = 7
};

struct Label {
  Version version = Version::v3;
  int32_t pid = 0;
  Stamp start{};  // kStampMax: what stands there is no time
  int32_t volume = 0;
  uint32_t features = 0;  // V3: bits
  std::string host{}, timezone{}, zoneinfo{};
};

inline constexpr size_t label_bytes(Version version) { return version == Version::v2 ? 132 : 808; }
inline constexpr uint32_t kLabelMagic = 0x50052600;  // | version

// Archives that ask for a feature nobody here knows are refused, unless the user insists.
enum class Features : uint8_t { known, any };
inline constexpr uint32_t kFeatureQa = 1u << 31;  // the known one; it means nothing

// `file` may be longer than the label; `volume` is what the label must call itself.
[[nodiscard]] OrDamage<Label> read_label(Bytes file, int32_t volume,
                                         Features features = Features::known);

// One recording: version, writer and host are those of `first`. The start time is not compared.
[[nodiscard]] bool same_recording(const Label& label, const Label& first);

}  // namespace pmjit
