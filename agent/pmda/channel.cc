// The channel to pmcd: pipe, internet or unix socket; PDUs are read and sent whole.
#include "agent/pmda/channel.h"

#include <unistd.h>

namespace pmjit {

Result<std::optional<wire::Framer::Frame>> read_pdu(pmdaExt& ext) {
  AgentState& state = *state_of(&ext);
  for (;;) {
    auto frame = state.framer.next();
    if (!frame || *frame) return frame;
    std::span<std::byte> room = state.framer.room();
    // An agent with a loop of its own waits at the descriptor: no byte of the next PDU may be here.
    if (!state.reads_ahead) room = room.first(std::min(room.size(), state.framer.wanted()));
    const ssize_t got = ::read(ext.e_infd, room.data(), room.size());
    if (got < 0) {
      if (errno == EINTR) continue;
      if (errno == ECONNRESET) return std::nullopt;  // pmcd has gone, with an answer unread
      const int code = -errno;
      return fail(Error(Fault::io, ErrorText(code).text).pm_code(code));
    }
    if (got == 0) {
      if (auto ended = state.framer.ended(); !ended) return fail(ended.error());
      return std::nullopt;
    }
    state.framer.filled(static_cast<size_t>(got));
  }
}

int send_bytes(const pmdaExt& ext, Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::write(ext.e_outfd, bytes.data(), bytes.size());
    if (sent < 0) {
      if (errno == EINTR) continue;
      return -errno;
    }
    bytes = bytes.subspan(static_cast<size_t>(sent));
  }
  return 0;
}

int send_pdu(const pmdaExt& ext, const wire::Pdu& pdu) {
  ByteWriter out;
  wire::encode(pdu, out);
  return send_bytes(ext, out.written());
}

int send_code(const pmdaExt& ext, int code) {
  return send_pdu(ext, {.body = wire::ErrorMessage{.code = code}});
}

}  // namespace pmjit
