// Answers of agents that are processes, which are sent from where they were read: in order, whole,
// and unchanged whatever comes before the client has read them.
#include <gtest/gtest.h>

#include <algorithm>

#include "agent/collector/served_client.h"
#include "tests/unit/agent/scripted_agent.h"

namespace pmjit {
namespace {

constexpr uint32_t kManyDomain = 251;
constexpr PmId kManyMetric = make_pmid(kManyDomain, 0, 1),
               kNobodysMetric = make_pmid(kManyDomain + 1, 0, 1);
constexpr uint32_t kManyCount = 20'000;

class LongAnswerTest : public testing::Test {
 protected:
  LongAnswerTest() {
    core_.set_remotes({&agent_}, {{.domain = kManyDomain, .name = "many"}});
    agent_.begin();
    answer(wire::CredsMessage{.credentials = {wire::Credential{}}});
    client_.emplace(core_, AgentAsker{.client = 1}, ClientLimits{});
    client_->sent(client_->unsent().size());
    send(wire::CredsMessage{.credentials = {wire::Credential{}}});
    send(wire::ProfileMessage{});
  }
  ~LongAnswerTest() override {
    client_.reset();
    core_.set_remotes({}, {});
  }
  LongAnswerTest(const LongAnswerTest&) = delete;
  LongAnswerTest& operator=(const LongAnswerTest&) = delete;

  void send(wire::PduBody body) {
    ByteWriter pdu;
    wire::encode({.body = std::move(body)}, pdu);
    for (Bytes left = pdu.written(); !left.empty();) {
      const auto room = client_->room();
      const Bytes now = left.first(std::min(room.size(), left.size()));
      std::ranges::copy(now, room.begin());
      client_->received(now.size());
      left = left.subspan(now.size());
    }
  }
  void answer_bytes(Bytes left) {
    while (!left.empty()) {
      const auto room = agent_.room();
      const Bytes now = left.first(std::min(room.size(), left.size()));
      std::ranges::copy(now, room.begin());
      agent_.received(now.size());
      left = left.subspan(now.size());
    }
    agent_.sent(agent_.unsent().size());
  }
  void answer(wire::PduBody body) {
    ByteWriter pdu;
    wire::encode({.from = 77, .body = std::move(body)}, pdu);
    answer_bytes(pdu.written());
  }
  static ByteWriter result(wire::PduType type, int64_t seconds, uint32_t first) {
    wire::ResultEncoder encoder(type, {.seconds = seconds});
    std::byte* at = encoder.add_words(kManyMetric, kManyCount).data();
    ByteWriter words;
    for (uint32_t i = 0; i < kManyCount; ++i) {
      words.u32(i);
      words.u32(first + i);
    }
    std::ranges::copy(words.written(), at);
    ByteWriter out;
    encoder.finish(0, out);
    return out;
  }
  // The client asks, and the agent gives values from `first` on.
  void fetch(wire::PduBody request, uint32_t first) {
    send(std::move(request));
    ASSERT_TRUE(client_->waits());
    agent_.sent(agent_.unsent().size());
    answer_bytes(result(wire::PduType::result, 5, first).written());
    client_->look_at_agents();
    ASSERT_FALSE(client_->waits());
  }
  // What the client reads, in pieces.
  std::vector<std::byte> read(size_t piece, size_t most = SIZE_MAX) {
    std::vector<std::byte> out;
    while (!client_->unsent().empty() && out.size() < most) {
      const Bytes now = client_->unsent().first(std::min(piece, client_->unsent().size()));
      out.insert(out.end(), now.begin(), now.end());
      client_->sent(now.size());
    }
    return out;
  }
  static bool same(const std::vector<std::byte>& read, const ByteWriter& wanted) {
    return std::ranges::equal(read, wanted.written());
  }

  FakeClock clock_{{.wall = WallTime(std::chrono::seconds(1'700'000'000))}};
  CollectorState state_{};
  CollectorCore core_{clock_, {}, state_};
  RemoteAgent agent_{clock_, {.name = "many", .domain = kManyDomain}, {}};
  std::optional<ServedClient> client_;
};

TEST_F(LongAnswerTest, IsWholeInBothForms) {
  for (const size_t piece : {SIZE_MAX, size_t{1'000}}) {
    fetch(wire::FetchRequest{.pmids = {kManyMetric}}, 7);
    EXPECT_FALSE(client_->tail().empty()) << "it is not copied";
    EXPECT_TRUE(same(read(piece), result(wire::PduType::result, 1'700'000'000, 7))) << piece;
    fetch(wire::HighresFetchRequest{{.pmids = {kManyMetric}}}, 8);
    EXPECT_FALSE(client_->tail().empty());
    EXPECT_TRUE(same(read(piece), result(wire::PduType::highres_result, 1'700'000'000, 8)))
        << piece;
  }
}

// Both parts are sent in one call of the system, which may take any part of them.
TEST_F(LongAnswerTest, IsWholeWhereverASendEnds) {
  const ByteWriter wanted = result(wire::PduType::result, 1'700'000'000, 7);
  const size_t all = wanted.size();
  fetch(wire::FetchRequest{.pmids = {kManyMetric}}, 7);
  const size_t head = client_->unsent().size();
  for (const size_t first : {size_t{1}, head - 1, head, head + 1, all - 1, all}) {
    if (client_->unsent().empty()) fetch(wire::FetchRequest{.pmids = {kManyMetric}}, 7);
    const Bytes unsent = client_->unsent(), tail = client_->tail();
    std::vector<std::byte> out(unsent.begin(), unsent.end());
    out.insert(out.end(), tail.begin(), tail.end());
    EXPECT_TRUE(same(out, wanted));
    out.resize(first);
    client_->sent(first);
    const std::vector<std::byte> rest = read(SIZE_MAX);
    out.insert(out.end(), rest.begin(), rest.end());
    EXPECT_TRUE(same(out, wanted)) << first;
  }
}

TEST_F(LongAnswerTest, StaysAsItIsWhenTheAgentAnswersAgain) {
  fetch(wire::FetchRequest{.pmids = {kManyMetric}}, 7);
  std::vector<std::byte> first = read(30'000, 30'000);  // the rest stays unread
  ServedClient other(core_, AgentAsker{.client = 2, .slot = 1}, ClientLimits{});
  const auto call = agent_.ask({.client = 2,
                                .slot = 1,
                                .request = wire::FetchRequest{.pmids = {kManyMetric}},
                                .wanted = wire::PduType::result});
  answer_bytes(result(wire::PduType::result, 5, 1'000).written());
  EXPECT_TRUE(call->done);
  const auto rest = read(50'000);
  first.insert(first.end(), rest.begin(), rest.end());
  EXPECT_TRUE(same(first, result(wire::PduType::result, 1'700'000'000, 7)));
}

TEST_F(LongAnswerTest, LaterAnswersFollowIt) {
  for (const size_t read_before : {0u, 10u, 30'000u}) {
    fetch(wire::FetchRequest{.pmids = {kManyMetric}}, 7);
    std::vector<std::byte> all = read(read_before, read_before);
    send(wire::FetchRequest{.pmids = {kNobodysMetric}});
    const auto rest = read(100'000);
    all.insert(all.end(), rest.begin(), rest.end());
    ByteWriter wanted = result(wire::PduType::result, 1'700'000'000, 7);
    wire::ResultEncoder encoder(wire::PduType::result, {.seconds = 1'700'000'000});
    encoder.add(kNobodysMetric, pm_err::E_NOAGENT);
    encoder.finish(0, wanted);
    EXPECT_TRUE(same(all, wanted)) << read_before << " bytes were read before";
  }
}

}  // namespace
}  // namespace pmjit
