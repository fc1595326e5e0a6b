// Records of an archive as bytes: pure functions, one a kind of record. Source: spec archives.md
// §3–§8.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/archive/format/label.h"
#include "runtime/archive/reader/labels.h"
#include "runtime/archive/writer.h"
#include "runtime/base/byte_writer.h"

namespace pmjit {

using ByteVector = std::vector<std::byte>;

[[nodiscard]] ByteVector encode_label(const ArchiveWriterOptions& options, int32_t volume);
[[nodiscard]] ByteVector encode_desc(std::span<const std::string_view> names, const Desc& desc);
[[nodiscard]] inline ByteVector encode_desc(std::string_view name, const Desc& desc) {
  return encode_desc({&name, 1}, desc);
}
// Lists of instances are ascending by id. No name: the instance is gone (of a delta only).
struct ListedInstance {
  int32_t id = 0;
  std::optional<std::string_view> name{};
};
[[nodiscard]] ByteVector encode_indom(Version version, Stamp stamp, InDomId indom,
                                      std::span<const ListedInstance> set);
// What differs from the newest set of the domain; V3 has such records.
[[nodiscard]] ByteVector encode_indom_delta(Stamp stamp, InDomId indom,
                                            std::span<const ListedInstance> changes);
// Replaces what was recorded for the identifier before.
[[nodiscard]] ByteVector encode_labels(Version version, Stamp stamp, LabelType type, uint32_t ident,
                                       std::span<const LabelSet> sets);
// `type`: PM_TEXT_*, of which kind the text is and what it is of.
[[nodiscard]] ByteVector encode_text(uint32_t type, uint32_t ident, std::string_view text);
[[nodiscard]] ByteVector encode_mark(Version version, Stamp stamp);
[[nodiscard]] ByteVector encode_index_entry(Version version, Stamp stamp, int32_t volume,
                                            uint64_t meta_offset, uint64_t data_offset);
// Every metric has its description in `descs`.
[[nodiscard]] ByteVector encode_result(Version version, Stamp stamp,
                                       std::span<const WrittenSet> sets,
                                       const std::unordered_map<PmId, Desc>& descs);

// Stamps of archives, as bytes.

// V2 microseconds are cut, not rounded; V3 seconds have the low word first.
inline void put_stamp(ByteWriter& out, Stamp stamp, Version version) {
  const auto seconds = static_cast<uint64_t>(stamp.sec);
  out.u32(static_cast<uint32_t>(seconds));
  if (version == Version::v3) out.u32(static_cast<uint32_t>(seconds >> 32));
  out.u32(static_cast<uint32_t>(version == Version::v2 ? stamp.nsec / 1000 : stamp.nsec));
}

}  // namespace pmjit
