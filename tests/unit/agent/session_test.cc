// What a client is told, PDU by PDU. Codes are those of a real pmcd (wire-protocol.md §7, §12.1).
#include "tests/unit/agent/scripted_agent.h"

namespace pmjit {
namespace {

constexpr const char* kIpc = "ERROR from=0 code=-12366\n";

class SessionTest : public testing::Test {
 protected:
  // Hexadecimal bodies behind a header with the right length.
  std::string ask_raw(uint32_t code, std::vector<uint32_t> words) {
    ByteWriter pdu;
    pdu.u32(static_cast<uint32_t>(12 + 4 * words.size()));
    pdu.u32(code);
    pdu.u32(0);
    for (const uint32_t word : words) pdu.u32(word);
    return client_.ask_bytes(pdu.written());
  }

  FakeClock clock_{{.wall = WallTime(std::chrono::nanoseconds(1'700'000'000'123'456'789))}};
  CollectorState state_{};
  ScriptedAgent agent_;
  CollectorCore core_{clock_, {&agent_}, state_};
  ScriptedClient client_{core_, 1};
};

TEST_F(SessionTest, GreetsAndWantsCreds) {
  ByteWriter out;
  client_.session().greet(out);
  EXPECT_EQ(out.size(), 20u);
  EXPECT_NE(pdus_text(out.written()).find("LABELS|HIGHRES|DESCS"), std::string::npos);
  EXPECT_EQ(client_.ask(wire::DescRequest{.pmid = ScriptedAgent::kOne}),
            "closed: its first PDU is DESC_REQ, and not CREDS with a version\n");
}

TEST_F(SessionTest, RefusesWishesThatItDidNotOffer) {
  const auto wish = [](wire::Feature feature) {
    return wire::CredsMessage{.credentials = {{.wishes = wire::FeatureSet{feature}}}};
  };
  EXPECT_TRUE(
      client_.ask(wish(wire::Feature::secure)).starts_with("ERROR from=0 code=-12391\nclo"));
  EXPECT_TRUE(client_.ask(wish(wire::Feature::auth)).starts_with("ERROR from=0 code=-95\nclosed"));
  EXPECT_TRUE(client_.ask(wish(wire::Feature::labels)).starts_with(kIpc));
  EXPECT_FALSE(client_.session().ready());
  EXPECT_EQ(client_.ask(wish(wire::Feature::creds_required)), "");
  EXPECT_TRUE(client_.session().ready());
  EXPECT_EQ(client_.ask(wire::CredsMessage{.credentials = {wire::Credential{}}}), "");  // again
}

TEST_F(SessionTest, CredsWithoutAVersionAreNoCreds) {
  EXPECT_EQ(client_.ask(wire::CredsMessage{.credentials = {{.type = 9}}}), "");
  EXPECT_TRUE(client_.ask(wire::TraverseRequest{}).starts_with("closed"));
  EXPECT_EQ(ask_raw(0x700C, {}), kIpc);  // short ones are an error, and may be sent again
}

TEST_F(SessionTest, DescribesMetrics) {
  client_.connect();
  EXPECT_TRUE(client_.ask(wire::DescRequest{.pmid = ScriptedAgent::kOne}).starts_with("DESC from"));
  EXPECT_EQ(client_.ask(wire::DescRequest{.pmid = make_pmid(9, 0, 0)}),
            "ERROR from=0 code=-12358\n");
  EXPECT_EQ(client_.ask(wire::DescsRequest{.pmids = {1}}), "ERROR from=0 code=-12358\n");
  const auto both = client_.ask(wire::DescsRequest{.pmids = {1, ScriptedAgent::kMany}});
  EXPECT_TRUE(both.starts_with("DESCS from")) << both;
  EXPECT_EQ(ask_raw(0x7004, {}), kIpc);
  EXPECT_EQ(ask_raw(0x7016, {0, 1, 1}), kIpc);  // −1 has to come first
}

TEST_F(SessionTest, FetchesWhatTheProfileIncludes) {
  client_.connect();
  const wire::FetchRequest request{
      .pmids = {ScriptedAgent::kMany, ScriptedAgent::kOne, ScriptedAgent::kMany}};
  EXPECT_EQ(client_.ask(request), "ERROR from=0 code=-12381\n");  // no profile
  EXPECT_EQ(client_.ask(wire::ProfileMessage{}), "");
  const std::string all = client_.ask(request);
  EXPECT_TRUE(all.starts_with("RESULT from=0")) << all;
  EXPECT_NE(all.find("1700000000"), std::string::npos) << all;
  EXPECT_EQ(agent_.fetches, 1u);
  const wire::ProfileMessage only_green{
      .context = 2,
      .domains = {{.indom = ScriptedAgent::kColours, .excludes = true, .instances = {7, 1}}}};
  EXPECT_EQ(client_.ask(only_green), "");
  EXPECT_EQ(client_.ask(wire::FetchRequest{.context = 1, .pmids = {ScriptedAgent::kOne}}),
            "ERROR from=0 code=-12381\n");
  const std::string green =
      client_.ask(wire::HighresFetchRequest{{.context = 2, .pmids = {ScriptedAgent::kMany}}});
  EXPECT_TRUE(green.starts_with("HIGHRES_RESULT")) << green;
  EXPECT_LT(green.size(), all.size());
  EXPECT_EQ(ask_raw(0x7003, {0, 0, 0, 0}), kIpc);         // no metric
  EXPECT_EQ(ask_raw(0x7003, {0, 0, 0, 1'000, 1}), kIpc);  // fewer than it says
  EXPECT_EQ(ask_raw(0x7003, {UINT32_MAX, 0, 0, 1, 1}), "ERROR from=0 code=-12381\n");
}

TEST_F(SessionTest, AResultHasABound) {
  client_.connect();
  (void)client_.ask(wire::ProfileMessage{});
  agent_.text = std::string(10'000, 'x');
  const auto ask = [&](size_t times) {
    return client_.ask(wire::FetchRequest{.pmids = std::vector<PmId>(times, ScriptedAgent::kText)});
  };
  EXPECT_TRUE(ask(3).starts_with("RESULT"));
  EXPECT_EQ(ask(4'000), "ERROR from=0 code=-12444\n");
  EXPECT_EQ(agent_.fetches, 2u);
}

// Values of a result in the order of the request, by what message_text() says of it.
TEST_F(SessionTest, SaysWhyThereAreNoValues) {
  client_.connect();
  (void)client_.ask(wire::ProfileMessage{});
  agent_.status_of_one = pm_err::E_APPVERSION;
  const std::string text = client_.ask(wire::FetchRequest{
      .pmids = {ScriptedAgent::kOne, make_pmid(250, 1, 1), make_pmid(99, 0, 0)}});
  for (const char* code : {"-12350", "-12358", "-12386"}) {
    EXPECT_NE(text.find(code), std::string::npos) << text;
  }
}

TEST_F(SessionTest, TellsEveryClientOfChangesOnce) {
  client_.connect();
  ScriptedClient other(core_, 2);
  other.connect();
  const wire::FetchRequest request{.pmids = {ScriptedAgent::kOne}};
  for (ScriptedClient* client : {&client_, &other}) (void)client->ask(wire::ProfileMessage{});
  agent_.changes = wire::kNamesChanged;
  EXPECT_TRUE(client_.ask(request).starts_with("ERROR from=0 code=16\nRESULT"));
  EXPECT_TRUE(client_.ask(request).starts_with("RESULT"));
  EXPECT_TRUE(other.ask(request).starts_with("ERROR from=0 code=16\nRESULT"));
}

TEST_F(SessionTest, ListsInstances) {
  client_.connect();
  const InDomId colours = ScriptedAgent::kColours;
  const auto all = client_.ask(wire::InstanceRequest{.indom = colours});
  EXPECT_NE(all.find("green"), std::string::npos) << all;
  const auto name = client_.ask(wire::InstanceRequest{.indom = colours, .instance = 7});
  EXPECT_NE(name.find("blue"), std::string::npos) << name;
  EXPECT_NE(name.find("-1"), std::string::npos) << name;
  const auto number = client_.ask(wire::InstanceRequest{.indom = colours, .name = "green"});
  EXPECT_EQ(number.find("green"), std::string::npos) << number;
  EXPECT_EQ(client_.ask(wire::InstanceRequest{.indom = colours, .instance = 9}),
            "ERROR from=0 code=-12360\n");
  EXPECT_EQ(client_.ask(wire::InstanceRequest{.indom = colours, .instance = 1, .name = "green"}),
            "ERROR from=0 code=-12360\n");
  EXPECT_EQ(client_.ask(wire::InstanceRequest{.indom = make_indom(9, 0)}),
            "ERROR from=0 code=-12359\n");
}

TEST_F(SessionTest, HasTexts) {
  client_.connect();
  const auto of = [&](uint32_t ident, uint32_t kind) {
    return client_.ask(wire::TextRequest{.ident = ident, .kind = kind});
  };
  EXPECT_NE(of(ScriptedAgent::kOne, 5).find("one number"), std::string::npos);
  EXPECT_NE(of(ScriptedAgent::kOne, 6).find("and more of it"), std::string::npos);
  EXPECT_EQ(of(ScriptedAgent::kMany, 6), "ERROR from=0 code=-12349\n");
  EXPECT_NE(of(ScriptedAgent::kColours, 9).find("colours"), std::string::npos);
  EXPECT_EQ(of(ScriptedAgent::kOne, 1), "ERROR from=0 code=-12358\n");
  EXPECT_EQ(of(make_pmid(9, 0, 0), 5), "ERROR from=0 code=-12358\n");
  EXPECT_EQ(of(make_pmid(250, 9, 9), 5), "ERROR from=0 code=-12349\n");
}

TEST_F(SessionTest, AnswersForNames) {
  client_.connect();
  const auto ask = [&](std::vector<wire::NameAndStatus> names) {
    return client_.ask(wire::NamesMessage{.names = std::move(names)});
  };
  EXPECT_TRUE(ask({{.name = "test.one"}, {.name = "x"}}).starts_with("PMNS_IDS"));
  EXPECT_EQ(ask({{.name = "x"}}), "ERROR from=0 code=-12357\n");
  EXPECT_EQ(ask({{.name = "test"}}), "ERROR from=0 code=-12394\n");
  EXPECT_EQ(ask({}), "ERROR from=0 code=-12443\n");
  EXPECT_NE(client_.ask(wire::IdsMessage{.pmids = {ScriptedAgent::kText}}).find("test.deep.text"),
            std::string::npos);
  EXPECT_EQ(client_.ask(wire::IdsMessage{.pmids = {make_pmid(250, 9, 9)}}),
            "ERROR from=0 code=-12358\n");
  EXPECT_EQ(client_.ask(wire::IdsMessage{.pmids = {make_pmid(9, 9, 9)}}),
            "ERROR from=0 code=-12386\n");
  EXPECT_NE(client_.ask(wire::ChildRequest{.subtype = 1, .name = "test"}).find("deep"),
            std::string::npos);
  EXPECT_TRUE(client_.ask(wire::ChildRequest{.name = "test.one"}).starts_with("PMNS_NAMES"));
  EXPECT_EQ(client_.ask(wire::ChildRequest{.name = "root"}), "ERROR from=0 code=-12357\n");
  EXPECT_NE(client_.ask(wire::TraverseRequest{}).find("test.deep.text"), std::string::npos);
}

TEST_F(SessionTest, HasLabels) {
  client_.connect();
  const auto of = [&](uint32_t ident, uint32_t type) {
    return client_.ask(wire::LabelRequest{.ident = ident, .type = type});
  };
  EXPECT_NE(of(kNullId, 1).find("hostname"), std::string::npos);
  EXPECT_NE(of(250, 2).find("scripted"), std::string::npos);
  EXPECT_NE(of(ScriptedAgent::kColours, 4).find("paint"), std::string::npos);
  EXPECT_NE(of(ScriptedAgent::kColours, 32).find("green"), std::string::npos);
  EXPECT_TRUE(of(ScriptedAgent::kOne, 16).starts_with("LABEL from"));
  EXPECT_EQ(of(9, 2), "ERROR from=0 code=-12386\n");
  EXPECT_EQ(of(make_indom(9, 0), 4), "ERROR from=0 code=-12359\n");
  EXPECT_EQ(of(make_pmid(9, 0, 0), 8), "ERROR from=0 code=-12358\n");
}

TEST_F(SessionTest, LabelsOfNoOneLevelHaveNoType) {
  client_.connect();
  EXPECT_EQ(ask_raw(0x7012, {250, 999}), "ERROR from=0 code=-12397\n");
  EXPECT_EQ(ask_raw(0x7012, {250, 3}), "ERROR from=0 code=-12397\n");
}

TEST_F(SessionTest, StoresWhatTheAgentTakes) {
  client_.connect();
  const auto store = [&](std::vector<PmId> pmids) {
    wire::ResultEncoder result(wire::PduType::result, {});
    for (const PmId pmid : pmids) {
      FetchedSet set{.pmid = pmid, .count = 1};
      set.values.push_back({.instance = kSingular, .word = 5});
      result.add(set);
    }
    ByteWriter pdu;
    result.finish(0, pdu);
    return client_.ask_bytes(pdu.written());
  };
  EXPECT_EQ(store({ScriptedAgent::kText}), "ERROR from=0 code=0\n");
  EXPECT_EQ(store({ScriptedAgent::kOne}), "ERROR from=0 code=-12387\n");
  EXPECT_EQ(store({make_pmid(250, 9, 9)}), "ERROR from=0 code=-12387\n");
  EXPECT_EQ(store({make_pmid(9, 0, 0), ScriptedAgent::kText}), "ERROR from=0 code=-12386\n");
  EXPECT_EQ(agent_.stored.size(), 2u);  // the other value was stored all the same
}

TEST_F(SessionTest, RefusesWhatClientsDoNotSend) {
  client_.connect();
  for (const uint32_t code : {0x7000u, 0x7005u, 0x700Au, 0x700Bu, 0x7011u, 0x7015u, 0x7999u}) {
    EXPECT_EQ(ask_raw(code, {0, 0}), kIpc) << code;
  }
  for (int32_t context = 0; context < 64; ++context) {
    EXPECT_EQ(client_.ask(wire::ProfileMessage{.context = context}), "");
  }
  EXPECT_EQ(client_.ask(wire::ProfileMessage{.context = 64}), "ERROR from=0 code=-11\n");
}

}  // namespace
}  // namespace pmjit
