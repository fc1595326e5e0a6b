#include "runtime/archive/reader/missing_volumes.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

namespace pmjit {

namespace {

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

std::vector<std::string> missing_volumes(std::span<const int32_t> present,
                                         std::span<const IndexEntry> index) {
  std::vector<std::string> out;
  for (const Numbers lost : not_there(present, index)) {
    const std::string which = lost.first == lost.last
                                  ? fmt::format("volume {} is", lost.first)
                                  : fmt::format("volumes {} to {} are", lost.first, lost.last);
    out.push_back(fmt::format("{} missing: {}", which, span_text(lost, index)));
  }
  return out;
}

}  // namespace pmjit
