#include "runtime/archive/recording/record_notes.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace pmjit {

namespace {

size_t bytes_of(const RecordNote& note) {
  return sizeof(RecordNote) + 2 * sizeof(RecordNotes::Place) + sizeof(uint64_t) +
         note.bytes.size() + note.layout.sets.size() * sizeof(ValueSet) +
         note.layout.spots.size() * sizeof(Spot);
}

// Copies what is at `from` in the record; where it is in the note.
uint32_t keep(RecordNote& note, Bytes record, uint32_t from, size_t bytes) {
  const auto at = static_cast<uint32_t>(note.bytes.size());
  const Bytes kept = record.subspan(from, bytes);
  note.bytes.insert(note.bytes.end(), kept.begin(), kept.end());
  return at;
}

void keep_set(RecordNote& note, Bytes record, const RecordLayout& layout, ValueSet set) {
  const auto count = static_cast<size_t>(std::max(set.count, 0));
  set.pairs = keep(note, record, set.pairs, count * 8);
  if (count > 0 && !set.in_place && set.header != 0) {
    set.first = keep(note, record, set.first, count * padded_length(set.header));
  } else if (count > 0 && !set.in_place) {
    const auto from = layout.spots.begin() + set.first;
    set.first = static_cast<uint32_t>(note.layout.spots.size());
    for (Spot spot : std::span(from, count)) {
      spot.offset = keep(note, record, spot.offset, padded_length(spot.header));
      note.layout.spots.push_back(spot);
    }
  }
  note.layout.sets.push_back(set);
}

}  // namespace

RecordNotes::RecordNotes(std::vector<PmId> metrics, size_t bytes_max)
    : metrics_(std::move(metrics)), bytes_max_(bytes_max) {
  std::ranges::sort(metrics_);
}

bool RecordNotes::has(PmId metric) const { return std::ranges::binary_search(metrics_, metric); }

size_t RecordNotes::PlaceHash::operator()(const Place& place) const {
  return std::hash<uint64_t>{}(place.offset ^ uint64_t{place.member} << 48 ^
                               uint64_t{place.volume} << 32);
}

std::shared_ptr<const RecordNote> RecordNotes::beginning_at(const Place& place) const {
  const auto found = notes_.find(place);
  return found == notes_.end() ? nullptr : found->second;
}

std::shared_ptr<const RecordNote> RecordNotes::ending_at(const Place& place) const {
  const auto found = begins_.find(place);
  if (found == begins_.end()) return nullptr;
  return beginning_at({place.member, place.volume, found->second});
}

std::shared_ptr<const RecordNote> RecordNotes::add(const Place& place, const RecordHead& head,
                                                   const RecordLayout& layout) {
  const auto note = std::make_shared<RecordNote>();
  note->length = static_cast<uint32_t>(head.bytes.size());
  for (const ValueSet& set : layout.sets) {
    if (has(set.pmid)) keep_set(*note, head.bytes, layout, set);
  }
  note->head = {.bytes = note->bytes, .stamp = head.stamp, .sets = head.sets};
  note->head.body_end = static_cast<uint32_t>(note->bytes.size());
  if (!notes_.try_emplace(place, note).second) return note;
  begins_[{place.member, place.volume, place.offset + note->length}] = place.offset;
  order_.push_back(place);
  bytes_ += bytes_of(*note);
  while (bytes_ > bytes_max_) drop_oldest();
  return note;
}

void RecordNotes::drop_oldest() {
  const Place& place = order_.front();
  const auto oldest = notes_.find(place);
  bytes_ -= bytes_of(*oldest->second);
  begins_.erase({place.member, place.volume, place.offset + oldest->second->length});
  notes_.erase(oldest);
  order_.pop_front();
}

}  // namespace pmjit
