#include "runtime/wire/result_columns.h"

#include <fmt/core.h>

#include "runtime/wire/frame.h"
#include "runtime/wire/pdu_reader.h"

namespace pmjit::wire {

namespace {

constexpr int64_t kNanosPerSecond = 1'000'000'000;

Result<RecordHead> result_head(Bytes pdu) {
  ByteReader in(pdu);
  in.skip(4);
  const auto type = static_cast<PduType>(in.u32());
  in.skip(4);
  RecordHead head{.bytes = pdu, .body_end = static_cast<uint32_t>(pdu.size())};
  int64_t nanoseconds = 0;
  if (type == PduType::result) {
    head.stamp.sec = in.i32();
    nanoseconds = int64_t{in.i32()} * 1'000;
    head.sets = in.u32();
  } else if (type == PduType::highres_result) {
    head.sets = in.u32();
    head.stamp.sec = in.i64();
    nanoseconds = in.i64();
  } else {
    return fail(pdu_error(pdu, 4, "a result was expected"));
  }
  if (!in.ok()) return fail(pdu_error(pdu, pdu.size(), "it ends before its first value set"));
  if (nanoseconds < 0 || nanoseconds >= kNanosPerSecond) {
    return fail(
        pdu_error(pdu, kHeaderBytes, fmt::format("its time has {} nanoseconds", nanoseconds)));
  }
  head.stamp.nsec = static_cast<int32_t>(nanoseconds);
  head.sets_at = static_cast<uint32_t>(in.pos());
  return head;
}

}  // namespace

Result<Stamp> ResultColumns::append(Bytes pdu, Block& block) {
  const auto head = result_head(pdu);
  if (!head) return fail(head.error());
  if (auto taken = decoder_.decode({&*head, 1}, block); !taken) {
    return fail(pdu_error(pdu, taken.error().offset, std::string(taken.error().what)));
  }
  block.bytes += pdu.size();
  return head->stamp;
}

}  // namespace pmjit::wire
