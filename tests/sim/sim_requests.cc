// Requests to simulated hosts: from whole PDUs to bytes on the socket, with what faults make of
// them.
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <random>

#include "tests/sim/sim_server.h"

namespace pmjit::test {

namespace {

using wire::PduType;

// The context of a FETCH, behind the header.
constexpr size_t kContextAt = 12;

bool is(uint32_t code, PduType type) { return code == static_cast<uint32_t>(type); }
bool is_fetch(uint32_t code) {
  return is(code, PduType::fetch) || is(code, PduType::highres_fetch);
}
bool is_answered(uint32_t code) {
  return !is(code, PduType::creds) && !is(code, PduType::profile) && !is(code, PduType::attribute);
}

Stamp stamp_of(WallTime when) {
  const auto since = when.time_since_epoch();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
  return {.sec = seconds.count(), .nsec = static_cast<int32_t>((since - seconds).count())};
}

void set_length(std::vector<std::byte>& pdu, uint32_t bytes) {
  const auto turned = load_be<uint32_t>(reinterpret_cast<const std::byte*>(&bytes));
  std::memcpy(pdu.data(), &turned, sizeof turned);
}

// In turn: a length that no PDU has, the largest one, noise all over.
void spoil(std::vector<std::byte>& pdu, uint64_t turn) {
  if (turn % 3 == 0) return set_length(pdu, 8);
  if (turn % 3 == 1) return set_length(pdu, INT32_MAX);
  std::mt19937_64 random(turn);
  for (std::byte& one : pdu) one = static_cast<std::byte>(random());
}

}  // namespace

void SimServer::take_request(SimConnection& one, Bytes pdu) {
  const auto code = load_be<uint32_t>(pdu.data() + 4);
  ++counts_.requests;
  if (is_fetch(code)) {
    ++counts_.fetches;
    if (setup_.keeps_times) {
      one.times_at = times_.size();
      times_.push_back({.host = one.host, .asked = clock_->wall(), .answered = {}});
    }
  }
  const SimFault* const slow = is_answered(code) ? fault_of(one.host, {FaultKind::slow}) : nullptr;
  if (slow == nullptr) return answer(one, pdu);
  one.held.assign(pdu.begin(), pdu.end());
  one.waits = true;
  timers_.add(clock_->now() + slow->time, [this, fd = one.fd, serial = one.serial] {
    SimConnection* const held = find(fd, serial);
    if (held == nullptr) return;
    held->waits = false;
    answer(*held, std::exchange(held->held, {}));
    go_on(*held);
  });
}

void SimServer::answer(SimConnection& one, Bytes pdu) {
  const auto code = load_be<uint32_t>(pdu.data() + 4);
  now_wall_ = clock_->wall();
  if (is_fetch(code)) {
    one.last = prepared_for(one, pdu);
    if (one.last != nullptr) {
      ++counts_.prepared;
      return deliver(one, one.last->answer.at(moment_of(one.host, now_wall_), stamp_of(now_wall_)));
    }
  }
  still_.set_wall(now_wall_);
  out_.clear();
  const auto kept = one.session.take(pdu, out_);
  if (is(code, PduType::profile)) take_profile(one, pdu);
  if (is_fetch(code)) {
    if (has_whole_profile(one, pdu)) prepared_.learn(pdu, out_.written());
    deliver(one, out_.written());
  } else {
    send(one, out_.written());
  }
  one.ending = one.ending || !kept;
}

bool SimServer::has_whole_profile(const SimConnection& one, Bytes fetch) {
  if (fetch.size() < kContextAt + 4) return false;
  const auto context = load_be<uint32_t>(fetch.data() + kContextAt);
  return context < 64 && (one.whole_profiles >> context & 1) != 0;
}

PreparedAnswers::Known* SimServer::prepared_for(SimConnection& one, Bytes fetch) {
  return has_whole_profile(one, fetch) ? prepared_.find(fetch, one.last) : nullptr;
}

// The session has taken it, too.
void SimServer::take_profile(SimConnection& one, Bytes pdu) {
  const auto decoded = wire::decode(pdu, {.route = wire::Route::client_to_collector});
  if (!decoded || !one.session.ready()) return;
  const auto& profile = std::get<wire::ProfileMessage>(decoded->body);
  if (profile.context >= 64) return;
  const uint64_t bit = uint64_t{1} << profile.context;
  const bool whole = !profile.excludes && profile.domains.empty();
  one.whole_profiles = whole ? one.whole_profiles | bit : one.whole_profiles & ~bit;
}

void SimServer::deliver(SimConnection& one, Bytes result) {
  const SimFault* const fault =
      fault_of(one.host, {FaultKind::hang, FaultKind::lie, FaultKind::garbage});
  if (fault == nullptr) return send(one, result);
  if (fault->kind == FaultKind::hang) {
    one.stuck = true;
    const size_t half = result.size() / 2;
    send(one, result.first(half));
    one.unsent.insert(one.unsent.end(), result.begin() + static_cast<std::ptrdiff_t>(half),
                      result.end());
    return;
  }
  spoilt_.assign(result.begin(), result.end());
  if (fault->kind == FaultKind::lie) {
    set_length(spoilt_, fault->number);
  } else {
    spoil(spoilt_, garbage_++);
  }
  send(one, spoilt_);
}

void SimServer::send(SimConnection& one, Bytes bytes) {
  if (bytes.empty()) return;
  const size_t sent = one.unsent.empty() ? write_some(one, bytes) : 0;
  one.unsent.insert(one.unsent.end(), bytes.begin() + static_cast<std::ptrdiff_t>(sent),
                    bytes.end());
  if (one.unsent.empty()) note_answered(one);
}

void SimServer::send_rest(SimConnection& one) {
  if (one.stuck || one.unsent.empty()) return;
  one.sent += write_some(one, Bytes(one.unsent).subspan(one.sent));
  if (one.sent < one.unsent.size()) return;
  one.unsent = {};  // thousands of connections keep no memory for what is rare
  one.sent = 0;
  note_answered(one);
}

// As much as the socket takes.
size_t SimServer::write_some(SimConnection& one, Bytes bytes) {
  const ssize_t sent = ::send(one.fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (sent < 0) {
    one.ending = one.ending || errno != EAGAIN;
    return 0;
  }
  counts_.bytes_out += static_cast<uint64_t>(sent);
  return static_cast<size_t>(sent);
}

void SimServer::note_answered(SimConnection& one) {
  if (one.times_at == SIZE_MAX || one.stuck) return;
  times_[std::exchange(one.times_at, SIZE_MAX)].answered = clock_->wall();
}

}  // namespace pmjit::test
