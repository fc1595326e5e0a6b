// Label: the first record of every file of an archive. Source: spec archives.md §3, §9.
//
//   auto label = read_label(bytes, kMetaVolume);    // the first of the file
#pragma once

#include <cstdint>
#include <string>

#include "runtime/archive/format/damage.h"
#include "runtime/archive/format/stamp_io.h"
#include "runtime/base/bytes.h"

namespace pmjit {

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
