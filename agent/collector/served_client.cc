#include "agent/collector/served_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace pmjit {

ServedClient::ServedClient(CollectorCore& core, AgentAsker asker, const ClientLimits& limits)
    : core_(&core), limits_(limits), session_(core, asker), framer_(limits.pdu_bytes_max) {
  session_.greet(unsent_);
  answer();
  set_deadline();
}

std::span<std::byte> ServedClient::room() { return framer_.room(); }

void ServedClient::received(size_t bytes) {
  framer_.filled(bytes);
  answer();
  set_deadline();
}

void ServedClient::answer() {
  while (!closing_ && reads()) {
    const auto frame = framer_.next();
    if (!frame) return close(frame.error().what() + ": it is no client of PCP's protocol", false);
    if (!*frame) break;
    within_pdu_ = false;  // the next one has a deadline of its own
    const auto kept = session_.take((*frame)->bytes, unsent_);
    if (!kept) close(kept.error().text(), true);
    check_budget();
  }
  if (!unread_by_ && !unsent().empty()) unread_by_ = core_->clock().now() + limits_.unread;
}

void ServedClient::ended() {
  const auto whole = framer_.ended();
  close(whole ? "" : whole.error().what(), false);
}

void ServedClient::sent(size_t bytes) {
  if (bytes == 0) return;
  const bool paused = !reads();
  sent_ += bytes;
  unread_by_.reset();
  if (sent_ == unsent_.size()) {
    unsent_.clear();
    sent_ = 0;
  } else if (sent_ > limits_.paused_above && sent_ > unsent().size()) {
    // A slow client may never have read all of it, so what it has read goes before.
    ByteWriter rest;
    rest.bytes(unsent());
    unsent_ = std::move(rest);
    sent_ = 0;
  }
  if (paused && reads()) answer();  // what had come before the pause
  if (!unsent().empty()) unread_by_ = core_->clock().now() + limits_.unread;
  set_deadline();
}

std::optional<Instant> ServedClient::deadline() const {
  std::optional<Instant> out;
  for (const auto& one : {input_by_, unread_by_, session_.waits_until()}) {
    if (one && (!out || *one < *out)) out = one;
  }
  return out;
}

void ServedClient::look_at_agents() {
  if (closing_ || !session_.waits()) return;
  session_.go_on(unsent_);
  if (session_.waits()) return;
  check_budget();
  answer();  // what came meanwhile
  set_deadline();
}

void ServedClient::set_deadline() {
  const Instant now = core_->clock().now();
  if (input_left_) input_by_ = now + *std::exchange(input_left_, std::nullopt);
  const bool begun = !framer_.ended().has_value();
  if (!begun || !within_pdu_) {  // else the clock of this PDU runs
    within_pdu_ = begun;
    if (begun) {
      input_by_ = now + limits_.half_pdu;
    } else if (session_.ready()) {
      input_by_.reset();
    } else if (!input_by_) {
      input_by_ = now + limits_.creds;
    }
  }
  if (reads() || !input_by_) return;
  input_left_ = std::max(*input_by_ - now, std::chrono::nanoseconds(0));
  input_by_.reset();
}

void ServedClient::look_at_time() {
  const Instant now = core_->clock().now();
  if (closing_) return;
  look_at_agents();
  if (unread_by_ && now >= *unread_by_) {
    return close(fmt::format("{} bytes of answers wait for it, and it has read none of them for {} "
                             "ms",
                             unsent().size(), limits_.unread.count()),
                 false);
  }
  if (!input_by_ || now < *input_by_) return;
  const std::string what =
      within_pdu_ ? fmt::format(
                        "it sent a part of a PDU, and the other {} bytes did not come "
                        "within {} ms",
                        framer_.wanted(), limits_.half_pdu.count())
                  : fmt::format("it sent no CREDS within {} ms", limits_.creds.count());
  close(what, false);
}

void ServedClient::restrict_to(int code, uint8_t denied) {
  session_.deny(denied);
  if (session_.refuse_with(code, unsent_)) close("it may not connect", true);
}

void ServedClient::check_budget() {
  const size_t waiting = unsent_.size() - sent_;
  if (waiting <= limits_.unread_bytes_max) return;
  close(fmt::format("it has not read {} bytes of answers, and {} may wait", waiting,
                    limits_.unread_bytes_max),
        false);
}

void ServedClient::close(std::string why, bool after_sending) {
  if (!closing_) closing_ = Closing{.why = std::move(why), .after_sending = after_sending};
}

}  // namespace pmjit
