// Column: the rows of one metric (or of one expression), and one flat typed array of values, row
// after row.
//
//   rows    {t0, roster A} {t1, roster A} {t2, roster B}
//   values   a0 a1 a2        a0 a1 a2       b0 b1        one array; row.offset indexes its first
//   valid    null: every value is; else one bit a value
//
// A Run is the unit of work: consecutive rows of one roster, n lanes a row, contiguous. The
// previous sample of a lane is n values back.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/base/bits.h"
#include "runtime/base/bytes.h"
#include "runtime/model/desc.h"
#include "runtime/model/roster.h"
#include "runtime/model/row_list.h"
#include "runtime/model/stamp.h"

namespace pmjit {

struct Run {
  uint32_t first_row = 0, rows = 0;
  RosterId roster_id;
  uint32_t lanes = 0;
  uint64_t offset = 0;  // of the first value
};

// Texts (and byte strings) of one column; a value is an index. Bounded by the block it lives in.
class Dictionary {
 public:
  uint32_t add(std::string_view text);
  [[nodiscard]] std::string_view operator[](uint32_t index) const { return known_->texts[index]; }
  [[nodiscard]] size_t size() const { return known_ == nullptr ? 0 : known_->texts.size(); }
  void clear() { known_.reset(); }
  Dictionary() = default;
  Dictionary(const Dictionary& other);
  Dictionary(Dictionary&&) noexcept = default;
  Dictionary& operator=(Dictionary other) noexcept {
    std::swap(known_, other.known_);
    return *this;
  }
  ~Dictionary() = default;

 private:
  struct Known {
    std::vector<std::string> texts;
    std::unordered_map<std::string, uint32_t> index;
  };
  std::unique_ptr<Known> known_;  // null, as for numbers: none
};

struct Column {
  Elem elem = Elem::f64;
  RowList rows;
  Buffer values;                // count × elem_bytes(elem)
  uint64_t count = 0;           // values
  std::vector<uint64_t> valid;  // empty: all valid
  Dictionary dictionary;        // Elem::text, Elem::bytes

  [[nodiscard]] const uint64_t* valid_or_null() const {
    return valid.empty() ? nullptr : valid.data();
  }
  [[nodiscard]] bool is_valid(uint64_t i) const {
    return valid.empty() || bits::get(valid.data(), i);
  }
  [[nodiscard]] bool all_valid(uint64_t from, uint64_t how_many) const;

  // Makes room for `more` values at the end and returns the index of the first.
  uint64_t grow(uint64_t more) {
    const uint64_t first = count;
    count += more;
    values.resize(count * elem_bytes(elem));
    if (!valid.empty()) set_grown_valid(first, more);
    return first;
  }
  // Keeps capacity; rows and values are gone.
  void clear();
  // The run that starts at `row`: it ends where roster or status change, or values stop being
  // contiguous.
  [[nodiscard]] Run run_at(uint32_t row, const Rosters& rosters) const;
  // Bitmap upkeep. The bitmap exists from the first invalid value on.
  void mark_invalid(uint64_t from, uint64_t how_many);
  // Takes over the validity of values [from, from+how_many); bit 0 of `map` is the first of them.
  void set_validity(uint64_t from, const uint64_t* map, uint64_t how_many);
  // Appends a copy of a row of `lanes` values, validity included; row.record stays.
  void append_row(const Column& source, const Row& row, uint64_t lanes);
  // The same values at the same offsets; no rows.
  void copy_values(const Column& source);
  // Values [from, from+how_many) were copied from `source`: where they are indices of its
  // dictionary, they become indices of this one. Of numbers: nothing.
  void take_texts(const Column& source, uint64_t from, uint64_t how_many);

 private:
  void set_grown_valid(uint64_t from, uint64_t how_many);
};

// Block: the columns of one fetch group over a span of records: one record live, thousands from an
// archive.
//
// Records stand in the order of the source. A record that carries none of the plan's metrics is
// left out; a mark is kept, for nothing crosses it. Column i belongs to metric i of the plan;
// row.record says which record it came from. A column has no row for a record that does not carry
// its metric.
struct Record {
  Stamp stamp;
  bool mark = false;    // "data stream interrupted here": no values
  uint32_t source = 0;  // whose it is, where a recording is of several (Recording::source_of)
};

struct Block {
  std::vector<Record> records;
  std::vector<Column> columns;
  uint64_t bytes = 0;  // bytes of the source that were walked to make it
  uint64_t alike = 0;  // records that were copied, being like one before (record_template.h)
  // Whose memory this is: of use to the cursor that filled the block, when it comes again.
  uint32_t owner = 0;

  void clear() {
    records.clear();
    for (Column& column : columns) column.clear();
    bytes = alike = 0;
  }
};

}  // namespace pmjit
