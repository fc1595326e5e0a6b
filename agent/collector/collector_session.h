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
  // Answers one whole PDU. An error: the connection ends once `out` is sent.
  [[nodiscard]] Result<void> take(Bytes pdu, ByteWriter& out);
  // A fetch waits for agents: nothing may be taken until go_on() has answered it, which does so
  // when they have answered or waits_until() is over.
  [[nodiscard]] bool waits() const { return held_.has_value(); }
  [[nodiscard]] std::optional<Instant> waits_until() const;
  void go_on(ByteWriter& out);
  [[nodiscard]] bool ready() const { return state_ == SessionState::ready; }

 private:
  enum class SessionState : uint8_t { new_client, unknown_version, ready };

  [[nodiscard]] Result<void> take_creds(const wire::CredsMessage& creds, ByteWriter& out);
  void dispatch(const wire::PduBody& body, ByteWriter& out);
  void answer(const wire::ProfileMessage& profile, ByteWriter& out);
  void answer_fetch(const wire::FetchRequest& request, bool highres, ByteWriter& out);
  [[nodiscard]] CollectorFetch fetch_of(const wire::FetchRequest& request, bool highres) const;
  void answer(const wire::DescRequest& request, ByteWriter& out);
  void answer(const wire::DescsRequest& request, ByteWriter& out);
  void answer(const wire::InstanceRequest& request, ByteWriter& out);
  void answer(const wire::TextRequest& request, ByteWriter& out);
  void answer(const wire::NamesMessage& request, ByteWriter& out);
  void answer(const wire::IdsMessage& request, ByteWriter& out);
  void answer(const wire::ChildRequest& request, ByteWriter& out);
  void answer(const wire::TraverseRequest& request, ByteWriter& out);
  void answer(const wire::LabelRequest& request, ByteWriter& out);
  void send(wire::PduBody body, ByteWriter& out);
  void send_error(int code, ByteWriter& out);

  CollectorCore* core_;
  AgentAsker asker_;
  SessionState state_ = SessionState::new_client;
  std::map<int32_t, wire::ProfileMessage> profiles_;  // by context
  struct HeldFetch {
    wire::FetchRequest request;
    bool highres;
    Instant until;
  };
  std::optional<HeldFetch> held_;
};

// What a client is greeted with that cannot be served; it is closed then. `code`: a PM_ERR_*.
void refuse_client(int code, ByteWriter& out);

}  // namespace pmjit
