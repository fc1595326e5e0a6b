// An agent of another process, byte by byte: its greeting, requests in turn, deadlines, failures.
#include "agent/collector/remote_agent.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/agent/scripted_agent.h"

namespace pmjit {
namespace {

using std::chrono::milliseconds;

constexpr uint32_t kDomain = 251;
constexpr PmId kMetric = make_pmid(kDomain, 0, 1);

class RemoteAgentTest : public testing::Test {
 protected:
  RemoteAgentTest() : RemoteAgentTest({.name = "bad", .domain = kDomain}) {}
  explicit RemoteAgentTest(RemoteAgent::Identity identity)
      : agent_(clock_, std::move(identity), {}) {}

  void receive(const wire::PduBody& body) {
    ByteWriter pdu;
    wire::encode({.from = 77, .body = body}, pdu);
    receive_bytes(pdu.written());
  }
  void receive_bytes(Bytes bytes) {
    while (!bytes.empty() && agent_.failure().empty()) {
      const auto room = agent_.room();
      const size_t now = std::min(room.size(), bytes.size());
      std::ranges::copy(bytes.first(now), room.begin());
      agent_.received(now);
      bytes = bytes.subspan(now);
    }
  }
  void greet(wire::FeatureSet flags = {}) {
    agent_.begin();
    receive(wire::CredsMessage{.credentials = {{.wishes = flags}}});
    EXPECT_TRUE(agent_.take_connected());
    agent_.go_on();
    (void)sent();
  }
  // What it was sent, as message_text() has it.
  std::string sent() {
    std::string out;
    for (Bytes rest = agent_.unsent(); !rest.empty();) {
      const auto header = wire::read_header(rest, UINT32_MAX);
      const auto pdu =
          wire::decode(rest.first(header->bytes), {.route = wire::Route::collector_to_agent});
      out += (pdu ? wire::message_text(*pdu) : pdu.error().text()) + "\n";
      rest = rest.subspan(header->bytes);
    }
    agent_.sent(agent_.unsent().size());
    return out;
  }
  AgentCallPtr ask(uint32_t client) {
    return agent_.ask({.client = client,
                       .slot = static_cast<int32_t>(client) + 100,
                       .request = wire::DescRequest{.pmid = kMetric},
                       .wanted = wire::PduType::desc});
  }
  AgentCallPtr fetch(uint32_t client, std::shared_ptr<const SentProfile> profile) {
    return agent_.ask({.client = client,
                       .slot = static_cast<int32_t>(client) + 100,
                       .request = wire::FetchRequest{.context = 1, .pmids = {kMetric}},
                       .wanted = wire::PduType::result,
                       .profile = std::move(profile)});
  }
  void receive_result(uint32_t metrics, int64_t bits = 0) {
    wire::ResultEncoder encoder(wire::PduType::result, {.seconds = bits});
    for (uint32_t i = 0; i < metrics; ++i) encoder.add(kMetric, pm_err::E_PMID);
    ByteWriter pdu;
    encoder.finish(0, pdu);
    receive_bytes(pdu.written());
  }

  FakeClock clock_;
  RemoteAgent agent_;
};

TEST_F(RemoteAgentTest, GreetsAndAnswers) {
  EXPECT_EQ(ask(1)->code, pm_err::E_NOAGENT);
  agent_.begin();
  EXPECT_TRUE(agent_.deadline().has_value());
  receive(wire::CredsMessage{.credentials = {{.wishes = {wire::Feature::auth}}}});
  EXPECT_NE(sent().find("AUTH"), std::string::npos);
  EXPECT_FALSE(agent_.deadline().has_value());
  const AgentCallPtr call = ask(1);
  EXPECT_EQ(sent(), "DESC_REQ from=101 metric=251.0.1\n");
  receive(wire::DescMessage{.desc = {.pmid = kMetric}});
  EXPECT_TRUE(call->done);
  EXPECT_EQ(call->code, 0);
  EXPECT_EQ(agent_.take_answered(), std::vector<uint32_t>{1});
  EXPECT_TRUE(agent_.take_answered().empty());
}

class HostedAgentTest : public RemoteAgentTest {
 protected:
  HostedAgentTest() : RemoteAgentTest({.name = "object", .domain = kDomain, .is_hosted = true}) {}
};

TEST_F(HostedAgentTest, SaysItsInterfaceBeforeItGreets) {
  agent_.begin();
  receive(wire::ErrorMessage{.code = 6});
  EXPECT_FALSE(agent_.take_connected());
  EXPECT_EQ(agent_.hosted_interface(), 6);
  EXPECT_FALSE(agent_.has_labels());
  receive(wire::CredsMessage{.credentials = {{}}});
  EXPECT_TRUE(agent_.take_connected());
  EXPECT_TRUE(agent_.connected());
  agent_.fenced = true;
  EXPECT_EQ(ask(1)->code, pm_err::E_PMDAFENCED);
  EXPECT_FALSE(fetch(1, nullptr)->done) << "fetches pass";
}

TEST_F(HostedAgentTest, HasNoValuesWhereItsFetchFails) {
  agent_.begin();
  receive(wire::ErrorMessage{.code = 6});
  receive(wire::CredsMessage{.credentials = {{}}});
  for (const int code : {int{pm_err::E_AGAIN}, -13'394}) {  // also that of agents not ready
    const AgentCallPtr call = fetch(1, nullptr);
    receive(wire::ErrorMessage{.code = code});
    EXPECT_EQ(call->code, AgentCall::kNoValues);
    EXPECT_EQ(agent_.state(), RemoteAgent::State::ready);
  }
  const AgentCallPtr call = ask(1);
  receive(wire::ErrorMessage{.code = pm_err::E_PMID});
  EXPECT_EQ(call->code, pm_err::E_PMID) << "other requests have their codes";
}

TEST_F(HostedAgentTest, SaysWhatIsWrong) {
  agent_.begin();
  receive(wire::TextMessage{.text = "Cannot find object DSO at \"x\""});
  EXPECT_EQ(agent_.failure(), "Cannot find object DSO at \"x\"");
  EXPECT_TRUE(agent_.host_has_refused());
  agent_.begin();
  EXPECT_FALSE(agent_.host_has_refused());
  receive(wire::ErrorMessage{.code = 7});
  receive(wire::ErrorMessage{.code = 7});  // once is enough
  EXPECT_FALSE(agent_.failure().empty());
}

TEST_F(RemoteAgentTest, ProcessesOfOthersHaveNoHost) {
  agent_.begin();
  receive(wire::TextMessage{.text = "what it likes to see in the log"});
  EXPECT_TRUE(agent_.failure().starts_with("unexpected PDU type")) << agent_.failure();
}

TEST_F(RemoteAgentTest, RequestsWaitForAnAgentThatIsExpected) {
  agent_.expect();
  const AgentCallPtr call = ask(1);
  EXPECT_FALSE(call->done);
  greet();
  EXPECT_FALSE(call->done);
  receive(wire::ErrorMessage{.code = pm_err::E_PMID});
  EXPECT_EQ(call->code, pm_err::E_PMID);
  RemoteAgent other(clock_, {.name = "none", .domain = 1}, {});
  other.expect();
  const AgentCallPtr never = other.ask({.client = 3});
  other.give_up();
  EXPECT_EQ(never->code, pm_err::E_NOAGENT);
  EXPECT_EQ(other.take_answered(), std::vector<uint32_t>{3});
}

TEST_F(RemoteAgentTest, ClientsHaveTheirTurns) {
  greet();
  std::vector<AgentCallPtr> calls;
  for (const uint32_t client : {1u, 1u, 1u, 2u}) calls.push_back(ask(client));
  const int32_t slots[] = {101, 101, 102, 101};  // the second has come between
  for (const int32_t slot : slots) {
    EXPECT_EQ(sent(), fmt::format("DESC_REQ from={} metric=251.0.1\n", slot));
    receive(wire::DescMessage{.desc = {.pmid = kMetric}});
  }
  for (const AgentCallPtr& call : calls) EXPECT_TRUE(call->done && call->code == 0);
  EXPECT_EQ(sent(), "");
}

// The agent is read on before those who asked have taken their answers, and started again.
TEST_F(RemoteAgentTest, AnswersStayAsLongAsSomebodyHasThem) {
  std::vector<AgentCallPtr> calls;
  const std::vector<std::string> texts = {"one", "two", "three", "four"};
  const auto expect_texts = [&] {
    for (size_t i = 0; i < texts.size(); ++i) {
      EXPECT_EQ(std::get<wire::TextMessage>(calls[i]->answer.body).text, texts[i]);
    }
  };
  {
    RemoteAgent other(clock_, {.name = "other", .domain = kDomain}, {});
    std::vector<ByteWriter> pdus(4);
    wire::encode({.body = wire::CredsMessage{.credentials = {{}}}}, pdus[0]);
    for (size_t i = 0; i < texts.size(); ++i) {
      // The second and the third come at once.
      wire::encode({.body = wire::TextMessage{.text = texts[i]}}, pdus[i < 2 ? i + 1 : i]);
    }
    other.begin();
    for (const ByteWriter& pdu : pdus) {
      std::ranges::copy(pdu.written(), other.room().begin());
      other.received(pdu.size());
      while (other.take_connected()) {
        for (uint32_t client = 1; client <= texts.size(); ++client) {
          calls.push_back(other.ask({.client = client,
                                     .request = wire::TextRequest{.ident = kMetric, .kind = 5},
                                     .wanted = wire::PduType::text}));
        }
      }
    }
    expect_texts();
  }
  expect_texts();
}

TEST_F(RemoteAgentTest, AProfileIsSentWhereItIsAnother) {
  greet();
  const auto profile = std::make_shared<SentProfile>();
  wire::encode({.from = 101, .body = wire::ProfileMessage{.context = 1}}, profile->pdu);
  (void)fetch(1, profile);
  EXPECT_TRUE(sent().starts_with("PROFILE from=101"));
  receive_result(1);
  (void)fetch(1, profile);
  EXPECT_TRUE(sent().starts_with("FETCH from=101"));
  receive_result(1, wire::kNamesChanged | wire::kAgentDropped);
  EXPECT_EQ(agent_.take_changes(), wire::kNamesChanged);
  EXPECT_EQ(agent_.take_changes(), 0u);
}

TEST_F(RemoteAgentTest, ALateAgentIsGivenUpAndSoAreItsRequests) {
  greet();
  const AgentCallPtr first = fetch(1, nullptr), second = fetch(2, nullptr);
  clock_.advance(milliseconds(4'999));
  agent_.look_at_time();
  EXPECT_FALSE(first->done);
  clock_.advance(milliseconds(1));
  agent_.look_at_time();
  EXPECT_EQ(first->code, pm_err::E_TIMEOUT);
  EXPECT_TRUE(first->late);
  EXPECT_EQ(second->code, pm_err::E_NOAGENT);
  EXPECT_EQ(agent_.failure(), "protocol failure");
  EXPECT_EQ(agent_.take_changes(), wire::kAgentDropped);
  EXPECT_EQ(ask(1)->code, pm_err::E_NOAGENT);
}

TEST_F(RemoteAgentTest, WithoutALimitItIsWaitedFor) {
  agent_.be_patient(milliseconds(0));
  greet();
  const AgentCallPtr call = fetch(1, nullptr);
  EXPECT_FALSE(agent_.deadline().has_value());
  clock_.advance(std::chrono::hours(24));
  agent_.look_at_time();
  EXPECT_FALSE(call->done);
  receive_result(1);
  EXPECT_EQ(call->code, 0);
  EXPECT_TRUE(agent_.connected());
}

TEST_F(RemoteAgentTest, WhoWaitsForItsTurnTooLongIsToldSoAndTheAgentStays) {
  greet();
  std::vector<AgentCallPtr> calls;
  for (uint32_t client = 1; client <= 3; ++client) calls.push_back(fetch(client, nullptr));
  for (int i = 0; i < 2; ++i) {
    clock_.advance(milliseconds(3'000));
    receive_result(1);
  }
  EXPECT_EQ(calls[0]->code, 0);
  EXPECT_EQ(calls[1]->code, 0);
  EXPECT_EQ(calls[2]->code, pm_err::E_TIMEOUT);
  EXPECT_TRUE(agent_.connected());
}

TEST_F(RemoteAgentTest, SoManyRequestsMayWait) {
  greet();
  (void)ask(1);  // under way
  for (size_t i = 0; i < RemoteAgent::kQueuedMax; ++i) (void)ask(2);
  EXPECT_EQ(ask(3)->code, pm_err::E_AGAIN);
  agent_.forget(2, 102);
  EXPECT_FALSE(ask(3)->done);
}

TEST_F(RemoteAgentTest, NotReadyAndReady) {
  greet();
  const AgentCallPtr first = ask(1), second = ask(2);
  receive(wire::ErrorMessage{.code = pm_err::E_PMDANOTREADY});
  EXPECT_EQ(first->code, pm_err::E_AGAIN);
  EXPECT_EQ(second->code, pm_err::E_AGAIN);
  EXPECT_EQ(ask(3)->code, pm_err::E_AGAIN);
  EXPECT_EQ(agent_.state(), RemoteAgent::State::not_ready);
  receive(wire::ErrorMessage{.code = pm_err::E_PMDAREADY});
  EXPECT_EQ(agent_.state(), RemoteAgent::State::ready);
  EXPECT_EQ(agent_.take_changes(), wire::kAgentAdded);
  EXPECT_FALSE(ask(3)->done);
}

TEST_F(RemoteAgentTest, WhatDoesNotFitEndsIt) {
  const auto fails = [&](const auto& answer) {
    greet();
    const AgentCallPtr call = fetch(1, nullptr);
    answer();
    EXPECT_EQ(call->code, pm_err::E_IPC);
    EXPECT_EQ(agent_.failure(), "protocol failure");
  };
  fails([&] { receive(wire::DescMessage{}); });
  fails([&] { receive_result(2); });
  fails([&] { agent_.ended(); });
  fails([&] {
    ByteWriter noise;
    noise.fill(100, 'x');
    receive_bytes(noise.written());
  });
  greet();
  receive(wire::DescMessage{});  // nobody has asked
  EXPECT_EQ(agent_.failure(), "protocol failure");
}

TEST_F(RemoteAgentTest, SaysWhyItDoesNotGreet) {
  agent_.begin();
  agent_.ended();
  EXPECT_EQ(agent_.failure(), "unexpected end-of-file at initial exchange with bad PMDA");
  agent_.begin();
  receive(wire::DescMessage{});
  EXPECT_EQ(agent_.failure(), "unexpected PDU type (0x7005) at initial exchange with bad PMDA");
  agent_.begin();
  clock_.advance(milliseconds(3'000));
  agent_.look_at_time();
  EXPECT_EQ(agent_.failure(),
            "error at initial PDU exchange with bad PMDA: Timeout waiting for a response from "
            "PMCD");
  EXPECT_TRUE(agent_.failed_at_greeting());
}

TEST_F(RemoteAgentTest, ForgetsClientsAndIntroducesThem) {
  greet({wire::Feature::auth, wire::Feature::container});
  agent_.introduce({.client = 4, .user_id = 0, .group_id = 5, .process_id = 6, .slot = 3});
  const std::string told = sent();
  EXPECT_EQ(std::ranges::count(told, '\n'), 3) << told;
  const AgentCallPtr mine = ask(4), queued = ask(4), other = ask(5);
  (void)sent();
  agent_.forget(4, 3);
  EXPECT_EQ(sent(), "ERROR from=3 code=-12391 (Not Connected)\n");
  EXPECT_TRUE(queued->done);
  receive(wire::DescMessage{.desc = {.pmid = kMetric}});
  EXPECT_TRUE(agent_.take_answered().empty());
  receive(wire::DescMessage{.desc = {.pmid = kMetric}});
  EXPECT_EQ(agent_.take_answered(), std::vector<uint32_t>{5});
}

// Else each client that leaves would wake the processes of all agents.
TEST_F(RemoteAgentTest, HearsOnlyOfTheEndOfClientsThatItKnows) {
  greet();
  agent_.forget(1, 101);
  EXPECT_EQ(sent(), "");
  (void)ask(1);
  receive(wire::DescMessage{.desc = {.pmid = kMetric}});
  (void)sent();
  agent_.forget(2, 102);
  EXPECT_EQ(sent(), "");
  agent_.forget(1, 101);
  EXPECT_EQ(sent(), "ERROR from=101 code=-12391 (Not Connected)\n");
  agent_.forget(3, 101);  // who has the slot next
  EXPECT_EQ(sent(), "");
  (void)ask(3);
  (void)sent();
  agent_.stop("terminated");
  greet();
  agent_.forget(3, 103);
  EXPECT_EQ(sent(), "") << "another process, which knows nobody";
}

// Slots are used again: an agent that keeps who a client is must not take the next one for it.
TEST_F(RemoteAgentTest, TellsOfClientsThatLeftWhileItWasNotReady) {
  greet({wire::Feature::auth});
  agent_.introduce({.client = 4, .user_id = 0, .slot = 3});
  (void)ask(4);
  (void)sent();
  receive(wire::ErrorMessage{.code = pm_err::E_PMDANOTREADY});
  agent_.forget(4, 3);
  EXPECT_EQ(sent(), "");
  receive(wire::ErrorMessage{.code = pm_err::E_PMDAREADY});
  EXPECT_EQ(sent(), "ERROR from=3 code=-12391 (Not Connected)\n");
  receive(wire::ErrorMessage{.code = pm_err::E_PMDANOTREADY});
  EXPECT_FALSE(agent_.failure().empty()) << "nobody has asked";
}

// ---- a session in between

class ForwardingTest : public RemoteAgentTest {
 protected:
  ForwardingTest() {
    core_.set_remotes({&agent_}, {{.domain = kDomain, .name = "bad"},
                                  {.domain = ScriptedAgent::kDomain, .name = "scripted"}});
    core_.set_names(std::vector<NameSpaceTree::NamedLeaf>{
        {.name = "bad.one", .pmid = kMetric},
        {.name = "dyn", .pmid = make_pmid(kDynamicDomain, kDomain, 0)}});
    greet();
    client_.connect();
  }

  CollectorState state_{};
  ScriptedAgent local_;
  CollectorCore core_{clock_, {&local_}, state_};
  ScriptedClient client_{core_, 1};
};

TEST_F(ForwardingTest, MergesAFetchInTheOrderOfTheRequest) {
  client_.start(wire::ProfileMessage{});
  client_.start(wire::FetchRequest{.pmids = {kMetric, ScriptedAgent::kOne, kMetric}});
  EXPECT_TRUE(client_.session().waits());
  const std::string asked = sent();
  EXPECT_NE(asked.find("metrics=[ 251.0.1; 251.0.1;]"), std::string::npos) << asked;
  receive_result(2);
  const std::string answer = client_.rest();
  EXPECT_FALSE(client_.session().waits());
  EXPECT_NE(answer.find("250.0.1"), std::string::npos) << answer;
}

// Blocks whose bytes are as we write them go to the client as they came; padding of others differs.
TEST_F(ForwardingTest, AnswersWithTheResultOfOneAgent) {
  client_.start(wire::ProfileMessage{});
  for (const std::string_view text : {"six", "8 bytes!", "many words"}) {
    client_.start(wire::FetchRequest{.pmids = {kMetric, kMetric}});
    wire::ResultEncoder encoder(wire::PduType::result, {.seconds = wire::kNamesChanged});
    FetchedSet set{.pmid = kMetric, .count = 1, .format = ValueFormat::block};
    set.values = {{.instance = 3,
                   .type = static_cast<uint8_t>(pm_type::string),
                   .block = std::as_bytes(std::span(text))}};
    encoder.add(set);
    encoder.add(kMetric, pm_err::E_VALUE);
    ByteWriter pdu;
    encoder.finish(9, pdu);
    receive_bytes(pdu.written());
    const std::string answer = client_.rest();
    EXPECT_TRUE(answer.starts_with("RESULT from=0 ")) << answer;
    EXPECT_NE(answer.find(text), std::string::npos) << answer;
    EXPECT_EQ(answer.find(" seconds=16 "), std::string::npos) << answer;
  }
}

TEST_F(ForwardingTest, AnswersWhatTheAgentAnswers) {
  client_.start(wire::DescRequest{.pmid = kMetric});
  receive(wire::DescMessage{.desc = {.pmid = kMetric}});
  EXPECT_TRUE(client_.rest().starts_with("DESC from=0 metric=251.0.1"));
  client_.start(wire::TextRequest{.ident = kMetric, .kind = 5});
  receive(wire::TextMessage{.ident = 7, .text = "what it is"});
  EXPECT_NE(client_.rest().find("what it is"), std::string::npos);
  client_.start(wire::NamesMessage{.names = {{.name = "dyn.a.b"}}});
  EXPECT_NE(sent().find("dyn.a.b"), std::string::npos);
  receive(wire::IdsMessage{.resolved = 1, .pmids = {kMetric}});
  EXPECT_NE(client_.rest().find("251.0.1"), std::string::npos);
  client_.start(wire::TraverseRequest{});
  receive(wire::NamesMessage{.names = {{.name = "dyn.x"}, {.name = "dyn.y"}}});
  const std::string names = client_.rest();
  EXPECT_NE(names.find("dyn.y"), std::string::npos) << names;
  EXPECT_NE(names.find("bad.one"), std::string::npos) << names;
}

TEST_F(ForwardingTest, DoesWhatItMay) {
  client_.session().deny(kStoreOperation);
  EXPECT_TRUE(client_.ask(wire::DescRequest{.pmid = ScriptedAgent::kOne}).starts_with("DESC"));
  client_.session().deny(kFetchOperation);
  EXPECT_EQ(client_.ask(wire::DescRequest{.pmid = ScriptedAgent::kOne}),
            "ERROR from=0 code=-12387\n");
}

}  // namespace
}  // namespace pmjit
