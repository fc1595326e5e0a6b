// SimServer: thousands of collectors on loopback in one thread. It listens once for all of them;
// the local address of a connection says which host is meant. Hosts whose port is closed at times
// have a socket and a port of their own.
//
//   SimServer server(clock, {.hosts = 1'000, .faults = faults});
//   if (auto done = server.listen(); !done) …
//   print(server.address_of(7));                   // 127.1.0.7:44444
//   server.run([&] { print(server.counts()); });   // until SIGTERM or SIGINT; at each SIGUSR1
//
// Reading order: run() and accept_from() of sim_server.cc; take_request(), answer() and deliver()
// of sim_requests.cc.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agent/collector/collector_session.h"
#include "runtime/base/clock.h"
#include "runtime/base/limits.h"
#include "runtime/wire/frame.h"
#include "tests/sim/faults.h"
#include "tests/sim/prepared_answers.h"
#include "tests/sim/sim_agent.h"

namespace pmjit::test {

struct SimSetup {
  uint32_t hosts = 10;
  uint32_t first_host = 0;
  SimShape shape{};
  uint16_t port = 0;  // 0: one that is free; hosts with ports of their own have the next one
  std::vector<SimFault> faults{};
  bool keeps_times = false;
};

struct SimCounts {
  uint64_t requests = 0, fetches = 0;
  uint64_t prepared = 0;  // fetches that were answered from prepared bytes
  uint64_t bytes_in = 0, bytes_out = 0;
  uint64_t connections = 0, open = 0;
};

// One fetch: when its request was read and when the last byte of its result was handed to the
// system.
struct FetchTimes {
  uint32_t host;
  WallTime asked, answered;  // answered: WallTime{} where it never was
};

// One connection of a client.
struct SimConnection {
  SimConnection(int descriptor, uint32_t of_host, uint64_t serial_number, CollectorCore& core)
      : fd(descriptor),
        host(of_host),
        serial(serial_number),
        session(core, {.client = static_cast<uint32_t>(descriptor)}) {}

  int fd;
  uint32_t host;
  uint64_t serial;  // descriptors are used again, serial numbers are not
  CollectorSession session;
  wire::Framer framer{limits::kClientPduBytesMax};
  std::vector<std::byte> unsent{};  // what the client has not taken
  size_t sent = 0;                  // of it
  std::vector<std::byte> held{};    // a request whose answer is delayed
  bool waits = false;               // for the end of the delay
  bool stuck = false;               // in the middle of a result
  bool ending = false;
  uint32_t events = 0;          // that epoll reports
  uint64_t whole_profiles = 0;  // bit n: the profile of context n leaves no instance out
  size_t times_at = SIZE_MAX;   // of the last fetch, among the kept times
  PreparedAnswers::Known* last = nullptr;
};

class SimServer {
 public:
  SimServer(const Clock& clock, SimSetup setup);
  ~SimServer();
  SimServer(const SimServer&) = delete;
  SimServer& operator=(const SimServer&) = delete;

  // Raises the limit of descriptors to the hard one. Its signals are blocked from here on.
  [[nodiscard]] Result<void> listen();
  [[nodiscard]] std::string address_of(uint32_t host) const;
  [[nodiscard]] uint16_t port() const { return port_; }  // of hosts without one of their own
  [[nodiscard]] int64_t first_step() const { return first_step_; }
  void run(const std::function<void()>& at_signal);

  [[nodiscard]] const SimCounts& counts() const { return counts_; }
  [[nodiscard]] std::span<const FetchTimes> times() const { return times_; }
  [[nodiscard]] SimTime running() const { return clock_->now() - start_; }

 private:
  struct SimHost {
    int listener = -1;  // its own; -1: none, or closed
    uint16_t port = 0;  // its own
    bool has_port = false;
    std::vector<uint32_t> faults{};
    std::vector<int> connections{};
  };

  [[nodiscard]] SimHost& host(uint32_t number) { return hosts_[number - setup_.first_host]; }
  [[nodiscard]] bool is_ours(uint32_t number) const {
    return number >= setup_.first_host && number - setup_.first_host < setup_.hosts;
  }
  [[nodiscard]] Result<void> open_port(uint32_t number, uint16_t port);
  void watch(int fd, uint64_t tag, uint32_t events, int operation) const;

  // What happens to hosts as time goes by.
  void schedule(uint32_t fault);
  void apply(uint32_t fault);
  void look_at_port(uint32_t number);
  [[nodiscard]] const SimFault* fault_of(uint32_t number, std::initializer_list<FaultKind> kinds);
  [[nodiscard]] SimMoment moment_of(uint32_t number, WallTime when) const;

  // Connections.
  void accept_from(int listener, std::optional<uint32_t> number);
  void pause_accepting();
  void watch_listeners(uint32_t events) const;
  [[nodiscard]] SimConnection* find(int fd, uint64_t serial);
  void close(SimConnection& one);
  void close_all(uint32_t number);
  void happened(SimConnection& one, uint32_t events);
  void receive(SimConnection& one);
  void serve(SimConnection& one);
  void go_on(SimConnection& one);
  void settle(SimConnection& one);

  // Requests.
  void take_request(SimConnection& one, Bytes pdu);
  void answer(SimConnection& one, Bytes pdu);
  [[nodiscard]] static bool has_whole_profile(const SimConnection& one, Bytes fetch);
  [[nodiscard]] PreparedAnswers::Known* prepared_for(SimConnection& one, Bytes fetch);
  static void take_profile(SimConnection& one, Bytes pdu);
  void deliver(SimConnection& one, Bytes result);
  void send(SimConnection& one, Bytes bytes);
  void send_rest(SimConnection& one);
  [[nodiscard]] size_t write_some(SimConnection& one, Bytes bytes);
  void note_answered(SimConnection& one);

  const Clock* clock_;
  SimSetup setup_;
  Instant start_;
  int64_t first_step_;
  WallTime now_wall_{};  // of the request that is answered
  FakeClock still_;      // now_wall_ for the core: values and stamp of an answer belong together
  CollectorState state_;
  SimPmcd pmcd_;
  SimAgent agent_;
  CollectorCore core_;
  PreparedAnswers prepared_;

  std::vector<SimHost> hosts_;
  std::vector<int64_t> restarts_;                            // that were done, by fault
  std::vector<std::unique_ptr<SimConnection>> connections_;  // by descriptor
  uint64_t serial_ = 0;
  int epoll_ = -1, signals_ = -1, listener_ = -1;
  uint16_t port_ = 0;
  TimerQueue timers_;
  ByteWriter out_;                 // of the core
  std::vector<std::byte> spoilt_;  // a result that a fault has changed
  uint64_t garbage_ = 0;
  SimCounts counts_;
  std::vector<FetchTimes> times_;
};

}  // namespace pmjit::test
