// Channel: the two ends that an agent and pmcd talk over, as whole PDUs. Source: spec
// wire-protocol.md §11.
//
//   auto frame = read_pdu(*ext);
//   if (!frame || !*frame) return;                       // no PDU any more, or the end
//   send_pdu(*ext, {.body = wire::ErrorMessage{.code = PM_ERR_PMID}});
#pragma once

#include <optional>

#include "agent/pmda/agent_state.h"
#include "runtime/base/result.h"
#include "runtime/wire/codec.h"

namespace pmjit {

inline constexpr wire::Channel kFromPmcd{.route = wire::Route::collector_to_agent};

// Waits for the next PDU. None: pmcd has closed the channel. Its bytes stay until the next call.
[[nodiscard]] Result<std::optional<wire::Framer::Frame>> read_pdu(pmdaExt& ext);

// 0, or a negative errno.
int send_bytes(const pmdaExt& ext, Bytes bytes);
int send_pdu(const pmdaExt& ext, const wire::Pdu& pdu);
int send_code(const pmdaExt& ext, int code);

}  // namespace pmjit
