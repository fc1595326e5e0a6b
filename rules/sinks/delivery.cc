#include "rules/sinks/delivery.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "rules/actions/child_process.h"
#include "rules/daemon_config/config_files.h"
#include "runtime/client/net/asio_network.h"

namespace pmjit {

namespace {

using enum Delivery::Outcome;

constexpr size_t kSecretMost = 65'536;
constexpr int kTryAgain = 75;  // EX_TEMPFAIL, as mail programs have it
constexpr size_t kShownMost = 200;
constexpr auto kLongestRetryAfter = std::chrono::seconds(3'600);

// Without one last newline.
Result<std::string> read_secret(const std::string& path) {
  auto text = SystemConfigFiles().read(path, kSecretMost);
  if (text && text->ends_with('\n')) text->pop_back();
  return text;
}

class WebhookDeliverer final : public Deliverer {
 public:
  WebhookDeliverer(const SinkBlock& sink, const Clock& clock)
      : sink_(sink), network_(make_network(clock)), url_(read_http_url(sink.webhook.url)) {}

  Delivery deliver(const OutboxMessage& message, const std::function<bool()>& stop) override {
    if (!url_) return {.outcome = refused, .why = "its URL cannot be used"};
    auto headers = authorization(sink_);
    if (!headers) return {.outcome = again, .why = headers.error().text()};
    headers->emplace_back("Idempotency-Key", message.dedup);
    return delivery_of(
        http_post(*network_, {.url = *url_, .headers = *std::move(headers), .body = message.body},
                  network_->now() + sink_.timeout, stop));
  }

 private:
  const SinkBlock& sink_;
  std::unique_ptr<Network> network_;
  std::optional<HttpUrl> url_;
};

class ExecDeliverer final : public Deliverer {
 public:
  ExecDeliverer(const SinkBlock& sink, const Clock& clock) : sink_(sink), clock_(clock) {}

  Delivery deliver(const OutboxMessage& message, const std::function<bool()>& stop) override {
    ProgramCall call{.argv = sink_.exec.argv,
                     .environment = {},
                     .input = message.body,
                     .time = sink_.timeout,
                     .stop = stop};
    for (const char* const name : {"PATH", "LANG"}) {
      if (const char* const value = std::getenv(name); value != nullptr) {
        call.environment.push_back(fmt::format("{}={}", name, value));
      }
    }
    for (const auto& [name, value] : sink_.exec.env) {
      call.environment.push_back(fmt::format("{}={}", name, value));
    }
    call.environment.push_back("PMJIT_EVENT=" + message.event);
    call.environment.push_back("PMJIT_RULE=" + message.rule);
    call.environment.push_back("PMJIT_HOST=" + message.host);
    const ProgramEnd end = run_program(call, clock_);
    if (end.ok()) return {};
    std::string why = end.text();
    if (!end.output.empty()) why += ": " + end.output;
    const bool may_succeed = end.timed_out || end.exit_code == kTryAgain || !end.error.empty();
    return {.outcome = may_succeed ? again : refused, .why = why};
  }

 private:
  const SinkBlock& sink_;
  const Clock& clock_;
};

// Opened for each line, so that a file that was moved away is made anew.
class FileDeliverer final : public Deliverer {
 public:
  explicit FileDeliverer(const SinkBlock& sink) : sink_(sink) {}

  Delivery deliver(const OutboxMessage& message, const std::function<bool()>& stop) override {
    (void)stop;
    // A pipe that nobody reads would hold up its thread for good.
    const int file = ::open(sink_.file.path.c_str(),
                            O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0640);
    if (file < 0) return {.outcome = again, .why = std::strerror(errno)};
    Delivery done = append(file, message.body);
    ::close(file);
    return done;
  }

 private:
  // A line is there as a whole or not at all.
  static Delivery append(int file, const std::string& line) {
    struct stat before{};
    if (::fstat(file, &before) != 0) return {.outcome = again, .why = std::strerror(errno)};
    if (!S_ISREG(before.st_mode)) {
      return {.outcome = again, .why = "`path` is no regular file"};
    }
    const ssize_t written = ::write(file, line.data(), line.size());
    if (written == static_cast<ssize_t>(line.size())) return {};
    std::string why = written < 0 ? std::strerror(errno) : "the disk is full";
    if (written > 0 && ::ftruncate(file, before.st_size) != 0) {
      why += fmt::format("; half a line is left: {}", std::strerror(errno));
    }
    return {.outcome = again, .why = std::move(why)};
  }

  const SinkBlock& sink_;
};

}  // namespace

std::unique_ptr<Deliverer> make_deliverer(const SinkBlock& sink, const Clock& clock) {
  switch (sink.type) {
    case SinkType::webhook: return std::make_unique<WebhookDeliverer>(sink, clock);
    case SinkType::exec: return std::make_unique<ExecDeliverer>(sink, clock);
    case SinkType::file: return std::make_unique<FileDeliverer>(sink);
    case SinkType::alertmanager: break;
  }
  stop_for_bug("Alertmanagers take levels", std::source_location::current());
}

Result<HttpHeaders> authorization(const SinkBlock& sink) {
  HttpHeaders out;
  if (!sink.token_file.empty()) {
    auto token = read_secret(sink.token_file);
    if (!token) return fail(token.error());
    out.emplace_back("Authorization", "Bearer " + *token);
  } else if (!sink.user.empty() && !sink.password_file.empty()) {
    auto password = read_secret(sink.password_file);
    if (!password) return fail(password.error());
    out.emplace_back("Authorization", basic_authorization(sink.user, *password));
  }
  return out;
}

Delivery delivery_of(const Result<HttpAnswer>& answer) {
  // What helps with hosts does not help with sinks.
  if (!answer) {
    const Error& error = answer.error();
    return {.outcome = again, .why = fmt::format("{}: {}", error.place(), error.what())};
  }
  if (answer->status / 100 == 2) return {};
  constexpr auto kLater = std::to_array({408, 425, 429});
  const bool later =
      answer->status / 100 == 5 || std::ranges::find(kLater, answer->status) != kLater.end();
  Delivery out{
      .outcome = later ? again : refused,
      .why = fmt::format("status {}: {}", answer->status, answer->body.substr(0, kShownMost))};
  if (answer->retry_after) out.after = std::min(*answer->retry_after, kLongestRetryAfter);
  return out;
}

}  // namespace pmjit
