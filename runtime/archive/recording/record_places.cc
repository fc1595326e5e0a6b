#include "runtime/archive/recording/record_places.h"

#include <algorithm>
#include <iterator>

namespace pmjit {

namespace {

constexpr uint64_t kBytesBetweenPlaces = 1u << 20;

}  // namespace

void RecordPlaces::add(const MarkScan::Scanned& head, size_t member) {
  if (!known_.empty()) {
    const ArchivesSource::Place& last = known_.back().place;
    const bool near = last.member == member && last.record.volume == head.at.volume &&
                      head.at.offset - last.record.offset < kBytesBetweenPlaces;
    if (near) return;
  }
  known_.push_back({.stamp = head.stamp, .place = {.member = member, .record = head.at}});
}

ArchivesSource::Place RecordPlaces::before(Stamp when) const {
  const auto behind = std::ranges::lower_bound(known_, when, {}, &Known::stamp);
  return behind == known_.begin() ? ArchivesSource::Place{} : std::prev(behind)->place;
}

Result<std::unique_ptr<Cursor>> PlacedSource::open(const FetchPlan& plan, Rosters& rosters) const {
  auto pieces = recorded_.open_pieces_at(places_.before(plan.from), plan);
  if (!pieces) return fail(pieces.error());
  return cursor_over(*std::move(pieces), rosters);
}

}  // namespace pmjit
