#include "runtime/client/fetch_counts.h"

namespace pmjit {

// Source: spec wire-protocol.md §5.5, §5.6, §6.
uint64_t FetchCounts::values_of(Bytes pdu, bool highres) {
  constexpr size_t kHeader = 12, kStamp = 8, kHighresStamp = 16, kValue = 8;
  ByteReader in(pdu);
  in.skip(kHeader);
  uint32_t sets = 0;
  if (highres) {
    sets = in.u32();
    in.skip(kHighresStamp);
  } else {
    in.skip(kStamp);
    sets = in.u32();
  }
  uint64_t out = 0;
  for (uint32_t i = 0; i < sets && in.ok(); ++i) {
    in.skip(sizeof(uint32_t));  // the metric
    const int32_t values = in.i32();
    if (values <= 0) continue;
    in.skip(sizeof(uint32_t) + kValue * static_cast<size_t>(values));
    if (in.ok()) out += static_cast<uint64_t>(values);
  }
  return out;
}

}  // namespace pmjit
