#include "runtime/client/host_client.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <functional>
#include <string_view>
#include <utility>

#include "runtime/base/local_host.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

ConnectionLease::~ConnectionLease() {
  if (client_ != nullptr) client_->end_turn();
}

Connection& ConnectionLease::connection() const { return *client_->connection_; }

namespace {

// Another one in each process of each machine, also where all of them start in the same second.
uint32_t process_seed(WallTime start) {
  const auto now = start.time_since_epoch().count();
  const size_t name = std::hash<std::string>{}(local_host_name());
  std::seed_seq mixed{static_cast<uint32_t>(getpid()), static_cast<uint32_t>(name),
                      static_cast<uint32_t>(name >> 32), static_cast<uint32_t>(now),
                      static_cast<uint32_t>(now >> 32)};
  uint32_t out = 0;
  mixed.generate(&out, &out + 1);
  return out;
}

std::mt19937 jitter_of(const HostSpec& spec, const ClientSettings& settings, WallTime start) {
  std::seed_seq mixed{settings.jitter_seed ? *settings.jitter_seed : process_seed(start),
                      static_cast<uint32_t>(std::hash<std::string>{}(spec.text))};
  return std::mt19937(mixed);
}

}  // namespace

HostClient::HostClient(Network& network, HostSpec spec, ClientSettings settings)
    : network_(network),
      spec_(std::move(spec)),
      settings_(std::move(settings)),
      next_attempt_(network.now()),
      jitter_(jitter_of(spec_, settings_, network.clock().wall())) {
  last_failure_ = refused();
  // What cannot be done is so at every attempt.
  if (last_failure_) next_attempt_ = Instant::max();
}

std::optional<Error> HostClient::refused() const {
  const bool is_remote = spec_.kind == HostSpec::Kind::remote;
  if (!settings_.fails_as_pcp || (is_remote && spec_.addresses.empty())) {
    if (auto out = spec_refusal(spec_)) return out;
  }
  // PCP 6.0.3 does not connect to them either.
  if (settings_.proxy && !is_remote) {
    return Error(Fault::unsupported,
                 fmt::format("a socket of this machine is not reached through a proxy "
                             "(PMPROXY_HOST={})",
                             *settings_.proxy))
        .pm_code(-EPERM)
        .help("unset PMPROXY_HOST");
  }
  if (settings_.fails_as_pcp || spec_.container()) return std::nullopt;
  return container_refusal(settings_.container, "PCP_CONTAINER");
}

Async<Result<ConnectionLease>> HostClient::lease() {
  Turn turn(*this);
  co_await turn;
  ConnectionLease lease(*this);
  if (connected()) co_return std::move(lease);
  if (network_.now() < next_attempt_) co_return fail(*last_failure_);
  drop_connection();
  auto opening = Connection::open(network_, spec_, settings_, answers_);
  auto opened = co_await opening;
  if (!opened) {
    note_failure(opened.error());
    co_return fail(opened.error());
  }
  connection_ = *std::move(opened);
  ++connections_;
  ++epoch_;
  failures_ = 0;
  next_attempt_ = network_.now();
  co_return std::move(lease);
}

void HostClient::note_changes(uint32_t changes) {
  constexpr uint32_t kOfMetrics =
      wire::kAgentAdded | wire::kAgentRestarted | wire::kAgentDropped | wire::kNamesChanged;
  if ((changes & kOfMetrics) != 0) ++epoch_;
}

// Those who ask once a second or so do so at times that differ a little: an attempt that is as good
// as due is not put off to their next time.
void HostClient::note_failure(const Error& error) {
  constexpr std::chrono::milliseconds kAsGoodAsDue(50);
  last_failure_ = error;
  const auto& delays = settings_.reconnect_delays;
  const std::chrono::nanoseconds delay = delays[std::min(failures_, delays.size() - 1)];
  ++failures_;
  const double share = settings_.reconnect_jitter;
  const double moved = std::uniform_real_distribution<double>(-share, share)(jitter_);
  next_attempt_ =
      network_.now() + delay - kAsGoodAsDue +
      std::chrono::nanoseconds(static_cast<int64_t>(moved * static_cast<double>(delay.count())));
}

void HostClient::reset() {
  if (connection_ && in_use_) {
    (void)connection_->break_off("the connection is given up");
  } else {
    drop_connection();
  }
  if (next_attempt_ != Instant::max()) next_attempt_ = network_.now();
}

void HostClient::drop_connection() {
  earlier_ = pdu_counts();
  connection_.reset();
}

ClientPduCounts HostClient::pdu_counts() const {
  ClientPduCounts out = earlier_;
  if (connection_) out.add(connection_->pdu_counts());
  return out;
}

// The next user goes on inside of this call.
void HostClient::end_turn() {
  in_use_ = false;
  if (turns_.empty()) return;
  Turn* const next = turns_.front();
  turns_.pop_front();
  in_use_ = true;
  next->waiting.resume();
}

}  // namespace pmjit
