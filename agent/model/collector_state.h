// CollectorState: what the collector says of itself, for the agent `pmcd`, which makes metrics of
// it. The collector writes, the agent reads, both on one thread.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runtime/base/clock.h"

namespace pmjit {

// Codes of PDUs, less 0x7000, and one for all of them.
inline constexpr size_t kPduCodes = 0x18;

struct PduCounts {
  std::array<uint32_t, kPduCodes> of{};  // by code less 0x7000
  uint32_t total = 0;

  void count(uint32_t code) {
    ++total;
    if (code - 0x7000 < kPduCodes) ++of[code - 0x7000];
  }
};

// A client that is connected.
struct CollectorClientFacts {
  WallTime since{};
  std::string who{};        // as it calls itself (pmcd.client.whoami)
  std::string container{};  // whose values it asks for; empty: the machine's
};

struct CollectorAgentFacts {
  uint32_t domain = 0;
  std::string name;
  bool ready = true;  // false: it does not answer
  int type = 0;       // 0 in the process, 2 over a socket, 4 over a pipe
  int status = 0;     // 1 not ready; of a process that has ended why, its exit and its signal
  bool connected = true;
  bool fenced = false;  // by a client: nothing is asked of it
};

struct CollectorState {
  std::string version, build;                          // of the program
  std::vector<CollectorAgentFacts> agents{};           // by domain
  std::map<uint32_t, CollectorClientFacts> clients{};  // by number of the connection
  PduCounts in{}, out{};
  bool unix_sockets = false, loopback_only = true, ipv6 = false;
  int timeout_s = 0;  // until a PDU that has begun must be there, and an agent's answer
  std::array<int32_t, 16> registers{};  // pmcd.control.register
  int32_t debug = 0;                    // pmcd.control.debug; it is kept and shown
  uint32_t sighups = 0, sequence = 1;
  bool reads_files_again = false;  // at SIGHUP
  // What a client has asked for by a store, until it is done.
  bool hang_up_wanted = false, client_table_wanted = false, trace_dump_wanted = false;
  // Events that are traced, 0 or 1 each, as they are stored (event_trace.h).
  int32_t traces_connections = 0, traces_pdus = 0, traces_unbuffered = 0;
  int32_t trace_buffers = 20;
  std::string host_name{};     // by an option; empty: as the machine says
  std::string label_folder{};  // has `labels` and labels.conf; empty: there are no files
  std::string labels{};        // of its files, as JSON: at the start, and at each SIGHUP
  bool creds_required = false;
  bool encrypts = false;               // clients can use TLS
  bool takes_logins = false;           // clients can log in
  bool knows_containers = false;       // clients can ask for the values of one
  bool certificates_required = false;  // clients that are not of this machine have to show one
};

}  // namespace pmjit
