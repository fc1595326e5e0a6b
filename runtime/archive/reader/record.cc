#include "runtime/archive/reader/record.h"

#include "runtime/base/limits.h"

namespace pmjit {

OrDamage<RecordHead> read_record_head(Bytes rest, Version version) {
  const auto head_bytes = static_cast<uint32_t>(4 + stamp_bytes(version) + 4);
  if (rest.size() < 4) return damaged("record is cut short", 0);
  const uint32_t length = load_be<uint32_t>(rest.data());
  if (length < head_bytes + 4 || length > limits::kRecordBytesMax) {
    return damaged("record has an impossible length", 0);
  }
  if (length > rest.size()) return damaged("record is cut short", 0);
  if (load_be<uint32_t>(rest.data() + length - 4) != length) {
    return damaged("record's last word is not its length", length - 4);
  }
  const auto stamp = load_stamp(rest.data() + 4, version);
  if (!stamp) return damaged("record has an impossible time stamp", 4);
  RecordHead head{.bytes = rest.first(length),
                  .stamp = *stamp,
                  .sets_at = head_bytes,
                  .body_end = length - 4,
                  .words_before = 2};
  head.sets = load_be<uint32_t>(rest.data() + head_bytes - 4);
  if (head.sets > length)
    return damaged("record has an impossible number of metrics", head_bytes - 4);
  if (head.sets == 0 && length != head_bytes + 4) {
    return damaged("mark record is too long", 0);
  }
  return head;
}

}  // namespace pmjit
