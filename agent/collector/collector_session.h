// CollectorSession: the answers to one client. Whole PDUs go in, PDUs come out; it knows neither
// sockets nor time-outs. Source: spec wire-protocol.md §3.8, §7, §12.1.
//
//   CollectorSession session(core, {.client = 7});
//   session.greet(out);                        // the collector speaks first
//   if (auto kept = session.take(pdu, out); !kept) close(kept.error());
//
// A request that is wrong in itself is answered by an ERROR PDU, and the connection goes on: the
// length in its header has framed it. Only a client that does not begin with CREDS, or asks there
// for what was not offered, is turned away.
#pragma once

#include <map>
#include <optional>

#include "agent/collector/access_lists.h"
#include "agent/collector/collector_core.h"
#include "runtime/base/result.h"

namespace pmjit {

class CollectorSession {
 public:
  CollectorSession(CollectorCore& core, AgentAsker asker);
  ~CollectorSession();
  CollectorSession(const CollectorSession&) = delete;
  CollectorSession& operator=(const CollectorSession&) = delete;

  void greet(ByteWriter& out);
  // Where the last bytes of an answer may be left instead of being copied: they follow `out`, and
  // nothing may be taken before they are there. Null: all is in `out`.
  void leave_tails_in(AnswerTail* tail) { tail_ = tail; }
  // Answers one whole PDU. An error: the connection ends once `out` is sent.
  [[nodiscard]] Result<void> take(Bytes pdu, ByteWriter& out);
  // A request waits for agents: nothing may be taken until go_on() has answered it, which does so
  // when they have answered or waits_until() is over.
  [[nodiscard]] bool waits() const { return held_.has_value(); }
  [[nodiscard]] std::optional<Instant> waits_until() const;
  // An error: the connection ends once `out` is sent.
  [[nodiscard]] Result<void> go_on(ByteWriter& out);
  [[nodiscard]] bool ready() const { return state_ == SessionState::ready; }
  // The client goes on in TLS: nothing may be taken until encrypted() says that it stands.
  [[nodiscard]] bool begins_tls() const { return state_ == SessionState::begins_tls; }
  // It has to show a certificate.
  [[nodiscard]] bool wants_certificate() const { return wants_certificate_; }
  [[nodiscard]] Result<void> encrypted(ByteWriter& out);
  // It has to use TLS, and to show a certificate.
  void require_certificate() { in_clear_ = false; }
  [[nodiscard]] bool logs_in() const { return state_ == SessionState::logs_in; }
  // It has logged in: nothing may be taken until admitted() says that it may go on. Before, what it
  // may do: deny() and refuse_with() say it.
  [[nodiscard]] const LoginUser* awaits_admission() const {
    return state_ == SessionState::logged_in ? &*user_ : nullptr;
  }
  [[nodiscard]] Result<void> admitted(ByteWriter& out);
  // Operations that it may not do (access_lists.h).
  void deny(uint8_t operations) { denied_ = operations; }
  [[nodiscard]] uint8_t denied() const { return denied_; }
  // It is refused with that code when it has sent CREDS; true: it has, and it was.
  [[nodiscard]] bool refuse_with(int code, ByteWriter& out);
  // The client has gone: whatever is said of it by the collector ends now.
  void left();

 private:
  enum class SessionState : uint8_t {
    new_client,
    unknown_version,
    begins_tls,
    logs_in,
    logged_in,
    names_container,
    ready
  };

  [[nodiscard]] Result<void> take_creds(const wire::CredsMessage& creds, ByteWriter& out);
  // What is left to be done of what its CREDS have asked for.
  [[nodiscard]] Result<void> identify(ByteWriter& out);
  [[nodiscard]] Result<void> take_attribute(const wire::PduBody& body, ByteWriter& out);
  [[nodiscard]] Result<void> take_container(const wire::PduBody& body, ByteWriter& out);
  void log_in(std::optional<std::string> said, ByteWriter& out);
  void end_step(const LoginStep& step, ByteWriter& out);
  [[nodiscard]] Result<void> welcome(ByteWriter& out);
  [[nodiscard]] wire::FeatureSet offers() const;
  // What turns the client away within a request that was held.
  [[nodiscard]] Result<void> kept();
  void dispatch(const wire::PduBody& body, ByteWriter& out);
  void answer(const wire::ProfileMessage& profile, ByteWriter& out);
  void answer_fetch(const wire::FetchRequest& request, bool highres, ByteWriter& out);
  void finish_fetch(CollectorFetch& request, const FetchCalls& calls, ByteWriter& out);
  void answer_store(const wire::ResultMessage& request, ByteWriter& out);
  void answer(const wire::DescRequest& request, ByteWriter& out);
  void answer(const wire::DescsRequest& request, ByteWriter& out);
  void answer(const wire::InstanceRequest& request, ByteWriter& out);
  void answer(const wire::TextRequest& request, ByteWriter& out);
  void answer(const wire::NamesMessage& request, ByteWriter& out);
  void answer(const wire::IdsMessage& request, ByteWriter& out);
  void answer(const wire::ChildRequest& request, ByteWriter& out);
  void answer(const wire::TraverseRequest& request, ByteWriter& out);
  void answer(const wire::LabelRequest& request, ByteWriter& out);

  // A request that waits for agents, and what answers it when they have answered.
  struct HeldRequest {
    std::vector<AgentCallPtr> calls{};
    std::function<void(ByteWriter&)> finish{};
    std::optional<Instant> until{};  // agents of ours with threads of their own, too
    LoginStepPtr login{};            // or nothing but this
  };
  // A request that needs the instances of an agent in the process.
  void hold_for_instances(InDomId indom, std::function<void(ByteWriter&)> finish, ByteWriter& out);
  void send_instances(InDomId indom, int32_t instance, std::string_view name, ByteWriter& out);
  void send_labels(const wire::LabelRequest& request, ByteWriter& out);
  void send_labels_for(const RemoteAgent& agent, const wire::LabelRequest& request,
                       ByteWriter& out);
  // Answers at once where nobody has to be waited for.
  void hold(HeldRequest request, ByteWriter& out);
  [[nodiscard]] bool over(const HeldRequest& request) const;
  [[nodiscard]] AgentCallPtr ask(RemoteAgent& agent, wire::PduBody request, wire::PduType wanted);
  // One agent answers, and its answer is the client's.
  void forward(RemoteAgent& agent, wire::PduBody request, wire::PduType wanted, ByteWriter& out);
  // False: that agent is in the process, or there is none.
  template <class Request>
  [[nodiscard]] bool forwarded(uint32_t domain, const Request& request, wire::PduType wanted,
                               ByteWriter& out);
  void answer_with(AgentCall& call, ByteWriter& out);
  void send(wire::PduBody body, ByteWriter& out);
  void send_error(int code, ByteWriter& out);

  CollectorCore* core_;
  AgentAsker asker_;
  SessionState state_ = SessionState::new_client;
  std::map<int32_t, KeptProfile> profiles_;  // by context
  std::optional<HeldRequest> held_;
  AnswerTail* tail_ = nullptr;
  uint8_t denied_ = 0;  // operations
  int refusal_ = 0;
  wire::FeatureSet wishes_;
  std::optional<LoginUser> user_;  // that it has logged in as
  std::optional<Error> turned_away_;
  bool in_clear_ = true, wants_certificate_ = false;
  bool has_left_ = false;
};

// What a client is greeted with that cannot be served; it is closed then. `code`: a PM_ERR_*.
void refuse_client(int code, ByteWriter& out);

}  // namespace pmjit
