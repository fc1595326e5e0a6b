#include "runtime/archive/reader/indom_record.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/base/limits.h"

namespace pmjit {

namespace {

// Instances may share a name, so a small record can claim many bytes of names. Beyond this multiple
// of the record's size it is not a sharing that any writer makes.
constexpr size_t kNameSharingMax = 64;

std::string_view text_at(Bytes strings, size_t offset) {
  const auto* at = reinterpret_cast<const char*>(strings.data()) + offset;
  return {at, strnlen(at, strings.size() - offset)};
}

}  // namespace

OrDamage<IndomRecord> read_indom_record(Bytes payload, Version version, bool delta) {
  const size_t head = stamp_bytes(version) + 8;
  if (payload.size() < head) return damaged("instance domain record is too short", 0);
  const auto stamp = load_stamp(payload.data(), version);
  if (!stamp) return damaged("instance domain record has an impossible time stamp", 0);
  IndomRecord record{.stamp = *stamp, .delta = delta, .lists = payload.subspan(head)};
  record.indom = load_be<uint32_t>(payload.data() + head - 8);
  record.count = load_be<uint32_t>(payload.data() + head - 4);
  if (record.count > record.lists.size() / 8 || record.count > limits::kInstancesMax) {
    return damaged("instance domain record has an impossible count", 0);
  }
  return record;
}

bool list_stored(const IndomRecord& record, std::vector<NamedInstance>& out) {
  const std::byte* ids = record.lists.data();
  const std::byte* offsets = ids + size_t{record.count} * 4;
  const Bytes strings = record.lists.subspan(size_t{record.count} * 8);
  size_t name_bytes = 0;
  out.clear();
  for (uint32_t i = 0; i < record.count; ++i) {
    NamedInstance instance{.id = static_cast<int32_t>(load_be<uint32_t>(ids + size_t{i} * 4))};
    const auto offset = static_cast<int32_t>(load_be<uint32_t>(offsets + size_t{i} * 4));
    instance.gone = record.delta && offset == -1;
    if (instance.id < 0) return false;
    if (!instance.gone) {
      if (offset < 0 || static_cast<size_t>(offset) > strings.size()) return false;
      instance.name = text_at(strings, static_cast<size_t>(offset));
      name_bytes += instance.name.size();
    }
    out.push_back(instance);
  }
  return name_bytes <= kNameSharingMax * record.lists.size();
}

bool list_instances(const IndomRecord& record, std::vector<NamedInstance>& out) {
  if (!list_stored(record, out)) return false;
  const auto id_and_name = [](const NamedInstance& a) { return std::pair(a.id, a.name); };
  if (!std::ranges::is_sorted(out, {}, id_and_name)) std::ranges::sort(out, {}, id_and_name);
  const auto same = [](const NamedInstance& a, const NamedInstance& b) { return a.id == b.id; };
  out.erase(std::unique(out.begin(), out.end(), same), out.end());
  return true;
}

}  // namespace pmjit
