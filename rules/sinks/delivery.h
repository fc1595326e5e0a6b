// Deliverer: one message to a webhook, a program or a file, once. Source: spec alerting.md §8,
// §8.2.
//
//   const auto deliverer = make_deliverer(sink, clock);
//   const Delivery done = deliverer->deliver(message, stop);
//   if (done.result == Delivery::Result::again) …        // not before done.after
//
// Secrets are read from their files each time, and are in no message.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "rules/daemon_config/daemon_config.h"
#include "rules/sinks/http_client.h"
#include "rules/state/state_batch.h"
#include "runtime/base/clock.h"

namespace pmjit {

struct Delivery {
  enum class Outcome : uint8_t { accepted, again, refused };
  Outcome outcome = Outcome::accepted;
  std::string why{};                            // of the others
  std::optional<std::chrono::seconds> after{};  // the receiver says so
};

class Deliverer {
 public:
  virtual ~Deliverer() = default;
  // Waits for it. `stop`: true ends the wait, and it is to be tried again.
  [[nodiscard]] virtual Delivery deliver(const OutboxMessage& message,
                                         const std::function<bool()>& stop) = 0;
};

// Of a sink that takes events; `sink` and `clock` outlive it.
[[nodiscard]] std::unique_ptr<Deliverer> make_deliverer(const SinkBlock& sink, const Clock& clock);

// Authorization as the sink's keys have it; none: no key is set. An error: a file cannot be read.
using HttpHeaders = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] Result<HttpHeaders> authorization(const SinkBlock& sink);
// What an answer, or the lack of one, means for a message.
[[nodiscard]] Delivery delivery_of(const Result<HttpAnswer>& answer);

}  // namespace pmjit
