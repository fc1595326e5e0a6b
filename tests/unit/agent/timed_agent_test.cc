// Agents that hang: what their clients get, and that others get theirs.
#include "agent/model/timed_agent.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

#include "agent/linux/linux_agent.h"
#include "agent/pmcd/pmcd_agent.h"
#include "tests/unit/agent/scripted_agent.h"

namespace pmjit {
namespace {

// Nobody passes while it is shut.
class Gate {
 public:
  void shut() {
    const std::scoped_lock lock(mutex_);
    open_ = false;
  }
  void open() {
    const std::scoped_lock lock(mutex_);
    open_ = true;
    opened_.notify_all();
  }
  void pass() {
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [this] { return open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool open_ = true;
};

// Domain 251: gated.value (U32 by instance of 251.0). Every call passes the gate first.
class GatedAgent final : public Agent {
 public:
  static constexpr uint32_t kDomain = 251;
  static constexpr InDomId kParts = make_indom(kDomain, 0);
  static constexpr PmId kValue = make_pmid(kDomain, 0, 0);

  explicit GatedAgent(std::shared_ptr<Gate> gate) : gate_(std::move(gate)) {
    metrics_ = {{.name = "gated.value",
                 .desc = {.pmid = kValue, .pm_type = pm_type::u32, .indom = kParts},
                 .text = "a number",
                 .help = ""}};
    indoms_ = {{.id = kParts, .text = "parts"}};
  }
  [[nodiscard]] std::string_view name() const override { return "gated"; }
  [[nodiscard]] uint32_t domain() const override { return kDomain; }
  [[nodiscard]] std::span<const AgentMetric> metrics() const override { return metrics_; }
  [[nodiscard]] std::span<const AgentInDom> indoms() const override { return indoms_; }
  [[nodiscard]] OrPmError<std::vector<AgentInstance>> instances(InDomId,
                                                                const AgentAsker&) override {
    gate_->pass();
    return std::vector<AgentInstance>{{3, "third"}};
  }
  void fetch(std::span<const uint32_t>, const AgentAsker&,
             std::span<AgentValues* const> out) override {
    gate_->pass();
    out[0]->add_whole(3, ++fetched_);
  }
  [[nodiscard]] int store(uint32_t, std::span<const StoredItem> items, const AgentAsker&) override {
    gate_->pass();
    return items.front().text == "right" ? 0 : int{pm_err::E_PERMISSION};
  }
  [[nodiscard]] std::vector<std::string> take_notes() override {
    return fetched_ == 1 && !std::exchange(noted_, true) ? std::vector<std::string>{"began"}
                                                         : std::vector<std::string>{};
  }

 private:
  std::shared_ptr<Gate> gate_;
  uint32_t fetched_ = 0;
  bool noted_ = false;
  std::vector<AgentMetric> metrics_;
  std::vector<AgentInDom> indoms_;
};

class TimedAgentTest : public testing::Test {
 protected:
  static constexpr std::chrono::milliseconds kPatience{200};
  const AgentAsker kNobody{};

  ~TimedAgentTest() override { gate_->open(); }

  // "3=1" of the value's instances; "-12353" of an error.
  std::string fetched() {
    AgentValues column;
    column.start(timed_->metrics()[0].desc);
    const uint32_t which[] = {0};
    AgentValues* const out[] = {&column};
    timed_->fetch(which, kNobody, out);
    FetchedSet set;
    column.give(set, [](int32_t) { return true; });
    if (set.count != 1) return fmt::format("{}", set.count);
    return fmt::format("{}={}", set.values[0].instance, set.values[0].word);
  }
  bool comes_back() const {
    for (int i = 0; i < 5'000 && !timed_->ready(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return timed_->ready();
  }

  std::shared_ptr<Gate> gate_ = std::make_shared<Gate>();
  std::optional<TimedAgent> timed_{std::in_place, std::make_shared<GatedAgent>(gate_), kPatience};
};

const std::string kTimeout = fmt::format("{}", int{pm_err::E_TIMEOUT}),
                  kAgain = fmt::format("{}", int{pm_err::E_AGAIN});

TEST_F(TimedAgentTest, PassesOnWhatComesInTime) {
  EXPECT_EQ(fetched(), "3=1");
  EXPECT_EQ(timed_->take_notes(), std::vector<std::string>{"began"});
  const auto instances = timed_->instances(GatedAgent::kParts, kNobody);
  ASSERT_TRUE(instances);
  EXPECT_EQ(instances->front().name, "third");
  EXPECT_EQ(timed_->instance_labels(GatedAgent::kParts, *instances).size(), 1u);
  const StoredItem right{.type = pm_type::string, .text = "right"};
  EXPECT_EQ(timed_->store(0, std::span(&right, 1), kNobody), 0);
  EXPECT_EQ(fetched(), "3=2");
  EXPECT_TRUE(timed_->ready());
}

TEST_F(TimedAgentTest, WaitsOnceForACallThatHangs) {
  EXPECT_EQ(fetched(), "3=1");
  (void)timed_->take_notes();
  gate_->shut();
  EXPECT_EQ(fetched(), kTimeout);
  EXPECT_FALSE(timed_->ready());
  const auto before = std::chrono::steady_clock::now();
  const StoredItem item{.text = "right"};
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(fetched(), kAgain);
    EXPECT_EQ(timed_->instances(GatedAgent::kParts, kNobody).error(), pm_err::E_AGAIN);
    EXPECT_EQ(timed_->store(0, std::span(&item, 1), kNobody), pm_err::E_AGAIN);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - before, 20 * kPatience) << "nobody waits again";
  gate_->open();
  ASSERT_TRUE(comes_back());
  EXPECT_EQ(fetched(), "3=3") << "the values of the late call are nobody's";
  EXPECT_EQ(timed_->take_notes(),
            (std::vector<std::string>{
                "has not answered for 200 ms: its metrics have no values until it does",
                "answers again"}));
}

TEST_F(TimedAgentTest, EveryKindOfCallHasADeadline) {
  const StoredItem item{.text = "right"};
  gate_->shut();
  EXPECT_EQ(timed_->instances(GatedAgent::kParts, kNobody).error(), pm_err::E_TIMEOUT);
  gate_->open();
  ASSERT_TRUE(comes_back());
  gate_->shut();
  EXPECT_EQ(timed_->store(0, std::span(&item, 1), kNobody), pm_err::E_TIMEOUT);
}

TEST_F(TimedAgentTest, AFetchThatWasBegunIsNotWaitedFor) {
  const uint32_t which[] = {0};
  const AgentAsker one{.client = 1}, other{.client = 2};
  gate_->shut();
  std::atomic<int> told = 0;
  timed_->when_fetched([&] { ++told; });
  EXPECT_TRUE(timed_->begin_fetch(which, one));
  EXPECT_TRUE(timed_->begin_fetch(which, other));
  EXPECT_TRUE(timed_->fetches(one));
  EXPECT_FALSE(timed_->fetches({.client = 3}));
  timed_->forget(other);
  EXPECT_FALSE(timed_->fetches(other));
  gate_->open();
  for (int i = 0; i < 5'000 && told < 2; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  timed_->when_fetched(nullptr);
  EXPECT_FALSE(timed_->fetches(one));
  AgentValues column;
  column.start(timed_->metrics()[0].desc);
  AgentValues* const out[] = {&column};
  timed_->fetch(which, one, out);
  EXPECT_EQ(column.size(), 1u);
  EXPECT_EQ(column.status(), 0);
  EXPECT_EQ(fetched(), "3=3") << "one and the other were fetched before";
}

// As after a stop of the whole process: the time is over, and the thread has not looked yet.
TEST_F(TimedAgentTest, AThreadThatWasLateItselfIsAskedAgain) {
  const uint32_t which[] = {0};
  timed_.emplace(std::make_shared<GatedAgent>(gate_), std::chrono::milliseconds(0));
  AgentValues column;
  column.start(timed_->metrics()[0].desc);
  AgentValues* const out[] = {&column};
  for (int i = 0; i < 200; ++i) {
    if (timed_->begin_fetch(which, kNobody)) timed_->fetch(which, kNobody, out);
    ASSERT_TRUE(comes_back()) << i;
  }
}

TEST_F(TimedAgentTest, ACallMayOutliveTheAgentOfTheCollector) {
  gate_->shut();
  EXPECT_EQ(fetched(), kTimeout);
  timed_.reset();
  gate_->open();
}

// ---- in a collector

TEST_F(TimedAgentTest, AHangingAgentCostsItsOwnMetricsOnly) {
  SystemClock clock;
  CollectorState state{};
  ScriptedAgent scripted;
  PmcdAgent pmcd(state);
  CollectorCore core(clock, {&pmcd, &*timed_, &scripted}, state);
  ScriptedClient one(core, 1), other(core, 2);
  for (ScriptedClient* const client : {&one, &other}) {
    client->connect();
    EXPECT_EQ(client->ask(wire::ProfileMessage{.context = 0}), "");
  }
  const auto pmids = std::vector<PmId>{GatedAgent::kValue, ScriptedAgent::kOne};
  const std::vector<PmId> status{make_pmid(2, 4, 1)};
  gate_->shut();
  one.start(wire::FetchRequest{.context = 0, .pmids = pmids});
  EXPECT_TRUE(one.session().waits());
  const std::string meanwhile = other.ask(wire::FetchRequest{.pmids = {ScriptedAgent::kOne}});
  EXPECT_NE(meanwhile.find("250.0.1: -1=U64(42)"), std::string::npos) << meanwhile;
  EXPECT_TRUE(one.session().waits()) << "others are answered meanwhile";
  const std::string late = one.rest();
  EXPECT_TRUE(late.starts_with("ERROR from=0 code=4\n")) << late;
  EXPECT_NE(late.find("251.0.0: " + kTimeout), std::string::npos) << late;
  EXPECT_NE(late.find("250.0.1: -1=U64(42)"), std::string::npos) << late;
  const std::string next = other.ask(wire::FetchRequest{.context = 0, .pmids = pmids});
  EXPECT_TRUE(next.starts_with("ERROR from=0 code=4\n")) << next;
  EXPECT_NE(next.find("251.0.0: " + kAgain), std::string::npos) << next;
  EXPECT_NE(next.find("250.0.1: -1=U64(42)"), std::string::npos) << next;
  EXPECT_NE(other.ask(wire::FetchRequest{.context = 0, .pmids = status}).find("251=1 "),
            std::string::npos);
  EXPECT_TRUE(other.ask(wire::DescRequest{.pmid = GatedAgent::kValue}).starts_with("DESC"));
  gate_->open();
  ASSERT_TRUE(comes_back());
  const std::string back = one.ask(wire::FetchRequest{.context = 0, .pmids = pmids});
  EXPECT_TRUE(back.starts_with("ERROR from=0 code=1\n")) << back;
  EXPECT_NE(back.find("251.0.0: 3="), std::string::npos) << back;
  EXPECT_EQ(core.state().agents[1].ready, true);
  EXPECT_EQ(core.take_notes().front(),
            "agent gated: has not answered for 200 ms: its metrics have no values until it does");
}

TEST_F(TimedAgentTest, WhoAsksForInstancesHoldsUpNobody) {
  SystemClock clock;
  CollectorState state{};
  ScriptedAgent scripted;
  CollectorCore core(clock, {&*timed_, &scripted}, state);
  ScriptedClient one(core, 1), other(core, 2);
  one.connect();
  other.connect();
  const wire::LabelRequest labels{.ident = GatedAgent::kParts, .type = 32};
  for (const wire::PduBody& request :
       {wire::PduBody(wire::InstanceRequest{.indom = GatedAgent::kParts}), wire::PduBody(labels)}) {
    gate_->shut();
    one.start(request);
    EXPECT_TRUE(one.session().waits());
    EXPECT_TRUE(other.ask(wire::DescRequest{.pmid = ScriptedAgent::kOne}).starts_with("DESC"));
    gate_->open();
    EXPECT_EQ(one.rest().find("ERROR"), std::string::npos);
  }
  EXPECT_NE(one.ask(wire::InstanceRequest{.indom = GatedAgent::kParts}).find("third"),
            std::string::npos);
  gate_->shut();
  one.start(wire::InstanceRequest{.indom = GatedAgent::kParts});
  EXPECT_NE(one.rest().find(kTimeout), std::string::npos);
  EXPECT_NE(other.ask(wire::InstanceRequest{.indom = GatedAgent::kParts}).find(kAgain),
            std::string::npos);
}

// A file that nobody writes to is as mute as a device that is stuck.
TEST_F(TimedAgentTest, AFileThatHangsIsTold) {
  const std::string root = testing::TempDir() + "timed_agent_root." + std::to_string(getpid());
  std::filesystem::remove_all(root);
  std::filesystem::create_directories(root + "/proc");
  const std::string path = root + "/proc/loadavg";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  TimedAgent linux(std::make_shared<LinuxAgent>(root), kPatience);
  const auto metrics = linux.metrics();
  const auto load = std::ranges::find(metrics, "kernel.all.load", &AgentMetric::name);
  const uint32_t which[] = {static_cast<uint32_t>(load - metrics.begin())};
  const auto ask = [&] {
    AgentValues column;
    column.start(load->desc);
    AgentValues* const out[] = {&column};
    linux.fetch(which, kNobody, out);
    return column.status() != 0 ? column.status() : static_cast<int>(column.size());
  };
  EXPECT_EQ(ask(), pm_err::E_TIMEOUT);
  EXPECT_EQ(ask(), pm_err::E_AGAIN);
  const int writer = open(path.c_str(), O_WRONLY);
  constexpr std::string_view kText = "0.25 0.5 1 2/3 4\n";
  ASSERT_EQ(write(writer, kText.data(), kText.size()), static_cast<ssize_t>(kText.size()));
  close(writer);
  for (int i = 0; i < 5'000 && !linux.ready(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_TRUE(linux.ready());
  std::filesystem::remove_all(root);
  EXPECT_EQ(ask(), pm_err::E_APPVERSION) << "there is no such file any more";
}

}  // namespace
}  // namespace pmjit
