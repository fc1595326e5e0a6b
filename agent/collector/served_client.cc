#include "agent/collector/served_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace pmjit {

namespace {

constexpr size_t kEncryptedBytes = 4'096;  // most requests take less

// A profile and a fetch come together.
constexpr size_t kCheapAnswers = 2;
// Some requests have files read, so a turn ends by the clock, too. An agent's answer waits for the
// turns of all clients who are ready.
constexpr std::chrono::microseconds kTurn{100};
// And where one answer is so long that it has taken as much.
constexpr size_t kTurnBytes = 64u << 10;

}  // namespace

ServedClient::ServedClient(CollectorCore& core, AgentAsker asker, const ClientLimits& limits)
    : core_(&core), limits_(limits), session_(core, asker), framer_(limits.pdu_bytes_max) {
  session_.leave_tails_in(&tail_);
  session_.greet(unsent_);
  answer();
  set_deadline();
}

std::span<std::byte> ServedClient::room() {
  if (tls_ == nullptr) return framer_.room();
  room_.resize(kEncryptedBytes);
  return room_;
}

void ServedClient::received(size_t bytes) {
  if (tls_ == nullptr) {
    framer_.filled(bytes);
  } else {
    tls_->arrived(Bytes(room_).first(bytes));
    room_ = {};  // most clients wait most of the time
    if (!encrypted_) shake_hands();
  }
  answer();
  set_deadline();
}

void ServedClient::encrypt(Result<std::unique_ptr<TlsSession>> tls) {
  if (!tls) return close(tls.error().text(), false);
  tls_ = *std::move(tls);
  session_.leave_tails_in(nullptr);  // all is written anew
  tls_->arrived(framer_.take_rest());
  shake_hands();
  answer();
  set_deadline();
}

// Its last words are sent in any case: they say why it fails.
void ServedClient::shake_hands() {
  const Result<bool> stands = tls_->shake_hands();
  seal();
  if (!stands) return close(stands.error().what(), true);
  if (!*stands) return;
  encrypted_ = true;
  const auto kept = session_.encrypted(clear_);
  seal();
  if (!kept) close(kept.error().text(), true);
}

// False: no more has come.
bool ServedClient::decrypt() {
  if (!encrypted_) return false;
  const auto got = tls_->read(framer_.room());
  seal();  // an answer to what came, such as a change of keys
  if (!got) close(got.error().what(), true);
  if (!got || !*got) return false;
  if (**got == 0) {
    ended();
    return false;
  }
  framer_.filled(**got);
  return true;
}

void ServedClient::seal() {
  if (tls_ == nullptr) return;
  if (clear_.size() > 0) {
    const Result<bool> taken = tls_->write(clear_.written());
    if (!taken) close(taken.error().what(), false);
    clear_ = {};
  }
  tls_->take_to_send(sealed_);
  unsent_.bytes(sealed_);
  sealed_ = {};
}

void ServedClient::copy_tail() { unsent_.bytes(std::exchange(tail_, {}).bytes); }

// False: nothing is there to be taken.
bool ServedClient::take_one() {
  const auto frame = framer_.next();
  if (!frame) {
    close(frame.error().what() + ": it is no client of PCP's protocol", false);
    return false;
  }
  if (!*frame) return decrypt();
  within_pdu_ = false;  // the next one has a deadline of its own
  copy_tail();
  const auto kept = session_.take((*frame)->bytes, out());
  seal();
  if (!kept) close(kept.error().text(), true);
  check_budget();
  return true;
}

void ServedClient::answer() {
  has_more_ = false;
  std::optional<Instant> until;
  for (size_t taken = 0; !closing_ && reads() && !begins_tls() && !awaits_admission(); ++taken) {
    has_more_ = taken == limits_.answers_at_once;
    if (taken > kCheapAnswers) {  // the clock costs, too
      const Instant now = core_->clock().now();
      if (!until) until = now + kTurn;
      has_more_ = has_more_ || now > *until;
    }
    const size_t before = waiting();
    if (has_more_ || !take_one()) break;
    // Where nothing else has come there is no turn to wait for.
    const bool is_long = waiting() > before + kTurnBytes;
    if (is_long && (tls_ != nullptr || !framer_.ended())) {
      has_more_ = true;
      break;
    }
  }
}

void ServedClient::go_on() {
  if (!has_more_) return;
  answer();
  set_deadline();
}

void ServedClient::ended() {
  if (tls_ != nullptr && !encrypted_) return close(tls_->closed_early().what(), false);
  const auto whole = framer_.ended();
  close(whole ? "" : whole.error().what(), false);
}

void ServedClient::sent(size_t bytes) {
  // Mostly all is taken at once, and no clock is asked.
  const auto wait_for_reader = [&] {
    if (!unread_by_ && !unsent().empty()) unread_by_ = core_->clock().now() + limits_.unread;
  };
  if (bytes == 0) return wait_for_reader();
  const bool paused = !reads();
  unread_by_.reset();
  const size_t before_tail = std::min(bytes, unsent_.size() - sent_);
  sent_ += before_tail;
  if (bytes > before_tail) tail_.bytes = tail_.bytes.subspan(bytes - before_tail);
  if (tail_.bytes.empty()) tail_ = {};
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
  wait_for_reader();
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
  const auto kept = session_.go_on(out());
  seal();
  if (!kept) close(kept.error().text(), true);
  if (session_.waits()) return;
  check_budget();
  answer();  // what came meanwhile
  set_deadline();
}

void ServedClient::set_deadline() {
  const auto now = [this] { return core_->clock().now(); };  // mostly nobody has to know it
  if (input_left_) input_by_ = now() + *std::exchange(input_left_, std::nullopt);
  const bool begun = !framer_.ended().has_value();
  if (!begun || !within_pdu_) {  // else the clock of this PDU runs
    within_pdu_ = begun;
    if (begun) {
      input_by_ = now() + limits_.half_pdu;
    } else if (session_.ready()) {
      input_by_.reset();
    } else if (!input_by_) {
      input_by_ = now() + limits_.creds;
    }
  }
  if (reads() || !input_by_) return;
  input_left_ = std::max(*input_by_ - now(), std::chrono::nanoseconds(0));
  input_by_.reset();
}

void ServedClient::look_at_time() {
  const Instant now = core_->clock().now();
  if (closing_) return;
  look_at_agents();
  if (unread_by_ && now >= *unread_by_) {
    return close(fmt::format("{} bytes of answers wait for it, and it has read none of them for {} "
                             "ms",
                             waiting(), limits_.unread.count()),
                 false);
  }
  if (!input_by_ || now < *input_by_) return;
  const std::string_view begun = session_.logs_in() ? "its login did not end"
                                 : tls_ != nullptr  ? "its TLS handshake did not end"
                                                    : "it sent no CREDS";
  const std::string what = within_pdu_
                               ? fmt::format(
                                     "it sent a part of a PDU, and the other {} bytes did not come "
                                     "within {} ms",
                                     framer_.wanted(), limits_.half_pdu.count())
                               : fmt::format("{} within {} ms", begun, limits_.creds.count());
  close(what, false);
}

void ServedClient::restrict_to(int code, uint8_t denied) {
  session_.deny(denied);
  copy_tail();
  const bool refused = session_.refuse_with(code, out());
  seal();
  if (refused) close("it may not connect", true);
}

void ServedClient::admit() {
  const auto kept = session_.admitted(out());
  seal();
  if (!kept) close(kept.error().text(), true);
  answer();  // what came meanwhile
  set_deadline();
}

void ServedClient::check_budget() {
  if (waiting() <= limits_.unread_bytes_max) return;
  close(fmt::format("it has not read {} bytes of answers, and {} may wait", waiting(),
                    limits_.unread_bytes_max),
        false);
}

void ServedClient::close(std::string why, bool after_sending) {
  if (!closing_) closing_ = Closing{.why = std::move(why), .after_sending = after_sending};
}

}  // namespace pmjit
