// Names that no name server answers, beside one that is: look-ups of the test's own that hang
// until they are let go, the real network, and a listener on loopback.
#include "runtime/client/net/resolver.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netdb.h>

#include <algorithm>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "runtime/client/net/asio_network.h"
#include "runtime/model/pm_codes.h"
#include "tests/unit/client_net/loopback_listener.h"

namespace pmjit::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// The name server: names that begin with "none" are not there, all others are this machine. At
// first those hang that begin with "bad". Threads share it, and outlive a test.
class NameServer {
 public:
  enum class Hang : uint8_t { nobody, bad, everybody };

  NameAnswer answer(const std::string& name) {
    std::unique_lock lock(mutex_);
    ++asked_[name];
    most_ = std::max(most_, ++inside_);
    changed_.wait(lock, [&] {
      return hang_ == Hang::nobody || (hang_ == Hang::bad && !name.starts_with("bad"));
    });
    --inside_;
    changed_.notify_all();
    if (name.starts_with("none")) return {.code = EAI_NONAME};
    return {.addresses = addresses_at_once("127.0.0.1")};
  }
  void let(Hang hang) {
    const std::scoped_lock lock(mutex_);
    hang_ = hang;
    changed_.notify_all();
  }
  void wait_until_idle() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return inside_ == 0; });
  }
  [[nodiscard]] size_t asked(const std::string& name) {
    const std::scoped_lock lock(mutex_);
    return asked_[name];
  }
  // Who is asking now, and at most.
  [[nodiscard]] size_t inside() {
    const std::scoped_lock lock(mutex_);
    return inside_;
  }
  [[nodiscard]] size_t most() {
    const std::scoped_lock lock(mutex_);
    return most_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, size_t> asked_;
  size_t inside_ = 0, most_ = 0;
  Hang hang_ = Hang::bad;
};

using Hang = NameServer::Hang;

class NameResolverTest : public testing::Test {
 protected:
  using Opened = Result<std::unique_ptr<Transport>>;
  struct Try {
    std::optional<Opened> end;
    std::chrono::nanoseconds took{};
  };

  ~NameResolverTest() override { names->let(Hang::nobody); }

  std::shared_ptr<Try> open(const std::string& host, milliseconds patience) {
    auto out = std::make_shared<Try>();
    const Instant begun = clock.now();
    network->connect({.host = host, .port = listener.port}, begun + patience,
                     [this, out, begun](Opened got) {
                       out->end = std::move(got);
                       out->took = clock.now() - begun;
                     });
    return out;
  }
  void run(const std::vector<std::shared_ptr<Try>>& until_ended) const {
    for (const auto& one : until_ended) {
      while (!one->end) (void)network->run_some(network->now() + seconds(1));
    }
  }
  std::shared_ptr<Try> opened(const std::string& host, milliseconds patience) {
    auto out = open(host, patience);
    run({out});
    return out;
  }

  std::vector<std::shared_ptr<Try>> open_bad(size_t number) {
    std::vector<std::shared_ptr<Try>> out;
    for (size_t i = 0; i < number; ++i) out.push_back(open(fmt::format("bad{}", i), seconds(60)));
    return out;
  }
  void run_for(milliseconds time) const {
    const Instant end = network->now() + time;
    while (network->now() < end) (void)network->run_some(end);
  }
  void run_until_inside(size_t number) const {
    while (names->inside() < number) (void)network->run_some(network->now() + milliseconds(50));
  }

  SystemClock clock;
  std::shared_ptr<NameServer> names = std::make_shared<NameServer>();
  std::unique_ptr<Network> network = make_network_asking(
      clock, [names = names](const std::string& name) { return names->answer(name); });
  LoopbackListener listener;
};

TEST_F(NameResolverTest, NamesThatHangLeaveOthersTheirTurn) {
  const auto bad = open_bad(100);
  const auto good = opened("good", seconds(20));
  EXPECT_TRUE(*good->end) << good->end->error().text();
  EXPECT_LT(good->took, seconds(15)) << "seven waves of names, 250 ms each";
  for (const auto& one : bad) EXPECT_FALSE(one->end);
  // They hang, and one that was never asked goes first.
  const auto next = opened("good2", seconds(20));
  EXPECT_TRUE(*next->end) << next->end->error().text();
}

TEST_F(NameResolverTest, LookUpsAreBounded) {
  const auto tries = open_bad(2 * NameResolver::kThreadsMax);
  EXPECT_LE(names->most(), NameResolver::kPromptMax);
  run_until_inside(NameResolver::kThreadsMax);
  run_for(2 * NameResolver::kLate);
  EXPECT_EQ(names->most(), NameResolver::kThreadsMax);
  names->let(Hang::nobody);
  run(tries);
  EXPECT_EQ(names->most(), NameResolver::kThreadsMax);
  for (const auto& one : tries) EXPECT_TRUE(*one->end) << one->end->error().text();
}

TEST_F(NameResolverTest, NamesThatWereLateLeaveThreadsToOthers) {
  constexpr size_t kLateMax = NameResolver::kThreadsMax - NameResolver::kPromptMax;
  const auto first = open_bad(NameResolver::kThreadsMax);
  run_until_inside(NameResolver::kThreadsMax);
  run_for(2 * NameResolver::kLate);
  names->let(Hang::nobody);
  run(first);
  names->let(Hang::bad);
  const auto second = open_bad(NameResolver::kThreadsMax);
  run_until_inside(kLateMax);
  run_for(2 * NameResolver::kLate);
  EXPECT_EQ(names->inside(), kLateMax);
  EXPECT_TRUE(*opened("good", seconds(20))->end);
  EXPECT_EQ(names->inside(), kLateMax);
}

TEST_F(NameResolverTest, HostsOfOneNameShareALookUp) {
  const auto one = open("bad", seconds(20)), other = open("bad", seconds(20));
  const auto early = opened("bad", milliseconds(50));
  ASSERT_FALSE(*early->end) << "each has its own patience";
  EXPECT_EQ(early->end->error().pm_code(), pm_err::E_TIMEOUT);
  EXPECT_NE(early->end->error().text().find("could not be looked up in time"), std::string::npos)
      << early->end->error().text();
  const auto again = open("bad", seconds(20));
  names->let(Hang::nobody);
  run({one, other, again});
  for (const auto& each : {one, other, again}) EXPECT_TRUE(*each->end);
  EXPECT_EQ(names->asked("bad"), 1u);
}

// What nobody waited for any more serves the next.
TEST_F(NameResolverTest, AnAddressThatComesLateIsKept) {
  EXPECT_FALSE(*opened("bad", milliseconds(50))->end);
  names->let(Hang::nobody);
  names->wait_until_idle();
  EXPECT_TRUE(*opened("bad", seconds(20))->end);
}

TEST_F(NameResolverTest, TheLastAddressServesWhereThereIsNoNewOne) {
  EXPECT_TRUE(*opened("good", seconds(20))->end);
  names->let(Hang::everybody);
  const auto again = opened("good", milliseconds(400));
  EXPECT_TRUE(*again->end) << again->end->error().text();
  EXPECT_GE(again->took, milliseconds(200)) << "the new one is preferred";
}

TEST_F(NameResolverTest, ANameThatIsNotThereSaysSo) {
  const auto none = opened("none", seconds(20));
  ASSERT_FALSE(*none->end);
  EXPECT_EQ(none->end->error().pm_code(), -EHOSTUNREACH);
  EXPECT_NE(none->end->error().text().find("unknown host (Name or service not known)"),
            std::string::npos)
      << none->end->error().text();
}

TEST_F(NameResolverTest, AddressesAndLocalhostNeedNoLookUp) {
  for (const char* const host : {"127.0.0.1", "localhost", "LOCALHOST"}) {
    const auto direct = opened(host, seconds(20));
    EXPECT_TRUE(*direct->end) << direct->end->error().text();
    EXPECT_EQ(names->asked(host), 0u);
  }
  EXPECT_EQ(addresses_at_once("::1").size(), 1u);
  EXPECT_EQ(addresses_at_once("localhost").size(), 2u);
  EXPECT_TRUE(addresses_at_once("web1").empty());
  EXPECT_TRUE(addresses_at_once("").empty());
}

TEST_F(NameResolverTest, NobodyWaitsForANameAtTheEnd) {
  bool called = false;
  for (int i = 0; i < 20; ++i) {
    network->connect({.host = fmt::format("bad{}", i), .port = 1}, clock.now() + seconds(60),
                     [&](const Opened&) { called = true; });
  }
  (void)network->run_some(clock.now() + milliseconds(20));
  const Instant before = clock.now();
  network.reset();
  EXPECT_LT(clock.now() - before, seconds(10)) << "the threads hang until the test lets them go";
  names->let(Hang::nobody);
  names->wait_until_idle();
  EXPECT_FALSE(called);
}

}  // namespace
}  // namespace pmjit::test
