#include "runtime/client/connection.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "runtime/base/bytes.h"
#include "runtime/base/limits.h"
#include "runtime/client/fetch_counts.h"
#include "runtime/client/login_refusal.h"
#include "runtime/client/net/asio_network.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

using wire::Feature;

constexpr int32_t kContext = 0;  // one context per connection
// PDUs of state changes before one result. A collector sends one, and its bits are a few.
constexpr int kChangesBeforeResultMax = 100;
// As many metrics as fit into the largest request that a collector takes.
constexpr size_t kFetchHeadBytes = 28;
constexpr size_t kFetchedMetricsMax = (limits::kClientPduBytesMax - kFetchHeadBytes) / sizeof(PmId);

// Some 100,000 numbers.
constexpr size_t kLongAnswerBytes = 1u << 20;

// The first bytes of something else: SSH, HTTP and SMTP servers greet with a line of text.
std::optional<std::string> as_line(std::span<const std::byte> bytes) {
  std::string out;
  for (const std::byte byte : bytes) {
    const char c = static_cast<char>(byte);
    if (c == '\r' || c == '\n') break;
    if (c < ' ' || c > '~' || out.size() == 40) break;
    out += c;
  }
  if (out.size() < 4) return std::nullopt;
  return out;
}

wire::ProfileMessage message_of(const Profile& profile) {
  wire::ProfileMessage out{.context = kContext, .excludes = profile.excludes()};
  for (const auto& [indom, domain] : profile.domains()) {
    out.domains.push_back({.indom = indom, .excludes = domain.excludes, .instances = domain.but});
  }
  return out;
}

void count(std::array<uint64_t, ClientPduCounts::kTypes>& counts, uint32_t code) {
  const uint32_t type = code - ClientPduCounts::kFirst;
  if (type < counts.size()) ++counts[type];
}

// Of bytes that the client has encoded itself.
Bytes first_pdu(Bytes pdus) {
  const uint32_t length = ByteReader(pdus).u32();
  return pdus.first(std::clamp<size_t>(length, 2 * sizeof(uint32_t), pdus.size()));
}

Error ended_after_handshake() {
  return Error(Fault::io, "the collector ends the encrypted connection as soon as it is there")
      .pm_code(pm_err::E_IPC)
      .help(
          "it may want another certificate, or one at all: tls-cert-file and tls-key-file of "
          "tls.conf name ours; pmcd.log may say more");
}

// Each of the PDUs in these bytes.
void count_all(std::array<uint64_t, ClientPduCounts::kTypes>& counts, Bytes pdus) {
  while (pdus.size() >= 2 * sizeof(uint32_t)) {
    const Bytes first = first_pdu(pdus);
    ByteReader in(first);
    (void)in.u32();
    count(counts, in.u32());
    pdus = pdus.subspan(first.size());
  }
}

}  // namespace

void ClientPduCounts::add(const ClientPduCounts& other) {
  std::ranges::transform(sent, other.sent, sent.begin(), std::plus{});
  std::ranges::transform(received, other.received, received.begin(), std::plus{});
}

Connection::Connection(Network& network, std::unique_ptr<Transport> transport, std::string peer,
                       const ClientSettings& settings)
    : network_(network),
      framer_(limits::kServerPduBytesMax,
              settings.keeps_long_answers ? kLongAnswerBytes : wire::Framer::kKeptBytes),
      transport_(std::move(transport)),
      peer_(std::move(peer)),
      patience_(settings.request_timeout),
      fetch_counts_(settings.fetch_counts) {}

std::optional<Error> Connection::refused_fetch(size_t metrics, const std::string& host) {
  if (metrics <= kFetchedMetricsMax) return std::nullopt;
  return Error(Fault::limit, fmt::format("{} metrics in one fetch, and a request has room for {}",
                                         metrics, kFetchedMetricsMax))
      .at("host", host)
      .pm_code(pm_err::E_TOOBIG)
      .help("ask for fewer metrics at once: divide them among several runs");
}

Async<Result<wire::Pdu>> Connection::ask(wire::Pdu request) {
  if (lost_) co_return fail(*lost_);
  out_.clear();
  wire::encode(request, out_);
  deadline_ = network_.now() + patience_;
  const Result<bool> sent = co_await send();
  if (!sent) co_return fail(sent.error());
  Result<wire::Pdu> answer = co_await receive();
  co_return answer;
}

Async<Result<wire::Pdu>> Connection::ask_encoded(Bytes request) {
  if (lost_) co_return fail(*lost_);
  out_.clear();
  out_.bytes(request);
  deadline_ = network_.now() + patience_;
  const Result<bool> sent = co_await send();
  if (!sent) co_return fail(sent.error());
  Result<wire::Pdu> answer = co_await receive();
  co_return answer;
}

// A profile has no answer, so it goes out with the fetch. Where it is refused, the collector
// answers twice; the second answer would be taken for that of the next request, so the stream ends
// there.
Async<Result<FetchAnswer>> Connection::fetch(std::span<const PmId> metrics,
                                             const Profile& profile) {
  const bool counts = fetch_counts_ != nullptr && !lost_;
  const Instant began = network_.now();
  auto fetching = fetch_values(metrics, profile);
  Result<FetchAnswer> answer = co_await fetching;
  if (counts) {
    count_fetch(answer, std::chrono::duration<double>(network_.now() - began).count());
  }
  co_return answer;
}

void Connection::count_fetch(const Result<FetchAnswer>& answer, double seconds) const {
  if (!answer) {
    ++(answer.error().pm_code() == pm_err::E_TIMEOUT ? fetch_counts_->late : fetch_counts_->failed);
    return;
  }
  ++fetch_counts_->answered;
  fetch_counts_->bytes += answer->pdu.size();
  fetch_counts_->seconds.add(seconds);
  if (answer->pdu.empty()) return;
  fetch_counts_->values += FetchCounts::values_of(answer->pdu, features_.has(Feature::highres));
}

Async<Result<FetchAnswer>> Connection::fetch_values(std::span<const PmId> metrics,
                                                    const Profile& profile) {
  if (lost_) co_return fail(*lost_);
  if (auto refused = refused_fetch(metrics.size(), peer_)) co_return fail(*std::move(refused));
  out_.clear();
  const bool with_profile = !profile_ || *profile_ != profile;
  if (with_profile) wire::encode({.from = kContext, .body = message_of(profile)}, out_);
  wire::FetchRequest request{.context = kContext, .pmids = {metrics.begin(), metrics.end()}};
  if (features_.has(Feature::highres)) {
    wire::encode({.from = kContext, .body = wire::HighresFetchRequest{std::move(request)}}, out_);
  } else {
    wire::encode({.from = kContext, .body = std::move(request)}, out_);
  }
  deadline_ = network_.now() + patience_;
  const Result<bool> sent = co_await send();
  if (!sent) co_return fail(sent.error());
  FetchAnswer answer;
  for (int before = 0; before <= kChangesBeforeResultMax; ++before) {
    Result<wire::Framer::Frame> frame = co_await receive_frame();
    if (!frame) co_return fail(frame.error());
    const auto type = static_cast<wire::PduType>(frame->header.code);
    if (type == wire::PduType::result || type == wire::PduType::highres_result) {
      const bool highres = type == wire::PduType::highres_result;
      if (highres != features_.has(Feature::highres)) {
        co_return fail(break_off("the answer to a fetch has the wrong resolution"));
      }
      if (with_profile) profile_ = profile;
      under_way_ = false;
      answer.pdu = frame->bytes;
      co_return answer;
    }
    const Result<wire::Pdu> pdu = wire::decode(frame->bytes, {.features = features_});
    if (!pdu) co_return fail(lose(pdu.error()));
    const auto* const error = std::get_if<wire::ErrorMessage>(&pdu->body);
    if (error == nullptr || error->code == 0) {
      co_return fail(break_off("a fetch was answered by another PDU"));
    }
    if (error->code > 0) {
      answer.changes |= static_cast<uint32_t>(error->code);
      continue;
    }
    answer.status = error->code;
    under_way_ = false;
    if (with_profile) {
      (void)lose(Error(Fault::io, fmt::format("the collector refuses the first fetch: {}",
                                              pm_error_text(error->code)))
                     .pm_code(error->code));
    }
    co_return answer;
  }
  co_return fail(break_off(fmt::format(
      "it told of changes more than {} times, and sent no values: the answer to a fetch "
      "has no end",
      kChangesBeforeResultMax)));
}

// pmcd 6.0.3 waits for its socket, where nothing more comes of a TLS record that it has read a PDU
// of: each PDU is a write of its own then.
Async<Result<bool>> Connection::send() {
  under_way_ = true;
  count_all(counts_.sent, out_.written());
  Bytes left = out_.written();
  while (!left.empty()) {
    const Bytes some = is_encrypted_ ? first_pdu(left) : left;
    Later<Result<size_t>> written;
    transport_->write(some, deadline_, written.callback());
    const Result<size_t> done = co_await written;
    if (!done && is_encrypted_) {
      auto asking = why_unwritten(done.error());
      co_return fail(lose(co_await asking));
    }
    if (!done) co_return fail(lose(done.error()));
    left = left.subspan(some.size());
  }
  co_return true;
}

// What the other side said before it closed the stream.
Async<Error> Connection::why_unwritten(Error error) {
  std::array<std::byte, wire::kHeaderBytes> room{};
  Later<Result<size_t>> arrival;
  transport_->read(room, deadline_, arrival.callback());
  const Result<size_t> got = co_await arrival;
  if (!got) co_return got.error();
  if (*got == 0 && !heard_encrypted_) co_return ended_after_handshake();
  co_return error;
}

Async<Result<wire::Framer::Frame>> Connection::receive_frame() {
  while (true) {
    auto frame = framer_.next();
    if (!frame) co_return fail(lose(frame.error()));
    if (*frame) {
      count(counts_.received, (*frame)->header.code);
      co_return **frame;
    }
    // Bytes that keep coming would always be there before the timer.
    if (network_.now() >= deadline_) co_return fail(lose(no_answer_in_time(peer_)));
    const std::span<std::byte> room = framer_.room();
    Later<Result<size_t>> arrival;
    transport_->read(room, deadline_, arrival.callback());
    const Result<size_t> got = co_await arrival;
    if (!got) {
      if (greeted_ || got.error().pm_code() != pm_err::E_TIMEOUT) co_return fail(lose(got.error()));
      co_return fail(lose(Error(Fault::io, "it accepts connections, but does not greet")
                              .pm_code(pm_err::E_TIMEOUT)
                              .help("a collector greets at once: it hangs, or something else is "
                                    "listening on this port")));
    }
    const Result<bool> filled = fill(*got, room);
    if (!filled) co_return fail(lose(filled.error()));
  }
}

Result<bool> Connection::fill(size_t bytes, std::span<const std::byte> room) {
  if (bytes == 0) {
    if (auto ended = framer_.ended(); !ended) return fail(ended.error());
    if (beyond_proxy_ && !greeted_) {
      return fail(
          Error(Fault::io, "the proxy cannot reach the collector, and closes the connection")
              .pm_code(pm_err::E_IPC)
              .help("is a collector (pmcd) running there, and may the proxy's machine "
                    "connect to it?"));
    }
    if (is_encrypted_ && !heard_encrypted_) return fail(ended_after_handshake());
    return fail(Error(Fault::io, "the collector has closed the connection")
                    .pm_code(pm_err::E_IPC)
                    .help("it was stopped or restarted, or refuses this client"));
  }
  // Only what comes first can be a line: later pieces of a PDU may look like one.
  if (!greeted_ && room.size() >= bytes) {
    if (const auto line = as_line(room.first(bytes))) {
      return fail(
          Error(Fault::format, fmt::format("this is not a PCP collector: it says \"{}\"", *line))
              .pm_code(pm_err::E_IPC)
              .help("something else is listening on this port; a collector's is 44321"));
    }
  }
  framer_.filled(bytes);
  heard_encrypted_ = is_encrypted_;
  return true;
}

Async<Result<wire::Pdu>> Connection::receive() {
  Result<wire::Framer::Frame> frame = co_await receive_frame();
  if (!frame) co_return fail(frame.error());
  const wire::FeatureSet features = greeted_ ? features_ : wire::kPlainFeatures;
  Result<wire::Pdu> pdu = wire::decode(frame->bytes, {.features = features});
  if (!pdu) co_return fail(lose(pdu.error()));
  if (const auto who = std::exchange(unconfirmed_, std::nullopt)) {
    const auto* const error = std::get_if<wire::ErrorMessage>(&pdu->body);
    if (error != nullptr && is_login_refusal(error->code)) {
      co_return fail(lose(refused_login(error->code, *who)));
    }
  }
  under_way_ = false;
  co_return pdu;
}

Error Connection::break_off(std::string what) {
  return lose(Error(Fault::format, std::move(what))
                  .pm_code(pm_err::E_IPC)
                  .help("the collector breaks PCP's protocol"));
}

Error Connection::lose(Error error) {
  if (error.place().find("host") == std::string::npos) error = std::move(error).at("host", peer_);
  lost_ = error;
  return error;
}

}  // namespace pmjit
