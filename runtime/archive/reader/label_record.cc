#include "runtime/archive/reader/label_record.h"

#include <vector>

namespace pmjit {

OrDamage<void> read_label_record(Bytes payload, Version version, ArchiveLabels& out) {
  constexpr uint32_t kJsonBytesMax = 65'535;
  constexpr int32_t kLabelsMax = 255;
  constexpr size_t kEntryBytes = 8;
  if (payload.size() < stamp_bytes(version)) return damaged("label record is too short", 0);
  const auto stamp = load_stamp(payload.data(), version);
  if (!stamp) return damaged("label record has an impossible time stamp", 0);
  ByteReader in(payload.subspan(stamp_bytes(version)));
  // Writers may mark the type itself as optional or compound; it is the same type.
  const auto type = static_cast<LabelType>(in.u32() & ~(kLabelCompound | kLabelOptional));
  const uint32_t ident = in.u32(), count = in.u32();
  std::vector<LabelSet> sets;
  for (uint32_t i = 0; i < count && in.ok(); ++i) {
    LabelSet set{.instance = in.i32()};
    const uint32_t json_bytes = in.u32();
    if (json_bytes > kJsonBytesMax) return damaged("label record has too long a text", 0);
    set.json = in.text(json_bytes);
    set.count = in.i32();
    if (set.count > kLabelsMax) return damaged("label record has too many labels", 0);
    set.entries = in.bytes(set.size() * kEntryBytes);
    sets.push_back(set);
  }
  if (!in.done()) return damaged("label record does not fill its record", 0);
  out.add(*stamp, type, ident, sets);
  return {};
}

}  // namespace pmjit
