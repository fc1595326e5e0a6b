#include "tests/sim/sim_server.h"

#include <fmt/core.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>

#include "tests/sim/sim_ports.h"

namespace pmjit::test {

namespace {

// What epoll reports of: the upper byte of its tag. Below it stands a descriptor, with a part of
// the connection's serial number, or a host.
enum class SimTag : uint8_t { connection, shared_port, own_port, signal };
constexpr uint64_t kSerialMask = 0xffffff;
constexpr uint64_t tag_of(SimTag kind, uint32_t value, uint64_t serial = 0) {
  return uint64_t{static_cast<uint8_t>(kind)} << 56 | (serial & kSerialMask) << 32 | value;
}

// Accepted in one go, before others have their turn.
constexpr int kAcceptedAtOnce = 256;
// Without descriptors, no connections are accepted for so long.
constexpr std::chrono::milliseconds kAcceptPause(100);
constexpr size_t kTimesReserved = 1u << 20;

int timeout_ms(std::optional<Instant> next, Instant now) {
  if (!next) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*next - now).count();
  return static_cast<int>(std::clamp<int64_t>(left, 0, 60'000));
}

}  // namespace

SimServer::SimServer(const Clock& clock, SimSetup setup)
    : clock_(&clock),
      setup_(std::move(setup)),
      start_(clock.now()),
      first_step_(step_at(clock.wall())),
      state_{.version = "0.0.0", .build = "sim_hosts"},
      pmcd_(state_,
            [this](uint32_t client) { return moment_of(connections_[client]->host, now_wall_); }),
      agent_(setup_.shape,
             [this](uint32_t client) { return moment_of(connections_[client]->host, now_wall_); }),
      core_(still_, {&pmcd_, &agent_}, state_),
      prepared_(agent_.sim_metrics()),
      hosts_(setup_.hosts),
      restarts_(setup_.faults.size(), 0) {
  if (setup_.keeps_times) times_.reserve(kTimesReserved);
}

SimServer::~SimServer() {
  for (const auto& one : connections_) {
    if (one) ::close(one->fd);
  }
  for (const SimHost& one : hosts_) {
    if (one.listener >= 0) ::close(one.listener);
  }
  for (const int fd : {epoll_, signals_, listener_}) {
    if (fd >= 0) ::close(fd);
  }
}

Result<void> SimServer::listen() {
  uint32_t own_ports = 0;
  for (uint32_t i = 0; i < setup_.faults.size(); ++i) {
    const SimFault& fault = setup_.faults[i];
    for (uint32_t n = 0; n < setup_.hosts; ++n) {
      if (!fault.concerns(setup_.first_host + n)) continue;
      hosts_[n].faults.push_back(i);
      hosts_[n].has_port = hosts_[n].has_port || fault.may_close_port();
    }
  }
  for (const SimHost& one : hosts_) own_ports += one.has_port ? 1 : 0;
  if (auto raised = raise_descriptors(setup_.hosts + own_ports); !raised) return raised;

  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT, SIGUSR1}) sigaddset(&signals, signal);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  signals_ = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  epoll_ = epoll_create1(EPOLL_CLOEXEC);
  check(signals_ >= 0 && epoll_ >= 0, "sim: no descriptor for signals and events");
  watch(signals_, tag_of(SimTag::signal, 0), EPOLLIN, EPOLL_CTL_ADD);

  auto shared = listen_at(INADDR_ANY, setup_.port);
  if (!shared) return fail(shared.error());
  listener_ = shared->fd;
  port_ = shared->port;
  watch(listener_, tag_of(SimTag::shared_port, 0), EPOLLIN, EPOLL_CTL_ADD);
  const auto own = static_cast<uint16_t>(setup_.port == 0 ? 0 : setup_.port + 1);
  for (uint32_t n = 0; n < setup_.hosts; ++n) {
    if (!hosts_[n].has_port) continue;
    if (auto opened = open_port(setup_.first_host + n, own); !opened) return opened;
  }
  start_ = clock_->now();
  first_step_ = step_at(clock_->wall());
  for (uint32_t i = 0; i < setup_.faults.size(); ++i) apply(i);
  return {};
}

std::string SimServer::address_of(uint32_t number) const {
  const SimHost& one = hosts_[number - setup_.first_host];
  return fmt::format("{}:{}", sim_address_text(number), one.has_port ? one.port : port_);
}

Result<void> SimServer::open_port(uint32_t number, uint16_t port) {
  auto opened = listen_at(sim_address(number), port);
  if (!opened) return fail(opened.error());
  SimHost& one = host(number);
  one.listener = opened->fd;
  one.port = opened->port;
  watch(one.listener, tag_of(SimTag::own_port, number), EPOLLIN, EPOLL_CTL_ADD);
  return {};
}

void SimServer::watch(int fd, uint64_t tag, uint32_t events, int operation) const {
  epoll_event event{.events = events, .data = {.u64 = tag}};
  check(epoll_ctl(epoll_, operation, fd, &event) == 0, "sim: epoll refuses a descriptor");
}

void SimServer::run(const std::function<void()>& at_signal) {
  std::array<epoll_event, 512> events{};
  while (true) {
    const int timeout = timeout_ms(timers_.next(), clock_->now());
    const int count = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), timeout);
    for (int i = 0; i < count; ++i) {
      const uint64_t tag = events[static_cast<size_t>(i)].data.u64;
      const auto value = static_cast<uint32_t>(tag);
      switch (static_cast<SimTag>(tag >> 56)) {
        case SimTag::shared_port: accept_from(listener_, {}); break;
        case SimTag::own_port: accept_from(host(value).listener, value); break;
        case SimTag::connection:
          if (SimConnection* const one = find(static_cast<int>(value), tag >> 32 & kSerialMask)) {
            happened(*one, events[static_cast<size_t>(i)].events);
          }
          break;
        case SimTag::signal: {
          signalfd_siginfo signal{};
          if (read(signals_, &signal, sizeof signal) != sizeof signal) break;
          if (signal.ssi_signo != SIGUSR1) return;
          at_signal();
        }
      }
    }
    while (auto due = timers_.take(clock_->now())) due->task();
  }
}

// ---- what happens to hosts as time goes by

void SimServer::schedule(uint32_t fault) {
  const auto change = setup_.faults[fault].next_change(running());
  if (change) timers_.add(start_ + *change, [this, fault] { apply(fault); });
}

void SimServer::apply(uint32_t index) {
  const SimFault& fault = setup_.faults[index];
  const int64_t restarts = fault.restarts(running());
  const bool restarted = std::exchange(restarts_[index], restarts) < restarts;
  for (uint32_t number = setup_.first_host; is_ours(number); ++number) {
    if (!fault.concerns(number)) continue;
    if (fault.may_close_port()) look_at_port(number);
    if (restarted) close_all(number);
    if (fault.kind != FaultKind::hang || fault_of(number, {FaultKind::hang}) != nullptr) continue;
    for (const int fd : std::vector(host(number).connections)) {
      SimConnection& one = *connections_[static_cast<size_t>(fd)];
      if (std::exchange(one.stuck, false)) go_on(one);
    }
  }
  schedule(index);
}

void SimServer::look_at_port(uint32_t number) {
  SimHost& one = host(number);
  const SimTime now = running();
  const bool closed = std::ranges::any_of(
      one.faults, [&](uint32_t fault) { return setup_.faults[fault].closes_port(now); });
  if (closed && one.listener >= 0) {
    ::close(std::exchange(one.listener, -1));
    close_all(number);
  } else if (!closed && one.listener < 0) {
    if (const auto opened = open_port(number, one.port); !opened) {
      fmt::print(stderr, "sim_hosts: host {}: {}; trying again\n", number, opened.error().text());
      timers_.add(clock_->now() + kAcceptPause, [this, number] { look_at_port(number); });
    }
  }
}

const SimFault* SimServer::fault_of(uint32_t number, std::initializer_list<FaultKind> kinds) {
  const SimHost& one = host(number);
  if (one.faults.empty()) return nullptr;
  const SimTime now = running();
  for (const uint32_t index : one.faults) {
    const SimFault& fault = setup_.faults[index];
    if (fault.in_force(now) && std::ranges::find(kinds, fault.kind) != kinds.end()) return &fault;
  }
  return nullptr;
}

SimMoment SimServer::moment_of(uint32_t number, WallTime when) const {
  SimMoment out{.host = number, .step = step_at(when)};
  const SimTime now = std::chrono::seconds(out.step - first_step_);
  for (const uint32_t index : hosts_[number - setup_.first_host].faults) {
    out.first_instance += static_cast<int32_t>(setup_.faults[index].replaced(now));
  }
  return out;
}

// ---- connections

void SimServer::accept_from(int listener, std::optional<uint32_t> own) {
  for (int i = 0; i < kAcceptedAtOnce; ++i) {
    const int fd = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) {
      if (errno == EMFILE || errno == ENFILE) pause_accepting();
      return;
    }
    const auto number = own ? own : host_of(fd);
    // Nobody lives at that address, or elsewhere.
    if (!number || !is_ours(*number) || host(*number).has_port != own.has_value()) {
      ::close(fd);
      continue;
    }
    const auto index = static_cast<size_t>(fd);
    if (connections_.size() <= index) connections_.resize(index + 1);
    connections_[index] = std::make_unique<SimConnection>(fd, *number, ++serial_, core_);
    SimConnection& one = *connections_[index];
    host(*number).connections.push_back(fd);
    ++counts_.connections;
    ++counts_.open;
    one.events = EPOLLIN;
    watch(fd, tag_of(SimTag::connection, static_cast<uint32_t>(fd), one.serial), one.events,
          EPOLL_CTL_ADD);
    out_.clear();
    one.session.greet(out_);
    send(one, out_.written());
    settle(one);
  }
}

void SimServer::pause_accepting() {
  fmt::print(stderr, "sim_hosts: {} connections use up the descriptors; raise ulimit -n\n",
             counts_.open);
  watch_listeners(0);
  timers_.add(clock_->now() + kAcceptPause, [this] { watch_listeners(EPOLLIN); });
}

void SimServer::watch_listeners(uint32_t events) const {
  watch(listener_, tag_of(SimTag::shared_port, 0), events, EPOLL_CTL_MOD);
  for (uint32_t n = 0; n < setup_.hosts; ++n) {
    if (hosts_[n].listener < 0) continue;
    watch(hosts_[n].listener, tag_of(SimTag::own_port, setup_.first_host + n), events,
          EPOLL_CTL_MOD);
  }
}

SimConnection* SimServer::find(int fd, uint64_t serial) {
  const auto index = static_cast<size_t>(fd);
  if (index >= connections_.size() || !connections_[index]) return nullptr;
  SimConnection& one = *connections_[index];
  return (one.serial & kSerialMask) == (serial & kSerialMask) ? &one : nullptr;
}

void SimServer::close(SimConnection& one) {
  std::erase(host(one.host).connections, one.fd);
  ::close(one.fd);
  --counts_.open;
  connections_[static_cast<size_t>(one.fd)].reset();
}

void SimServer::close_all(uint32_t number) {
  for (const int fd : std::vector(host(number).connections)) {
    close(*connections_[static_cast<size_t>(fd)]);
  }
}

void SimServer::happened(SimConnection& one, uint32_t events) {
  if ((events & EPOLLIN) != 0) {
    receive(one);
  } else if ((events & EPOLLOUT) != 0) {
    return go_on(one);
  } else {
    one.ending = true;  // the client has gone
  }
  settle(one);
}

void SimServer::receive(SimConnection& one) {
  const std::span<std::byte> room = one.framer.room();
  const ssize_t got = recv(one.fd, room.data(), room.size(), 0);
  if (got <= 0) {
    one.ending = got == 0 || errno != EAGAIN;
    return;
  }
  counts_.bytes_in += static_cast<uint64_t>(got);
  one.framer.filled(static_cast<size_t>(got));
  serve(one);
}

// What has come is answered, request by request: one whose answer waits holds up the next ones.
void SimServer::serve(SimConnection& one) {
  while (!one.waits && !one.stuck && !one.ending && one.unsent.empty()) {
    const auto frame = one.framer.next();
    if (!frame) one.ending = true;  // it is no PDU
    if (!frame || !*frame) return;
    take_request(one, (*frame)->bytes);
  }
}

// After a wait, or when there is room again.
void SimServer::go_on(SimConnection& one) {
  send_rest(one);
  serve(one);
  settle(one);
}

// Closes the connection, or says what is to be reported of it. It may be gone then.
void SimServer::settle(SimConnection& one) {
  if (one.ending) return close(one);
  uint32_t events = EPOLLIN;
  if (one.waits || one.stuck) {
    events = EPOLLRDHUP;
  } else if (!one.unsent.empty()) {
    events = EPOLLOUT;
  }
  if (std::exchange(one.events, events) == events) return;
  watch(one.fd, tag_of(SimTag::connection, static_cast<uint32_t>(one.fd), one.serial), events,
        EPOLL_CTL_MOD);
}

}  // namespace pmjit::test
