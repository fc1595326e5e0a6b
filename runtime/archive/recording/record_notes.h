// RecordNotes: where the values of a few metrics are in the records of archives. The first reader
// notes it; the others then read these values and nothing else of a record.
//
//   RecordNotes notes({kWidePmid, kOtherPmid});
//   RecordReader first(archives, bad_volumes), second(archives, bad_volumes);
//   first.share(notes);
//   second.share(notes);          it outlives both; one thread
//
// Only sound records are noted. Beyond kNotesBytesMax the oldest go, so readers that stay near each
// other find nearly all.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "runtime/model/value_layout.h"

namespace pmjit {

inline constexpr size_t kNotesBytesMax = 16u << 20;

class RecordNotes {
 public:
  explicit RecordNotes(std::vector<PmId> metrics);

  [[nodiscard]] bool has(PmId metric) const;
  [[nodiscard]] size_t bytes() const { return bytes_; }  // in memory

  struct Place {
    size_t member, volume;
    uint64_t offset;
    friend bool operator==(const Place&, const Place&) = default;
  };
  // `bytes` begin with the record at `place`. Fills its head, and `layout` with the sets of the
  // metrics. False: the record is not noted, and both stay.
  [[nodiscard]] bool find(const Place& place, Bytes bytes, RecordHead& head,
                          RecordLayout& layout) const;
  // Drops the sets of other metrics from `layout`, and notes what is left.
  void add(const Place& place, const RecordHead& head, RecordLayout& layout);

 private:
  struct PlaceHash {
    size_t operator()(const Place& place) const;
  };
  struct Note {
    RecordHead head;  // without its bytes
    uint32_t length;
    RecordLayout layout;
  };
  [[nodiscard]] static size_t bytes_of(const Note& note);

  std::vector<PmId> metrics_;  // ascending
  std::unordered_map<Place, Note, PlaceHash> notes_;
  std::deque<Place> order_;  // as they came
  size_t bytes_ = 0;
};

}  // namespace pmjit
