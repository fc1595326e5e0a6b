#include "agent/collector/collector_server.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio.hpp>
#include <csignal>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "agent/collector/agent_links.h"
#include "agent/collector/client_link.h"
#include "agent/collector/listening_sockets.h"

namespace pmjit {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;

// Besides clients: listeners, log, signals, epoll, files that agents read.
constexpr rlim_t kOwnDescriptors = 32;
// Of agents that are processes: two each, and some to start them with.
constexpr rlim_t kAgentDescriptors = 64;
constexpr rlim_t kClientsLeast = 16;
// Closed connections that have a line in the log, of so many seconds.
constexpr uint32_t kClosingsTold = 50;
constexpr int kClosingsPeriod = 10;
// Hosts whose refusal is in the log: of IPv6 addresses anyone has as many as he likes.
constexpr size_t kViolatorsTold = 1'000;
// Clients that a table of them in the log has: SIGHUP may come at any rate.
constexpr size_t kClientsTold = 10;
// Clients that are answered alone after one who was.
constexpr int kWithoutBatch = 32;
// From the first client of a batch on: who asks for so much has turns instead.
constexpr std::chrono::milliseconds kBatchMost{1};
constexpr size_t kClockEach = 8;  // clients are read between two looks at the clock

void refuse(const NewConnection& connection, int code) {
  ByteWriter refusal;
  refuse_client(code, refusal);
  (void)::send(connection.socket(), refusal.written().data(), refusal.size(), MSG_NOSIGNAL);
}

}  // namespace

// SIGTERM, SIGINT and perhaps SIGHUP as a descriptor that says who sent them. As long as it is
// there, threads that start do not get them. From then on the process ignores what would end it
// when an agent has closed its pipe, or a log is as large as a file may be: writing says so, too.
// And it hears of agents that end, whatever its parent has done: of a number that the system has
// taken back nobody knows whose it is.
class SignalDescriptor {
 public:
  SignalDescriptor(asio::io_context& io, bool with_hangup) : descriptor_(io) {
    sigset_t wanted;
    sigemptyset(&wanted);
    for (const int signal : {SIGTERM, SIGINT}) sigaddset(&wanted, signal);
    if (with_hangup) sigaddset(&wanted, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &wanted, &before_);
    for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
    std::signal(SIGCHLD, SIG_DFL);
    error_code ignored;
    const int fd = signalfd(-1, &wanted, SFD_NONBLOCK | SFD_CLOEXEC);
    if (fd >= 0) descriptor_.assign(fd, ignored);
  }
  SignalDescriptor(const SignalDescriptor&) = delete;
  SignalDescriptor& operator=(const SignalDescriptor&) = delete;
  // What came meanwhile is not for what follows: it would end the process by a signal.
  ~SignalDescriptor() {
    while (take()) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

  [[nodiscard]] asio::posix::stream_descriptor& descriptor() { return descriptor_; }
  [[nodiscard]] std::optional<signalfd_siginfo> take() {
    signalfd_siginfo out{};
    if (::read(descriptor_.native_handle(), &out, sizeof out) != sizeof out) return {};
    return out;
  }

 private:
  asio::posix::stream_descriptor descriptor_;
  sigset_t before_{};
};

class CollectorServer::Sockets final : public ClientLink::Owner {
 public:
  Sockets(CollectorCore& core, CollectorOptions options, CollectorLog log)
      : core_(core),
        options_(std::move(options)),
        log_(std::move(log)),
        listening_(io_, options_, core.state(),
                   {.welcome = [this](NewConnection& connection) { welcome(connection); },
                    .clients = [this] { return links_.size(); },
                    .log = log_}) {
    reading_->server = this;
    core_.state().encrypts = options_.begin_tls != nullptr;
    core_.state().creds_required = options_.needs_users;
    core_.state().reads_files_again = options_.setup != nullptr;
    if (options_.check_login) {
      logins_.emplace(options_.check_login, [this](LoginStepPtr step) {
        asio::post(io_, [this, step] { end_login(*step); });
      });
      core_.set_logins(&*logins_);
    }
    core_.read_labels();
  }
  ~Sockets() {
    {
      const std::scoped_lock lock(reading_->mutex);
      reading_->server = nullptr;
    }
    core_.when_fetched(nullptr);
    links_.clear();
    core_.set_logins(nullptr);
    logins_.reset();
    agents_.reset();
  }

  Result<void> listen();
  [[nodiscard]] const ListeningSockets& listening() const { return listening_; }
  void run();
  void stop() {
    asio::post(io_, [this] { end("a request"); });
  }

 private:
  // What the server has with a thread that reads files, which names of hosts may hold up for long
  // after the server's end.
  struct Reading {
    std::mutex mutex;
    Sockets* server;  // null: it has gone
  };

  void has_answered() override { tell_notes(); }
  Turn turn_of(ClientLink& link) override;
  void wants_turn(ClientLink& link) override;
  void waits_for_agents(ClientLink& link, bool waits) override;
  void has_closed(ClientLink& link) override;
  Result<std::unique_ptr<TlsSession>> begin_tls(const ClientLink& link) override {
    return options_.begin_tls(link.peer().name, link.client().wants_certificate());
  }

  [[nodiscard]] Result<void> count_descriptors();
  void welcome(NewConnection& connection);
  void end_batch();
  void take_turn();
  void look_at_agents();
  void look_at_clients(std::span<const uint32_t> numbers);
  void tell_notes();
  void tell_traced();
  void tell_trace();
  void count_closings();
  void tell_of_closing(const std::string& who, const std::string& why);
  void end(const std::string& why);
  void take_signal();
  void hang_up();
  void reread();
  void end_reading(CollectorSetup setup);
  void set_up(CollectorSetup setup);
  [[nodiscard]] std::string clients_text() const;
  [[nodiscard]] int32_t take_slot();
  // 0, or the code that refuses it.
  [[nodiscard]] int admit(AccessPeer& peer, uint8_t& denied);
  void tell_of_violation(const PeerAddress& host);
  void admit_user(ClientLink& link);
  void has_logged_in(ClientLink& link) override;
  void end_login(LoginStep& step);
  void admit_again();
  void leave(ClientLink& link);

  CollectorCore& core_;
  CollectorOptions options_;
  CollectorLog log_;
  // One thread runs it, others only post to it: nothing of it but its queue has to be locked.
  asio::io_context io_{BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO};
  std::optional<SignalDescriptor> signals_;
  ListeningSockets listening_;
  std::map<uint32_t, std::shared_ptr<ClientLink>> links_;
  std::set<uint32_t> waiting_;  // those of links_ that wait for an agent
  uint32_t last_number_ = 0;
  std::vector<std::shared_ptr<ClientLink>> batch_, ended_batch_;
  Instant batch_until_{};
  std::deque<std::shared_ptr<ClientLink>> turns_;  // who has more to be answered
  uint32_t last_ready_ = 0;                        // a client
  int without_batch_ = 0;  // clients that are answered alone until the next one is looked for
  std::set<int32_t> free_slots_;
  int32_t slots_ = 0;  // how many there have been
  std::optional<AgentLinks> agents_;
  std::optional<LoginThread> logins_;
  AccessLists access_;
  std::vector<PeerAddress> own_addresses_;
  std::set<PeerAddress> violators_;  // hosts whose refusal is in the log already
  Instant closings_since_{};
  uint32_t closings_ = 0;  // since then
  int timeout_s_ = 0;
  bool rereading_ = false, reread_again_ = false;
  const std::shared_ptr<Reading> reading_ = std::make_shared<Reading>();
  std::atomic<bool> look_posted_ = false;
  bool told_of_limit_ = false;
};

// ---- listening

Result<void> CollectorServer::Sockets::count_descriptors() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return {};
  const rlim_t own = kOwnDescriptors + (options_.setup ? kAgentDescriptors : 0);
  const rlim_t wanted = options_.clients_max + own;
  if (limit.rlim_cur < wanted) {
    limit.rlim_cur = std::min<rlim_t>(wanted, limit.rlim_max);
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
  }
  if (limit.rlim_cur < own + kClientsLeast) {
    return fail(Error(Fault::limit,
                      fmt::format("too few file descriptors: {}, and {} are needed for {} clients",
                                  limit.rlim_cur, own + kClientsLeast, kClientsLeast))
                    .help("raise the limit before the start: ulimit -n 1024"));
  }
  if (limit.rlim_cur < wanted) {
    options_.clients_max = static_cast<uint32_t>(limit.rlim_cur - own);
    log_(fmt::format("there are {} file descriptors: at most {} clients (raise it with ulimit -n)",
                     limit.rlim_cur, options_.clients_max));
  }
  return {};
}

Result<void> CollectorServer::Sockets::listen() {
  if (auto enough = count_descriptors(); !enough) return enough;
  // First of all: clients may come once it listens, and a signal that comes then waits for run().
  signals_.emplace(io_, options_.setup != nullptr);
  return listening_.listen();
}

void CollectorServer::Sockets::run() {
  take_signal();
  if (options_.setup) {
    agents_.emplace(
        io_, core_,
        AgentSettings{
            .patience = {.answer = options_.agent_patience, .greeting = options_.agent_greeting},
            .restarts = options_.restart_agents,
            .dso_host = options_.dso_host},
        AgentLinks::Hooks{.answered = [this](auto clients) { look_at_clients(clients); },
                          .log = log_});
    timeout_s_ = core_.state().timeout_s;
    set_up(options_.setup());
  }
  if (options_.when_started) options_.when_started();
  listening_.accept();
  core_.when_fetched([this] {  // by any thread; many at once are one look
    if (look_posted_.exchange(true)) return;
    asio::post(io_, [this] {
      look_posted_ = false;
      look_at_agents();
    });
  });
  io_.run();
}

void CollectorServer::Sockets::look_at_agents() {
  look_at_clients(std::vector(waiting_.begin(), waiting_.end()));
  tell_notes();
}

void CollectorServer::Sockets::look_at_clients(std::span<const uint32_t> numbers) {
  for (const uint32_t number : numbers) {
    const auto found = links_.find(number);
    if (found == links_.end()) continue;
    const std::shared_ptr<ClientLink> link = found->second;
    link->client().look_at_agents();
    link->go_on();
  }
  tell_traced();
}

// Many who are ready at once are read first, and then their answers are sent: the processor does
// one of the two for a while, which is faster than by turns. To see who is ready with a client is a
// call of the system, so one who is alone is answered at once.
ClientLink::Owner::Turn CollectorServer::Sockets::turn_of(ClientLink& link) {
  if (batch_.empty()) {
    if (std::exchange(last_ready_, link.number()) == link.number()) return Turn::now;
    if (without_batch_ > 0) return --without_batch_, Turn::now;
    asio::post(io_, [this] { end_batch(); });  // behind all who are ready
    batch_until_ = core_.clock().now() + kBatchMost;
  } else if (batch_.size() % kClockEach == 0 && core_.clock().now() > batch_until_) {
    return Turn::by_turns;
  }
  batch_.push_back(link.shared_from_this());
  return Turn::with_others;
}

void CollectorServer::Sockets::end_batch() {
  if (batch_.size() == 1) without_batch_ = kWithoutBatch;
  ended_batch_.swap(batch_);
  for (const auto& link : ended_batch_) link->go_on();
  ended_batch_.clear();
  tell_notes();
}

// Links take their turns one at a time. A client that becomes ready waits for one turn, not for all
// of them, and so does an answer of an agent.
void CollectorServer::Sockets::wants_turn(ClientLink& link) {
  turns_.push_back(link.shared_from_this());
  if (turns_.size() == 1) asio::post(io_, [this] { take_turn(); });
}

void CollectorServer::Sockets::take_turn() {
  const std::shared_ptr<ClientLink> link = std::move(turns_.front());
  turns_.pop_front();
  if (!turns_.empty()) asio::post(io_, [this] { take_turn(); });
  link->take_turn();
}

// ---- files

void CollectorServer::Sockets::take_signal() {
  signals_->descriptor().async_wait(
      asio::posix::stream_descriptor::wait_read, [this](const error_code& error) {
        if (error) return;
        while (const auto signal = signals_->take()) {
          if (signal->ssi_signo != SIGHUP) {
            const char* const name = signal->ssi_signo == SIGINT ? "SIGINT" : "SIGTERM";
            return end(
                fmt::format("{} from pid={} uid={}", name, signal->ssi_pid, signal->ssi_uid));
          }
          hang_up();
        }
        take_signal();
      });
}

void CollectorServer::Sockets::hang_up() {
  ++core_.state().sighups;
  reread();
}

// Files and names of hosts may take their time, so another thread looks at them. Signals that come
// meanwhile are one more reading.
void CollectorServer::Sockets::reread() {
  if (std::exchange(rereading_, true)) {
    reread_again_ = true;
    return;
  }
  try {
    std::thread([shared = reading_, read = options_.setup] {
      const auto setup = std::make_shared<CollectorSetup>(read());
      const std::scoped_lock lock(shared->mutex);
      Sockets* const server = shared->server;
      if (server == nullptr) return;
      asio::post(server->io_, [server, setup] { server->end_reading(std::move(*setup)); });
    }).detach();
  } catch (const std::system_error& none_left) {
    log_(fmt::format("Warning: cannot read the files again now: {}", none_left.what()));
    rereading_ = false;
  }
}

void CollectorServer::Sockets::end_reading(CollectorSetup setup) {
  set_up(std::move(setup));
  rereading_ = false;
  if (std::exchange(reread_again_, false)) reread();
}

void CollectorServer::Sockets::set_up(CollectorSetup setup) {
  if (!setup.heading.empty()) {
    log_(setup.heading);
    log_(clients_text());
  }
  for (const std::string& line : setup.log) log_(line);
  violators_.clear();
  core_.read_labels();
  if (setup.names) {
    std::vector<NameSpaceTree::NamedLeaf> leaves;
    for (const auto& [name, pmid] : *setup.names) leaves.push_back({.name = name, .pmid = pmid});
    core_.set_names(leaves);
  }
  if (setup.config) {
    ++core_.state().sequence;
    for (const auto& [number, link] : links_) leave(*link);
    access_ = std::move(setup.config->access);
    own_addresses_ = std::move(setup.config->own_addresses);
    core_.state().creds_required = options_.needs_users || access_.asks_who();
    agents_->configure(setup.config->agents);
    admit_again();
  } else if (setup.restarts_dead) {
    const auto restarted = agents_->restart_dead();
    std::string line = "Restarting any deceased agents:";
    for (const std::string& label : restarted) line += fmt::format("\n    \"{}\" agent", label);
    if (restarted.empty()) line += "\n    (no agents required restarting)";
    if (!setup.quiet) log_(line);
  }
  if (!setup.quiet) log_(agents_->table_text() + "\n" + access_.table_text());
}

// As pmcd has it, but for names of hosts: they may take long.
std::string CollectorServer::Sockets::clients_text() const {
  std::string out =
      "\nCurrent PMCD clients ...\n"
      "     fd  client connection from                    ipc ver  operations denied\n"
      "     ==  ========================================  =======  =================\n";
  size_t shown = 0;
  for (const auto& [number, link] : links_) {
    if (++shown > kClientsTold) {
      out += fmt::format("         and {} more\n", links_.size() - kClientsTold);
      break;
    }
    const uint8_t denied = link->client().denied();
    const PeerAddress& from = link->peer().access.addresses.front();
    const bool local = from.family == PeerFamily::local;
    out += fmt::format("{:>7}  {:<40}  {:>7}  {}{}\n", link->socket(),
                       local ? options_.unix_path : address_text(from),
                       link->client().has_greeted() ? 2 : 0,
                       (denied & kFetchOperation) != 0 ? "fetch " : "",
                       (denied & kStoreOperation) != 0 ? "store " : "");
  }
  return out;
}

// ---- access

int32_t CollectorServer::Sockets::take_slot() {
  if (free_slots_.empty()) return slots_++;
  return free_slots_.extract(free_slots_.begin()).value();
}

int CollectorServer::Sockets::admit(AccessPeer& peer, uint8_t& denied) {
  const bool local = !peer.addresses.empty() && is_loopback(peer.addresses.front());
  if (local) {
    peer.addresses.insert(peer.addresses.end(), own_addresses_.begin(), own_addresses_.end());
  }
  const int code = access_.admit(peer, denied);
  if (code == pm_err::E_PERMISSION) tell_of_violation(peer.addresses.front());
  return code;
}

void CollectorServer::Sockets::tell_of_violation(const PeerAddress& host) {
  if (violators_.size() == kViolatorsTold || !violators_.insert(host).second) return;
  log_(fmt::format("access violation from host {}", address_text(host)));
  if (violators_.size() == kViolatorsTold) {
    log_("Warning: access violations of other hosts are not told until the next SIGHUP");
  }
}

void CollectorServer::Sockets::admit_user(ClientLink& link) {
  const AccessPeer& who = link.peer().access;
  uint8_t denied = 0;
  int code = access_.admit_user(who, denied);
  link.user_counted = code == 0 && access_.asks_who();
  if (options_.needs_users && !who.user_id) code = pm_err::E_PERMISSION;
  link.client().restrict_to(code, static_cast<uint8_t>(link.host_denied | denied));
}

void CollectorServer::Sockets::has_logged_in(ClientLink& link) {
  if (std::exchange(link.user_counted, false)) access_.leave_user(link.peer().access);
  link.become(*link.client().awaits_admission());
  admit_user(link);
  link.client().admit();
}

void CollectorServer::Sockets::end_login(LoginStep& step) {
  step.over = true;
  look_at_clients(std::array{step.client});
}

// New lists hold for those who are there, too.
void CollectorServer::Sockets::admit_again() {
  for (const auto& [number, link] : std::map(links_)) {
    AccessPeer peer = link->peer().access;
    const int code = access_.admit(peer, link->host_denied);
    link->counted = code == 0;
    if (code == 0) {
      admit_user(*link);
    } else {
      link->client().restrict_to(code, kAllOperations);
    }
    link->go_on();
  }
}

void CollectorServer::Sockets::leave(ClientLink& link) {
  if (std::exchange(link.counted, false)) access_.leave(link.peer().access);
  if (std::exchange(link.user_counted, false)) access_.leave_user(link.peer().access);
}

void CollectorServer::Sockets::tell_notes() {
  // pmcd.control.timeout may have been stored.
  if (agents_ && core_.state().timeout_s != timeout_s_) {
    timeout_s_ = core_.state().timeout_s;
    agents_->be_patient(std::chrono::seconds(timeout_s_));
  }
  for (const std::string& note : core_.take_notes()) log_(note);
  tell_traced();
  if (std::exchange(core_.state().trace_dump_wanted, false)) tell_trace();
  if (std::exchange(core_.state().client_table_wanted, false)) log_(clients_text());
  if (std::exchange(core_.state().hang_up_wanted, false)) hang_up();
}

// Those that are in the log at once.
void CollectorServer::Sockets::tell_traced() {
  if (!core_.trace().has_lines()) return;
  for (const std::string& line : core_.trace().take_lines()) log_(line);
}

void CollectorServer::Sockets::tell_trace() {
  if (const std::string dump = core_.trace().take_dump(); !dump.empty()) log_(dump);
}

// Writes a line for each closed connection, up to a number a second. Clients that connect and are
// closed in a loop must not fill the log.
void CollectorServer::Sockets::tell_of_closing(const std::string& who, const std::string& why) {
  const Instant now = core_.clock().now();
  if (now - closings_since_ >= std::chrono::seconds(kClosingsPeriod)) {
    count_closings();
    closings_since_ = now;
  }
  if (++closings_ <= kClosingsTold) log_(fmt::format("{}: closed: {}", who, why));
}

void CollectorServer::Sockets::count_closings() {
  const uint32_t closings = std::exchange(closings_, 0);
  if (closings <= kClosingsTold) return;
  log_(fmt::format("{} more connections were closed for such reasons", closings - kClosingsTold));
}

void CollectorServer::Sockets::end(const std::string& why) {
  count_closings();
  log_(options_.setup
           ? fmt::format("Info: pmcd caught {}", why)
           : fmt::format("stops: {} came; {} clients are connected", why, links_.size()));
  if (agents_) agents_->stop();
  error_code ignored;
  listening_.close();
  if (signals_) signals_->descriptor().cancel(ignored);
  const auto links = links_;  // closing one takes it out
  for (const auto& [number, link] : links) link->close();
  tell_traced();
  tell_trace();
  io_.stop();
}

// ---- clients

void CollectorServer::Sockets::welcome(NewConnection& connection) {
  auto known = peer_of(connection, last_number_ + 1);
  if (!known) return;
  PeerFacts& peer = *known;
  if (links_.size() >= options_.clients_max) {
    if (!std::exchange(told_of_limit_, true)) {
      log_(fmt::format("{}: refused: {} clients are connected, the most there may be", peer.name,
                       links_.size()));
    }
    return refuse(connection, pm_err::E_CONNLIMIT);
  }
  told_of_limit_ = false;
  uint8_t denied = 0;
  if (const int code = admit(peer.access, denied); code != 0) return refuse(connection, code);
  const uint32_t number = ++last_number_;
  peer.asker.slot = take_slot();
  const PeerAddress& from = peer.access.addresses.front();
  core_.trace().came(number, {.slot = peer.asker.slot, .fd = connection.socket()},
                     from.family == PeerFamily::local ? options_.unix_path : address_text(from));
  const auto link = std::make_shared<ClientLink>(*this, core_, io_, connection.take(),
                                                 std::move(peer), options_.limits);
  links_.emplace(number, link);
  link->counted = true;
  link->host_denied = denied;
  const bool near =
      link->peer().asker.user_id || is_loopback(link->peer().access.addresses.front());
  if (core_.state().certificates_required && !near) link->client().require_certificate();
  admit_user(*link);
  link->go_on();
}

void CollectorServer::Sockets::waits_for_agents(ClientLink& link, bool waits) {
  if (waits) {
    waiting_.insert(link.number());
  } else {
    waiting_.erase(link.number());
  }
}

void CollectorServer::Sockets::has_closed(ClientLink& link) {
  const auto& closing = link.client().closing();
  if (closing && !closing->why.empty()) tell_of_closing(link.peer().name, closing->why);
  leave(link);
  link.client().left();
  core_.trace().went(link.number());
  tell_traced();
  free_slots_.insert(link.peer().asker.slot);
  waiting_.erase(link.number());
  links_.erase(link.number());  // handlers may still refer to it
}

// ----

CollectorServer::CollectorServer(CollectorCore& core, CollectorOptions options, CollectorLog log)
    : sockets_(std::make_unique<Sockets>(core, std::move(options), std::move(log))) {}
CollectorServer::~CollectorServer() = default;
Result<void> CollectorServer::listen() { return sockets_->listen(); }
uint16_t CollectorServer::port() const { return sockets_->listening().port(); }
std::vector<std::string> CollectorServer::addresses() const {
  return sockets_->listening().addresses();
}
std::string CollectorServer::port_table() const { return sockets_->listening().port_table(); }
void CollectorServer::run() { sockets_->run(); }
void CollectorServer::stop() { sockets_->stop(); }

}  // namespace pmjit
