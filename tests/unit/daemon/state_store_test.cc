// What the daemon remembers is there after a restart, and nothing of it twice.
#include "rules/state/state_store.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "full_disk.h"
#include "rules/state/state_writer.h"
#include "tests/lib/lower_limit.h"

namespace pmjit {
namespace {

using namespace std::chrono_literals;

class StateTest : public testing::Test {
 protected:
  StateTest() {
    std::string name = testing::TempDir() + "pmjit_state_XXXXXX";
    folder_ = ::mkdtemp(name.data());
  }
  ~StateTest() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::unique_ptr<StateStore> open() const {
    auto store = StateStore::open({.folder = folder_}, clock_);
    EXPECT_TRUE(store) << store.error().text();
    return *std::move(store);
  }
  static StoredAlert alert() {
    return {.key = {.rule = "busy", .host = "web1"},
            .life = {.phase = Phase::firing, .since = WallTime(1000s), .at = WallTime(1010s)},
            .value = "12",
            .labels = {{"a", "1:2\n"}, {"b", ""}},
            .sinks = {"am", "file"},
            .shape = "x",
            .interval_ms = 10'000};
  }
  static OutboxMessage message() {
    return {.sink = "hook", .dedup = "id/firing", .rule = "busy", .body = "{}"};
  }
  static OutboxOutcome sent() {
    return {.sink = "hook", .dedup = "id/firing", .state = OutboxOutcome::State::sent};
  }

  SystemClock clock_;
  std::string folder_;
};

TEST_F(StateTest, KeepsAlertsOverARestart) {
  StateBatch batch{.alerts = {alert()}};
  ASSERT_TRUE(open()->commit(batch));
  const auto kept = open()->alerts();
  ASSERT_TRUE(kept);
  ASSERT_EQ(kept->size(), 1U);
  EXPECT_EQ(kept->front().key, alert().key);
  EXPECT_EQ(kept->front().life, alert().life);
  EXPECT_EQ(kept->front().labels, alert().labels);
  EXPECT_EQ(kept->front().sinks, alert().sinks);
}

TEST_F(StateTest, WhatIsKeptIsOlderThanWhatIsTold) {
  StoredAlert counted = alert(), ended = alert();
  counted.life.held = 7s;
  ended.ended = WallTime(1020s);
  const auto store = open();
  StateBatch only_kept{.kept = {counted}};
  ASSERT_TRUE(store->commit(only_kept));
  EXPECT_EQ(store->alerts()->front().life.held, 7s);
  StateBatch both{.alerts = {ended}, .kept = {counted}};
  ASSERT_TRUE(store->commit(both));
  EXPECT_EQ(store->alerts()->front().ended, ended.ended);
}

TEST_F(StateTest, AMessageIsThereOnce) {
  const auto store = open();
  StateBatch first{.messages = {message()}}, second{.messages = {message()}};
  ASSERT_TRUE(store->commit(first));
  ASSERT_TRUE(store->commit(second));
  EXPECT_NE(first.messages.front().id, 0);
  EXPECT_TRUE(second.messages.empty());
  EXPECT_EQ(store->waiting()->size(), 1U);
  StateBatch over{.outcomes = {sent()}};
  ASSERT_TRUE(store->commit(over));
  EXPECT_TRUE(store->waiting()->empty());
}

TEST_F(StateTest, WhatHasBegunAnewIsNotAcknowledged) {
  const auto store = open();
  StateBatch batch{.alerts = {alert()}, .acknowledged = {alert().key}};
  ASSERT_TRUE(store->commit(batch));
  EXPECT_EQ(store->alerts()->size(), 1U);
  StoredAlert ended = alert();
  ended.ended = WallTime(1020s);
  StateBatch over{.alerts = {ended}, .acknowledged = {ended.key}};
  ASSERT_TRUE(store->commit(over));
  EXPECT_TRUE(store->alerts()->empty());
}

TEST_F(StateTest, ASecondDaemonIsRefused) {
  const auto store = open();
  const auto second = StateStore::open({.folder = folder_}, clock_);
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().what().find("another daemon"), std::string::npos);
}

TEST_F(StateTest, ADamagedFileIsMovedAway) {
  std::ofstream(folder_ + "/pmjit.db") << std::string(8'192, 'x');
  std::ofstream(folder_ + "/pmjit.db-wal") << std::string(8'192, 'y');
  const auto store = open();
  ASSERT_TRUE(store->lost());
  EXPECT_EQ(std::filesystem::file_size(*store->lost()), 8'192U);
  EXPECT_TRUE(std::filesystem::exists(*store->lost() + "-wal"));
  EXPECT_TRUE(store->alerts()->empty());
}

TEST_F(StateTest, AFileThatCannotBeOpenedNowIsKept) {
  if (kNeedsDescriptors) GTEST_SKIP() << "the sanitizer cannot work without descriptors";
  StateBatch batch{.alerts = {alert()}};
  ASSERT_TRUE(open()->commit(batch));
  {
    // One more for the lock, and none for the database.
    const int next = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::close(next);
    const LowerLimit limit(RLIMIT_NOFILE, static_cast<rlim_t>(next) + 1);
    const auto store = StateStore::open({.folder = folder_}, clock_);
    ASSERT_FALSE(store);
  }
  const auto store = open();
  EXPECT_FALSE(store->lost());
  EXPECT_EQ(store->alerts()->size(), 1U);
}

TEST_F(StateTest, TheWriterTellsWhatIsOnDisk) {
  const auto store = open();
  std::vector<int64_t> told;
  {
    StateWriter writer(*store, clock_, {.committed = [&](const StateBatch& batch) {
      for (const OutboxMessage& one : batch.messages) told.push_back(one.id);
    }});
    writer.post({.messages = {message()}});
    EXPECT_TRUE(writer.commit_now({}));
  }
  ASSERT_EQ(told.size(), 1U);
  EXPECT_NE(told.front(), 0);
}

TEST_F(StateTest, HoldsOfRulesThatAreGoneAreDropped) {
  const auto store = open();
  StateBatch began{.holds = {{.key = {"busy", "web1", 0}}, {.key = {"busy", "web1", 1}}}};
  ASSERT_TRUE(store->commit(began));
  StateBatch ended{.holds = {{.key = {"busy", "web1", 0}, .succeeded = true}},
                   .holds_gone = {{"busy", "web1", 1}}};
  ASSERT_TRUE(store->commit(ended));
  ASSERT_EQ(store->holds()->size(), 1U);
  EXPECT_TRUE(store->holds()->front().succeeded);
}

TEST_F(StateTest, ABatchThatWaitsDoesNotGrow) {
  StateBatch waiting;
  for (int i = 0; i < 100; ++i) {
    StoredAlert alert_now = alert();
    alert_now.life.held = std::chrono::seconds(i);
    waiting.append({.alerts = {alert_now},
                    .kept = {alert_now},
                    .gone = {{.rule = "other", .host = "web1"}},
                    .holds = {{.key = {"busy", "web1", 0}, .when = double(i)}},
                    .outcomes = {sent()}});
  }
  EXPECT_EQ(waiting.size(), 5U);
  EXPECT_EQ(waiting.alerts.front().life.held, 99s);
  EXPECT_EQ(waiting.holds.front().when, 99);
}

TEST_F(StateTest, MessagesThatWereSentNeedNotWaitForTheDisk) {
  OutboxMessage waiting = message();
  waiting.dedup = "another";
  OutboxOutcome older = sent();
  older.dedup = "on disk before";
  StateBatch batch{.messages = {message(), waiting}, .outcomes = {sent(), older}};
  batch.outcomes.push_back({.sink = waiting.sink, .dedup = waiting.dedup, .attempts = 3});
  batch.drop_finished_messages();
  ASSERT_EQ(batch.messages.size(), 1u);
  EXPECT_EQ(batch.messages[0].dedup, "another");
  ASSERT_EQ(batch.outcomes.size(), 2u);
  EXPECT_EQ(batch.outcomes[0].dedup, "on disk before");
  EXPECT_EQ(batch.outcomes[1].attempts, 3u);
}

TEST_F(StateTest, AnEndIsToldThoughTheAlertBeginsAnew) {
  StoredAlert ended = alert(), pending = alert();
  ended.ended = WallTime(1020s);
  pending.life.phase = Phase::pending;
  StateBatch waiting{.alerts = {alert()}};
  waiting.append({.alerts = {ended}});
  waiting.append({.alerts = {pending}});
  waiting.append({.gone = {pending.key}});
  ASSERT_EQ(waiting.alerts.size(), 1U);
  EXPECT_EQ(waiting.alerts.front().ended, ended.ended);
}

TEST_F(StateTest, WhatWasToldWhileTheDiskWasFullIsNotToldAgain) {
  const auto store = open();
  std::atomic<int> told = 0;
  {
    StateWriter writer(
        *store, clock_,
        {.committed =
             [&](const StateBatch& batch) { told += static_cast<int>(batch.messages.size()); }},
        {.again = 10ms, .told_anyway = 30ms});
    {
      const FullDisk full(0);
      writer.post({.messages = {message()}});
      for (int i = 0; i < 500 && told == 0; ++i) std::this_thread::sleep_for(10ms);
      writer.post({.outcomes = {sent()}});
    }
    EXPECT_TRUE(writer.commit_now({}));
  }
  EXPECT_EQ(told, 1);
  EXPECT_TRUE(store->waiting()->empty());
}

}  // namespace
}  // namespace pmjit
