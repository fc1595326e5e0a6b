// AgentChannel: the agent that dbpmda asks, over a pipe, a socket, or in pmjit-pmda-host where it
// is a shared object. It waits for every answer as long as the agent takes. Source: spec
// collector-and-agents.md §3.4, wire-protocol.md §3.2.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/bytes.h"
#include "runtime/base/clock.h"
#include "runtime/wire/frame.h"
#include "runtime/wire/messages.h"

namespace pmjit {

class AgentChannel {
 public:
  explicit AgentChannel(const Clock& clock) : clock_(clock) {}
  AgentChannel(const AgentChannel&) = delete;
  AgentChannel& operator=(const AgentChannel&) = delete;
  ~AgentChannel() { close(); }

  // Each opens the channel and waits for the greeting; empty, or what dbpmda says of the failure.
  [[nodiscard]] std::string open_pipe(const std::vector<std::string>& command,
                                      std::chrono::seconds patience);
  [[nodiscard]] std::string open_unix(const std::string& path, std::chrono::seconds patience);
  // `family`: AF_INET or AF_INET6, of this host.
  [[nodiscard]] std::string open_inet(int family, const std::string& port,
                                      std::chrono::seconds patience);
  [[nodiscard]] std::string open_object(const std::string& path, const std::string& entry,
                                        uint32_t domain, std::chrono::seconds patience);
  void close();

  [[nodiscard]] bool is_open() const { return read_ >= 0; }
  [[nodiscard]] bool is_object() const { return interface_ != 0; }
  [[nodiscard]] int interface() const { return interface_; }  // of an object; 0: it is none
  [[nodiscard]] pid_t process() const { return process_; }    // 0: we have not started it
  [[nodiscard]] const std::string& path() const { return path_; }

  // False: the agent does not take it.
  [[nodiscard]] bool send(const wire::PduBody& body) { return send_from(0, body); }
  [[nodiscard]] bool send_bytes(Bytes left);  // a whole PDU
  // The answer, valid until the next call. None: the agent has gone, or it is no PDU of an agent.
  [[nodiscard]] std::optional<wire::PduBody> receive();

 private:
  [[nodiscard]] bool send_from(int32_t from, const wire::PduBody& body);
  [[nodiscard]] std::string start(const std::vector<std::string>& command);
  [[nodiscard]] std::string connect_to(int socket, const void* address, uint32_t bytes,
                                       const std::string& what);
  void begin() { framer_.emplace(kAgentPduBytesMax); }
  // Exchanges greetings. Returns a warning, or nothing. An agent that sends no greeting in time
  // stays open.
  [[nodiscard]] std::string greet(std::chrono::seconds patience);
  [[nodiscard]] bool readable_within(std::chrono::milliseconds time) const;

  static constexpr uint32_t kAgentPduBytesMax = 64u << 20;

  const Clock& clock_;
  int read_ = -1, write_ = -1;
  pid_t process_ = 0;
  int interface_ = 0;
  std::string path_;
  std::optional<wire::Framer> framer_;
};

}  // namespace pmjit
