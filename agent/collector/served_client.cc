#include "agent/collector/served_client.h"

#include <fmt/format.h>

namespace pmjit {

ServedClient::ServedClient(CollectorCore& core, AgentAsker asker, const ClientLimits& limits)
    : core_(&core), limits_(limits), session_(core, asker), framer_(limits.pdu_bytes_max) {
  session_.greet(unsent_);
  set_deadline();
}

std::span<std::byte> ServedClient::room() { return framer_.room(); }

void ServedClient::received(size_t bytes) {
  framer_.filled(bytes);
  while (!closing_) {
    const auto frame = framer_.next();
    if (!frame) return close(frame.error().text(), false);
    if (!*frame) break;
    within_pdu_ = false;  // the next one has a deadline of its own
    const auto kept = session_.take((*frame)->bytes, unsent_);
    if (!kept) close(kept.error().text(), true);
    check_budget();
  }
  set_deadline();
}

void ServedClient::ended() {
  const auto whole = framer_.ended();
  close(whole ? "" : whole.error().what(), false);
}

void ServedClient::sent(size_t bytes) {
  sent_ += bytes;
  if (sent_ < unsent_.size()) return;
  unsent_.clear();
  sent_ = 0;
}

void ServedClient::set_deadline() {
  const bool begun = !framer_.ended().has_value();
  if (begun && within_pdu_) return;  // the clock of this PDU runs
  within_pdu_ = begun;
  if (begun) {
    deadline_ = core_->clock().now() + limits_.half_pdu;
  } else if (session_.ready()) {
    deadline_.reset();
  } else if (!deadline_) {
    deadline_ = core_->clock().now() + limits_.creds;
  }
}

void ServedClient::look_at_time() {
  if (!deadline_ || core_->clock().now() < *deadline_ || closing_) return;
  const std::string what =
      within_pdu_ ? fmt::format(
                        "it sent a part of a PDU, and the other {} bytes did not come "
                        "within {} ms",
                        framer_.wanted(), limits_.half_pdu.count())
                  : fmt::format("it sent no CREDS within {} ms", limits_.creds.count());
  close(what, false);
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
