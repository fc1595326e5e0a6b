// Results as PCP's own programs build them, as records of an archive, and as text.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <ctime>
#include <mutex>
#include <unordered_set>

#include "runtime/archive/writer/encode.h"
#include "runtime/pmapi/convert.h"
#include "runtime/pmapi/internal.h"
#include "runtime/pmapi/library.h"
#include "runtime/pmapi/log_files.h"
#include "runtime/wire/result_encoder.h"

namespace pmjit {

namespace {

// Programs look at the length of a buffer, as if it were a PDU: `kHeadBytes`, the last four of
// which are the record's first length here, and what is behind them but the last length.
constexpr size_t kHeadBytes = 12, kLengthBytes = 4;

class RecordBuffers {
 public:
  void add(const void* buffer) {
    const std::scoped_lock lock(lock_);
    given_.insert(buffer);
  }
  [[nodiscard]] bool remove(const void* buffer) {
    const std::scoped_lock lock(lock_);
    return given_.erase(buffer) != 0;
  }

 private:
  std::mutex lock_;
  std::unordered_set<const void*> given_;
};

RecordBuffers& record_buffers() {
  static auto* const buffers = new RecordBuffers();
  return *buffers;
}

void add_to_word(std::byte* at, uint32_t more) {
  const uint32_t turned = std::byteswap(load_be<uint32_t>(at) + more);
  std::memcpy(at, &turned, sizeof turned);
}

// Blocks stand `words` further back than their sets say.
void move_blocks(std::byte* at, int sets, uint32_t words) {
  for (int i = 0; i < sets; ++i) {
    const auto count = static_cast<int32_t>(load_be<uint32_t>(at + 4));
    at += 8;
    if (count <= 0) continue;
    const bool in_place = load_be<uint32_t>(at) == PM_VAL_INSITU;
    at += 4;
    for (int k = 0; k < count; ++k, at += 8) {
      if (!in_place) add_to_word(at + 4, words);
    }
  }
}

std::vector<std::byte> record_of(Version version, const SharedResult& result) {
  wire::ResultEncoder encoder(wire::PduType::result, {});
  for (const FetchedSet& set : sets_of(result.numpmid, result.vset)) encoder.add(set);
  ByteWriter pdu, out;
  encoder.finish(0, pdu);
  constexpr size_t kStampBytes = 8;
  const Bytes sets = pdu.written().subspan(kHeadBytes + kStampBytes);
  out.u32(0);
  put_stamp(out, stamp_of(result.stamp), version);
  const size_t first = out.size();
  out.bytes(sets);
  out.u32(static_cast<uint32_t>(out.size() + kLengthBytes));
  out.set_u32(0, static_cast<uint32_t>(out.size()));
  std::vector<std::byte> record = out.take();
  const auto words = static_cast<uint32_t>((stamp_bytes(version) - kStampBytes) / kLengthBytes);
  if (words != 0) move_blocks(record.data() + first + 4, result.numpmid, words);
  return record;
}

}  // namespace

std::span<const std::byte> record_in(const void* buffer) {
  int length = 0;
  std::memcpy(&length, buffer, sizeof length);
  const auto* bytes = static_cast<const std::byte*>(buffer);
  return {bytes + kHeadBytes - kLengthBytes, static_cast<size_t>(length) - kLengthBytes};
}

}  // namespace pmjit

using namespace pmjit;

SharedResult* __pmAllocResult(int sets) {
  const size_t more = static_cast<size_t>(std::max(sets, 1) - 1) * sizeof(pmValueSet*);
  return static_cast<SharedResult*>(std::calloc(1, sizeof(SharedResult) + more));
}

void __pmFreeResultValues(SharedResult* result) { free_result_values(result); }
void __pmFreeResult(SharedResult* result) {
  (void)at_c_border([&] { return free_result(result), 0; });
}
void __pmSortInstances(SharedResult* result) {
  pmSortHighResInstances(reinterpret_cast<pmHighResResult*>(result));
}

int __pmEncodeResult(const SharedLog* log, const SharedResult* result, void** out) {
  if (log == nullptr || result == nullptr || out == nullptr) return -EINVAL;
  return at_c_border([&] {
    const Version version = is_version_3(log->label) ? Version::v3 : Version::v2;
    const auto record = record_of(version, *result);
    auto* buffer = static_cast<std::byte*>(give_bytes(kHeadBytes + record.size()));
    const auto length = static_cast<int>(kLengthBytes + record.size());
    std::memset(buffer, 0, kHeadBytes);
    std::memcpy(buffer, &length, sizeof length);
    std::ranges::copy(record, buffer + kHeadBytes - kLengthBytes);
    record_buffers().add(buffer);
    *out = buffer;
    return 0;
  });
}

// 1: it was one of ours, and is gone.
int __pmUnpinPDUBuf(void* buffer) {
  return at_c_border([&] {
    if (!record_buffers().remove(buffer)) return 0;
    std::free(buffer);
    return 1;
  });
}

// Files are not written by way of PDUs.
void __pmOverrideLastFd(int) {}

void __pmGetTimestamp(SharedStamp* out) {
  if (out != nullptr) put_time(stamp_now(), *out);
}

double __pmTimestampSub(const SharedStamp* a, const SharedStamp* b) {
  if (a == nullptr || b == nullptr) return 0;
  return pm_sub(NanoTime{a->sec, a->nsec}, NanoTime{b->sec, b->nsec});
}

int __pmTimestampCmp(const SharedStamp* a, const SharedStamp* b) {
  if (a == nullptr || b == nullptr) return 0;
  return a->sec != b->sec ? static_cast<int>(a->sec - b->sec) : a->nsec - b->nsec;
}

void __pmPrintTimestamp(FILE* file, const SharedStamp* stamp) {
  if (file == nullptr || stamp == nullptr) return;
  const struct timespec time = {.tv_sec = stamp->sec, .tv_nsec = stamp->nsec};
  pmPrintHighResStamp(file, &time);
}

namespace {

void print_set(FILE* file, const pmValueSet& set) {
  char** names = nullptr;
  const int count = pmNameAll(set.pmid, &names);
  std::fprintf(file, "  %s (", pmIDStr(set.pmid));
  (void)__pmPrintMetricNames(file, count, names, " or ");
  std::free(names);
  std::fputs("):", file);
  if (set.numval <= 0) {
    std::fprintf(file, " %s\n", set.numval == 0 ? "No values returned!" : pmErrStr(set.numval));
    return;
  }
  std::fprintf(file, " numval: %d valfmt: %d vlist[]:\n", set.numval, set.valfmt);
  pmDesc desc;
  const bool known = pmLookupDesc(set.pmid, &desc) >= 0;
  const int unknown = set.valfmt == PM_VAL_INSITU ? PM_TYPE_UNKNOWN : PM_TYPE_AGGREGATE;
  for (int i = 0; i < set.numval; ++i) {
    const pmValue& value = set.vlist[i];
    if (value.inst != kSingular || set.numval > 1) {
      char* name = nullptr;
      if (known) (void)pmNameInDom(desc.indom, value.inst, &name);
      std::fprintf(file, "    inst [%d or %s%s%s]", value.inst, name == nullptr ? "" : "\"",
                   name == nullptr ? "???" : name, name == nullptr ? "" : "\"");
      std::free(name);
    } else {
      std::fputs("   ", file);
    }
    std::fputs(" value ", file);
    pmPrintValue(file, set.valfmt, known ? desc.type : unknown, &value, 1);
    std::fputc('\n', file);
  }
}

}  // namespace

void __pmPrintResult(FILE* file, const SharedResult* result) {
  if (file == nullptr || result == nullptr) return;
  std::fprintf(file, "__pmResult dump from %p timestamp: %lld.%09d ",
               static_cast<const void*>(result), static_cast<long long>(result->stamp.sec),
               result->stamp.nsec);
  __pmPrintTimestamp(file, &result->stamp);
  std::fprintf(file, " numpmid: %d\n", result->numpmid);
  for (int i = 0; i < result->numpmid; ++i) {
    if (result->vset[i] != nullptr) print_set(file, *result->vset[i]);
  }
}
