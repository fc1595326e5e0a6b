#include "tests/unit/wire/round_trip.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "runtime/base/result.h"
#include "runtime/model/pm_codes.h"
#include "runtime/wire/result_columns.h"
#include "runtime/wire/result_encoder.h"

namespace pmjit::wire {

namespace {

const ResultSets* sets_of(const Pdu& pdu) {
  if (const auto* result = std::get_if<ResultMessage>(&pdu.body)) return &result->sets;
  if (const auto* result = std::get_if<HighresResultMessage>(&pdu.body)) return &result->sets;
  return nullptr;
}

// The type of the first value; what stands in place may be of either type of 32 bits.
Elem type_of(const ResultSets& sets, const ValueSet& set) {
  if (set.count <= 0 || set.in_place) return Elem::u32;
  const uint32_t header = set.header != 0 ? set.header : sets.layout.spots[set.first].header;
  return elem_from_pm(static_cast<int>(block_type(header))).value_or(Elem::bytes);
}

void check_columns(Bytes bytes, const ResultSets& sets) {
  Rosters rosters;
  ResultColumns results(rosters);
  std::set<PmId> asked;
  std::vector<const ValueSet*> columns;
  for (const ValueSet& set : sets.layout.sets) {
    if (!asked.insert(set.pmid).second) continue;
    const Elem elem = type_of(sets, set);
    results.add_metric({.pmid = set.pmid, .pm_type = pm_type_of(elem), .indom = 1}, elem);
    columns.push_back(&set);
  }
  Block block;
  results.prepare(block);
  if (!results.append(bytes, block)) {  // a time that is none
    check(block.records.empty(), "columns: a result that is refused leaves nothing");
    return;
  }
  for (size_t i = 0; i < columns.size(); ++i) {
    const Column& column = block.columns[i];
    check(column.rows.size() == 1, "columns: a row per metric");
    const Row& row = column.rows[0];
    if (columns[i]->count <= 0) {
      check(row.status == columns[i]->count, "columns: the status is the count");
    } else if (row.status == 0) {
      check(rosters.size(row.roster_id) == static_cast<uint32_t>(columns[i]->count),
            "columns: as many values as the set has");
    } else {
      check(row.status == pm_err::E_TYPE && column.count == 0, "columns: values of another type");
    }
  }
}

// False: there is none.
bool copied(const ResultMessage& result, PduType type, int32_t from, ResultTime time,
            ByteWriter& out) {
  const auto rest = copy_head(result, type, from, time, out);
  if (rest) out.bytes(*rest);
  return rest.has_value();
}

// A copy with a time in nanoseconds has the same values.
void check_highres_copy(const ResultMessage& result, int32_t from) {
  ByteWriter copy;
  if (!copied(result, PduType::highres_result, from, {.seconds = 1, .fraction = 2}, copy)) return;
  ResultEncoder encoder(PduType::highres_result, {.seconds = 1, .fraction = 2});
  for (size_t i = 0; i < result.sets.size(); ++i) encoder.add(result.sets, i);
  ByteWriter encoded;
  encoder.finish(from, encoded);
  check(std::ranges::equal(copy.written(), encoded.written()), "copy of a result: another head");
}

// A copy is what would be encoded; false: there is none.
bool check_copy(const Pdu& pdu, Bytes encoded) {
  const auto* const result = std::get_if<ResultMessage>(&pdu.body);
  ByteWriter copy;
  const ResultTime time{.seconds = result == nullptr ? 0 : result->seconds,
                        .fraction = result == nullptr ? 0 : result->microseconds};
  if (result == nullptr || !copied(*result, PduType::result, pdu.from, time, copy)) {
    return false;
  }
  check_highres_copy(*result, pdu.from);
  check(std::ranges::equal(copy.written(), encoded), "copy of a result: what would be encoded");
  return true;
}

}  // namespace

RoundTrip round_trip(Bytes bytes, const Channel& channel) {
  const auto pdu = decode(bytes, channel);
  if (!pdu) {
    const Error& error = pdu.error();
    check(!error.what().empty() && error.pm_code() == pm_err::E_IPC, "a refusal has its reason");
    return {.decoded = false, .text = error.text()};
  }
  RoundTrip out{.decoded = true, .text = message_text(*pdu)};
  ByteWriter first, second;
  encode(*pdu, first);
  const auto again = decode(first.written(), channel);
  check(again.has_value(), "what was encoded can be decoded");
  check(message_text(*again) == out.text, "decode, encode, decode: the same message");
  encode(*again, second);
  check(std::ranges::equal(first.written(), second.written()), "encode: the same bytes again");
  if (const ResultSets* sets = sets_of(*pdu)) check_columns(bytes, *sets);
  out.is_copied = check_copy(*pdu, first.written());
  out.encoded = first.take();
  return out;
}

GuardedBytes::GuardedBytes(size_t most) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  room_ = (most + page - 1) / page * page;
  mapped_ = room_ + page;
  void* made = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  check(made != MAP_FAILED, "guarded bytes: mmap");
  base_ = static_cast<std::byte*>(made);
  check(mprotect(base_ + room_, page, PROT_NONE) == 0, "guarded bytes: mprotect");
}

GuardedBytes::~GuardedBytes() { munmap(base_, mapped_); }

std::span<std::byte> GuardedBytes::put(Bytes bytes) {
  check(bytes.size() <= room_, "guarded bytes: too many");
  std::byte* at = base_ + room_ - bytes.size();
  std::ranges::copy(bytes, at);
  return {at, bytes.size()};
}

}  // namespace pmjit::wire
