#include "runtime/client/host_client.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "runtime/model/pm_codes.h"

namespace pmjit {

ConnectionLease::~ConnectionLease() {
  if (client_ != nullptr) client_->end_turn();
}

Connection& ConnectionLease::connection() const { return *client_->connection_; }

HostClient::HostClient(Network& network, HostSpec spec, ClientSettings settings)
    : network_(network),
      spec_(std::move(spec)),
      settings_(std::move(settings)),
      next_attempt_(network.now()),
      jitter_(static_cast<uint32_t>(std::hash<std::string>{}(spec_.text))) {
  const bool names_none = spec_.kind == HostSpec::Kind::remote && spec_.addresses.empty();
  if (!settings_.fails_as_pcp || names_none) last_failure_ = not_built(spec_);
  if (!last_failure_ && !settings_.refusal.empty()) {
    last_failure_ = Error(Fault::unsupported, settings_.refusal)
                        .pm_code(-EOPNOTSUPP)
                        .help(settings_.refusal_help);
  }
  // What is not built is so at every attempt.
  if (last_failure_) next_attempt_ = Instant::max();
}

Async<Result<ConnectionLease>> HostClient::lease() {
  Turn turn(*this);
  co_await turn;
  ConnectionLease lease(*this);
  if (connected()) co_return std::move(lease);
  if (network_.now() < next_attempt_) co_return fail(*last_failure_);
  drop_connection();
  auto opening = Connection::open(network_, spec_, settings_);
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
