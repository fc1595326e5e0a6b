// RecordNotes: the values of a few metrics, out of the records of archives. The first reader notes
// them; the others then need no byte of a record's file.
//
//   RecordNotes notes({kWidePmid, kOtherPmid});
//   RecordReader first(archives, bad_volumes), second(archives, bad_volumes);
//   first.share(notes);
//   second.share(notes);          it outlives both; one thread
//
// Only sound records are noted. Beyond the limit the oldest go, so readers that stay near each
// other find nearly all.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "runtime/model/value_layout.h"

namespace pmjit {

inline constexpr size_t kNotesBytesMax = 16u << 20;

// A record as if it had the noted metrics alone. It is not to be moved: head looks at bytes.
struct RecordNote {
  RecordHead head;               // of `bytes`; its number of sets is that of the record
  RecordLayout layout;           // of `bytes`
  uint32_t length = 0;           // of the whole record
  std::vector<std::byte> bytes;  // pairs and blocks, set after set
};

class RecordNotes {
 public:
  explicit RecordNotes(std::vector<PmId> metrics, size_t bytes_max = kNotesBytesMax);

  [[nodiscard]] bool has(PmId metric) const;
  [[nodiscard]] size_t bytes() const { return bytes_; }  // in memory

  struct Place {
    size_t member, volume;
    uint64_t offset;
    friend bool operator==(const Place&, const Place&) = default;
  };
  // Of the record that begins (ends) there; null: it is not noted.
  [[nodiscard]] std::shared_ptr<const RecordNote> beginning_at(const Place& place) const;
  [[nodiscard]] std::shared_ptr<const RecordNote> ending_at(const Place& place) const;
  // Of the record that begins there.
  std::shared_ptr<const RecordNote> add(const Place& place, const RecordHead& head,
                                        const RecordLayout& layout);

 private:
  struct PlaceHash {
    size_t operator()(const Place& place) const;
  };
  void drop_oldest();

  std::vector<PmId> metrics_;  // ascending
  size_t bytes_max_;
  std::unordered_map<Place, std::shared_ptr<const RecordNote>, PlaceHash> notes_;
  std::unordered_map<Place, uint64_t, PlaceHash> begins_;  // of a record, by its end
  std::deque<Place> order_;                                // as they came
  size_t bytes_ = 0;
};

}  // namespace pmjit
