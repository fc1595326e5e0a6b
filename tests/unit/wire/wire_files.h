// The PDUs of tests/golden/wire, in the order of the files' names and lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/bytes.h"
#include "runtime/wire/pdu.h"

namespace pmjit::wire {

struct RecordedPdu {
  std::string place;  // "client-desc.hex:3"
  Channel channel;
  std::vector<std::byte> bytes;
};

[[nodiscard]] std::vector<std::byte> bytes_of_hex(std::string_view hex);  // blanks are left out
// Without the lines of pmproxy's own protocol.
[[nodiscard]] const std::vector<RecordedPdu>& recorded_pdus();

}  // namespace pmjit::wire
