// NameResolver: addresses of names, for the thread of a Network. The system's own look-up may hang
// for as long as a name server is silent, so each runs in a thread of its own, and nobody waits for
// it.
//
//   NameResolver resolver(network, [&] { post([&] { resolver.deliver(); }); }, look_up_name);
//   resolver.resolve("web1", 5s, [&](Result<NameResolver::Found> found) {
//     if (!found) return complain(found.error());
//     …
//   });
//
// Who asks for a name that is looked up already shares that answer. A look-up that is late leaves
// its place to another; it goes on, and what it finds is kept. The addresses that a name had the
// last time are taken where a new look-up has no answer in half of the time.
#pragma once

#include <sys/socket.h>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "runtime/client/net/network.h"

namespace pmjit {

// An address of a host, as sockets take it. Its port is 0.
struct HostAddress {
  sockaddr_storage socket{};
  socklen_t size = 0;
};

struct NameAnswer {
  int code = 0;  // of getaddrinfo(); 0: there are addresses
  std::vector<HostAddress> addresses{};
  int error_number = 0;  // where the code is EAI_SYSTEM
};

// Any thread calls it, several at once; it may take as long as it likes.
using NameLookUp = std::function<NameAnswer(const std::string& name)>;
// As the system is set up: /etc/hosts, DNS …
[[nodiscard]] NameAnswer look_up_name(const std::string& name);
// Those that need no look-up: of an address in digits, and of localhost. Else none.
[[nodiscard]] std::vector<HostAddress> addresses_at_once(const std::string& host);

class NameResolver {
 public:
  struct Found {
    std::vector<HostAddress> addresses;
    Instant since;  // the asker's patience counts from here: time in the queue is not its host's
  };
  using Resolved = std::move_only_function<void(Result<Found>)>;

  // Look-ups that have just begun, at once; and all, with those that are late.
  static constexpr size_t kPromptMax = 16, kThreadsMax = 128;
  static constexpr std::chrono::milliseconds kLate{250};

  // `network` outlives it, and has timers and the time. `wake` is called by any thread until this
  // ends; the network's own thread shall then call deliver().
  NameResolver(Network& network, std::function<void()> wake, NameLookUp look_up);
  ~NameResolver();  // threads that hang are left behind, and touch nothing but what they own
  NameResolver(const NameResolver&) = delete;
  NameResolver& operator=(const NameResolver&) = delete;

  // `done` is called once, by deliver() or a timer, never inside of this call.
  void resolve(const std::string& name, std::chrono::nanoseconds patience, Resolved done);
  void deliver();

 private:
  struct Shared;
  struct Asker {
    Instant asked;
    std::chrono::nanoseconds patience;
    Resolved done;
    TimerId timer;
  };
  struct LookUp {
    std::optional<Instant> begun{};  // none: it is in a queue
    std::map<uint64_t, Asker> askers{};
  };
  struct Known {
    std::vector<HostAddress> addresses{};
    bool was_late = false;
  };

  void ring(const std::string& name, uint64_t asker);
  void start_some();
  void start(const std::string& name);
  [[nodiscard]] std::deque<std::string>* next_queue();
  void leave_queue(const std::string& name);
  void finish(const std::string& name, const NameAnswer& answer);
  static Instant since(const Asker& asker, const LookUp& look_up);

  Network& network_;
  std::shared_ptr<Shared> shared_;          // with the threads
  std::map<std::string, LookUp> look_ups_;  // that run or wait
  std::map<std::string, Known> known_;
  std::deque<std::string> prompt_, slow_;  // queues; slow: names that were late the last time
  std::multiset<Instant> running_;         // when each began
  TimerId starts_more_;
  uint64_t last_asker_ = 0;
};

}  // namespace pmjit
