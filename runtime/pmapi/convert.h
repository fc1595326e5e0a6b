// Between C's structures and the tree's own. Source: spec pmapi.md §3.
//
//   auto result = give_result<pmResult>(fetched);        for pmFreeResult()
//   std::vector<FetchedSet> sets = sets_of(*result);      values stay where they are
#pragma once

#include <vector>

#include "runtime/archive/reader/labels.h"
#include "runtime/model/desc.h"
#include "runtime/model/stamp.h"
#include "runtime/model/units.h"
#include "runtime/model/value.h"
#include "runtime/pmapi/border.h"
#include "runtime/text/interval.h"

namespace pmjit {

[[nodiscard]] Units units_of(const pmUnits& units);
[[nodiscard]] pmUnits to_c(const Units& units);
[[nodiscard]] Desc desc_of(const pmDesc& desc);
[[nodiscard]] pmDesc to_c(const Desc& desc);

[[nodiscard]] inline pmLabel to_c(const LabelEntry& entry) {
  return {.name = entry.name_offset,
          .namelen = entry.name_length,
          .flags = entry.flags,
          .value = entry.value_offset,
          .valuelen = entry.value_length};
}

[[nodiscard]] inline Stamp stamp_of(const timeval& time) {
  return {.sec = time.tv_sec, .nsec = static_cast<int32_t>(time.tv_usec * 1'000)};
}
[[nodiscard]] inline Stamp stamp_of(const timespec& time) {
  return {.sec = time.tv_sec, .nsec = static_cast<int32_t>(time.tv_nsec)};
}
inline void put_time(Stamp stamp, timeval& out) {
  out = {.tv_sec = stamp.sec, .tv_usec = stamp.nsec / 1'000};
}
inline void put_time(Stamp stamp, timespec& out) {
  out = {.tv_sec = stamp.sec, .tv_nsec = stamp.nsec};
}
[[nodiscard]] inline MicroTime parts_of(const timeval& time) { return {time.tv_sec, time.tv_usec}; }
[[nodiscard]] inline NanoTime parts_of(const timespec& time) { return {time.tv_sec, time.tv_nsec}; }
inline void put_parts(MicroTime time, timeval& out) {
  out = {.tv_sec = time.sec, .tv_usec = time.part};
}
inline void put_parts(NanoTime time, timespec& out) {
  out = {.tv_sec = time.sec, .tv_nsec = time.part};
}

// With its quotes, as a value of labels.
[[nodiscard]] std::string json_quoted(std::string_view text);

// A value where it stands. A block that is not there, or shorter than its header, has no bytes.
[[nodiscard]] Value value_of(int valfmt, const pmValue& value);

// The sets of a result that a program has made. `none`: where one has no values.
[[nodiscard]] std::vector<FetchedSet> sets_of(int numpmid, pmValueSet* const* sets);

// Result: one block of memory: the structure, its sets, their blocks. It is remembered, for a
// program may free results of its own making with the same function.
void* give_result(const Fetched& fetched, bool nanoseconds);
void free_result(void* result);
// All but the structure itself; nothing of a result of ours, which is one block.
void free_result_values(void* result);

}  // namespace pmjit
