// Codec: the bytes of one PDU become a message, and back. No I/O, no state. Source: spec
// wire-protocol.md §1, §5, §12.1.
//
//   auto pdu = decode(bytes, {.route = Route::collector_to_client, .features = hello.features});
//   if (!pdu) return fail(pdu.error().at("host", name));
//   std::visit(Handle{…}, pdu->body);
//
//   ByteWriter out;
//   encode({.from = context, .body = DescRequest{pmid}}, out);
//   send(out.written());
//
// The reader stops at the first mistake, and nothing of the PDU is used. The error names the PDU,
// the field and its offset; its code is PM_ERR_IPC. The connection may go on: the length in the
// header has framed the PDU already (frame.h).
//
// Memory: lists are vectors, bounded by the bytes that are there. A list that claims more than the
// PDU can hold is refused before anything is allocated for it.
#pragma once

#include <string>

#include "runtime/base/byte_writer.h"
#include "runtime/base/result.h"
#include "runtime/wire/messages.h"

namespace pmjit::wire {

// `bytes` is the whole PDU, header included; texts of the message are views into it. Refused: a PDU
// that the channel does not have, one that ends early or goes on behind its last field, numbers
// that contradict each other (FETCH of no metric, overlapping value blocks).
[[nodiscard]] Result<Pdu> decode(Bytes bytes, const Channel& channel);

// Appends the whole PDU. Padding is '~', as real programs have it. What the caller must not ask for
// is a bug and stops: a text of 2^31 bytes, a result that was not decoded (result_encoder.h makes
// new ones), a label set of 65,535 bytes.
void encode(const Pdu& pdu, ByteWriter& out);

// One line for people: FETCH from=0 context=0 metrics=[253.0.1 253.0.0]. Texts are escaped.
[[nodiscard]] std::string message_text(const Pdu& pdu);

}  // namespace pmjit::wire
