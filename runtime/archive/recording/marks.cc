#include "runtime/archive/recording/marks.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "runtime/archive/recording/archives_source.h"

namespace pmjit {

namespace {

// Of ascending stamps.
std::optional<Stamp> last_of(const std::vector<Stamp>& stamps, Stamp from, Stamp until) {
  const auto behind = std::ranges::upper_bound(stamps, until);
  if (behind == stamps.begin() || *std::prev(behind) <= from) return std::nullopt;
  return *std::prev(behind);
}

// Where one archive ends and another goes on.
std::vector<Stamp> borders_of(const Archives& archives) {
  std::vector<Stamp> out;
  for (size_t i = 0; i + 1 < archives.size(); ++i) {
    const auto end = archives.end_before_next(i);
    if (end) out.push_back(stamp_from_nanos(nanos(*end) + 1));
  }
  return out;
}

MarkScan scan_of(const Archive& archive, MarkScan::Place from = {}) {
  return {archive.label(), archive.volumes(), from};
}

// Where the last entry of the index leads that is not later.
MarkScan::Place place_before(const Archive& archive, Stamp when) {
  MarkScan::Place out;
  const auto& volumes = archive.volumes();
  for (const IndexEntry& entry : archive.index()) {
    if (entry.stamp > when) break;
    const auto found = std::ranges::find(volumes, entry.volume, &VolumeFile::number);
    if (found == volumes.end() || entry.data_offset < 0) continue;
    out = {.volume = static_cast<size_t>(found - volumes.begin()),
           .offset = static_cast<uint64_t>(entry.data_offset)};
  }
  return out;
}

}  // namespace

Marks::Marks(const Archives& archives)
    : archives_(&archives), scan_(scan_of(archives[0])), borders_(borders_of(archives)) {}

std::optional<Stamp> Marks::last_between(Stamp from, Stamp until) {
  const auto place = static_cast<uint32_t>(from.nsec ^ until.nsec) / 8 % answers_.size();
  std::optional<Answer>& answer = answers_[place];
  if (answer && answer->from == from && answer->until == until) return answer->mark;
  // Behind a record that is later an earlier mark may stand.
  while ((read_.empty() || read_.back() <= until) && read_record()) {
  }
  const auto mark = last_of(read_, from, until), border = last_of(borders_, from, until);
  const auto found = mark && border ? std::max(mark, border) : mark ? mark : border;
  answer = {.from = from, .until = until, .mark = found};
  return found;
}

bool Marks::any() {
  while (read_.empty() && read_record()) {
  }
  return !read_.empty() || !borders_.empty();
}

bool Marks::lengths_fit() {
  while (read_record()) {
  }
  return lengths_fit_;
}

// False: there is no more. A border is a mark, too, as the records behind it see it.
bool Marks::read_record() {
  if (!scan_) return false;
  if (const auto record = scan_->next()) {
    if (last_ && record->behind_hole) {
      read_.push_back(stamp_from_nanos(nanos(last_->stamp) + 1));
    }
    if (record->mark) read_.push_back(record->stamp);
    last_ = record;
    return true;
  }
  last_.reset();
  const bool has_next = member_ + 1 < archives_->size() && archives_->refuse_overlap(member_);
  const bool is_last = member_ + 1 == archives_->size();
  lengths_fit_ = lengths_fit_ && (scan_->at_end() || (is_last && scan_->at_cut()));
  scan_.reset();
  if (!has_next) return false;
  const Archive& next = (*archives_)[++member_];
  read_.push_back(next.label().start);
  scan_.emplace(scan_of(next));
  return true;
}

Result<std::vector<Stamp>> all_marks(const ArchivesSource& recorded) {
  Rosters rosters;
  auto cursor = recorded.open({}, rosters);
  if (!cursor) return fail(cursor.error());
  std::vector<Stamp> read;
  Block block;
  for (;;) {
    const auto more = (*cursor)->next(block);
    if (!more) return fail(more.error());
    if (!*more) break;
    for (const Record& record : block.records) read.push_back(record.stamp);
  }
  std::vector<Stamp> out;
  std::ranges::merge(read, borders_of(recorded.archives()), std::back_inserter(out));
  return out;
}

std::vector<Gap> interruptions(const Archives& archives) {
  std::vector<Gap> out;
  Stamp last = archives.start();
  bool is_open = false;
  const auto begin = [&](GapCause cause) {
    if (!is_open) out.push_back({.from = last, .cause = cause});
    is_open = true;
  };
  for (size_t i = 0; i < archives.size(); ++i) {
    if (i > 0) begin(GapCause::archive);
    MarkScan scan = scan_of(archives[i]);
    while (const auto record = scan.next()) {
      if (record->mark) {
        begin(GapCause::mark);
        continue;
      }
      last = record->stamp;
      if (std::exchange(is_open, false)) out.back().to = last;
    }
    if (!scan.at_end()) break;
  }
  return out;
}

void StepsBack::add(Stamp stamp, const std::string& path, uint64_t offset) {
  if (last_ && stamp < *last_ && count_++ == 0) {
    first_ = fmt::format("file {}, offset {}: time goes back from {} to {}", path, offset,
                         iso_utc(*last_), iso_utc(stamp));
  }
  last_ = stamp;
}

std::optional<std::string> StepsBack::warning() const {
  if (count_ == 0) return std::nullopt;
  return fmt::format("{}{}; values of those times may be wrong", first_,
                     count_ == 1 ? "" : fmt::format(", and {} times in all", count_));
}

void StepsBack::add(const MarkScan::Scanned& head, const Archive& archive) {
  add(head.stamp, archive.volumes()[head.at.volume].path, head.at.offset);
}

void scan_heads(const Archives& archives, Stamp from, Stamp to, const UseHead& use) {
  for (size_t i = 0; i < archives.size(); ++i) {
    const Archive& archive = archives[i];
    MarkScan scan = scan_of(archive, place_before(archive, from));
    size_t beyond = 0;
    while (const auto head = scan.next()) {
      use(*head, archive);
      beyond = head->stamp > to ? beyond + 1 : 0;
      if (beyond == 2) return;
    }
  }
}

std::optional<std::string> steps_back(const Archives& archives, Stamp from, Stamp to) {
  StepsBack out;
  scan_heads(archives, from, to,
             [&](const MarkScan::Scanned& head, const Archive& of) { out.add(head, of); });
  return out.warning();
}

}  // namespace pmjit
