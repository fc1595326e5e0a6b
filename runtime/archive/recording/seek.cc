// Where a replay starts: the temporal index leads near the time that is asked for (spec archives.md
// §7). With a sound archive the values do not depend on it, but for the corner cases of §14.7.

#include <algorithm>

#include "runtime/archive/recording/records.h"

namespace pmjit {

namespace {

// Forward: the last archive that starts before the time; backward: the first that starts at it or
// later.
size_t choose_member(const Archives& archives, Stamp when, bool forward) {
  size_t chosen = forward ? 0 : archives.size() - 1;
  for (size_t i = 0; i < archives.size(); ++i) {
    const double after = seconds_between(archives[i].start(), when);
    if (forward && after < 0) chosen = i;
    if (!forward && after >= 0) return i;
  }
  return chosen;
}

struct SeekChoice {
  size_t entry = 0;
  bool back_up = false;
  bool near = true;  // look around; else the place is taken as it is
};

// Which of the entries that count leads nearest to the time; `cut_short`: the one behind them
// points beyond its file.
SeekChoice choose_entry(std::span<const IndexEntry> entries, Stamp when, bool forward) {
  size_t j = 0;
  while (j < entries.size() && seconds_between(entries[j].stamp, when) < 0) ++j;
  if (j == entries.size()) return {.entry = entries.size() - 1, .near = false};
  const double ahead = seconds_between(entries[j].stamp, when);
  if (j == 0 || ahead == 0) return {.entry = j, .near = ahead != 0};
  const double behind = seconds_between(when, entries[j - 1].stamp);
  if (behind >= ahead) return {.entry = j};
  return {.entry = j - 1, .back_up = forward};
}

}  // namespace

// The entries of the index that count, found once a member.
const std::vector<IndexEntry>& RecordReader::entries_of(size_t member) {
  if (entries_.empty()) entries_.resize(archives_.size());
  if (entries_[member]) return *entries_[member];
  const Archive& archive = archives_[member];
  const auto& volumes = archive.volumes();
  const auto beyond_the_end = [&](const IndexEntry& entry) {
    if (entry.volume != volumes.back().number) return false;
    if (entry.data_offset <= static_cast<int64_t>(volumes.back().bytes)) return false;
    // The file is shorter than what is in it where it is compressed.
    position_ = {.member = member, .volume = volumes.size() - 1};
    const auto file = volume();
    return !file || *file == nullptr || entry.data_offset > static_cast<int64_t>((*file)->size());
  };
  std::vector<IndexEntry> entries;
  for (const IndexEntry& entry : archive.index()) {
    if (entry.volume < volumes.front().number) continue;
    if (beyond_the_end(entry)) break;
    entries.push_back(entry);
  }
  return entries_[member].emplace(std::move(entries));
}

Result<bool> RecordReader::seek(Stamp when, bool forward) {
  const size_t member = choose_member(archives_, when, forward);
  const Archive& archive = archives_[member];
  const auto& volumes = archive.volumes();
  const auto number_less = [](const VolumeFile& file, int32_t n) { return file.number < n; };
  const auto volume_at = [&](int32_t number) {
    return std::lower_bound(volumes.begin(), volumes.end(), number, number_less);
  };
  const std::vector<IndexEntry>& entries = entries_of(member);
  const RecordPosition start{.member = member, .offset = label_bytes(archive.label().version)};
  if (entries.empty()) {
    if (forward)
      position_ = start;
    else
      move_to_end_of(member);
    return true;
  }
  const SeekChoice choice = choose_entry(entries, when, forward);
  for (size_t i = choice.entry; i < entries.size(); ++i) {
    const auto found = volume_at(entries[i].volume);
    if (found == volumes.end() || found->number != entries[i].volume) {
      // The volume is not there. Backwards the reference ends up where nothing is before it.
      if (!forward) break;
      continue;
    }
    position_ = {.member = member,
                 .volume = static_cast<size_t>(found - volumes.begin()),
                 .offset = static_cast<uint64_t>(entries[i].data_offset)};
    // Never into the archive before.
    if (choice.back_up && i == choice.entry && position_ != start) {
      if (auto step = previous(); !step) return std::unexpected(step.error());
    }
    return !forward || choice.near;
  }
  position_ = start;
  return forward;
}

}  // namespace pmjit
