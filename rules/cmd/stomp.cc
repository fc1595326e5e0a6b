#include "rules/cmd/stomp.h"

#include <fmt/core.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <optional>

#include "runtime/model/pm_codes.h"

namespace pmjit::pmie {

namespace {

constexpr std::chrono::minutes kBetweenAttempts(1);
constexpr std::string_view kEndOfFrame("\0\n", 2);

// Runs the network until `got` has something: each step has a deadline.
template <class T>
T result_of(Network& network, std::optional<T>& got, Instant deadline) {
  while (!got) (void)network.run_some(deadline);
  return *std::move(got);
}

// The network's own words are about collectors.
std::string reason_of(const Error& error) {
  if (error.pm_code() == pm_err::E_IPC) return std::strerror(EPIPE);
  return error.pm_code() < 0 && error.pm_code() > -1000 ? std::strerror(-error.pm_code())
                                                        : std::string(error.what());
}

template <class T>
T number_of(const std::string& text) {
  T out = 0;
  (void)std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

void take_line(const std::string& line, StompSettings& into) {
  const size_t equals = line.find('=');
  if (equals == std::string::npos) return;
  const std::string key = line.substr(0, equals);
  const std::string rest = line.substr(equals + 1);
  const std::string value = rest.substr(0, rest.find_first_of(" \t\r"));
  if (key == "host" || key == "hostname") into.host = value;
  if (key == "port") into.port = number_of<uint16_t>(value);
  if (key == "user" || key == "username") into.user = value;
  if (key == "password" || key == "passcode") into.passcode = value;
  if (key == "timeout") into.timeout = std::chrono::seconds(number_of<uint16_t>(value));
  if (key == "topic") into.topic = value;
}

}  // namespace

std::expected<StompSettings, std::vector<std::string>> read_stomp_settings(
    const std::string& file) {
  std::ifstream in(file);
  if (!in) {
    return std::unexpected(std::vector{
        fmt::format("Cannot open STOMP configuration file {}: {}", file, std::strerror(errno))});
  }
  StompSettings out;
  for (std::string line; std::getline(in, line);) take_line(line, out);
  std::vector<std::string> missing;
  const auto miss = [&](bool is_missing, std::string_view what) {
    if (is_missing) missing.push_back(fmt::format("No {} in STOMP config file {}", what, file));
  };
  miss(out.host.empty(), "host");
  miss(out.port == 0, "port");
  miss(out.user.empty(), "username");
  miss(out.passcode.empty(), "passcode");
  if (!missing.empty()) return std::unexpected(std::move(missing));
  return out;
}

bool StompClient::open() {
  log_("Info", fmt::format("Connecting to {}, port {}", settings_.host, settings_.port));
  std::optional<Result<std::unique_ptr<Transport>>> got;
  network_.connect({.host = settings_.host, .port = settings_.port}, deadline(),
                   [&got](auto transport) { got = std::move(transport); });
  auto opened = result_of(network_, got, deadline());
  if (opened) server_ = *std::move(opened);
  return server_ != nullptr;
}

bool StompClient::connect() {
  const std::string topic = "destination:/topic/" + settings_.topic;
  const std::string hello = fmt::format("CONNECT\nlogin:{}\npasscode:{}\n\n{}", settings_.user,
                                        settings_.passcode, kEndOfFrame);
  const std::string begin =
      fmt::format("SUB\n{0}\n\n{1}SEND\n{0}\n\nINFO: PMIE: Established initial connection{1}",
                  topic, kEndOfFrame);
  if (!open()) {
    log_("Error", "Could not connect to the message server");
    return false;
  }
  log_("Info", "Connected; sending stomp connect message");
  if (!put(hello)) return false;
  log_("Info", "Sent; waiting for server ACK");
  if (!take_answer()) return false;
  log_("Info", "ACK; sending initial PMIE topic and hello");
  if (!put(begin)) return false;
  log_("Info", "Sent; waiting for server ACK");
  if (!take_answer()) return false;
  log_("Info", "Initial STOMP protocol setup complete");
  return true;
}

bool StompClient::send(const std::string& text) {
  if (!server_ && (!tried_ || network_.now() - *tried_ >= kBetweenAttempts)) {
    tried_ = network_.now();
    (void)connect();
  }
  return put(
      fmt::format("SEND\ndestination:/topic/{}\n\n{}{}", settings_.topic, text, kEndOfFrame));
}

bool StompClient::put(std::string_view frames) {
  std::string reason = std::strerror(EBADF);
  if (server_) {
    std::optional<Result<size_t>> got;
    server_->write(std::as_bytes(std::span(frames)), deadline(),
                   [&got](Result<size_t> written) { got = std::move(written); });
    const auto written = result_of(network_, got, deadline());
    if (written) return true;
    reason = reason_of(written.error());
    server_.reset();
  }
  log_("Error",
       fmt::format("Write error to JMS server {}:{} - {}", settings_.host, settings_.port, reason));
  return false;
}

// Whatever it says.
bool StompClient::take_answer() {
  std::array<std::byte, 4096> room{};
  std::optional<Result<size_t>> got;
  server_->read(room, deadline(), [&got](Result<size_t> read) { got = std::move(read); });
  const auto read = result_of(network_, got, deadline());
  if (read && *read > 0) return true;
  log_("Error", fmt::format("Read error from JMS server {}:{} - {}", settings_.host, settings_.port,
                            read ? "it has closed the connection" : reason_of(read.error())));
  server_.reset();
  return false;
}

}  // namespace pmjit::pmie
