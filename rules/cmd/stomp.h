// StompClient: the message server that stomp actions send to. Source: spec rules-language.md §12
// "stomp".
//
//   const auto settings = read_stomp_settings("stomp.conf");
//   if (!settings) for (const std::string& line : settings.error()) log("Error", line);
//   StompClient server(*settings, network, log);
//   if (!server.connect()) return 1;            it has said why not
//   server.send("a disk is full");
#pragma once

#include <chrono>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/client/net/network.h"

namespace pmjit::pmie {

struct StompSettings {
  std::string host, user, passcode, topic = "PMIE";
  uint16_t port = 0;
  std::chrono::seconds timeout{2};
};
// All that is wrong, as pmie says it.
[[nodiscard]] std::expected<StompSettings, std::vector<std::string>> read_stomp_settings(
    const std::string& file);

class StompClient {
 public:
  using Log = std::function<void(std::string_view severity, std::string_view text)>;

  // `network` outlives it.
  StompClient(StompSettings settings, Network& network, Log log)
      : settings_(std::move(settings)), network_(network), log_(std::move(log)) {}

  // Says each step. False: there is no connection.
  [[nodiscard]] bool connect();
  // False: it did not go. Where there is no connection one is made, at most once a minute.
  [[nodiscard]] bool send(const std::string& text);

 private:
  [[nodiscard]] bool open();
  [[nodiscard]] bool put(std::string_view frames);
  [[nodiscard]] bool take_answer();
  [[nodiscard]] Instant deadline() const { return network_.now() + settings_.timeout; }

  const StompSettings settings_;
  Network& network_;
  Log log_;
  std::unique_ptr<Transport> server_;  // null: there is no connection
  std::optional<Instant> tried_{};     // to connect again
};

}  // namespace pmjit::pmie
