#include "agent/collector/remote_agent.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <utility>

#include "agent/collector/left_answer.h"
#include "runtime/base/limits.h"
#include "runtime/wire/codec.h"

namespace pmjit {

namespace {

constexpr wire::Channel kFromAgent{.route = wire::Route::agent_to_collector};
// Codes that only agents use, of their being ready.
constexpr int kAgentReady = -13'393, kAgentNotReady = -13'394;
// Bytes that an agent has not read, besides a request. Without requests it gets one-way PDUs alone.
constexpr size_t kAgentUnreadMax = 4u << 20;
// Of memory for answers: an agent that has given many values gives them again.
constexpr size_t kAgentKeptBytes = 4u << 20;
// State changes that an agent may tell of in its results.
constexpr uint32_t kChangesOfAgents = wire::kLabelsChanged | wire::kNamesChanged;

// In memory of its own, where nothing changes it.
Bytes copy_into(AgentCall& call, Bytes bytes) {
  call.bytes.resize(bytes.size());
  std::ranges::copy(bytes, call.bytes.data());
  return {call.bytes.data(), call.bytes.size()};
}

struct AttributeCode {
  static constexpr int32_t user_name = 5, user_id = 11, group_id = 12, process_id = 14,
                           container = 15;
};

}  // namespace

void RemoteAgent::give_up() {
  state_ = State::stopped;
  refuse_queued(pm_err::E_NOAGENT);
}

void RemoteAgent::begin(std::shared_ptr<std::byte> memory) {
  state_ = State::greeting;
  give_answer_away();
  memory_ = std::move(memory);
  offered_ = 0;
  in_rooms_ = {};
  framer_.emplace(limits::kServerPduBytesMax, kAgentKeptBytes);
  unsent_.clear();
  sent_ = 0;
  profile_.reset();
  ended_slots_.clear();
  heard_of_.clear();
  wants_attributes_ = false;
  at_greeting_ = true;
  hosted_interface_ = 0;
  host_has_refused_ = false;
  failure_.clear();
  greeting_by_.reset();
  if (patience_.greeting.count() != 0) greeting_by_ = clock_->now() + patience_.greeting;
}

// ---- bytes

std::span<std::byte> RemoteAgent::room() {
  give_answer_away();
  return framer_->room();
}

void RemoteAgent::give_answer_away() {
  const AgentCallPtr call = std::exchange(answered_in_place_, {}).lock();
  if (call) call->bytes = framer_->take_memory();
}

void RemoteAgent::received(size_t bytes) {
  framer_->filled(bytes);
  while (failure_.empty()) {
    const auto frame = framer_->next();
    if (!frame) {
      if (at_greeting_) {
        return fail_with(fmt::format("error at initial PDU exchange with {} PMDA: {}", name(),
                                     frame.error().what()),
                         pm_err::E_IPC);
      }
      return fail_with("protocol failure", pm_err::E_IPC);
    }
    if (!*frame) return;
    take_pdu(**frame);
  }
}

void RemoteAgent::ended() {
  if (!failure_.empty() || state_ == State::stopped) return;
  fail_with(at_greeting_
                ? fmt::format("unexpected end-of-file at initial exchange with {} PMDA", name())
                : "protocol failure",
            pm_err::E_IPC);
}

void RemoteAgent::broken(int error) {
  if (error != EPIPE) return ended();
  if (failure_.empty()) fail_with("protocol failure", -EPIPE);
}

void RemoteAgent::stop(const std::string& why) {
  if (failure_.empty()) fail_with(why, pm_err::E_NOAGENT);
}

void RemoteAgent::sent(size_t bytes) {
  sent_ += bytes;
  if (sent_ != unsent_.size()) return;
  unsent_.clear();
  sent_ = 0;
}

void RemoteAgent::send(const ByteWriter& pdu) {
  if (unsent().size() > kAgentUnreadMax) return fail_with("protocol failure", pm_err::E_IPC);
  unsent_.bytes(pdu.written());
}

std::optional<Instant> RemoteAgent::deadline() const {
  std::optional<Instant> out = greeting_by_;
  if (answer_by_ && (!out || *answer_by_ < *out)) out = answer_by_;
  return out;
}

void RemoteAgent::look_at_time() {
  const Instant now = clock_->now();
  if (greeting_by_ && now >= *greeting_by_) {
    return fail_with(fmt::format("error at initial PDU exchange with {} PMDA: Timeout waiting for "
                                 "a response from PMCD",
                                 name()),
                     pm_err::E_IPC);
  }
  if (!answer_by_ || now < *answer_by_) return;
  current_->late = true;
  const bool is_fetch = current_->wanted == wire::PduType::result;
  // What waits for its turn has waited as long: nobody waits twice.
  fail_with("protocol failure", is_fetch ? pm_err::E_TIMEOUT : pm_err::E_IPC);
}

// ---- PDUs

void RemoteAgent::take_pdu(const wire::Framer::Frame& frame) {
  if (at_greeting_) return take_greeting(frame.bytes);
  if (state_ == State::not_ready && !current_) {
    const auto pdu = wire::decode(frame.bytes, kFromAgent);
    const auto* const error = pdu ? std::get_if<wire::ErrorMessage>(&pdu->body) : nullptr;
    if (error == nullptr || error->code != kAgentReady) {
      return fail_with("protocol failure", pm_err::E_IPC);
    }
    state_ = State::ready;
    changes_ |= wire::kAgentAdded;
    has_connected_ = true;
    for (const int32_t slot : std::exchange(ended_slots_, {})) send_end_of(slot);
    if (when_unsent_) when_unsent_();
    return;
  }
  if (!current_) return fail_with("protocol failure", pm_err::E_IPC);  // nobody has asked
  take_answer(frame.bytes);
}

// Before its agent greets, it says once what has come of opening it.
bool RemoteAgent::take_word_of_host(const wire::PduBody& body) {
  if (!identity_.is_hosted || hosted_interface_ != 0) return false;
  if (const auto* const refusal = std::get_if<wire::TextMessage>(&body)) {
    host_has_refused_ = true;
    fail_with(std::string(refusal->text), pm_err::E_IPC);
    return true;
  }
  const auto* const opened = std::get_if<wire::ErrorMessage>(&body);
  if (opened == nullptr || opened->code <= 0) return false;
  hosted_interface_ = opened->code;
  return true;
}

void RemoteAgent::take_greeting(Bytes bytes) {
  const auto header = wire::read_header(bytes, UINT32_MAX);
  const auto pdu = wire::decode(bytes, kFromAgent);
  if (pdu && take_word_of_host(pdu->body)) return;
  const auto* const creds = pdu ? std::get_if<wire::CredsMessage>(&pdu->body) : nullptr;
  if (creds == nullptr) {
    return fail_with(fmt::format("unexpected PDU type (0x{:x}) at initial exchange with {} PMDA",
                                 header ? header->code : 0, name()),
                     pm_err::E_IPC);
  }
  greeting_by_.reset();
  at_greeting_ = false;
  const auto version = wire::version_of(*creds);
  const wire::FeatureSet flags = version ? version->wishes : wire::FeatureSet();
  wants_attributes_ = flags.has(wire::Feature::auth) || flags.has(wire::Feature::container);
  state_ = identity_.starts_not_ready ? State::not_ready : State::ready;
  has_connected_ = true;
  if (!version || version->version == 0) return;  // as pmcd: no answer
  wire::Credential answer;
  if (flags.has(wire::Feature::auth)) answer.wishes = wire::FeatureSet{wire::Feature::auth};
  ByteWriter out;
  wire::encode(
      {.from = static_cast<int32_t>(getpid()), .body = wire::CredsMessage{.credentials = {answer}}},
      out);
  send(out);
  if (when_unsent_) when_unsent_();
}

void RemoteAgent::go_on() {
  if (std::exchange(expected_, false)) {  // what has waited for its start waits from now on
    for (const auto& [client, queue] : queues_) {
      for (const AgentCallPtr& call : queue) call->begun = clock_->now();
    }
  }
  send_next();
}

bool RemoteAgent::fits(const AgentCall& call, const wire::Pdu& answer) const {
  if (wire::row_of(answer).type != call.wanted) return false;
  const auto* const result = std::get_if<wire::ResultMessage>(&answer.body);
  return result == nullptr || result->sets.size() == call.metrics;
}

// The answer stays where it was read. It is copied if another answer comes before it was used.
std::optional<wire::Pdu> RemoteAgent::answer_in(Bytes bytes, AgentCall& call) {
  if (answered_in_place_.expired()) {
    answered_in_place_ = current_;
  } else {
    bytes = copy_into(call, bytes);
  }
  auto pdu = wire::decode(bytes, kFromAgent);
  return pdu ? std::optional(*std::move(pdu)) : std::nullopt;
}

// ---- answers in memory that its process shares

// One that no client still reads.
void RemoteAgent::offer_room(const AgentCall& call) {
  if (!memory_) return;
  const auto free = std::ranges::find_if(in_rooms_, &std::weak_ptr<AgentCall>::expired);
  const bool is_fetch = call.wanted == wire::PduType::result;
  offered_ = 0;
  if (is_fetch && free != in_rooms_.end()) {
    offered_ = static_cast<uint32_t>(free - in_rooms_.begin()) + 1;
  }
  auto* const word = reinterpret_cast<uint32_t*>(memory_.get());
  std::atomic_ref(*word).store(offered_, std::memory_order_release);
}

bool RemoteAgent::says_left(Bytes pdu) const {
  constexpr size_t kErrorBytes = wire::kHeaderBytes + 4;
  return offered_ != 0 && pdu.size() == kErrorBytes &&
         load_be<uint32_t>(pdu.data() + 4) == static_cast<uint32_t>(wire::PduType::error) &&
         static_cast<int32_t>(load_be<uint32_t>(pdu.data() + wire::kHeaderBytes)) ==
             AnswerMemory::kLeftInMemory;
}

// Its process may write there at any time, so blocks, whose places are in the answer, are copied.
std::optional<wire::Pdu> RemoteAgent::answer_left(AgentCall& call) {
  const uint32_t room = std::exchange(offered_, 0);
  const auto pdu =
      left_pdu({memory_.get() + AnswerMemory::place_of(room), AnswerMemory::kRoomBytes});
  if (!pdu) return {};
  if (auto result = read_left(*pdu)) {
    in_rooms_[room - 1] = current_;
    call.room = memory_;
    return wire::Pdu{.body = *std::move(result)};
  }
  auto copied = wire::decode(copy_into(call, *pdu), kFromAgent);
  return copied ? std::optional(*std::move(copied)) : std::nullopt;
}

void RemoteAgent::take_answer(Bytes bytes) {
  AgentCall& call = *current_;
  auto pdu = says_left(bytes) ? answer_left(call) : answer_in(bytes, call);
  if (!pdu) return fail_with("protocol failure", pm_err::E_IPC);
  const bool is_fetch = call.wanted == wire::PduType::result;
  if (const auto* const error = std::get_if<wire::ErrorMessage>(&pdu->body)) {
    int code = error->code;
    if (is_fetch && identity_.is_hosted) {
      code = AgentCall::kNoValues;  // pmcd does not look at what a shared object says
    } else if (code == kAgentNotReady) {
      state_ = State::not_ready;
      code = pm_err::E_AGAIN;
    } else if (code == kAgentReady && !is_fetch) {
      return fail_with("protocol failure", pm_err::E_IPC);
    } else if (code >= 0 && (is_fetch || call.wanted != wire::PduType::error)) {
      code = pm_err::E_GENERIC;
    }
    finish(call, code);
  } else {
    if (!fits(call, *pdu)) return fail_with("protocol failure", pm_err::E_IPC);
    if (const auto* const result = std::get_if<wire::ResultMessage>(&pdu->body)) {
      changes_ |= static_cast<uint32_t>(result->seconds) & kChangesOfAgents;
    }
    call.answer = *std::move(pdu);
    finish(call, 0);
  }
  current_.reset();
  answer_by_.reset();
  send_next();
}

void RemoteAgent::finish(AgentCall& call, int code) {
  call.done = true;
  call.code = code;
  if (call.client != 0) answered_.push_back(call.client);
}

// ---- requests

int RemoteAgent::refusal_of(wire::PduType wanted) const {
  // A fence does not keep fetches from shared objects, as pmcd has it.
  const bool passes_fence =
      wanted == wire::PduType::error || (identity_.is_hosted && wanted == wire::PduType::result);
  if (!connected() && !expected_) return pm_err::E_NOAGENT;
  if (fenced && !passes_fence) return pm_err::E_PMDAFENCED;
  if (state_ == State::not_ready) return pm_err::E_AGAIN;
  return queued_ >= kQueuedMax ? int{pm_err::E_AGAIN} : 0;
}

AgentCallPtr RemoteAgent::ask(const AgentRequest& request) {
  auto call = std::make_shared<AgentCall>();
  call->client = request.client;
  call->slot = request.slot;
  call->wanted = request.wanted;
  call->begun = clock_->now();
  const auto refuse = [&](int code) {
    call->done = true;  // nobody waits for it yet
    call->code = code;
    return call;
  };
  if (const int code = refusal_of(request.wanted); code != 0) return refuse(code);
  if (const auto* const fetch = std::get_if<wire::FetchRequest>(&request.request)) {
    call->metrics = fetch->pmids.size();
    call->profile = request.profile;
  }
  if (request.encoded.size() != 0) {
    call->request = request.encoded;
  } else {
    wire::encode({.from = request.slot, .body = request.request}, call->request);
  }
  if (!current_ && !expected_ && turns_.empty() && failure_.empty()) {
    begin_call(call);
  } else {
    std::deque<AgentCallPtr>& queue = queues_[request.client];
    if (queue.empty()) turns_.push_back(request.client);
    queue.push_back(call);
    ++queued_;
  }
  if (!failure_.empty() && when_unsent_) when_unsent_();  // its owner has to look at it
  return call;
}

void RemoteAgent::send_next() {
  if (current_ || turns_.empty() || !failure_.empty()) return;
  if (state_ == State::not_ready) {  // it has said so instead of an answer
    return refuse_queued(pm_err::E_AGAIN);
  }
  while (!turns_.empty()) {
    const AgentCallPtr next = take_turn();
    const bool late =
        patience_.answer.count() != 0 && clock_->now() - next->begun >= patience_.answer;
    if (!late) return begin_call(next);
    next->late = true;
    finish(*next, pm_err::E_TIMEOUT);
  }
}

void RemoteAgent::begin_call(const AgentCallPtr& call) {
  current_ = call;
  has_heard_of(call->slot);
  if (call->profile && call->profile != profile_) {
    profile_ = call->profile;
    send(profile_->pdu);
  }
  offer_room(*call);
  if (failure_.empty()) send(call->request);
  if (!failure_.empty()) return;
  if (patience_.answer.count() != 0) answer_by_ = clock_->now() + patience_.answer;
  if (when_unsent_) when_unsent_();
}

AgentCallPtr RemoteAgent::take_turn() {
  const uint32_t client = turns_.front();
  turns_.pop_front();
  const auto found = queues_.find(client);
  AgentCallPtr out = std::move(found->second.front());
  found->second.pop_front();
  --queued_;
  if (found->second.empty()) {
    queues_.erase(found);
  } else {
    turns_.push_back(client);
  }
  return out;
}

void RemoteAgent::forget(uint32_t client, int32_t slot) {
  if (const auto found = queues_.find(client); found != queues_.end()) {
    for (const AgentCallPtr& call : found->second) call->done = true;
    queued_ -= found->second.size();
    queues_.erase(found);
    std::erase(turns_, client);
  }
  if (current_ && current_->client == client) current_->client = 0;
  const auto at = static_cast<size_t>(slot);
  if (at >= heard_of_.size() || !heard_of_[at]) return;  // it need not be woken
  heard_of_[at] = false;
  // Another client gets the slot, and must not be taken for this one.
  if (state_ == State::not_ready) ended_slots_.insert(slot);
  if (state_ != State::ready) return;
  send_end_of(slot);
  if (when_unsent_) when_unsent_();
}

void RemoteAgent::has_heard_of(int32_t slot) {
  const auto at = static_cast<size_t>(slot);
  if (at >= heard_of_.size()) heard_of_.resize(at + 1);
  heard_of_[at] = true;
}

void RemoteAgent::send_end_of(int32_t slot) {
  if (!failure_.empty()) return;
  ByteWriter out;
  wire::encode({.from = slot, .body = wire::ErrorMessage{.code = pm_err::E_NOTCONN}}, out);
  send(out);
}

void RemoteAgent::send_attribute(int32_t slot, int32_t code, std::string value) {
  has_heard_of(slot);
  value.push_back('\0');
  ByteWriter out;
  wire::encode({.from = slot, .body = wire::AttributeMessage{.code = code, .value = value}}, out);
  send(out);
}

void RemoteAgent::introduce(const AgentAsker& asker) {
  if (!wants_attributes_ || state_ != State::ready) return;
  const std::pair<int32_t, std::optional<uint32_t>> numbers[] = {
      {AttributeCode::process_id, asker.process_id},
      {AttributeCode::group_id, asker.group_id},
      {AttributeCode::user_id, asker.user_id}};
  if (!asker.container.empty()) {
    send_attribute(asker.slot, AttributeCode::container, asker.container);
  }
  for (const auto& [code, value] : numbers) {
    if (value) send_attribute(asker.slot, code, fmt::format("{}", *value));
  }
  if (!asker.user_name.empty()) {
    send_attribute(asker.slot, AttributeCode::user_name, asker.user_name);
  }
  if (when_unsent_) when_unsent_();
}

void RemoteAgent::fail_with(std::string why, int code_of_current) {
  failure_ = std::move(why);
  const bool was_connected = connected();
  state_ = State::failed;
  greeting_by_.reset();
  answer_by_.reset();
  if (was_connected) changes_ |= wire::kAgentDropped;
  if (current_) finish(*current_, code_of_current);
  current_.reset();
  refuse_queued(pm_err::E_NOAGENT);
}

void RemoteAgent::refuse_queued(int code) {
  expected_ = false;
  const auto queues = std::exchange(queues_, {});
  turns_.clear();
  queued_ = 0;
  for (const auto& [client, queue] : queues) {
    for (const AgentCallPtr& call : queue) finish(*call, code);
  }
}

}  // namespace pmjit
