// An answer that the process of a shared object has left in memory that it shares
// (agent/interface/answer_memory.h). It may still write there, whatever it has said: each word that
// decides where something is, is read once.
#pragma once

#include <optional>

#include "runtime/base/bytes.h"
#include "runtime/wire/messages.h"

namespace pmjit {

// The whole PDU that stands at the start of `room`, as its header says it; none: no PDU fits there.
[[nodiscard]] std::optional<Bytes> left_pdu(Bytes room);

// A RESULT all of whose values stand in place: only their bits may change afterwards. None: it is
// something else, and is to be copied before it is decoded.
[[nodiscard]] std::optional<wire::ResultMessage> read_left(Bytes pdu);

}  // namespace pmjit
