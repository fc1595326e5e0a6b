// Answers that the process of a shared object leaves in memory that it shares: they stay there as
// long as somebody reads them, and whatever the process writes there, nothing is read outside.
#include "agent/collector/left_answer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "agent/collector/remote_agent.h"
#include "tests/unit/agent/scripted_agent.h"

namespace pmjit {
namespace {

constexpr uint32_t kLeftDomain = 251;
constexpr PmId kLeftMetric = make_pmid(kLeftDomain, 0, 1);

class LeftAnswerTest : public testing::Test {
 protected:
  LeftAnswerTest() { greet(); }

  void greet() {
    memory_ = std::shared_ptr<std::byte>(
        static_cast<std::byte*>(std::calloc(1, AnswerMemory::kBytes)), std::free);
    agent_.begin(memory_);
    send(wire::ErrorMessage{.code = 6});
    send(wire::CredsMessage{.credentials = {{}}});
    agent_.go_on();
  }
  void send(const wire::PduBody& body) {
    ByteWriter pdu;
    wire::encode({.from = 77, .body = body}, pdu);
    std::ranges::copy(pdu.written(), agent_.room().begin());
    agent_.received(pdu.size());
  }
  void send_notice() { send(wire::ErrorMessage{.code = AnswerMemory::kLeftInMemory}); }
  AgentCallPtr fetch() {
    return agent_.ask({.client = 1,
                       .request = wire::FetchRequest{.pmids = {kLeftMetric}},
                       .wanted = wire::PduType::result});
  }
  // As its process sees it.
  [[nodiscard]] uint32_t room() const { return *reinterpret_cast<uint32_t*>(memory_.get()); }
  [[nodiscard]] std::byte* bytes() const { return memory_.get() + AnswerMemory::place_of(room()); }
  static ByteWriter numbers(uint32_t first) {
    wire::ResultEncoder encoder(wire::PduType::result, {.seconds = wire::kNamesChanged});
    ByteWriter words;
    for (uint32_t i = 0; i < kCount; ++i) {
      words.u32(i);
      words.u32(first + i);
    }
    std::ranges::copy(words.written(), encoder.add_words(kLeftMetric, kCount).data());
    ByteWriter out;
    encoder.finish(0, out);
    return out;
  }
  void leave(const ByteWriter& pdu) const { std::ranges::copy(pdu.written(), bytes()); }
  static uint32_t word_of(const AgentCall& call, uint32_t which) {
    const auto& sets = std::get<wire::ResultMessage>(call.answer.body).sets;
    const size_t at = sets.layout.sets.at(0).pairs + size_t{8} * which + 4;
    return load_be<uint32_t>(sets.head.bytes.data() + at);
  }

  static constexpr uint32_t kCount = 3'000;
  FakeClock clock_;
  std::shared_ptr<std::byte> memory_;
  RemoteAgent agent_{clock_, {.name = "left", .domain = kLeftDomain, .is_hosted = true}, {}};
};

TEST_F(LeftAnswerTest, IsReadWhereItIs) {
  const AgentCallPtr call = fetch();
  ASSERT_EQ(room(), 1u);
  leave(numbers(7));
  send_notice();
  ASSERT_TRUE(call->done);
  EXPECT_EQ(call->code, 0);
  EXPECT_EQ(std::get<wire::ResultMessage>(call->answer.body).sets.head.bytes.data(), bytes());
  EXPECT_EQ(word_of(*call, kCount - 1), 7 + kCount - 1);
  EXPECT_EQ(agent_.take_changes() & wire::kNamesChanged, wire::kNamesChanged);
  EXPECT_TRUE(agent_.failure().empty());
}

TEST_F(LeftAnswerTest, StaysAsLongAsSomebodyReadsIt) {
  std::vector<AgentCallPtr> calls;
  for (const uint32_t wanted : {1u, 2u, 0u}) {
    calls.push_back(fetch());
    EXPECT_EQ(room(), wanted);
    if (room() == 0) break;
    leave(numbers(100 * room()));
    send_notice();
  }
  const ByteWriter sent = numbers(300);  // there is no room: it is sent
  for (Bytes rest = sent.written(); !rest.empty();) {
    const auto room = agent_.room();
    const Bytes now = rest.first(std::min(room.size(), rest.size()));
    std::ranges::copy(now, room.begin());
    agent_.received(now.size());
    rest = rest.subspan(now.size());
  }
  for (uint32_t i = 0; i < calls.size(); ++i) EXPECT_EQ(word_of(*calls[i], 1), 100 * (i + 1) + 1);
  calls.erase(calls.begin());
  EXPECT_FALSE(fetch()->done);
  EXPECT_EQ(room(), 1u);
}

TEST_F(LeftAnswerTest, StaysWhenTheAgentIsStartedAgain) {
  const AgentCallPtr call = fetch();
  leave(numbers(7));
  send_notice();
  greet();
  const AgentCallPtr next = fetch();
  EXPECT_EQ(room(), 1u) << "of other memory";
  leave(numbers(9));
  send_notice();
  EXPECT_EQ(word_of(*call, 0), 7u);
  EXPECT_EQ(word_of(*next, 0), 9u);
}

// Where a block is stands in the answer.
TEST_F(LeftAnswerTest, BlocksAreCopied) {
  const AgentCallPtr call = fetch();
  wire::ResultEncoder encoder(wire::PduType::result, {});
  const uint64_t number = 0x0102030405060708;
  FetchedSet set{.pmid = kLeftMetric, .count = 1, .format = ValueFormat::block};
  set.values.push_back({.instance = 5,
                        .type = static_cast<uint8_t>(pm_type::u64),
                        .block = std::as_bytes(std::span(&number, 1))});
  encoder.add(set);
  ByteWriter pdu;
  encoder.finish(0, pdu);
  leave(pdu);
  std::byte* const left = bytes();
  send_notice();
  ASSERT_EQ(call->code, 0);
  std::ranges::fill(std::span(left, pdu.size()), std::byte{0xff});
  const auto& sets = std::get<wire::ResultMessage>(call->answer.body).sets;
  EXPECT_EQ(
      load_be<uint64_t>(stored_block(sets.head, sets.layout, sets.layout.sets[0], 0).data.data()),
      number);
  EXPECT_FALSE(fetch()->done);
  EXPECT_EQ(room(), 1u) << "nobody needs the first one";
}

// Offset and word of what is wrong in it.
TEST_F(LeftAnswerTest, WhatIsWrongEndsTheChannel) {
  const std::pair<size_t, uint32_t> faults[] = {{0, 0},           {0, 11},
                                                {0, 24},          {0, 3'000},
                                                {0, UINT32_MAX},  {0, 4'194'305},
                                                {4, 0x7000},      {4, 0},
                                                {20, 0},          {20, 2},
                                                {20, UINT32_MAX}, {28, 0},
                                                {28, kCount + 1}, {28, UINT32_MAX / 2},
                                                {28, kCount - 1}, {32, 3},
                                                {32, 1},          {32, UINT32_MAX}};
  for (const auto& [at, word] : faults) {
    const AgentCallPtr call = fetch();
    leave(numbers(7));
    const auto turned = load_be<uint32_t>(reinterpret_cast<const std::byte*>(&word));
    std::memcpy(bytes() + at, &turned, sizeof turned);
    send_notice();
    EXPECT_EQ(call->code, int{pm_err::E_IPC}) << at << ": " << word;
    EXPECT_EQ(agent_.failure(), "protocol failure") << at << ": " << word;
    greet();
  }
  EXPECT_FALSE(left_pdu({memory_.get(), AnswerMemory::kRoomBytes})) << "there is nothing";
}

// It was not asked for one, or has left one already.
TEST_F(LeftAnswerTest, ANoticeOfNothingIsAnError) {
  const AgentCallPtr other = agent_.ask({.client = 1,
                                         .request = wire::DescRequest{.pmid = kLeftMetric},
                                         .wanted = wire::PduType::desc});
  EXPECT_EQ(room(), 0u);
  send_notice();
  EXPECT_EQ(other->code, AnswerMemory::kLeftInMemory) << "as any other code";
  agent_.begin();  // without memory
  send(wire::ErrorMessage{.code = 6});
  send(wire::CredsMessage{.credentials = {{}}});
  const AgentCallPtr call = fetch();
  send_notice();
  EXPECT_EQ(call->code, AgentCall::kNoValues);
  EXPECT_TRUE(agent_.failure().empty());
  send_notice();
  EXPECT_EQ(agent_.failure(), "protocol failure") << "nobody has asked";
}

}  // namespace
}  // namespace pmjit
