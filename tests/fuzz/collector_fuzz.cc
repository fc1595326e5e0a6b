// A client of our collector that sends anything: PDUs in a stream, in pieces of some size. The
// first byte says how: the size of the pieces, whether CREDS come first, and whether they begin
// TLS, which here is a stream whose bytes are turned round behind a handshake of three bytes. What
// comes back has to be whole PDUs that a client can decode, and the memory of a connection stays
// bounded.
#include <algorithm>
#include <functional>

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
enum class FuzzedStart : uint8_t { bare, creds, tls };

// What OpenSSL does between both sides, as far as a connection sees it.
class TurnedStream final : public TlsSession {
 public:
  Result<bool> shake_hands() override {
    if (in_.size() < 3) return false;
    if (in_.front() == std::byte{0}) return fail(Fault::format, "no handshake");
    in_.erase(in_.begin(), in_.begin() + 3);
    return true;
  }
  Error closed_early() const override { return Error(Fault::io, "it closes the connection"); }
  Result<std::optional<size_t>> read(std::span<std::byte> room) override {
    const size_t now = std::min(room.size(), in_.size());
    if (now == 0) return std::nullopt;
    std::ranges::transform(in_.begin(), in_.begin() + static_cast<std::ptrdiff_t>(now),
                           room.begin(), std::bit_not());
    in_.erase(in_.begin(), in_.begin() + static_cast<std::ptrdiff_t>(now));
    return now;
  }
  Result<bool> write(Bytes clear) override {
    out_.insert(out_.end(), clear.begin(), clear.end());
    return true;
  }
  void arrived(Bytes encrypted) override {
    in_.insert(in_.end(), encrypted.begin(), encrypted.end());
  }
  void take_to_send(std::vector<std::byte>& out) override {
    out.insert(out.end(), out_.begin(), out_.end());
    out_.clear();
  }

 private:
  std::vector<std::byte> in_, out_;
};

void check_answers(Bytes bytes) {
  while (!bytes.empty()) {
    const auto header = wire::read_header(bytes, UINT32_MAX);
    check(header && header->bytes <= bytes.size(), "collector: an answer that is no PDU");
    check(wire::decode(bytes.first(header->bytes), {}).has_value(),
          "collector: an answer that does not decode");
    bytes = bytes.subspan(header->bytes);
  }
}

void talk(Bytes stream, size_t step, FuzzedStart start) {
  static FuzzedCollector collector;
  ServedClient client(collector.core, {.client = 1}, {.unread_bytes_max = kUnreadBytes});
  ByteWriter script;
  const bool in_tls = start == FuzzedStart::tls;
  collector.state.encrypts = in_tls;
  if (start != FuzzedStart::bare) {
    wire::Credential version;
    if (in_tls) version.wishes = {wire::Feature::secure};
    wire::encode({.body = wire::CredsMessage{.credentials = {version}}}, script);
    if (!in_tls) wire::encode({.body = wire::ProfileMessage{}}, script);
  }
  script.bytes(stream);
  Bytes rest = script.written();
  while (!rest.empty() && !client.closing()) {
    const auto room = client.room();
    const size_t now = std::min({room.size(), rest.size(), step});
    std::ranges::copy(rest.first(now), room.begin());
    client.received(now);
    if (client.begins_tls()) client.encrypt(std::make_unique<TurnedStream>());
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
  using Start = pmjit::FuzzedStart;
  pmjit::talk(stream, step,
              data[0] < 192   ? Start::creds
              : data[0] < 224 ? Start::bare
                              : Start::tls);
  return 0;
}
