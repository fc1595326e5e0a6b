// A connection without a socket: bytes in pieces, deadlines, budgets.
#include "agent/collector/served_client.h"

#include "tests/unit/agent/scripted_agent.h"

namespace pmjit {
namespace {

using std::chrono::seconds;

class ServedClientTest : public testing::Test {
 protected:
  void send(Bytes bytes, size_t step = SIZE_MAX) {
    while (!bytes.empty() && !client_->closing()) {
      const auto room = client_->room();
      const size_t now = std::min({room.size(), bytes.size(), step});
      std::ranges::copy(bytes.first(now), room.begin());
      client_->received(now);
      bytes = bytes.subspan(now);
    }
  }
  std::vector<std::byte> request(wire::PduBody body) {
    ByteWriter out;
    wire::encode({.body = std::move(body)}, out);
    return out.take();
  }
  std::string taken() {
    std::string text = pdus_text(client_->unsent());
    client_->sent(client_->unsent().size());
    return text;
  }
  void begin(const ClientLimits& limits = {}) {
    client_.emplace(core_, AgentAsker{.client = 1}, limits);
    EXPECT_EQ(client_->unsent().size(), 20u);
    client_->sent(20);
    send(request(wire::CredsMessage{.credentials = {wire::Credential{}}}));
  }

  FakeClock clock_;
  CollectorState state_{};
  ScriptedAgent agent_;
  CollectorCore core_{clock_, {&agent_}, state_};
  std::optional<ServedClient> client_;
};

TEST_F(ServedClientTest, TakesPdusInPieces) {
  begin();
  for (const size_t step : {size_t{1}, size_t{5}, size_t{100}}) {
    send(request(wire::DescRequest{.pmid = ScriptedAgent::kOne}), step);
    EXPECT_TRUE(taken().starts_with("DESC from")) << step;
  }
  auto two = request(wire::ProfileMessage{});
  const auto fetch = request(wire::FetchRequest{.pmids = {ScriptedAgent::kOne}});
  two.insert(two.end(), fetch.begin(), fetch.end());
  send(two);
  EXPECT_TRUE(taken().starts_with("RESULT"));
  EXPECT_FALSE(client_->deadline());
}

TEST_F(ServedClientTest, OthersHaveTheirTurn) {
  begin({.answers_at_once = 2});
  const auto one = request(wire::DescRequest{.pmid = ScriptedAgent::kOne});
  std::vector<std::byte> five;
  for (int i = 0; i < 5; ++i) five.insert(five.end(), one.begin(), one.end());
  send(five);
  for (const size_t answers : {2u, 2u, 1u}) {
    const std::string text = taken();
    EXPECT_EQ(static_cast<size_t>(std::ranges::count(text, '\n')), answers) << text;
    EXPECT_EQ(client_->has_more(), answers == 2);
    EXPECT_EQ(client_->reads(), answers != 2);
    client_->go_on();
  }
  EXPECT_EQ(taken(), "");
  EXPECT_FALSE(client_->deadline());
}

TEST_F(ServedClientTest, HalfAPduHasADeadline) {
  begin();
  const auto pdu = request(wire::DescRequest{.pmid = ScriptedAgent::kOne});
  send(Bytes(pdu).first(5));
  ASSERT_TRUE(client_->deadline());
  clock_.advance(seconds(4));
  send(Bytes(pdu).subspan(5, 8));  // more of it does not help
  client_->look_at_time();
  EXPECT_FALSE(client_->closing());
  clock_.advance(seconds(1));
  client_->look_at_time();
  ASSERT_TRUE(client_->closing());
  EXPECT_EQ(client_->closing()->why,
            "it sent a part of a PDU, and the other 3 bytes did not come within 5000 ms");
}

TEST_F(ServedClientTest, AWholePduEndsTheDeadline) {
  begin();
  const auto pdu = request(wire::DescRequest{.pmid = ScriptedAgent::kOne});
  send(Bytes(pdu).first(5));
  send(Bytes(pdu).subspan(5));
  (void)taken();
  EXPECT_FALSE(client_->deadline());
  send(Bytes(pdu).first(5));
  clock_.advance(seconds(3));
  std::vector<std::byte> rest(pdu.begin() + 5, pdu.end());
  rest.insert(rest.end(), pdu.begin(), pdu.begin() + 6);  // and a part of the next one
  send(rest);
  clock_.advance(seconds(3));
  client_->look_at_time();
  EXPECT_FALSE(client_->closing());
  EXPECT_EQ(*client_->deadline() - clock_.now(), seconds(2));
}

TEST_F(ServedClientTest, CredsHaveADeadline) {
  client_.emplace(core_, AgentAsker{.client = 1}, ClientLimits{});
  clock_.advance(seconds(10));
  client_->look_at_time();
  ASSERT_TRUE(client_->closing());
  EXPECT_EQ(client_->closing()->why, "it sent no CREDS within 10000 ms");
}

TEST_F(ServedClientTest, AnswersThatNobodyReadsAreBounded) {
  begin({.unread_bytes_max = 1'000});
  std::vector<std::byte> many;
  for (int i = 0; i < 100; ++i) {
    const auto one = request(wire::TraverseRequest{});
    many.insert(many.end(), one.begin(), one.end());
  }
  send(many);
  ASSERT_TRUE(client_->closing());
  EXPECT_TRUE(client_->closing()->why.starts_with("it has not read 10")) << client_->closing()->why;
  EXPECT_LT(client_->unsent().size(), 1'200u);
}

TEST_F(ServedClientTest, WhoReadsNothingHasADeadline) {
  begin({.unread = seconds(3)});
  const auto pdu = request(wire::DescRequest{.pmid = ScriptedAgent::kOne});
  send(pdu);
  client_->sent(0);
  clock_.advance(seconds(2));
  send(pdu);  // another question is no reading
  client_->sent(0);
  ASSERT_TRUE(client_->deadline());
  EXPECT_EQ(*client_->deadline() - clock_.now(), seconds(1));
  client_->sent(1);
  ASSERT_TRUE(client_->deadline());
  EXPECT_EQ(*client_->deadline() - clock_.now(), seconds(3)) << "a byte is";
  clock_.advance(seconds(2));
  client_->look_at_time();
  EXPECT_FALSE(client_->closing());
  clock_.advance(seconds(1));
  client_->look_at_time();
  ASSERT_TRUE(client_->closing());
  EXPECT_EQ(client_->closing()->why,
            "63 bytes of answers wait for it, and it has read none of them for 3000 ms");
}

// Slow, and honest: the server does not read it, so the rest of a PDU cannot come.
TEST_F(ServedClientTest, TheClockOfAHalfPduStandsStillInAPause) {
  begin({.paused_above = 100, .half_pdu = seconds(5), .unread = seconds(60)});
  const auto pdu = request(wire::DescRequest{.pmid = ScriptedAgent::kOne});
  std::vector<std::byte> many;
  for (int i = 0; i < 8; ++i) many.insert(many.end(), pdu.begin(), pdu.end());
  many.resize(many.size() + 5);
  std::ranges::copy(Bytes(pdu).first(5), many.end() - 5);
  std::ranges::copy(many, client_->room().begin());
  client_->received(many.size());
  EXPECT_EQ(client_->unsent().size(), 4 * 32u) << "no more is answered";
  EXPECT_FALSE(client_->reads());
  for (int i = 0; i < 3; ++i) {
    clock_.advance(seconds(20));
    client_->look_at_time();
    ASSERT_FALSE(client_->closing()) << client_->closing()->why;
    client_->sent(1);
  }
  client_->sent(client_->unsent().size());
  EXPECT_EQ(client_->unsent().size(), 4 * 32u) << "what had come is answered now";
  client_->sent(client_->unsent().size());
  EXPECT_TRUE(client_->reads());
  EXPECT_EQ(*client_->deadline() - clock_.now(), seconds(5));
  send(Bytes(pdu).subspan(5));
  EXPECT_TRUE(taken().starts_with("DESC from"));
}

TEST_F(ServedClientTest, AMalformedHeaderEndsIt) {
  for (const auto& [length, code] : std::vector<std::pair<uint32_t, uint32_t>>{
           {4, 0x7004}, {0, 0x7004}, {0xffffffff, 0x7004}, {70'000, 0x7004}, {16, 0}}) {
    begin();
    ByteWriter header;
    for (const uint32_t word : {length, code, 0u}) header.u32(word);
    send(header.written());
    ASSERT_TRUE(client_->closing()) << length;
    EXPECT_FALSE(client_->closing()->why.empty());
    EXPECT_TRUE(client_->unsent().empty());
  }
}

TEST_F(ServedClientTest, AnEndIsNoMistakeBetweenPdus) {
  begin();
  client_->ended();
  ASSERT_TRUE(client_->closing());
  EXPECT_EQ(client_->closing()->why, "");
  begin();
  send(Bytes(request(wire::TraverseRequest{})).first(3));
  client_->ended();
  EXPECT_NE(client_->closing()->why, "");
}

TEST_F(ServedClientTest, ARefusalIsSentBeforeItEnds) {
  client_.emplace(core_, AgentAsker{.client = 1}, ClientLimits{});
  client_->sent(20);
  send(request(
      wire::CredsMessage{.credentials = {{.wishes = wire::FeatureSet{wire::Feature::secure}}}}));
  ASSERT_TRUE(client_->closing());
  EXPECT_TRUE(client_->closing()->after_sending);
  EXPECT_EQ(taken(), "ERROR from=0 code=-12391\n");
}

}  // namespace
}  // namespace pmjit
