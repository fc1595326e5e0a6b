// run_wire(): a PDU as annotated hexadecimal, and the message that it is. Source: spec
// wire-protocol.md.
//
//   # DESC_REQ: one metric
//   #: run: wire
//   #: from: client                  collector, agent, collector-to-agent, logger
//   --- bytes
//   00000010 00007004 00000000       # length, DESC_REQ, from
//   0f000020                         # 60.0.32
//   --- expect message
//   DESC_REQ from=0 metric=60.0.32
//
// Words of `bytes` are hexadecimal or "text". Padding, which may be anything, is written as 7e.
// The bytes decode to the message, and the message encodes to the bytes. Every prefix and every
// change of one byte is refused with a reason, or decodes to a message that survives the same.
// A case named fail_… is refused, and its message is the reason.
#pragma once

#include "runtime/testing/case_file.h"
#include "tests/lib/outcome.h"

namespace pmjit::cases {

Outcome run_wire(const CaseFile& file);

}  // namespace pmjit::cases
