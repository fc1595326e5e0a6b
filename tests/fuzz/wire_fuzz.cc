// PDUs of arbitrary bytes, from every side: the first byte says who sends, and which features were
// offered. What decodes is encoded and decoded again; what streams in comes out of the framing.
#include <algorithm>
#include <array>

#include "runtime/base/limits.h"
#include "runtime/base/result.h"
#include "runtime/wire/frame.h"
#include "tests/fuzz/memory_watch.h"
#include "tests/unit/wire/round_trip.h"

namespace pmjit::wire {
namespace {

// In the order of tests/fuzz/seeds.py.
constexpr std::array kRoutes = {Route::client_to_collector, Route::collector_to_client,
                                Route::collector_to_agent, Route::agent_to_collector,
                                Route::logger_control};

// Lists, and views of them: elements of 4 bytes become at most 24, and all is done three times.
constexpr size_t kFixedBytes = 1u << 20, kBytesPerByte = 200;

void check_pdu(Bytes bytes, const Channel& channel) {
  // As the sender would have put the length; then as it stands.
  std::vector<std::byte> framed(bytes.begin(), bytes.end());
  for (size_t i = 0; i < 4 && i < framed.size(); ++i) {
    framed[i] = static_cast<std::byte>(framed.size() >> (24 - 8 * i));
  }
  (void)round_trip(framed, channel);
  (void)round_trip(bytes, channel);
}

// In steps of some bytes; what comes out lies in the stream one behind the other.
void check_stream(Bytes stream, size_t step) {
  Framer framer(limits::kClientPduBytesMax);
  size_t taken = 0, given = 0;
  for (auto frame = framer.next(); frame; frame = framer.next()) {
    if (*frame) {
      const Bytes expected = stream.subspan(taken, (*frame)->bytes.size());
      check(std::ranges::equal((*frame)->bytes, expected), "framing: the bytes of the stream");
      taken += expected.size();
      continue;
    }
    check(framer.ended().has_value() == (taken == given), "framing: an end within a PDU is none");
    if (given == stream.size()) return;
    const auto room = framer.room();
    const size_t now = std::min({room.size(), step, stream.size() - given});
    std::ranges::copy(stream.subspan(given, now), room.begin());
    framer.filled(now);
    given += now;
  }
}

}  // namespace
}  // namespace pmjit::wire

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace pmjit::wire;
  if (size == 0) return 0;
  const size_t route = data[0] % kRoutes.size();
  const bool plain = data[0] >= 128;
  const pmjit::Bytes bytes(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
  const pmjit::fuzz::MemoryWatch watch;
  check_pdu(bytes, {.route = kRoutes[route], .features = plain ? FeatureSet{} : kPlainFeatures});
  check_stream(bytes, 1 + data[0] / 16u);
  watch.expect_at_most(kFixedBytes + kBytesPerByte * size);
  return 0;
}
