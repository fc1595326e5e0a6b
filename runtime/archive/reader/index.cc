#include "runtime/archive/reader/index.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "runtime/archive/format/label.h"

namespace pmjit {

namespace {

// As in the file, where load_stamp() would refuse what is no time.
Stamp raw_stamp(ByteReader& in, Version version) {
  Stamp stamp;
  if (version == Version::v2) {
    stamp.sec = in.i32();
    stamp.nsec = static_cast<int32_t>(in.u32() * 1000);
  } else {
    const uint64_t low = in.u32(), high = in.u32();
    stamp.sec = static_cast<int64_t>(high << 32 | low);
    stamp.nsec = in.i32();
  }
  return stamp;
}

struct Numbers {  // first … last
  int64_t first = 0, last = 0;
};

std::vector<Numbers> not_there(std::span<const int32_t> present,
                               std::span<const IndexEntry> index) {
  std::vector<Numbers> out;
  int64_t next = 0;
  for (const int32_t number : present) {
    if (number > next) out.push_back({next, int64_t{number} - 1});
    next = int64_t{number} + 1;
  }
  int64_t named = -1;
  for (const IndexEntry& entry : index) named = std::max<int64_t>(named, entry.volume);
  if (named >= next) out.push_back({next, named});
  return out;
}

// An index is read as it is stored; what is no time is not told.
std::string time_text(const IndexEntry& entry) {
  const bool sound = entry.stamp.nsec >= 0 && entry.stamp.nsec < 1'000'000'000 &&
                     entry.stamp.sec <= kSecondsMax && entry.stamp.sec >= -kSecondsMax;
  return sound ? iso_utc(entry.stamp) : "an unknown time";
}

// The first record of each volume has an entry, and the last one of the archive.
std::string span_text(Numbers lost, std::span<const IndexEntry> index) {
  const IndexEntry *from = nullptr, *to = nullptr, *after = nullptr;
  for (const IndexEntry& entry : index) {
    if (entry.volume >= lost.first && entry.volume <= lost.last) {
      if (from == nullptr) from = &entry;
      to = &entry;
    } else if (entry.volume > lost.last && after == nullptr) {
      after = &entry;
    }
  }
  if (from == nullptr) return "the temporal index does not say what was recorded there";
  if (after != nullptr) {
    return fmt::format("what was recorded from {} until {} is not there", time_text(*from),
                       time_text(*after));
  }
  return fmt::format("what was recorded from {} to {} or later is not there", time_text(*from),
                     time_text(*to));
}

}  // namespace

std::vector<IndexEntry> read_index(Bytes file, Version version) {
  std::vector<IndexEntry> out;
  const size_t label = label_bytes(version), bytes = index_entry_bytes(version);
  if (file.size() < label) return out;
  ByteReader in(file.subspan(label));
  out.reserve(in.left() / bytes);
  while (in.left() >= bytes) {
    IndexEntry entry{.stamp = raw_stamp(in, version), .volume = in.i32()};
    entry.meta_offset = version == Version::v2 ? in.i32() : in.i64();
    entry.data_offset = version == Version::v2 ? in.i32() : in.i64();
    out.push_back(entry);
  }
  return out;
}

std::vector<std::string> missing_volumes(std::span<const int32_t> present,
                                         std::span<const IndexEntry> index) {
  std::vector<std::string> out;
  for (const Numbers lost : not_there(present, index)) {
    const std::string which = lost.first == lost.last
                                  ? fmt::format("volume {} is", lost.first)
                                  : fmt::format("volumes {} to {} are", lost.first, lost.last);
    const bool between = lost.first > present.front() && lost.last < present.back();
    out.push_back(fmt::format("{} missing: {}{}", which, span_text(lost, index),
                              between ? "; rules of pmie interpolate values there" : ""));
  }
  return out;
}

}  // namespace pmjit
