// The sockets of a collector, with real ones on loopback.
#include "agent/collector/collector_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <mutex>
#include <thread>

#include "agent/model/timed_agent.h"
#include "tests/unit/agent/scripted_agent.h"

namespace pmjit {
namespace {

class ServerTest : public testing::Test {
 protected:
  ~ServerTest() override { stop(); }

  void start(CollectorOptions options) {
    options.port = 0;
    server_.emplace(core_, std::move(options), [this](std::string_view line) { log_ += line; });
    const auto listening = server_->listen();
    ASSERT_TRUE(listening) << listening.error().text();
    thread_ = std::thread([this] { server_->run(); });
  }
  void stop() {
    if (!thread_.joinable()) return;
    server_->stop();
    thread_.join();
  }
  [[nodiscard]] int dial() const {
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in to{.sin_family = AF_INET, .sin_port = htons(server_->port())};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
    return fd;
  }
  // So many bytes, or those until the end of the stream.
  static std::vector<std::byte> take(int fd, size_t bytes) {
    std::vector<std::byte> out(bytes);
    size_t have = 0;
    while (have < bytes) {
      const ssize_t got = recv(fd, out.data() + have, bytes - have, 0);
      if (got <= 0) break;
      have += static_cast<size_t>(got);
    }
    out.resize(have);
    return out;
  }
  static void put(int fd, wire::PduBody body) {
    ByteWriter out;
    wire::encode({.body = std::move(body)}, out);
    EXPECT_EQ(send(fd, out.written().data(), out.size(), 0), static_cast<ssize_t>(out.size()));
  }

  SystemClock clock_;
  CollectorState state_{};
  TimedAgent agent_{std::make_shared<ScriptedAgent>()};
  CollectorCore core_{clock_, {&agent_}, state_};
  std::string log_;  // of the server's thread; read it after stop()
  std::optional<CollectorServer> server_;
  std::thread thread_;
};

TEST_F(ServerTest, TalksOverTcp) {
  start({});
  const int fd = dial();
  EXPECT_EQ(take(fd, 20).size(), 20u);
  put(fd, wire::CredsMessage{.credentials = {wire::Credential{}}});
  put(fd, wire::DescRequest{.pmid = ScriptedAgent::kOne});
  EXPECT_TRUE(pdus_text(take(fd, 32)).starts_with("DESC from"));
  close(fd);
}

// A connection has them from the socket that listens: they cost no call of the system.
TEST_F(ServerTest, ConnectionsDoNotWaitNorDelayNorForgetWhoHasGone) {
  start({});
  const int fd = dial();
  EXPECT_EQ(take(fd, 20).size(), 20u);
  sockaddr_in ours{};
  socklen_t bytes = sizeof ours;
  ASSERT_EQ(getsockname(fd, reinterpret_cast<sockaddr*>(&ours), &bytes), 0);
  int found = 0;
  for (int other = 0; other < 1'024; ++other) {  // the server is in this process
    sockaddr_in peer{};
    bytes = sizeof peer;
    if (getpeername(other, reinterpret_cast<sockaddr*>(&peer), &bytes) != 0) continue;
    if (peer.sin_family != AF_INET || peer.sin_port != ours.sin_port) continue;
    ++found;
    const auto option = [other](int level, int name) {
      int value = 0;
      socklen_t size = sizeof value;
      EXPECT_EQ(getsockopt(other, level, name, &value, &size), 0);
      return value;
    };
    EXPECT_NE(option(IPPROTO_TCP, TCP_NODELAY), 0);
    EXPECT_NE(option(SOL_SOCKET, SO_KEEPALIVE), 0);
    EXPECT_NE(fcntl(other, F_GETFL) & O_NONBLOCK, 0);
    EXPECT_NE(fcntl(other, F_GETFD) & FD_CLOEXEC, 0);
  }
  EXPECT_EQ(found, 1);
  close(fd);
}

TEST_F(ServerTest, FetchesFromAnAgentWithItsOwnThread) {
  start({});
  const int fd = dial();
  EXPECT_EQ(take(fd, 20).size(), 20u);
  put(fd, wire::CredsMessage{.credentials = {wire::Credential{}}});
  put(fd, wire::ProfileMessage{});
  for (int i = 0; i < 20; ++i) {
    // Both at once: the second is answered when the first is.
    put(fd, wire::FetchRequest{.pmids = {ScriptedAgent::kOne}});
    put(fd, wire::DescRequest{.pmid = ScriptedAgent::kOne});
    std::vector<std::byte> result = take(fd, 4);
    const auto rest = take(fd, load_be<uint32_t>(result.data()) - 4);
    result.insert(result.end(), rest.begin(), rest.end());
    EXPECT_NE(pdus_text(result).find("250.0.1: -1=U64(42)"), std::string::npos);
    EXPECT_TRUE(pdus_text(take(fd, 32)).starts_with("DESC from"));
  }
  close(fd);
}

TEST_F(ServerTest, TalksOverAUnixSocket) {
  const std::string path = testing::TempDir() + "server_test." + std::to_string(getpid());
  start({.unix_path = path});
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un to{.sun_family = AF_UNIX, .sun_path = {}};
  path.copy(to.sun_path, sizeof to.sun_path - 1);
  ASSERT_EQ(connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
  EXPECT_EQ(take(fd, 20).size(), 20u);
  put(fd, wire::CredsMessage{.credentials = {wire::Credential{}}});
  put(fd, wire::LabelRequest{.ident = kNullId, .type = 1});
  const auto header = take(fd, 4);
  const auto rest = take(fd, load_be<uint32_t>(header.data()) - 4);
  const std::string_view text(reinterpret_cast<const char*>(rest.data()), rest.size());
  EXPECT_NE(text.find("\"userid\""), std::string_view::npos);  // the system vouches for it
  close(fd);
  stop();
  server_.reset();
  EXPECT_NE(access(path.c_str(), F_OK), 0);  // it is gone with the server
}

TEST_F(ServerTest, RefusesClientsBeyondTheLimit) {
  start({.clients_max = 1});
  const int first = dial();
  EXPECT_EQ(take(first, 20).size(), 20u);
  const int second = dial();
  const auto refusal = pdus_text(take(second, 20));
  EXPECT_NE(refusal.find("-12388"), std::string::npos) << refusal;
  EXPECT_TRUE(take(second, 1).empty());
  close(first);
  close(second);
}

TEST_F(ServerTest, OneClientDoesNotHoldUpAnother) {
  start({.limits = {.half_pdu = std::chrono::milliseconds(100)}});
  const int half = dial(), whole = dial();
  for (const int fd : {half, whole}) {
    EXPECT_EQ(take(fd, 20).size(), 20u);
    put(fd, wire::CredsMessage{.credentials = {wire::Credential{}}});
  }
  EXPECT_EQ(send(half, "\0\0\0\20", 4, 0), 4);
  put(whole, wire::DescRequest{.pmid = ScriptedAgent::kOne});
  EXPECT_EQ(take(whole, 32).size(), 32u);
  EXPECT_TRUE(take(half, 1).empty());  // its time is over
  close(half);
  close(whole);
  stop();
  EXPECT_NE(log_.find("it sent a part of a PDU"), std::string::npos) << log_;
}

// Both end on the border of a PDU, so that no other clock runs: one reads slowly, one not at all.
TEST_F(ServerTest, ClosesWhoDoesNotReadAndKeepsWhoReadsSlowly) {
  using std::chrono::milliseconds;
  start({.limits = {.half_pdu = milliseconds(200), .unread = milliseconds(1'000)}});
  const int slow = dial(), unread = dial();
  ByteWriter many;
  constexpr size_t kAnswers = 500'000, kBytes = kAnswers * 32;
  for (size_t i = 0; i < kAnswers; ++i) {
    wire::encode({.body = wire::DescRequest{.pmid = ScriptedAgent::kOne}}, many);
  }
  std::vector<std::thread> senders;
  for (const int fd : {slow, unread}) {
    EXPECT_EQ(take(fd, 20).size(), 20u);
    put(fd, wire::CredsMessage{.credentials = {wire::Credential{}}});
    senders.emplace_back([fd, bytes = Bytes(many.written())]() mutable {
      while (!bytes.empty()) {
        const ssize_t sent = send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) return;
        bytes = bytes.subspan(static_cast<size_t>(sent));
      }
    });
  }
  size_t read = 0;
  for (int i = 0; i < 16; ++i) {  // for longer than any of the limits
    std::this_thread::sleep_for(milliseconds(100));
    read += take(slow, kBytes / 16).size();
  }
  EXPECT_EQ(read, kBytes);
  senders[1].join();  // the server has closed it
  senders[0].join();
  close(slow);
  close(unread);
  stop();
  EXPECT_NE(log_.find("it has read none of them for 1000 ms"), std::string::npos) << log_;
  EXPECT_EQ(log_.find("a part of a PDU"), std::string::npos) << log_;
}

// A name server that does not answer.
TEST_F(ServerTest, DoesNotWaitForFilesAtItsEnd) {
  struct HungFiles {
    std::mutex mutex;
    std::condition_variable changed;
    int readings = 0;
    bool free = false, ended = false;
  };
  const auto files = std::make_shared<HungFiles>();
  start({.setup = [files] {
    std::unique_lock lock(files->mutex);
    const bool hangs = ++files->readings > 1;
    files->changed.notify_all();
    if (hangs) files->changed.wait(lock, [&] { return files->free; });
    files->ended = hangs;
    files->changed.notify_all();
    return CollectorSetup{};
  }});
  kill(getpid(), SIGHUP);
  {
    std::unique_lock lock(files->mutex);
    files->changed.wait(lock, [&] { return files->readings == 2; });
  }
  stop();
  server_.reset();
  std::unique_lock lock(files->mutex);
  EXPECT_FALSE(files->ended);
  files->free = true;
  files->changed.notify_all();
  files->changed.wait(lock, [&] { return files->ended; });
}

// Agents come and go while clients wait for them: each request is answered, and no process stays.
TEST_F(ServerTest, AnswersThroughAStormOfHangUps) {
  const auto readings = std::make_shared<std::atomic<int>>(0);
  start({.setup = [readings] {
    const std::string_view text =
        ++*readings % 2 == 0 ? "even 240 pipe binary /bin/cat\n" : "odd 241 pipe binary /bin/cat\n";
    return CollectorSetup{.config = read_collector_config({.text = text}, {})};
  }});
  std::atomic<bool> over = false;
  std::thread storm([&over] {
    while (!over) {
      kill(getpid(), SIGHUP);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  });
  const int fd = dial();
  EXPECT_EQ(take(fd, 20).size(), 20u);
  put(fd, wire::CredsMessage{.credentials = {wire::Credential{}}});
  put(fd, wire::ProfileMessage{});
  const std::vector<PmId> pmids = {make_pmid(240, 0, 1), make_pmid(241, 0, 1)};
  for (int i = 0; i < 50; ++i) {
    put(fd, wire::FetchRequest{.pmids = pmids});
    std::string answer;
    while (answer.find("RESULT") == std::string::npos) {  // state changes come first
      std::vector<std::byte> pdu = take(fd, 4);
      ASSERT_EQ(pdu.size(), 4u);
      const auto rest = take(fd, load_be<uint32_t>(pdu.data()) - 4);
      pdu.insert(pdu.end(), rest.begin(), rest.end());
      answer = pdus_text(pdu);
    }
    EXPECT_NE(answer.find(std::to_string(pm_err::E_NOAGENT)), std::string::npos) << answer;
  }
  over = true;
  storm.join();
  close(fd);
  stop();
  kill(getpid(), SIGHUP);  // too late to be read
  server_.reset();
  EXPECT_GT(*readings, 20);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a process is left";
}

// The address of an interface has its zone behind it where it is a text.
TEST_F(ServerTest, KnowsPeersByAddressesOfAnInterface) {
  ifaddrs* all = nullptr;
  ASSERT_EQ(getifaddrs(&all), 0);
  std::optional<sockaddr_in6> of_link;
  for (const ifaddrs* at = all; at != nullptr; at = at->ifa_next) {
    if (at->ifa_addr == nullptr || at->ifa_addr->sa_family != AF_INET6) continue;
    sockaddr_in6 address{};
    std::memcpy(&address, at->ifa_addr, sizeof address);
    if (IN6_IS_ADDR_LINKLOCAL(&address.sin6_addr)) of_link = address;
  }
  freeifaddrs(all);
  if (!of_link) GTEST_SKIP() << "no address of an interface here";
  start({.addresses = {"::"}, .setup = [] {
           AccessNames names;
           names.own_addresses = [] { return std::vector<PeerAddress>(); };
           return CollectorSetup{.config = read_collector_config(
                                     {.text = "[access]\ndisallow \":*\" : all;\n"}, names)};
         }});
  const int fd = socket(AF_INET6, SOCK_STREAM, 0);
  of_link->sin6_port = htons(server_->port());
  ASSERT_EQ(connect(fd, reinterpret_cast<sockaddr*>(&*of_link), sizeof *of_link), 0);
  const auto refusal = pdus_text(take(fd, 20));
  EXPECT_NE(refusal.find(std::to_string(pm_err::E_PERMISSION)), std::string::npos) << refusal;
  close(fd);
}

TEST_F(ServerTest, SaysWhatIsInTheWay) {
  start({});
  CollectorServer second(core_, {.port = server_->port()}, [](std::string_view) {});
  const auto in_use = second.listen();
  ASSERT_FALSE(in_use);
  EXPECT_NE(in_use.error().text().find("is in use"), std::string::npos);
  EXPECT_NE(in_use.error().help().find("--port"), std::string::npos);
  CollectorServer nowhere(core_, {.port = 0, .addresses = {"localhost"}}, [](std::string_view) {});
  EXPECT_EQ(nowhere.listen().error().fault(), Fault::usage);
  CollectorServer elsewhere(core_, {.port = 0, .addresses = {"192.0.2.77"}},
                            [](std::string_view) {});
  EXPECT_FALSE(elsewhere.listen());
  CollectorServer long_path(core_, {.port = 0, .unix_path = std::string(200, 'x')},
                            [](std::string_view) {});
  EXPECT_FALSE(long_path.listen());
}

}  // namespace
}  // namespace pmjit
