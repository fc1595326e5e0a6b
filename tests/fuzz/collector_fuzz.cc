// A client of our collector that sends anything: PDUs in a stream, in pieces of some size. The
// first byte says how: the size of the pieces, and whether CREDS come first. What comes back has to
// be whole PDUs that a client can decode, and the memory of a connection stays bounded.
#include <algorithm>

#include "agent/collector/served_client.h"
#include "agent/linux/linux_agent.h"
#include "agent/pmcd/pmcd_agent.h"
#include "runtime/base/result.h"
#include "runtime/wire/codec.h"

namespace pmjit {
namespace {

// A machine without files: the answers are short. Made once, for that takes longer than a run; what
// stays between runs is counters of PDUs.
struct FuzzedCollector {
  FakeClock clock;
  CollectorState state{.version = "1", .build = "fuzz"};
  PmcdAgent pmcd{state};
  LinuxAgent linux{"/proc/no-such-machine"};
  CollectorCore core{clock, {&pmcd, &linux}, state};
};
constexpr size_t kUnreadBytes = 4u << 20;

void check_answers(Bytes bytes) {
  while (!bytes.empty()) {
    const auto header = wire::read_header(bytes, UINT32_MAX);
    check(header && header->bytes <= bytes.size(), "collector: an answer that is no PDU");
    check(wire::decode(bytes.first(header->bytes), {}).has_value(),
          "collector: an answer that does not decode");
    bytes = bytes.subspan(header->bytes);
  }
}

void talk(Bytes stream, size_t step, bool with_creds) {
  static FuzzedCollector collector;
  ServedClient client(collector.core, {.client = 1}, {.unread_bytes_max = kUnreadBytes});
  ByteWriter script;
  if (with_creds) {
    wire::encode({.body = wire::CredsMessage{.credentials = {wire::Credential{}}}}, script);
    wire::encode({.body = wire::ProfileMessage{}}, script);
  }
  script.bytes(stream);
  Bytes rest = script.written();
  while (!rest.empty() && !client.closing()) {
    const auto room = client.room();
    const size_t now = std::min({room.size(), rest.size(), step});
    std::ranges::copy(rest.first(now), room.begin());
    client.received(now);
    rest = rest.subspan(now);
    while (!client.unsent().empty()) {  // what waited in a pause is answered when there is room
      check_answers(client.unsent());
      client.sent(client.unsent().size());
    }
  }
  collector.clock.advance(std::chrono::hours(1));
  client.look_at_time();
  if (!client.closing()) client.ended();
  check(client.closing().has_value(), "collector: a connection that does not end");
  check(collector.state.clients.size() == 1, "collector: a client that is there once");
}

}  // namespace
}  // namespace pmjit

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const pmjit::Bytes stream(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
  const size_t step = data[0] % 64 == 0 ? SIZE_MAX : size_t{data[0]} % 64;
  pmjit::talk(stream, step, data[0] < 192);
  return 0;
}
