// RemoteAgent: an agent that is another process, without its pipe or socket: the greeting, requests
// of clients in turn, answers, deadlines, and what becomes of them when it fails. Bytes come and go
// as the owner of the channel has them. Source: spec collector-and-agents.md §1.5, §1.13, §1.15.
//
//   RemoteAgent agent(clock, {.name = "simple", .domain = 253}, {});
//   agent.begin();                              // its process runs; it has to greet
//   agent.received(read(pipe, agent.room()));   // as many bytes as came
//   write(pipe, agent.unsent());
//   const AgentCallPtr call = agent.ask({…});   // answered now or later: call->done
//   wait_until(agent.deadline()); agent.look_at_time();
//   if (agent.failure()) close_channel();
//
// One request is under way at a time, as agents expect. The others wait, a queue for each client,
// and each client has its turn. Every request comes to its end: by an answer, with the code of a
// failure, or when its time is over. Then its client stands in take_answered().
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agent/interface/answer_memory.h"
#include "agent/model/agent.h"
#include "runtime/base/byte_writer.h"
#include "runtime/base/clock.h"
#include "runtime/wire/frame.h"
#include "runtime/wire/messages.h"

namespace pmjit {

// A profile as an agent gets it. Two of one address are the same.
struct SentProfile {
  ByteWriter pdu{};
};

// What an agent is asked for. `request` is encoded when it is asked, so its views may end then.
struct AgentRequest {
  uint32_t client = 0;
  int32_t slot = 0;  // what the agent knows the client by
  wire::PduBody request{};
  ByteWriter encoded{};                          // in its place, where it is not empty: a whole PDU
  wire::PduType wanted = wire::PduType::error;   // of the answer; or ERROR
  std::shared_ptr<const SentProfile> profile{};  // of a fetch
};

struct AgentCall {
  static constexpr int kNoValues = 1;  // a code of fetches

  uint32_t client = 0;
  wire::PduType wanted = wire::PduType::error;
  int32_t slot = 0;
  bool done = false;
  int code = 0;        // PM_ERR_*, or kNoValues, or 0: `answer` is there
  bool late = false;   // there was no answer in time
  wire::Pdu answer{};  // views into `bytes`, or into the memory of the agent that has answered

  ByteWriter request{};
  std::shared_ptr<const SentProfile> profile{};
  size_t metrics = 0;  // of a fetch
  Instant begun{};
  Buffer
      bytes{};  // empty: the agent has them, as long as it has not to be read, or `room` has them
  std::shared_ptr<const std::byte> room{};  // of memory that its process shares: left there for it
};
using AgentCallPtr = std::shared_ptr<AgentCall>;

class RemoteAgent {
 public:
  struct Identity {
    std::string name;
    uint32_t domain = 0;
    bool starts_not_ready = false;
    bool is_hosted = false;  // a shared object in a process of ours (agent/host)
  };
  struct Patience {  // 0: for ever
    std::chrono::milliseconds answer{5'000}, greeting{3'000};
  };
  enum class State : uint8_t { stopped, greeting, ready, not_ready, failed };

  // Requests that may wait for one agent: a client can make 16,000 of one PDU.
  static constexpr size_t kQueuedMax = 65'536;

  RemoteAgent(const Clock& clock, Identity identity, Patience patience)
      : clock_(&clock), identity_(std::move(identity)), patience_(patience) {}
  ~RemoteAgent() { give_answer_away(); }
  RemoteAgent(const RemoteAgent&) = delete;
  RemoteAgent& operator=(const RemoteAgent&) = delete;

  [[nodiscard]] const std::string& name() const { return identity_.name; }
  [[nodiscard]] uint32_t domain() const { return identity_.domain; }
  void rename(std::string name) { identity_.name = std::move(name); }
  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] bool connected() const {
    return state_ == State::ready || state_ == State::not_ready;
  }
  void be_patient(std::chrono::milliseconds answer) { patience_.answer = answer; }

  // ---- for who has the channel
  // It is being started for the first time: requests wait for its greeting, as clients of a pmcd
  // wait that is not there yet. Else they do not wait for an agent that has to greet.
  void expect() { expected_ = true; }
  void give_up();  // it could not be started
  // `memory`: what its process leaves large answers in (answer_memory.h); null: it sends all.
  void begin(std::shared_ptr<std::byte> memory = {});
  [[nodiscard]] std::span<std::byte> room();
  void received(size_t bytes);
  void ended();                       // the agent has closed it
  void broken(int error);             // an errno
  void stop(const std::string& why);  // by ours: "terminated"
  [[nodiscard]] Bytes unsent() const { return Bytes(unsent_.written()).subspan(sent_); }
  void sent(size_t bytes);
  // Called when there are bytes to send that were not there before.
  void when_unsent(std::function<void()> call) { when_unsent_ = std::move(call); }
  [[nodiscard]] std::optional<Instant> deadline() const;
  void look_at_time();
  // Why the channel is to be closed, for the log; empty: it is not.
  [[nodiscard]] const std::string& failure() const { return failure_; }
  // It has never been connected since begin().
  [[nodiscard]] bool failed_at_greeting() const { return at_greeting_; }
  // failure() is what the host of a shared object has said.
  [[nodiscard]] bool host_has_refused() const { return host_has_refused_; }
  // The version of its interface, 2 to 7, as its host says; 0: not yet, or there is no host.
  [[nodiscard]] int hosted_interface() const { return hosted_interface_; }

  // ---- for requests
  [[nodiscard]] AgentCallPtr ask(const AgentRequest& request);
  // 0, or the code that a request gets at once.
  [[nodiscard]] int refusal_of(wire::PduType wanted) const;
  // That client has gone: what it asked for is not asked any more. An agent that knows it hears of
  // its end.
  void forget(uint32_t client, int32_t slot);
  // Who a client is, where the agent wants to know.
  void introduce(const AgentAsker& asker);
  [[nodiscard]] bool wants_attributes() const { return wants_attributes_; }
  // False: it is a shared object that is too old for labels; pmcd has some of its own for it.
  [[nodiscard]] bool has_labels() const {
    return hosted_interface_ == 0 || hosted_interface_ >= kLabelsInterface;
  }
  // Nothing is asked of it, but stores (pmcd.agent.fenced).
  bool fenced = false;

  // ---- what has happened since, each once
  [[nodiscard]] std::vector<uint32_t> take_answered() { return std::exchange(answered_, {}); }
  [[nodiscard]] uint32_t take_changes() { return std::exchange(changes_, 0); }
  // Called when the agent is ready, or has greeted: tells it of clients, and resumes requests.
  [[nodiscard]] bool take_connected() { return std::exchange(has_connected_, false); }
  void go_on();

 private:
  static constexpr int kLabelsInterface = 7;

  void take_pdu(const wire::Framer::Frame& frame);
  void take_greeting(Bytes pdu);
  [[nodiscard]] bool take_word_of_host(const wire::PduBody& body);
  void take_answer(Bytes pdu);
  [[nodiscard]] std::optional<wire::Pdu> answer_in(Bytes pdu, AgentCall& call);
  [[nodiscard]] bool says_left(Bytes pdu) const;
  [[nodiscard]] std::optional<wire::Pdu> answer_left(AgentCall& call);
  void offer_room(const AgentCall& call);
  [[nodiscard]] bool fits(const AgentCall& call, const wire::Pdu& answer) const;
  void send_next();
  void begin_call(const AgentCallPtr& call);
  [[nodiscard]] AgentCallPtr take_turn();
  void send(const ByteWriter& pdu);
  void send_attribute(int32_t slot, int32_t code, std::string value);
  void send_end_of(int32_t slot);
  void has_heard_of(int32_t slot);
  void finish(AgentCall& call, int code);
  // A call that still uses the last answer takes over its bytes.
  void give_answer_away();
  void fail_with(std::string why, int code_of_current);
  void refuse_queued(int code);

  const Clock* clock_;
  Identity identity_;
  Patience patience_;
  State state_ = State::stopped;
  std::optional<wire::Framer> framer_;
  std::weak_ptr<AgentCall> answered_in_place_;  // its answer is in the framer's memory
  // Shared with its process, the room that it may use now (0: none), and whose answers are there.
  std::shared_ptr<std::byte> memory_;
  uint32_t offered_ = 0;
  std::array<std::weak_ptr<AgentCall>, AnswerMemory::kRooms> in_rooms_;
  ByteWriter unsent_;
  size_t sent_ = 0;
  std::function<void()> when_unsent_;
  std::optional<Instant> greeting_by_;

  AgentCallPtr current_;
  std::optional<Instant> answer_by_;
  std::map<uint32_t, std::deque<AgentCallPtr>> queues_;  // by client; none is empty
  std::deque<uint32_t> turns_;                           // each client that has a queue, once
  size_t queued_ = 0;                                    // calls in all queues
  std::vector<bool> heard_of_;                           // slots, since begin()
  std::set<int32_t> ended_slots_;                        // of which the agent is to hear when ready
  std::shared_ptr<const SentProfile> profile_;           // what the agent has last

  int hosted_interface_ = 0;
  bool host_has_refused_ = false;
  bool wants_attributes_ = false, at_greeting_ = false, has_connected_ = false, expected_ = false;
  std::string failure_;
  std::vector<uint32_t> answered_;
  uint32_t changes_ = 0;
};

}  // namespace pmjit
