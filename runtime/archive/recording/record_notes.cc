#include "runtime/archive/recording/record_notes.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace pmjit {

RecordNotes::RecordNotes(std::vector<PmId> metrics) : metrics_(std::move(metrics)) {
  std::ranges::sort(metrics_);
}

bool RecordNotes::has(PmId metric) const { return std::ranges::binary_search(metrics_, metric); }

size_t RecordNotes::PlaceHash::operator()(const Place& place) const {
  return std::hash<uint64_t>{}(place.offset ^ uint64_t{place.member} << 48 ^
                               uint64_t{place.volume} << 32);
}

size_t RecordNotes::bytes_of(const Note& note) {
  return sizeof(Note) + sizeof(Place) + note.layout.sets.size() * sizeof(ValueSet) +
         note.layout.spots.size() * sizeof(Spot);
}

bool RecordNotes::find(const Place& place, Bytes bytes, RecordHead& head,
                       RecordLayout& layout) const {
  const auto found = notes_.find(place);
  if (found == notes_.end()) return false;
  const Note& note = found->second;
  // The file may have been cut short since.
  if (bytes.size() < note.length || load_be<uint32_t>(bytes.data()) != note.length) return false;
  head = note.head;
  head.bytes = bytes.first(note.length);
  layout = note.layout;
  return true;
}

void RecordNotes::add(const Place& place, const RecordHead& head, RecordLayout& layout) {
  Note note{.head = head, .length = static_cast<uint32_t>(head.bytes.size()), .layout = {}};
  note.head.bytes = {};
  note.layout.sets_end = layout.sets_end;
  for (ValueSet set : layout.sets) {
    if (!has(set.pmid)) continue;
    if (set.count > 0 && !set.in_place && set.header == 0) {
      const auto from = layout.spots.begin() + set.first;
      set.first = static_cast<uint32_t>(note.layout.spots.size());
      note.layout.spots.insert(note.layout.spots.end(), from, from + set.count);
    }
    note.layout.sets.push_back(set);
  }
  layout = note.layout;
  const size_t bytes = bytes_of(note);
  if (!notes_.try_emplace(place, std::move(note)).second) return;
  order_.push_back(place);
  bytes_ += bytes;
  while (bytes_ > kNotesBytesMax) {
    const auto oldest = notes_.find(order_.front());
    bytes_ -= bytes_of(oldest->second);
    notes_.erase(oldest);
    order_.pop_front();
  }
}

}  // namespace pmjit
