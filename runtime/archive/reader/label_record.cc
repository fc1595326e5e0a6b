#include "runtime/archive/reader/label_record.h"

namespace pmjit {

OrDamage<void> check_label_record(Bytes payload, Version version) {
  constexpr uint32_t kJsonBytesMax = 65'535;
  constexpr int32_t kLabelsMax = 255;
  constexpr size_t kEntryBytes = 8;
  ByteReader in(payload);
  in.skip(stamp_bytes(version) + 8);  // stamp, label type, whose label it is
  const uint32_t sets = in.u32();
  for (uint32_t i = 0; i < sets && in.ok(); ++i) {
    in.skip(4);
    const uint32_t json_bytes = in.u32();
    if (json_bytes > kJsonBytesMax) return damaged("label record has too long a text", 0);
    in.skip(json_bytes);
    const int32_t labels = in.i32();
    if (labels > kLabelsMax) return damaged("label record has too many labels", 0);
    if (labels > 0) in.skip(static_cast<size_t>(labels) * kEntryBytes);
  }
  if (!in.done()) return damaged("label record does not fill its record", 0);
  return {};
}

}  // namespace pmjit
