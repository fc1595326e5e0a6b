// EventTrace: connections of clients and their PDUs, for those who look for what a client does: -T
// of pmcd, pmcd.control.traceconn and .tracepdu. Source: spec collector-and-agents.md §1.1, §1.17.
//
//   trace.came(client, {.slot = 0, .fd = 12}, "127.0.0.1");
//   trace.received(client, code);                    // one comparison where nothing is traced
//   for (const std::string& line : trace.take_lines()) log(line);
//
// The last events are kept until they are asked for; unbuffered ones are lines for the log at once.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "agent/model/collector_state.h"
#include "runtime/base/clock.h"
#include "runtime/tz/rules.h"

namespace pmjit {

class EventTrace {
 public:
  // Both outlive it. `state` says what is traced; it may change at any time.
  EventTrace(const Clock& clock, const CollectorState& state);

  struct Place {
    int32_t slot = 0;
    int fd = -1;
  };
  void came(uint32_t client, Place place, const std::string& address);
  void went(uint32_t client);
  void received(uint32_t client, uint32_t code) {
    if (state_->traces_pdus != 0) add_pdu("Recv", client, code);
  }
  void sent(uint32_t client, uint32_t code) {
    if (state_->traces_pdus != 0) add_pdu("Xmit", client, code);
  }

  // Those that are not kept, since the last call.
  [[nodiscard]] bool has_lines() const { return !lines_.empty(); }
  [[nodiscard]] std::vector<std::string> take_lines();
  // What is kept, which then is no more; empty: nothing.
  [[nodiscard]] std::string take_dump();

 private:
  struct Event {
    WallTime at;
    std::string text;
  };
  void add(std::string text);
  void add_pdu(const char* way, uint32_t client, uint32_t code);
  [[nodiscard]] std::string time_text(WallTime at, const char* form) const;

  const Clock* clock_;
  const CollectorState* state_;
  tz::SharedRules zone_;
  std::map<uint32_t, Place> places_;  // by client
  std::deque<Event> kept_;
  std::vector<std::string> lines_;
};

}  // namespace pmjit
