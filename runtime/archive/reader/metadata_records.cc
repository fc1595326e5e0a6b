#include "runtime/archive/reader/metadata_records.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <unordered_set>
#include <utility>
#include <vector>

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

using InstanceSet = std::vector<NamedInstance>;
using Records = std::span<const IndomRecord* const>;

std::unexpected<Damage> bad_instance(const IndomRecord& record) {
  return damaged("instance domain record has a bad instance", record.offset);
}

std::unexpected<Damage> no_fit(const IndomRecord& record) {
  return damaged("instance domain change does not fit the set before it", record.offset);
}

uint64_t mixed(const NamedInstance& instance) {
  const uint64_t both = std::hash<std::string_view>()(instance.name) ^
                        static_cast<uint64_t>(instance.id) * 0x9e3779b97f4a7c15;
  return (both ^ both >> 29) * 0xbf58476d1ce4e5b9;
}

// A set that records change, with a number that is equal for equal sets.
class Current {
 public:
  explicit Current(InstanceSet set) { take(std::move(set)); }

  [[nodiscard]] bool apply(const IndomRecord& record, const InstanceSet& listed) {
    if (!record.delta) {
      take(listed);
      return true;
    }
    for (const NamedInstance& change : listed) {
      const auto at = std::ranges::lower_bound(set_, change.id, {}, &NamedInstance::id);
      const bool there = at != set_.end() && at->id == change.id;
      if (change.gone) {
        if (!there) return false;
        sum_ -= mixed(*at);
        set_.erase(at);
      } else if (!there) {
        sum_ += mixed(change);
        set_.insert(at, change);
      }
    }
    return true;
  }
  [[nodiscard]] const InstanceSet& set() const { return set_; }
  [[nodiscard]] uint64_t sum() const { return sum_; }

 private:
  void take(InstanceSet set) {
    set_ = std::move(set);
    sum_ = 0;
    for (const NamedInstance& instance : set_) sum_ += mixed(instance);
  }
  InstanceSet set_;
  uint64_t sum_ = 0;
};

OrDamage<void> add_one(const IndomRecord& record, Domain& domain, InstanceSet& listed) {
  if (!list_instances(record, listed)) return bad_instance(record);
  if (!record.delta) {
    domain.replace(record.stamp, listed);
  } else if (!domain.change(record.stamp, listed)) {
    return no_fit(record);
  }
  return {};
}

// Calls use(number, Current) after each record.
template <class Use>
OrDamage<void> walk(Records records, const Domain& domain, InstanceSet& listed, Use use) {
  bool has_set = domain.set_count() != 0;
  Current current(domain.newest_set());  // `use` may add to the domain
  for (size_t i = 0; i < records.size(); ++i) {
    if (!list_instances(*records[i], listed)) return bad_instance(*records[i]);
    has_set = has_set || !records[i]->delta;
    if (!has_set || !current.apply(*records[i], listed)) return no_fit(*records[i]);
    use(i, current);
  }
  return {};
}

// Of equal sets with one stamp the reference keeps the last.
OrDamage<void> add_of_one_stamp(Records records, Domain& domain, InstanceSet& listed) {
  std::vector<uint64_t> sums;
  auto done = walk(records, domain, listed,
                   [&sums](size_t, const Current& current) { sums.push_back(current.sum()); });
  if (!done) return done;
  std::vector<bool> kept(sums.size());
  std::unordered_set<uint64_t> later;
  for (size_t i = sums.size(); i-- > 0;) kept[i] = later.insert(sums[i]).second;
  if (later.size() == sums.size()) {
    for (const IndomRecord* record : records) {
      if (done = add_one(*record, domain, listed); !done) return done;
    }
    return {};
  }
  return walk(records, domain, listed, [&](size_t i, const Current& current) {
    if (kept[i]) domain.replace(records[i]->stamp, current.set());
  });
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

OrDamage<Domain> build_domain(std::vector<const IndomRecord*> records) {
  const auto stamp_of = [](const IndomRecord* record) { return record->stamp; };
  if (!std::ranges::is_sorted(records, {}, stamp_of)) {
    std::ranges::stable_sort(records, {}, stamp_of);
  }
  Domain domain;
  InstanceSet listed;
  for (auto from = records.begin(); from != records.end();) {
    auto to = from + 1;
    while (to != records.end() && (*to)->stamp == (*from)->stamp) ++to;
    auto done = to == from + 1 ? add_one(**from, domain, listed)
                               : add_of_one_stamp({from, to}, domain, listed);
    if (!done) return std::unexpected(done.error());
    from = to;
  }
  return domain;
}

}  // namespace pmjit
