#include "agent/collector/agent_links.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio.hpp>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "agent/collector/agent_process.h"
#include "agent/collector/edge_watch.h"

namespace pmjit {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using AgentSocket = asio::generic::stream_protocol::socket;

constexpr auto kLivedLong = std::chrono::minutes(1);
constexpr std::chrono::seconds kRestartMost{60};
// How long a program that serves a socket may take until it listens.
constexpr auto kConnectStep = std::chrono::milliseconds(100);
constexpr int kConnectTries = 50;
// How long one that listens may take until it has accepted.
constexpr auto kConnectMost = std::chrono::seconds(5);
// Its end is in the log before.
constexpr auto kRestartSoon = std::chrono::milliseconds(20);

// Of pmcd.agent.status.
constexpr int kStatusNotReady = 1, kStatusNotStarted = 4, kStatusProtocol = 8;

std::string error_text(int code) { return std::generic_category().message(code); }

// What is opened in a process may read large files, as it did in pmcd, which waited for ever.
constexpr auto kHostGreeting = std::chrono::milliseconds(30'000);
RemoteAgent::Patience patience_with(const AgentLine& line, RemoteAgent::Patience patience) {
  const bool is_hosted = line.transport == AgentTransport::dso && patience.greeting.count() != 0;
  if (is_hosted) patience.greeting = std::max(patience.greeting, kHostGreeting);
  return patience;
}

std::vector<std::string> host_command(const DsoHost& host, const AgentLine& line, bool shares) {
  std::vector<std::string> out{host.program, line.label, fmt::format("{}", line.domain),
                               line.entry,   line.path,  host.user};
  if (shares) out.push_back(fmt::format("{}", SharedMemory::kInProgram));
  return out;
}

int type_of(const AgentLine& line) {
  if (line.transport == AgentTransport::dso) return 0;
  return line.transport == AgentTransport::pipe ? 4 : 2;
}

}  // namespace

struct AgentLinks::Link {
  Link(asio::io_context& io, const Clock& clock, AgentLine of, RemoteAgent::Patience patience)
      : line(std::move(of)),
        agent(clock,
              {.name = line.label,
               .domain = line.domain,
               .starts_not_ready = line.not_ready,
               .is_hosted = agent_is_hosted()},
              patience),
        out(io),
        socket(io),
        timer(io),
        restart(io) {}

  [[nodiscard]] bool by_socket() const {
    return line.transport != AgentTransport::pipe && !agent_is_hosted();
  }
  [[nodiscard]] bool agent_is_hosted() const { return line.transport == AgentTransport::dso; }
  [[nodiscard]] bool open() const { return by_socket() ? socket.is_open() : in_fd() >= 0; }
  [[nodiscard]] int in_fd() const { return in ? in->fd() : -1; }
  // It is neither there nor on its way.
  [[nodiscard]] bool dead() const {
    const auto state = agent.state();
    const bool ended = state == RemoteAgent::State::failed || state == RemoteAgent::State::stopped;
    return ended && !connecting && !open();
  }
  void close() {
    error_code ignored;
    if (in) in->close();
    out.close(ignored);
    socket.close(ignored);
    timer.cancel();
    armed.reset();
    ++generation;
  }

  AgentLine line;
  RemoteAgent agent;
  std::unique_ptr<EdgeWatch> in{};  // of a pipe
  asio::posix::stream_descriptor out;
  AgentSocket socket;
  asio::steady_timer timer, restart;
  std::optional<Instant> armed{};
  pid_t process = 0;
  int status = kStatusNotStarted;
  int deaths = 0;  // since it lived long
  bool was_dropped = false, removed = false, waiting_to_write = false;
  bool is_added = false;    // by another configuration: clients hear of it when it is connected
  bool connecting = false;  // or it is about to try again
  Instant since{};
  uint64_t generation = 0;  // handlers of an earlier channel have nothing to say
};

AgentLinks::AgentLinks(asio::io_context& io, CollectorCore& core, AgentSettings settings,
                       Hooks hooks)
    : io_(io),
      core_(core),
      settings_(settings),
      hooks_(std::move(hooks)),
      burials_(io, hooks_.log) {}

AgentLinks::~AgentLinks() { core_.set_remotes({}, {}); }

// ---- configuration

void AgentLinks::configure(const std::vector<AgentLine>& lines) {
  const std::vector<LinkPtr> before = std::exchange(links_, {});
  std::vector<LinkPtr> fresh, dead;
  for (const AgentLine& line : lines) {
    // Agents of ours are in the process.
    if (line.transport == AgentTransport::dso && core_.has_agent_of_ours(line.domain)) continue;
    const auto same = std::ranges::find_if(
        before, [&](const LinkPtr& link) { return link->line.same_agent(line); });
    if (same != before.end()) {
      links_.push_back(*same);
      (*same)->line.label = line.label;
      (*same)->agent.rename(line.label);
      if ((*same)->dead()) dead.push_back(*same);
      continue;
    }
    links_.push_back(
        std::make_shared<Link>(io_, core_.clock(), line, patience_with(line, settings_.patience)));
    links_.back()->is_added = is_configured_;
    fresh.push_back(links_.back());
  }
  is_configured_ = true;
  std::vector<RemoteAgent*> remotes;
  std::vector<CollectorAgentFacts> facts;
  for (const AgentLine& line : lines) {
    const auto link = std::ranges::find_if(
        links_, [&](const LinkPtr& one) { return one->line.domain == line.domain; });
    CollectorAgentFacts& one = facts.emplace_back(
        CollectorAgentFacts{.domain = line.domain, .name = line.label, .type = type_of(line)});
    if (link == links_.end()) continue;
    remotes.push_back(&(*link)->agent);
    one.fenced = (*link)->agent.fenced;
  }
  // Ours that the file does not name are there, too.
  for (const auto& [domain, name] : core_.agents_of_ours()) {
    if (std::ranges::find(facts, domain, &CollectorAgentFacts::domain) == facts.end()) {
      facts.push_back({.domain = domain, .name = name});
    }
  }
  core_.set_remotes(std::move(remotes), std::move(facts));
  for (const LinkPtr& link : links_) tell_facts(*link);
  // Clients that are answered now may ask at once: nobody finds those any more.
  for (const LinkPtr& link : before) {
    if (std::ranges::find(links_, link) == links_.end()) retire(link);
  }
  for (const LinkPtr& link : fresh) {
    if (can_run(link->line)) link->agent.expect();
    start(link);
  }
  for (const LinkPtr& link : dead) {
    link->restart.cancel();
    start(link);
  }
}

// One that is not configured any more, in whatever state.
void AgentLinks::retire(const LinkPtr& link) {
  link->removed = true;
  link->restart.cancel();
  if (link->open() && !link->connecting) {
    link->agent.stop("unconfigured");
  } else {
    link->close();
    link->agent.give_up();
    bury(link, "");
  }
  look_at(link);
}

std::vector<std::string> AgentLinks::restart_dead() {
  std::vector<std::string> out;
  for (const LinkPtr& link : links_) {
    if (!link->dead()) continue;
    out.push_back(link->line.label);
    link->restart.cancel();
    start(link);
  }
  return out;
}

void AgentLinks::be_patient(std::chrono::milliseconds answer) {
  settings_.patience.answer = answer;
  for (const LinkPtr& link : links_) link->agent.be_patient(answer);
}

// ---- starting

bool AgentLinks::can_run(const AgentLine& line) const {
  return line.transport != AgentTransport::dso || !settings_.dso_host.program.empty();
}

void AgentLinks::start(const LinkPtr& link) {
  link->since = core_.clock().now();
  link->waiting_to_write = false;
  if (!can_run(link->line)) {
    link->status = kStatusNotStarted;
    tell_facts(*link);
    hooks_.log(fmt::format("Cannot attach {} DSO at \"{}\": {}", link->line.label, link->line.path,
                           settings_.dso_host.missing));
    return;
  }
  if (link->by_socket()) {
    start_socket(link);
  } else {
    start_pipe(link);
  }
}

void AgentLinks::could_not_start(const LinkPtr& link, const std::string& why) {
  link->status = kStatusNotStarted;
  link->connecting = false;
  hooks_.log("pmcd: " + why);
  bury(link, "");  // it may run, and not listen
  link->agent.give_up();
  look_at(link);
  if (!link->removed) restart_later(link);
}

void AgentLinks::start_pipe(const LinkPtr& link) {
  AgentPipe to, from;
  int error = to.open();
  if (error == 0) error = link->agent_is_hosted() ? from.open_sockets() : from.open();
  SharedMemory memory;
  const bool shares = link->agent_is_hosted() && memory.open();
  const std::vector<std::string> command =
      link->agent_is_hosted() ? host_command(settings_.dso_host, link->line, shares)
                              : link->line.command;
  if (error == 0) {
    error = spawn_agent(command, to.read, from.write, link->process, memory.descriptor());
  }
  if (error != 0) {
    to.close_all();
    from.close_all();
    return could_not_start(link,
                           fmt::format("error starting {}: {}", command[0], error_text(error)));
  }
  ::close(std::exchange(to.read, -1));
  ::close(std::exchange(from.write, -1));
  from.widen();
  error_code ignored;
  ::fcntl(from.read, F_SETFL, O_NONBLOCK);
  link->in = std::make_unique<EdgeWatch>(io_, from.read,
                                         [this, weak = std::weak_ptr<Link>(link)](bool, bool) {
                                           if (const LinkPtr self = weak.lock()) read_pipe(self);
                                         });
  link->out.assign(to.write, ignored);
  link->out.non_blocking(true, ignored);
  opened(link, memory.bytes());
}

void AgentLinks::start_socket(const LinkPtr& link) {
  int tries = 0;
  if (!link->line.command.empty()) {
    const int error = spawn_agent(link->line.command, -1, -1, link->process);
    if (error != 0) {
      return could_not_start(
          link, fmt::format("error starting {}: {}", link->line.command[0], error_text(error)));
    }
    tries = kConnectTries;
  }
  link->connecting = true;
  connect(link, tries);
}

void AgentLinks::connect(const LinkPtr& link, int tries_left) {
  asio::generic::stream_protocol::endpoint place;
  const auto& line = link->line;
  if (line.transport == AgentTransport::local) {
    if (line.path.size() >= 108) return could_not_start(link, "the path of a socket is too long");
    place = asio::local::stream_protocol::endpoint(line.path);
  } else if (line.transport == AgentTransport::inet) {
    place = tcp::endpoint(asio::ip::address_v4::loopback(), static_cast<uint16_t>(line.port));
  } else {
    place = tcp::endpoint(asio::ip::address_v6::loopback(), static_cast<uint16_t>(line.port));
  }
  link->timer.expires_after(kConnectMost);
  link->timer.async_wait([link, generation = link->generation](const error_code& cancelled) {
    error_code ignored;
    if (!cancelled && generation == link->generation) link->socket.close(ignored);
  });
  link->socket.async_connect(
      place, [this, link, tries_left, generation = link->generation](error_code error) {
        if (stopping_ || link->removed || generation != link->generation) return;
        if (!link->socket.is_open()) error = asio::error::timed_out;
        if (!error) {
          error_code ignored;
          link->timer.cancel();
          link->connecting = false;
          link->socket.non_blocking(true, ignored);
          if (link->line.transport != AgentTransport::local) {
            link->socket.set_option(tcp::no_delay(true), ignored);
          }
          return opened(link, {});
        }
        link->close();
        if (tries_left == 0) {
          return could_not_start(link, fmt::format("Error connecting to \"{}\" agent : {}",
                                                   link->line.label, error.message()));
        }
        link->timer.expires_after(kConnectStep);
        link->timer.async_wait(
            [this, link, tries_left, again = link->generation](const error_code& cancelled) {
              if (!cancelled && again == link->generation) connect(link, tries_left - 1);
            });
      });
}

void AgentLinks::opened(const LinkPtr& link, std::shared_ptr<std::byte> memory) {
  link->agent.when_unsent([this, weak = std::weak_ptr<Link>(link)] {
    if (const LinkPtr self = weak.lock()) write(self);
  });
  link->agent.begin(std::move(memory));
  arm(link);
  if (link->by_socket()) {
    read_socket(link);
  } else {
    link->in->wait_to_read();
  }
}

// ---- a channel

// A read that leaves room has taken all that has come.
void AgentLinks::read_pipe(const LinkPtr& link) {
  for (bool more = true; more && link->open();) {
    const auto room = link->agent.room();
    const ssize_t bytes = ::read(link->in_fd(), room.data(), room.size());
    more = bytes == static_cast<ssize_t>(room.size()) || (bytes < 0 && errno == EINTR);
    if (bytes > 0) {
      link->agent.received(static_cast<size_t>(bytes));
    } else if (bytes == 0 || (errno != EAGAIN && errno != EINTR)) {
      link->agent.ended();
    }
    look_at(link);
  }
  if (link->open()) link->in->wait_to_read();
}

// Asio would look for bytes before it waits, and there are none right after a request.
void AgentLinks::read_socket(const LinkPtr& link) {
  link->socket.async_wait(
      AgentSocket::wait_read, [this, link, generation = link->generation](error_code error) {
        if (generation != link->generation) return;
        const auto room = link->agent.room();
        size_t bytes = 0;
        if (!error) bytes = link->socket.read_some(asio::buffer(room.data(), room.size()), error);
        if (!error) {
          link->agent.received(bytes);
        } else if (error != asio::error::would_block) {
          link->agent.ended();
        }
        look_at(link);
        if (link->open()) read_socket(link);
      });
}

// Writes as much as the agent takes now. The caller is within a request, so failures are handled
// later.
void AgentLinks::write(const LinkPtr& link) {
  if (!link->agent.failure().empty()) {
    asio::post(io_, [this, link, generation = link->generation] {
      if (generation == link->generation) look_at(link);
    });
    return;
  }
  while (link->open() && !link->waiting_to_write && !link->agent.unsent().empty()) {
    const Bytes unsent = link->agent.unsent();
    const auto buffer = asio::buffer(unsent.data(), unsent.size());
    error_code error;
    const size_t bytes = link->by_socket() ? link->socket.write_some(buffer, error)
                                           : link->out.write_some(buffer, error);
    link->agent.sent(bytes);
    if (!error) continue;
    const auto generation = link->generation;
    if (error == asio::error::would_block || error == asio::error::try_again) {
      link->waiting_to_write = true;
      auto handler = [this, link, generation](const error_code& failed) {
        link->waiting_to_write = false;
        if (!failed && generation == link->generation) write(link);
      };
      if (link->by_socket()) {
        link->socket.async_wait(AgentSocket::wait_write, std::move(handler));
      } else {
        link->out.async_wait(asio::posix::stream_descriptor::wait_write, std::move(handler));
      }
    } else {
      asio::post(io_, [this, link, generation, error] {
        if (generation != link->generation) return;
        link->agent.broken(error.value());
        look_at(link);
      });
      return;
    }
  }
  arm(link);
}

// After everything that an agent may have done something in.
void AgentLinks::look_at(const LinkPtr& link) {
  if (link->agent.take_connected()) {
    link->status = link->agent.state() == RemoteAgent::State::ready ? 0 : kStatusNotReady;
    core_.introduce_clients_to(link->agent);
    link->agent.go_on();
    if (std::exchange(link->was_dropped, false)) {
      core_.raise(wire::kAgentAdded | wire::kAgentRestarted);
    } else if (link->is_added && link->status == 0) {
      core_.raise(wire::kAgentAdded);
    }
    link->is_added = false;
  }
  core_.raise(link->agent.take_changes());
  if (!link->agent.failure().empty() && link->open() && !link->connecting) clean_up(link);
  tell_facts(*link);
  const auto answered = link->agent.take_answered();
  if (!answered.empty()) hooks_.answered(answered);
  arm(link);
}

// A timer that is early looks again, so one that runs is left alone: each change is a system call.
void AgentLinks::arm(const LinkPtr& link) {
  const auto deadline = link->open() ? link->agent.deadline() : std::nullopt;
  if (!deadline || (link->armed && *link->armed <= *deadline)) return;
  link->armed = deadline;
  link->timer.expires_after(std::max(*deadline - core_.clock().now(), std::chrono::nanoseconds(0)));
  link->timer.async_wait([this, link, generation = link->generation](const error_code& error) {
    if (error || generation != link->generation) return;
    link->armed.reset();
    // What has come is not late: perhaps this process was busy.
    if (!link->by_socket() && link->open()) read_pipe(link);
    if (generation != link->generation) return;
    link->agent.look_at_time();
    look_at(link);
  });
}

// ---- ending

void AgentLinks::clean_up(const LinkPtr& link) {
  const std::string& why = link->agent.failure();
  const int fd = link->by_socket() ? static_cast<int>(link->socket.native_handle()) : link->in_fd();
  const bool at_greeting = link->agent.failed_at_greeting();
  const bool is_of_host = link->agent.host_has_refused();
  const bool is_failure = why == "protocol failure";
  link->close();
  link->status = at_greeting ? kStatusNotStarted : kStatusProtocol;
  link->was_dropped = !at_greeting;
  std::string line = at_greeting ? "pmcd: " + why
                                 : fmt::format(
                                       "Info: CleanupAgent ...\nCleanup \"{}\" agent (dom "
                                       "{}): {}{}",
                                       link->line.label, link->line.domain, why,
                                       is_failure ? fmt::format(" for fd={}", fd) : "");
  if (is_of_host) {
    hooks_.log(why);
    line.clear();
  }
  bury(link, line);
  if (!link->removed && !stopping_) restart_later(link);
}

// Says how a process has ended, once that is known; or that the channel is closed, after a moment.
void AgentLinks::bury(const LinkPtr& link, const std::string& first_line) {
  const pid_t process = std::exchange(link->process, 0);
  if (process == 0) {
    if (!first_line.empty()) hooks_.log(first_line);
    return;
  }
  burials_.bury(process, first_line, [this, link](int status) {
    if (!link->open()) link->status |= status;  // it has not been started again
    tell_facts(*link);
  });
}

void AgentLinks::restart_later(const LinkPtr& link) {
  if (!settings_.restarts) return;
  const bool lived_long = core_.clock().now() - link->since > kLivedLong;
  if (lived_long) link->deaths = 0;
  std::chrono::milliseconds delay = kRestartSoon;
  if (!link->was_dropped) {
    delay = kRestartMost;  // it has never been there
  } else if (link->deaths > 0) {
    delay = std::min(std::chrono::seconds(1 << std::min(link->deaths - 1, 6)), kRestartMost);
  }
  ++link->deaths;
  link->restart.expires_after(delay);
  link->restart.async_wait([this, link](const error_code& error) {
    if (error || stopping_ || link->removed || link->open() || link->connecting) return;
    hooks_.log("Info: Auto-restarting agents.");
    start(link);
  });
}

void AgentLinks::stop() {
  stopping_ = true;
  std::vector<pid_t> left;
  for (const LinkPtr& link : links_) {
    link->restart.cancel();
    const pid_t process = std::exchange(link->process, 0);
    if (link->open() && !link->connecting && !link->agent.failed_at_greeting()) {
      hooks_.log(fmt::format("Info: CleanupAgent ...\nCleanup \"{}\" agent (dom {}): terminated",
                             link->line.label, link->line.domain));
    }
    link->close();
    if (process != 0) left.push_back(process);
  }
  burials_.end_all(std::move(left));
}

// ---- what is said of them

void AgentLinks::tell_facts(Link& link) {
  // There may be another one of that domain.
  CollectorAgentFacts* const facts = link.removed ? nullptr : core_.facts_of(link.line.domain);
  if (facts == nullptr) return;
  if (link.agent.state() == RemoteAgent::State::ready) link.status = 0;
  if (link.agent.state() == RemoteAgent::State::not_ready) link.status = kStatusNotReady;
  facts->status = link.status;
  facts->ready = link.agent.state() != RemoteAgent::State::not_ready;
  facts->connected = link.agent.connected();
}

std::string AgentLinks::table_row(Link& link) {
  const AgentLine& line = link.line;
  const std::string command = fmt::format("{}", fmt::join(line.command, " "));
  if (link.by_socket()) {
    return fmt::format("{:<12} {:>3} {:>5} {:>3} {:>3}   2 bin sock cmd={}\n", line.label,
                       line.domain, link.process, 0, 0, command);
  }
  std::string out = fmt::format("{:<12} {:>3} {:>5} {:>3} {:>3}   2 ", line.label, line.domain,
                                link.process, link.in_fd(), link.out.native_handle());
  if (!link.agent_is_hosted()) return out + fmt::format("bin pipe cmd={}\n", command);
  const int interface = link.agent.hosted_interface();
  return out + fmt::format("dso i:{}  lib={} entry={}\n",
                           interface == 0 ? "?" : std::to_string(interface), line.path, line.entry);
}

std::string AgentLinks::table_text() const {
  std::string out =
      "\nactive agent dom   pid  in out ver protocol parameters\n"
      "============ === ===== === === === ======== ==========\n";
  for (const CollectorAgentFacts& facts : core_.state().agents) {
    const auto found = std::ranges::find_if(
        links_, [&](const LinkPtr& link) { return link->line.domain == facts.domain; });
    if (found == links_.end()) {
      out += fmt::format("{:<12} {:>3}                 2 dso i:6  built in\n", facts.name,
                         facts.domain);
      continue;
    }
    if ((*found)->open()) out += table_row(**found);
  }
  return out;
}

}  // namespace pmjit
