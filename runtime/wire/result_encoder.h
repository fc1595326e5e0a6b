// ResultEncoder: a RESULT or HIGHRES_RESULT is put together set by set, from values that a fetch or
// an agent delivers, from sets of other results, or from both: what a collector answers, what a
// client stores. Source: spec wire-protocol.md §6.
//
//   ResultEncoder result(PduType::highres_result, {.seconds = 1795195902, .fraction = 169890289});
//   result.add(fetched_set);             // values in host byte order
//   result.add(agent_reply.sets, 0);     // copied as they came
//   result.finish(from, out);            // appends the PDU; the encoder is empty again
//
// One block per value, in the order of the values, as decoders demand. Numbers of 32 bits stand in
// place, all else in blocks, the way the set says it (FetchedSet::format). A text's block has its
// NUL, an event array host byte order.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/base/byte_writer.h"
#include "runtime/model/value.h"
#include "runtime/wire/messages.h"

namespace pmjit::wire {

// As sent: microseconds in a RESULT, nanoseconds in a HIGHRES_RESULT.
struct ResultTime {
  int64_t seconds = 0, fraction = 0;
};
[[nodiscard]] ResultTime result_time(PduType type, Stamp stamp);

// Appends the head of a RESULT that came, or of a HIGHRES_RESULT with the same values; what is to
// follow it, as it came. None, and nothing is appended: a ResultEncoder would write it in other
// bytes, since its blocks are not in the order of the values, have padding, or move.
[[nodiscard]] std::optional<Bytes> copy_head(const ResultMessage& result, PduType type,
                                             int32_t from, ResultTime time, ByteWriter& out);

class ResultEncoder {
 public:
  // `type`: PduType::result or PduType::highres_result.
  ResultEncoder(PduType type, ResultTime time);
  // The next result: what was added and not finished is gone, and the memory is used again, unless
  // it is more than a result should leave behind.
  void begin(ResultTime time);

  // A set with values, or with a count that is 0 or an error.
  void add(const FetchedSet& set);
  void add(PmId pmid, int32_t status);  // 0 no values, or a PM_ERR_*
  void add(const ResultSets& sets, size_t which);
  // A set of numbers that stand in place. Their room, to be filled at once: an instance and a word
  // for each, big-endian.
  [[nodiscard]] std::span<std::byte> add_words(PmId pmid, size_t count);
  // A set of blocks: value_of(0), value_of(1) … are theirs.
  template <class ValueOf>
  void add_blocks(PmId pmid, size_t count, ValueFormat format, const ValueOf& value_of) {
    begin_set(pmid, static_cast<int32_t>(count), static_cast<int32_t>(format));
    for (size_t i = 0; i < count; ++i) {
      const Value value = value_of(i);
      put_block(value.instance, value.type, value.block, true);
    }
  }

  [[nodiscard]] size_t bytes() const;  // of the PDU so far
  void finish(int32_t from, ByteWriter& out);

 private:
  void clear();
  void begin_set(PmId pmid, int32_t count, int32_t format);
  void put_number_block(uint8_t type, Bytes data);
  void put_numbers(std::span<const Value> values);
  void put_block(int32_t instance, uint8_t type, Bytes data, bool of_host);

  PduType type_;
  ResultTime time_;
  uint32_t count_ = 0;
  ByteWriter sets_, blocks_;    // sets_ begins with the head of the PDU
  std::vector<size_t> places_;  // words in sets_ that say where a block is, from the first block
  std::vector<std::byte> scratch_;
};

}  // namespace pmjit::wire
