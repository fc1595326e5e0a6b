#include "runtime/client/connection.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <utility>

#include "runtime/base/bytes.h"
#include "runtime/base/limits.h"
#include "runtime/client/fetch_counts.h"
#include "runtime/client/net/asio_network.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

using wire::Feature;

constexpr int32_t kContext = 0;              // one context per connection
constexpr int32_t kContainerAttribute = 15;  // spec wire-protocol.md §3.7
constexpr uint8_t kProtocolVersion = 2;
constexpr uint32_t kProxyPort = 44322;
// Of the greeting, whatever the environment says of requests: PCP's library reads that later.
constexpr std::chrono::seconds kGreetingPatience(10);
// PDUs of state changes before one result. A collector sends one, and its bits are a few.
constexpr int kChangesBeforeResultMax = 100;
// As many metrics as fit into the largest request that a collector takes.
constexpr size_t kFetchHeadBytes = 28;
constexpr size_t kFetchedMetricsMax = (limits::kClientPduBytesMax - kFetchHeadBytes) / sizeof(PmId);

Error refusal(int code, std::string what, std::string help) {
  return Error(Fault::unsupported, std::move(what)).pm_code(code).help(std::move(help));
}

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

// Of a host that PCP's library cannot look up.
Error unknown_host(const HostSpec& spec) {
  return Error(Fault::not_found, "no host is named")
      .at("host specification", spec.text)
      .pm_code(-EHOSTUNREACH)
      .help("write HOST, or local: for this machine");
}

Result<uint16_t> port_of(uint32_t number, const HostSpec& spec, const ClientSettings& settings) {
  constexpr uint32_t kNegative = 1u << 31;  // to PCP's library
  if (settings.fails_as_pcp)
    return number < kNegative ? static_cast<uint16_t>(number) : uint16_t{0};
  if (number > 0 && number <= UINT16_MAX) return static_cast<uint16_t>(number);
  const bool is_cut_off = number >= kNegative;
  return fail(Error(Fault::usage, is_cut_off ? "there is no port of such a number"
                                             : fmt::format("there is no port {}", number))
                  .at("host specification", spec.text)
                  .pm_code(-EINVAL)
                  .help("ports are 1 to 65535; a collector's is 44321"));
}

// Who is dialled: the host, or the last that stands between. Proxies are not built; PCP's library
// reports first what is wrong with them.
HostSpec::Address dialled(const HostSpec& spec, const ClientSettings& settings) {
  if (spec.kind == HostSpec::Kind::local) return {.name = "localhost", .ports = settings.ports};
  HostSpec::Address out = spec.addresses.front();
  if (spec.addresses.size() > 1) out = spec.addresses[1];
  if (out.ports.empty() && spec.addresses.size() > 1) out.ports = {kProxyPort};
  if (out.ports.empty()) out.ports = settings.ports;
  return out;
}

// Ports or the socket, as they are to be tried.
Result<std::vector<Endpoint>> endpoints_of(const HostSpec& spec, const ClientSettings& settings) {
  std::vector<Endpoint> out;
  if (spec.kind != HostSpec::Kind::remote) {
    out.push_back({.unix_path = spec.path.empty() ? settings.socket_path : spec.path});
    if (spec.kind == HostSpec::Kind::unix_socket) return out;
  }
  const HostSpec::Address address = dialled(spec, settings);
  if (address.name.empty()) return fail(unknown_host(spec));
  for (const uint32_t number : address.ports) {
    const auto port = port_of(number, spec, settings);
    if (!port) return fail(port.error());
    out.push_back({.host = address.name, .port = *port});
  }
  return out;
}

// PCP's library tells apart: a time-out, a name that nobody knows, and that nobody is there.
Error as_pcp_fails(Error error, const Endpoint& endpoint) {
  const int code = error.pm_code();
  const bool is_other = code == pm_err::E_TIMEOUT || error.fault() == Fault::not_found ||
                        code == -EMFILE || code == -ENFILE || code == -EINTR;
  if (is_other) return error;
  return std::move(error).pm_code(endpoint.is_unix() ? -ENOENT : -ECONNREFUSED);
}

void count(std::array<uint64_t, ClientPduCounts::kTypes>& counts, uint32_t code) {
  const uint32_t type = code - ClientPduCounts::kFirst;
  if (type < counts.size()) ++counts[type];
}

// Each of the PDUs in these bytes, which the client has encoded itself.
void count_all(std::array<uint64_t, ClientPduCounts::kTypes>& counts, Bytes pdus) {
  while (pdus.size() >= 2 * sizeof(uint32_t)) {
    ByteReader in(pdus);
    const uint32_t length = in.u32();
    count(counts, in.u32());
    pdus = pdus.subspan(std::clamp<size_t>(length, 2 * sizeof(uint32_t), pdus.size()));
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
      framer_(limits::kServerPduBytesMax),
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

Async<Result<std::unique_ptr<Connection>>> Connection::open(Network& network, const HostSpec& spec,
                                                            const ClientSettings& settings) {
  const auto endpoints = endpoints_of(spec, settings);
  if (!endpoints) co_return fail(endpoints.error());
  std::optional<Error> last;
  for (const Endpoint& endpoint : *endpoints) {
    Later<Result<std::unique_ptr<Transport>>> arrival;
    network.connect(endpoint, network.now() + settings.connect_timeout, arrival.callback());
    auto transport = co_await arrival;
    if (!transport) {
      last = settings.fails_as_pcp ? as_pcp_fails(transport.error(), endpoint) : transport.error();
      continue;
    }
    if (auto refused = not_built(spec)) co_return fail(*std::move(refused));
    const std::string container = spec.container().value_or(settings.container);
    if (auto refused = container_refusal(container, "PCP_CONTAINER")) {
      co_return fail(*std::move(refused));
    }
    std::unique_ptr<Connection> made(
        new Connection(network, *std::move(transport), endpoint.text(), settings));
    auto shaking = made->shake_hands(spec, endpoint.is_unix(), container);
    const Result<bool> ready = co_await shaking;
    if (ready) co_return std::move(made);
    last = ready.error();
  }
  co_return fail(*last);
}

// The collector speaks first. To its greeting it gets credentials, and says nothing more to them.
Async<Result<bool>> Connection::shake_hands(const HostSpec& spec, bool by_unix,
                                            std::string container) {
  deadline_ = network_.now() + kGreetingPatience;
  const Result<wire::Pdu> hello = co_await receive();
  if (!hello) co_return fail(hello.error());
  const Result<bool> welcome = take_hello(*hello, spec, by_unix, container);
  if (!welcome) co_return fail(lose(welcome.error()));
  wire::FeatureSet wishes;
  if (features_.has(Feature::creds_required)) wishes = wishes.with(Feature::creds_required);
  if (!container.empty()) wishes = wishes.with(Feature::container);
  wire::Credential credential{.version = kProtocolVersion, .wishes = wishes};
  wire::CredsMessage creds;
  creds.credentials.push_back(credential);
  out_.clear();
  wire::encode({.from = static_cast<int32_t>(getpid()), .body = std::move(creds)}, out_);
  if (!container.empty()) {
    wire::encode({.body = wire::AttributeMessage{.code = kContainerAttribute, .value = container}},
                 out_);
  }
  greeted_ = true;
  deadline_ = network_.now() + patience_;
  const Result<bool> sent = co_await send();
  under_way_ = false;
  co_return sent;
}

Result<bool> Connection::take_hello(const wire::Pdu& pdu, const HostSpec& spec, bool by_unix,
                                    const std::string& container) {
  const auto* const hello = std::get_if<wire::ErrorMessage>(&pdu.body);
  if (hello == nullptr || (!hello->hello && hello->code >= 0)) {
    return fail(Error(Fault::format, "the other side does not greet as a collector does")
                    .pm_code(pm_err::E_IPC)
                    .help("is something else listening on this port?"));
  }
  if (hello->code < 0) {
    return fail(
        Error(Fault::io, fmt::format("the collector refuses: {}", pm_error_text(hello->code)))
            .pm_code(hello->code)
            .help("the [access] section of its pmcd.conf says who may connect"));
  }
  if (hello->hello->version != kProtocolVersion) {
    return fail(refusal(pm_err::E_IPC,
                        fmt::format("the collector speaks version {} of the protocol; pmjit {}",
                                    hello->hello->version, kProtocolVersion),
                        "connect to a collector of PCP 2 or later"));
  }
  features_ = hello->hello->features;
  if (features_.has(Feature::cert_required) && !by_unix && spec.host() != "localhost") {
    return fail(refusal(pm_err::E_NEEDCLIENTCERT, "the collector wants a client certificate",
                        "pmjit cannot encrypt yet; connect on the host itself with unix:"));
  }
  if (features_.has(Feature::creds_required) && !by_unix) {
    return fail(refusal(pm_err::E_PERMISSION, "the collector wants users to log in",
                        "pmjit cannot log in yet; connect on the host itself with unix:, where "
                        "the collector knows the user"));
  }
  if (!container.empty() && !features_.has(Feature::container)) {
    return fail(refusal(-EOPNOTSUPP,
                        fmt::format("the collector knows no containers (\"{}\")", container),
                        "leave the container out"));
  }
  return true;
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

Async<Result<bool>> Connection::send() {
  under_way_ = true;
  count_all(counts_.sent, out_.written());
  Later<Result<size_t>> written;
  transport_->write(out_.written(), deadline_, written.callback());
  const Result<size_t> done = co_await written;
  if (!done) co_return fail(lose(done.error()));
  co_return true;
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
    return fail(Error(Fault::io, "the collector has closed the connection")
                    .pm_code(pm_err::E_IPC)
                    .help("it was stopped or restarted, or refuses this client"));
  }
  // Only what comes first can be a line: later pieces of a PDU may look like one.
  if (!greeted_ && room.size() >= bytes) {
    if (const auto line = as_line(room.first(bytes))) {
      return fail(
          Error(Fault::format, fmt::format("this is no PCP collector: it says \"{}\"", *line))
              .pm_code(pm_err::E_IPC)
              .help("something else is listening on this port; a collector's is 44321"));
    }
  }
  framer_.filled(bytes);
  return true;
}

Async<Result<wire::Pdu>> Connection::receive() {
  Result<wire::Framer::Frame> frame = co_await receive_frame();
  if (!frame) co_return fail(frame.error());
  const wire::FeatureSet features = greeted_ ? features_ : wire::kPlainFeatures;
  Result<wire::Pdu> pdu = wire::decode(frame->bytes, {.features = features});
  if (!pdu) co_return fail(lose(pdu.error()));
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
