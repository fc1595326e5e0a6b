// Network: sockets and timers of one thread. The real one is Asio's (asio_network.h); tests have a
// scripted one over a fake clock. No header here names Asio.
//
//   network.connect({.host = "web1", .port = 44321}, network.now() + 5s, [&](auto transport) {
//     if (!transport) return complain(transport.error());
//     …
//   });
//   network.run_some(until);     // callbacks run inside of it, and nowhere else
//
// Every step has a deadline. When it passes, the step fails with PM_ERR_TIMEOUT, and the transport
// is of no more use. Callbacks are called once each: those of a read and of a write may come inside
// of its call, those of other steps do not with the real network, and may with a scripted one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "runtime/base/bytes.h"
#include "runtime/base/clock.h"
#include "runtime/base/result.h"
#include "runtime/client/net/tls_settings.h"

namespace pmjit {

// A socket of this machine, or a port of a host.
struct Endpoint {
  std::string unix_path{};  // not empty: this; else host and port
  std::string host{};
  uint16_t port = 0;

  [[nodiscard]] bool is_unix() const { return !unix_path.empty(); }
  [[nodiscard]] std::string text() const;  // "unix:/run/pcp/pmcd.socket", "web1:44321", "[::1]:1"
};

// Who must be at the other end of an encrypted stream.
struct TlsPeer {
  TlsSettings settings{};
  std::string host{};  // whose name or address its certificate has
};

// One stream of bytes, both ways. One read and one write at a time. Destroying it closes it: memory
// of steps under way is not touched afterwards, and their callbacks do not come.
class Transport {
 public:
  using Read = std::move_only_function<void(Result<size_t>)>;
  using Written = std::move_only_function<void(Result<size_t>)>;
  using Encrypted = std::move_only_function<void(Result<bool>)>;

  virtual ~Transport() = default;
  // As many bytes as there are, at least one; 0: the other side has closed it.
  virtual void read(std::span<std::byte> room, Instant deadline, Read done) = 0;
  // All of them.
  virtual void write(Bytes bytes, Instant deadline, Written done) = 0;
  // Everything after it, both ways; no read or write is under way. An error: the stream is lost.
  virtual void encrypt(const TlsPeer& peer, Instant deadline, Encrypted done) = 0;
};

class Network {
 public:
  using Connected = std::move_only_function<void(Result<std::unique_ptr<Transport>>)>;

  virtual ~Network() = default;
  [[nodiscard]] virtual const Clock& clock() const = 0;
  [[nodiscard]] Instant now() const { return clock().now(); }

  // Addresses of a name are tried together; the first one that answers is taken.
  virtual void connect(const Endpoint& to, Instant deadline, Connected done) = 0;
  virtual TimerId at(Instant when, PostedTask task) = 0;
  virtual void cancel(TimerId timer) = 0;
  // Runs what is due and what has come. If that is nothing it waits for something, until then.
  // True: something has run.
  virtual bool run_some(Instant until) = 0;
};

// How many descriptors this process may have, after it has raised its limit as far as it may.
[[nodiscard]] uint64_t raise_descriptor_limit();

}  // namespace pmjit
