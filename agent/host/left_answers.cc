#include "agent/host/left_answers.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "agent/interface/answer_memory.h"

namespace pmjit {

namespace {

constexpr uint32_t kResultPdu = 0x7001;
constexpr size_t kResultHeadBytes = 24, kPairBytes = 8, kHeaderBytes = 4;
// State changes that pmdaFetch() tells of in place of a time.
constexpr int64_t kChangeBits = 8 | 16;
constexpr std::byte kPadding{'~'};

struct {
  std::byte* memory = nullptr;
  int (*fetch)(int, pmID*, pmResult**, pmdaExt*) = nullptr;  // the agent's own
} left;

// ---- how many bytes a result is

constexpr size_t padded(size_t bytes) { return (bytes + 3) & ~size_t{3}; }

// The bytes of a number that have to be turned; 0: none. None at all: that is left to the library,
// which knows how arrays of events are sent.
std::optional<size_t> turned_bytes(const pmValueBlock& block) {
  const size_t bytes = block.vlen - kHeaderBytes;
  switch (block.vtype) {
    case PM_TYPE_64:
    case PM_TYPE_U64:
    case PM_TYPE_DOUBLE: return bytes == 8 ? std::optional(bytes) : std::nullopt;
    case PM_TYPE_FLOAT: return bytes == 4 ? std::optional(bytes) : std::nullopt;
    case PM_TYPE_STRING:
    case PM_TYPE_AGGREGATE:
    case PM_TYPE_AGGREGATE_STATIC: return 0;
    default: return {};
  }
}

std::optional<size_t> bytes_of_blocks(const pmValueSet& set) {
  size_t out = 0;
  for (const pmValue& value : std::span(set.vlist, static_cast<size_t>(set.numval))) {
    const pmValueBlock* const block = value.value.pval;
    if (block == nullptr || block->vlen < kHeaderBytes || !turned_bytes(*block)) return {};
    out += padded(block->vlen);
  }
  return out;
}

// Of the value sets and their blocks; none: the library is to send it.
struct ResultBytes {
  size_t sets = kResultHeadBytes, blocks = 0;
};
std::optional<ResultBytes> bytes_of(std::span<pmValueSet* const> sets) {
  ResultBytes out;
  for (const pmValueSet* const set : sets) {
    if (set == nullptr) return {};
    out.sets += 2 * sizeof(uint32_t);
    if (set->numval <= 0) continue;
    out.sets += sizeof(uint32_t) + static_cast<size_t>(set->numval) * kPairBytes;
    if (out.sets > AnswerMemory::kRoomBytes) return {};
    if (set->valfmt == PM_VAL_INSITU) continue;
    if (set->valfmt != PM_VAL_DPTR && set->valfmt != PM_VAL_SPTR) return {};
    const auto blocks = bytes_of_blocks(*set);
    if (!blocks) return {};
    out.blocks += *blocks;
  }
  const size_t all = out.sets + out.blocks;
  const bool fits = all >= AnswerMemory::kLeastBytes && all <= AnswerMemory::kRoomBytes;
  return fits ? std::optional(out) : std::nullopt;
}

// ---- the result as it is sent

class ResultWriter {
 public:
  ResultWriter(std::byte* room, const ResultBytes& bytes)
      : room_(room), sets_(room), blocks_(room + bytes.sets) {}

  void put(const pmResult& result, size_t bytes) {
    word(static_cast<uint32_t>(bytes));
    word(kResultPdu);
    word(0);  // from
    // An agent that makes results itself may put the time there: it would be taken for changes.
    const int64_t bits = result.timestamp.tv_sec;
    word((bits & ~kChangeBits) == 0 ? static_cast<uint32_t>(bits) : 0);
    word(0);
    word(static_cast<uint32_t>(result.numpmid));
    for (int i = 0; i < result.numpmid; ++i) put(*result.vset[i]);
  }

 private:
  template <class Number>
  static Number turned(Number number) {
    if constexpr (sizeof number == 8) return __builtin_bswap64(number);
    if constexpr (sizeof number == 4) return __builtin_bswap32(number);
  }
  template <class Number>
  static void store(std::byte*& at, Number number) {
    number = turned(number);
    std::memcpy(at, &number, sizeof number);
    at += sizeof number;
  }
  void word(uint32_t value) { store(sets_, value); }

  void put(const pmValueSet& set) {
    word(set.pmid);
    word(static_cast<uint32_t>(set.numval));
    if (set.numval <= 0) return;
    word(static_cast<uint32_t>(set.valfmt));
    const std::span values(set.vlist, static_cast<size_t>(set.numval));
    if (set.valfmt == PM_VAL_INSITU) {
      for (const pmValue& value : values) put_pair(value.inst, value.value.lval);
      return;
    }
    for (const pmValue& value : values) {
      put_pair(value.inst, static_cast<int>((blocks_ - room_) / 4));
      put_block(*value.value.pval);
    }
  }
  // Both words at once.
  void put_pair(int instance, int second) {
    store(sets_, uint64_t{static_cast<uint32_t>(instance)} << 32 | static_cast<uint32_t>(second));
  }
  void put_block(const pmValueBlock& block) {
    const size_t bytes = block.vlen - kHeaderBytes;
    store(blocks_, uint32_t{block.vtype} << 24 | uint32_t{block.vlen});
    switch (turned_bytes(block).value_or(0)) {
      case 8: return put_number<uint64_t>(block);
      case 4: return put_number<uint32_t>(block);
      default: break;
    }
    std::memcpy(blocks_, block.vbuf, bytes);
    std::memset(blocks_ + bytes, static_cast<int>(kPadding), padded(bytes) - bytes);
    blocks_ += padded(bytes);
  }
  template <class Number>
  void put_number(const pmValueBlock& block) {
    Number number = 0;
    std::memcpy(&number, block.vbuf, sizeof number);
    store(blocks_, number);
  }

  std::byte* const room_;
  std::byte *sets_, *blocks_;
};

// ---- in place of the agent's function

bool leave(const pmResult& result) {
  const uint32_t room =
      std::atomic_ref(*reinterpret_cast<uint32_t*>(left.memory)).load(std::memory_order_acquire);
  if (room == 0 || room > AnswerMemory::kRooms || result.numpmid < 0) return false;
  const std::span<pmValueSet* const> sets(result.vset, static_cast<size_t>(result.numpmid));
  const auto bytes = bytes_of(sets);
  if (!bytes) return false;
  ResultWriter(left.memory + AnswerMemory::place_of(room), *bytes)
      .put(result, bytes->sets + bytes->blocks);
  return true;
}

int fetch_and_leave(int count, pmID* pmids, pmResult** out, pmdaExt* ext) {
  const int status = left.fetch(count, pmids, out, ext);
  if (status == AnswerMemory::kLeftInMemory) return PM_ERR_GENERIC;
  if (status < 0 || *out == nullptr || !leave(**out)) return status;
  // As the library does it once it has sent a result.
  if (ext->e_resultCallBack != nullptr) ext->e_resultCallBack(*out);
  return AnswerMemory::kLeftInMemory;  // which the library sends
}

}  // namespace

void leave_answers_in(int descriptor) {
  void* const memory =
      ::mmap(nullptr, AnswerMemory::kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  ::close(descriptor);
  if (memory != MAP_FAILED) left.memory = static_cast<std::byte*>(memory);
}

void leave_answers_of(pmdaInterface& agent) {
  auto& fetch = agent.version.any.fetch;
  if (left.memory == nullptr || fetch == nullptr) return;
  left.fetch = fetch;
  fetch = fetch_and_leave;
}

}  // namespace pmjit
