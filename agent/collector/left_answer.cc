#include "agent/collector/left_answer.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>

#include "runtime/wire/frame.h"

namespace pmjit {

namespace {

constexpr uint32_t kResultHead = 24, kSetHead = 8, kPair = 8, kWord = 4;

// Nobody reads it twice: it may be another one then.
uint32_t word_at(Bytes bytes, size_t at) {
  auto* const place = reinterpret_cast<uint32_t*>(const_cast<std::byte*>(bytes.data() + at));
  return std::byteswap(std::atomic_ref(*place).load(std::memory_order_relaxed));
}

}  // namespace

std::optional<Bytes> left_pdu(Bytes room) {
  const uint32_t bytes = word_at(room, 0);
  if (bytes < wire::kHeaderBytes || bytes > room.size()) return {};
  return room.first(bytes);
}

std::optional<wire::ResultMessage> read_left(Bytes pdu) {
  const auto end = static_cast<uint32_t>(pdu.size());
  if (end < kResultHead || word_at(pdu, 4) != static_cast<uint32_t>(wire::PduType::result)) {
    return {};
  }
  wire::ResultMessage out{.seconds = static_cast<int32_t>(word_at(pdu, 12)),
                          .microseconds = static_cast<int32_t>(word_at(pdu, 16))};
  RecordHead& head = out.sets.head;
  head = {.bytes = pdu, .sets = word_at(pdu, 20), .sets_at = kResultHead, .body_end = end};
  uint32_t at = kResultHead;
  if (head.sets > (end - at) / kSetHead) return {};
  out.sets.layout.sets.resize(head.sets);
  for (ValueSet& set : out.sets.layout.sets) {
    if (end - at < kSetHead) return {};
    set = {.pmid = word_at(pdu, at), .count = static_cast<int32_t>(word_at(pdu, at + 4))};
    at += kSetHead;
    if (set.count <= 0) continue;
    if (end - at < kWord || static_cast<uint32_t>(set.count) > (end - at - kWord) / kPair) {
      return {};
    }
    set.in_place = word_at(pdu, at) == 0;
    if (!set.in_place) return {};
    set.pairs = at + kWord;
    at = set.pairs + static_cast<uint32_t>(set.count) * kPair;
  }
  out.sets.layout.sets_end = at;
  return at == end ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace pmjit
