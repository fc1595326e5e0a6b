#include "runtime/client/net/resolver.h"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <strings.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iterator>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "runtime/client/net/asio_network.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

using std::chrono::nanoseconds;

// Names that were late the last time leave these threads to others.
constexpr size_t kKeptForPrompt = NameResolver::kPromptMax;
// A known address is taken after half of the asker's patience, or this.
constexpr nanoseconds kPatienceWithAddress = std::chrono::milliseconds(2'500);
// Times are added to it.
constexpr nanoseconds kPatienceMax = std::chrono::hours(24 * 365);

NameAnswer ask_system(const std::string& name, int flags) {
  addrinfo hints{};
  hints.ai_flags = flags;
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  NameAnswer out{.code = ::getaddrinfo(name.c_str(), nullptr, &hints, &found)};
  if (out.code == EAI_SYSTEM) out.error_number = errno;
  if (out.code != 0) return out;
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    HostAddress& address = out.addresses.emplace_back(HostAddress{.size = one->ai_addrlen});
    std::memcpy(&address.socket, one->ai_addr, one->ai_addrlen);
  }
  ::freeaddrinfo(found);
  return out;
}

bool is_unknown(int code) { return code == EAI_NONAME || code == EAI_NODATA; }

Error resolve_error(const NameAnswer& answer, const std::string& name) {
  if (answer.code == EAI_SYSTEM) return socket_error(answer.error_number, name);
  return Error(Fault::not_found, fmt::format("unknown host ({})", ::gai_strerror(answer.code)))
      .at("host", name)
      .pm_code(-EHOSTUNREACH)
      .help("check the spelling, or name the host by its address");
}

Error no_address_in_time(const std::string& name) {
  return Error(Fault::io, "its address could not be looked up in time")
      .at("host", name)
      .pm_code(pm_err::E_TIMEOUT)
      .help(
          "does a name server answer? /etc/resolv.conf lists them; or name the host by its "
          "address");
}

}  // namespace

NameAnswer look_up_name(const std::string& name) { return ask_system(name, AI_ADDRCONFIG); }

std::vector<HostAddress> addresses_at_once(const std::string& host) {
  if (::strcasecmp(host.c_str(), "localhost") != 0) {
    return ask_system(host, AI_NUMERICHOST).addresses;
  }
  std::vector<HostAddress> out = ask_system("::1", AI_NUMERICHOST).addresses;
  std::ranges::copy(ask_system("127.0.0.1", AI_NUMERICHOST).addresses, std::back_inserter(out));
  return out;
}

struct NameResolver::Shared {
  const NameLookUp look_up;
  std::mutex mutex;            // of what follows
  std::function<void()> wake;  // null: nobody takes answers any more
  std::vector<std::pair<std::string, NameAnswer>> answers;

  void answer(const std::string& name, NameAnswer with) {
    const std::scoped_lock lock(mutex);
    if (!wake) return;
    answers.emplace_back(name, std::move(with));
    wake();
  }
};

NameResolver::NameResolver(Network& network, std::function<void()> wake, NameLookUp look_up)
    : network_(network),
      shared_(new Shared{.look_up = std::move(look_up), .wake = std::move(wake)}) {}

NameResolver::~NameResolver() {
  const std::scoped_lock lock(shared_->mutex);
  shared_->wake = nullptr;
}

void NameResolver::resolve(const std::string& name, nanoseconds patience, Resolved done) {
  patience = std::min(patience, kPatienceMax);
  const auto [at, is_new] = look_ups_.try_emplace(name);
  const uint64_t number = ++last_asker_;
  const Instant now = network_.now();
  const auto known = known_.find(name);
  const bool has_address = known != known_.end() && !known->second.addresses.empty();
  const Instant rings =
      now + (has_address ? std::min(patience / 2, kPatienceWithAddress) : patience);
  const TimerId timer = network_.at(rings, [this, name, number] { ring(name, number); });
  at->second.askers.emplace(
      number, Asker{.asked = now, .patience = patience, .done = std::move(done), .timer = timer});
  if (!is_new) return;
  const bool was_late = known != known_.end() && known->second.was_late;
  (was_late ? slow_ : prompt_).push_back(name);
  start_some();
}

Instant NameResolver::since(const Asker& asker, const LookUp& look_up) {
  return look_up.begun ? std::max(asker.asked, *look_up.begun) : asker.asked;
}

// There is no answer: the address of the last time, or none.
void NameResolver::ring(const std::string& name, uint64_t asker) {
  const auto look_up = look_ups_.find(name);
  const auto at = look_up->second.askers.find(asker);
  const Instant asked = at->second.asked;
  const std::vector<HostAddress> addresses = known_[name].addresses;
  const Instant until = since(at->second, look_up->second) + at->second.patience;
  if (addresses.empty() && until > network_.now()) {
    at->second.timer = network_.at(until, [this, name, asker] { ring(name, asker); });
    return;
  }
  Resolved done = std::move(at->second.done);
  look_up->second.askers.erase(at);
  if (look_up->second.askers.empty() && !look_up->second.begun) leave_queue(name);
  if (addresses.empty()) return done(fail(no_address_in_time(name)));
  done(Found{.addresses = addresses, .since = asked});
}

void NameResolver::leave_queue(const std::string& name) {
  std::erase(prompt_, name);
  std::erase(slow_, name);
  look_ups_.erase(name);
}

// The queue whose first may be looked up now; null: there is none, or no thread for it.
std::deque<std::string>* NameResolver::next_queue() {
  const auto late = running_.upper_bound(network_.now() - kLate);
  if (static_cast<size_t>(std::distance(late, running_.end())) >= kPromptMax) return nullptr;
  if (!prompt_.empty() && running_.size() < kThreadsMax) return &prompt_;
  if (!slow_.empty() && running_.size() < kThreadsMax - kKeptForPrompt) return &slow_;
  return nullptr;
}

void NameResolver::start_some() {
  network_.cancel(starts_more_);
  starts_more_ = {};
  while (auto* const queue = next_queue()) {
    const std::string name = std::move(queue->front());
    queue->pop_front();
    start(name);
  }
  if (prompt_.empty() && slow_.empty()) return;
  starts_more_ = network_.at(network_.now() + kLate, [this] { start_some(); });
}

void NameResolver::start(const std::string& name) {
  const Instant now = network_.now();
  look_ups_.at(name).begun = now;
  running_.insert(now);
  try {
    std::thread([shared = shared_, name] {
      sigset_t all;  // signals are for threads that somebody waits for
      ::sigfillset(&all);
      (void)::pthread_sigmask(SIG_BLOCK, &all, nullptr);
      shared->answer(name, shared->look_up(name));
    }).detach();
  } catch (const std::system_error&) {  // the system has none left
    shared_->answer(name, {.code = EAI_AGAIN});
  }
}

void NameResolver::deliver() {
  std::vector<std::pair<std::string, NameAnswer>> answers;
  {
    const std::scoped_lock lock(shared_->mutex);
    answers.swap(shared_->answers);
  }
  for (const auto& [name, answer] : answers) finish(name, answer);
  if (!answers.empty()) start_some();
}

void NameResolver::finish(const std::string& name, const NameAnswer& answer) {
  auto node = look_ups_.extract(name);
  LookUp& look_up = node.mapped();
  running_.erase(running_.find(*look_up.begun));
  Known& known = known_[name];
  known.was_late = network_.now() - *look_up.begun >= kLate;
  if (answer.code == 0 || is_unknown(answer.code)) known.addresses = answer.addresses;
  const std::vector<HostAddress> addresses = known.addresses;
  for (auto& [number, asker] : look_up.askers) network_.cancel(asker.timer);
  for (auto& [number, asker] : look_up.askers) {
    if (addresses.empty()) {
      asker.done(fail(resolve_error(answer, name)));
    } else {
      asker.done(Found{.addresses = addresses, .since = since(asker, look_up)});
    }
  }
}

}  // namespace pmjit
