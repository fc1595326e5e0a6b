// The real network against a listener of the test itself, on loopback: bytes both ways, deadlines,
// refusals, many streams in one thread, too few descriptors.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include "runtime/client/net/asio_network.h"
#include "runtime/model/pm_codes.h"
#include "tests/lib/lower_limit.h"
#include "tests/unit/client_net/loopback_listener.h"

namespace pmjit::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class AsioNetworkTest : public testing::Test {
 protected:
  using Opened = Result<std::unique_ptr<Transport>>;

  Opened open(const Endpoint& to) {
    std::optional<Opened> out;
    network->connect(to, network->now() + seconds(5), [&](Opened got) { out = std::move(got); });
    while (!out) (void)network->run_some(network->now() + seconds(1));
    return *std::move(out);
  }
  Result<size_t> read(Transport& transport, milliseconds patience) {
    std::optional<Result<size_t>> out;
    transport.read(room, network->now() + patience, [&](Result<size_t> got) { out = got; });
    while (!out) (void)network->run_some(network->now() + seconds(1));
    return *out;
  }

  SystemClock clock;
  std::unique_ptr<Network> network = make_network(clock);
  LoopbackListener listener;
  std::vector<std::byte> room = std::vector<std::byte>(100);
};

// A peer that never stops sending always has a handler ready.
TEST_F(AsioNetworkTest, AnEndlessPeerLeavesOthersTheirTurn) {
  Opened transport = open({.host = "127.0.0.1", .port = listener.port});
  ASSERT_TRUE(transport) << transport.error().text();
  std::thread flood([other = listener.accept()] {
    const std::vector<char> bytes(1u << 16, 'x');
    while (::send(other, bytes.data(), bytes.size(), MSG_NOSIGNAL) > 0) continue;
    ::close(other);
  });
  const Instant end = clock.now() + seconds(10);
  size_t reads = 0;
  std::function<void(Result<size_t>)> again = [&](Result<size_t> got) {
    if (!got || *got == 0 || clock.now() >= end) return;
    ++reads;
    (*transport)->read(room, end, again);
  };
  again(1);
  bool rang = false;
  (void)network->at(clock.now() + milliseconds(50), [&] { rang = true; });
  size_t turns = 0;
  for (; !rang && clock.now() < end; ++turns) (void)network->run_some(clock.now() + seconds(1));
  EXPECT_LT(clock.now(), end) << "the timer has waited for the end of the flood";
  EXPECT_GT(turns, 1u);
  EXPECT_GT(reads, 100u) << "it was served meanwhile";
  transport->reset();
  flood.join();
}

TEST_F(AsioNetworkTest, CarriesBytesBothWays) {
  const Opened transport = open({.host = "127.0.0.1", .port = listener.port});
  ASSERT_TRUE(transport) << transport.error().text();
  const int other = listener.accept();
  std::optional<Result<size_t>> written;
  (*transport)
      ->write(std::as_bytes(std::span("hello", 5)), network->now() + seconds(1),
              [&](Result<size_t> got) { written = got; });
  while (!written) (void)network->run_some(network->now() + seconds(1));
  char got[6] = {};
  EXPECT_EQ(::read(other, got, 5), 5);
  EXPECT_STREQ(got, "hello");
  EXPECT_EQ(::write(other, "you", 3), 3);
  EXPECT_EQ(*read(**transport, seconds(1)), 3u);
  EXPECT_EQ(std::memcmp(room.data(), "you", 3), 0);
  ::close(other);
  EXPECT_EQ(*read(**transport, seconds(1)), 0u) << "the end";
}

TEST_F(AsioNetworkTest, EveryStepHasADeadline) {
  const Opened transport = open({.host = "localhost", .port = listener.port});
  ASSERT_TRUE(transport) << transport.error().text();
  // A first step with a long deadline must not hide the short one of the next.
  const int other = listener.accept();
  EXPECT_EQ(::write(other, "x", 1), 1);
  EXPECT_EQ(*read(**transport, seconds(60)), 1u);
  const Instant before = clock.now();
  const auto late = read(**transport, milliseconds(50));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().pm_code(), pm_err::E_TIMEOUT);
  EXPECT_GE(clock.now() - before, milliseconds(50));
  EXPECT_LT(clock.now() - before, seconds(20));
  ::close(other);
}

// The only stream of a network is read without Asio's loop, which takes over when another comes.
TEST_F(AsioNetworkTest, AReadGoesOnWhenAnotherStreamOpens) {
  const Opened first = open({.host = "127.0.0.1", .port = listener.port});
  ASSERT_TRUE(first) << first.error().text();
  const int other = listener.accept();
  std::optional<Result<size_t>> got;
  (*first)->read(room, network->now() + seconds(60), [&](Result<size_t> n) { got = std::move(n); });
  EXPECT_FALSE(network->run_some(network->now())) << "nothing has come";
  const Opened second = open({.host = "127.0.0.1", .port = listener.port});
  ASSERT_TRUE(second) << second.error().text();
  const int another = listener.accept();
  EXPECT_FALSE(got);
  EXPECT_EQ(::write(other, "one", 3), 3);
  while (!got) (void)network->run_some(network->now() + seconds(1));
  ASSERT_TRUE(*got) << got->error().text();
  EXPECT_EQ(**got, 3u);
  EXPECT_EQ(::write(another, "four", 4), 4);
  EXPECT_EQ(*read(**second, seconds(60)), 4u);
  ::close(other);
  ::close(another);
}

// A request that the socket cannot take whole goes on beside a read.
TEST_F(AsioNetworkTest, WritesMoreThanThereIsRoomForWhileItReads) {
  const Opened transport = open({.host = "127.0.0.1", .port = listener.port});
  ASSERT_TRUE(transport) << transport.error().text();
  const int other = listener.accept();
  std::optional<Result<size_t>> got, written;
  (*transport)->read(room, network->now() + seconds(60), [&](Result<size_t> n) {
    got = std::move(n);
  });
  const std::vector<std::byte> bytes(32u << 20, std::byte{7});
  (*transport)->write(bytes, network->now() + seconds(60), [&](Result<size_t> n) {
    written = std::move(n);
  });
  EXPECT_FALSE(written) << "more than a socket takes at once";
  std::thread reader([&] {
    std::vector<char> part(1u << 16);
    size_t left = bytes.size();
    while (left > 0) {
      const ssize_t n = ::read(other, part.data(), part.size());
      if (n <= 0) return;
      left -= static_cast<size_t>(n);
    }
    EXPECT_EQ(::write(other, "all", 3), 3);
  });
  while (!got || !written) (void)network->run_some(network->now() + seconds(1));
  reader.join();
  EXPECT_EQ(**written, bytes.size());
  EXPECT_EQ(**got, 3u);
  ::close(other);
}

TEST_F(AsioNetworkTest, SaysWhyNobodyIsThere) {
  uint16_t closed = 0;
  {
    const LoopbackListener gone;
    closed = gone.port;
  }
  const Opened refused = open({.host = "127.0.0.1", .port = closed});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().pm_code(), -ECONNREFUSED);
  EXPECT_NE(refused.error().text().find("help: is a collector (pmcd) running"), std::string::npos);
  EXPECT_EQ(open({.unix_path = "/usr/nowhere/at.all"}).error().pm_code(), -ENOENT);
  EXPECT_EQ(open({.unix_path = std::string(200, 'x')}).error().pm_code(), -ENAMETOOLONG);
}

TEST_F(AsioNetworkTest, HoldsManyStreamsInOneThread) {
  constexpr size_t kMany = 300;
  std::vector<std::unique_ptr<Transport>> transports;
  size_t answers = 0;
  for (size_t i = 0; i < kMany; ++i) {
    network->connect({.host = "127.0.0.1", .port = listener.port}, network->now() + seconds(10),
                     [&](Opened got) {
                       ++answers;
                       if (got) transports.push_back(*std::move(got));
                     });
  }
  while (answers < kMany) (void)network->run_some(network->now() + seconds(1));
  EXPECT_EQ(transports.size(), kMany);
}

TEST_F(AsioNetworkTest, ReportsTooFewDescriptors) {
  if (kNeedsDescriptors) GTEST_SKIP() << "the sanitizer cannot work without descriptors";
  const int next = ::dup(0);  // the first that is free
  ASSERT_GE(next, 0);
  ::close(next);
  const Opened none = [&] {
    const LowerLimit limit(RLIMIT_NOFILE, static_cast<rlim_t>(next));
    return open({.host = "127.0.0.1", .port = listener.port});
  }();
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().pm_code(), -EMFILE);
  EXPECT_NE(none.error().text().find("ulimit -n"), std::string::npos) << none.error().text();
}

TEST_F(AsioNetworkTest, MayEndWhileItConnects) {
  bool called = false;
  network->connect({.host = "127.0.0.1", .port = listener.port}, network->now() + seconds(5),
                   [&](const Opened&) { called = true; });
  network.reset();
  EXPECT_FALSE(called);
}

TEST_F(AsioNetworkTest, AStreamMayGoWhileItReads) {
  Opened transport = open({.host = "127.0.0.1", .port = listener.port});
  ASSERT_TRUE(transport);
  const int other = listener.accept();
  bool called = false;
  (*transport)->read(room, network->now() + seconds(5), [&](const Result<size_t>&) {
    called = true;
  });
  transport->reset();
  (void)::write(other, "x", 1);
  (void)network->run_some(network->now() + milliseconds(20));
  (void)network->run_some(network->now() + milliseconds(20));
  EXPECT_FALSE(called);
  ::close(other);
}

}  // namespace
}  // namespace pmjit::test
