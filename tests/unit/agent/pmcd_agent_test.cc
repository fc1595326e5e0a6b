// What the collector says of itself.
#include "agent/pmcd/pmcd_agent.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "runtime/base/local_host.h"
#include "tests/unit/agent/scripted_agent.h"

namespace pmjit {
namespace {

class PmcdAgentTest : public testing::Test {
 protected:
  PmId pmid_of(std::string_view name) { return core_.names().lookup(name).value(); }
  std::string fetched(ScriptedClient& client, std::string_view name) {
    (void)client.ask(wire::ProfileMessage{});
    return client.ask(wire::FetchRequest{.pmids = {pmid_of(name)}});
  }
  std::string store(ScriptedClient& client, std::string_view name, int32_t instance,
                    std::string_view text) {
    const std::string with_end = std::string(text) + '\0';
    FetchedSet set{.pmid = pmid_of(name), .count = 1, .format = ValueFormat::block};
    set.values.push_back({.instance = instance,
                          .type = pm_type::string,
                          .block = std::as_bytes(std::span(with_end))});
    wire::ResultEncoder result(wire::PduType::result, {});
    result.add(set);
    ByteWriter pdu;
    result.finish(0, pdu);
    return client.ask_bytes(pdu.written());
  }

  FakeClock clock_{{.wall = WallTime(std::chrono::seconds(1'700'000'000))}};
  CollectorState state_{.version = "9.8", .build = "test"};
  PmcdAgent pmcd_{state_};
  ScriptedAgent scripted_;
  CollectorCore core_{clock_, {&pmcd_, &scripted_}, state_};
  ScriptedClient client_{core_, 7};
};

TEST_F(PmcdAgentTest, KnowsLoggersAndEnginesThatRun) {
  const std::filesystem::path folder =
      testing::TempDir() + "/pmcd_tools." + std::to_string(getpid());
  std::filesystem::remove_all(folder);
  for (const char* const name : {"pmlogger", "pmie"}) {
    std::filesystem::create_directories(folder / name);
  }
  const std::string own = fmt::format("{}", getpid());
  std::ofstream(folder / "pmlogger" / own) << "4330\nweb1\n/logs/today\n";
  std::filesystem::create_symlink(own, folder / "pmlogger" / "primary");
  std::ofstream(folder / "pmie.pid") << own << "\n";
  std::ofstream(folder / "pmlogger" / "1") << "4330\nweb1\n";                   // ends too early
  std::ofstream(folder / "pmlogger" / "999999999") << "4330\nweb1\n/logs/x\n";  // has ended
  std::string engine(8'292, '\0');
  engine.replace(0, 6, "/rules");
  engine.replace(4'097, 4, "/log");
  engine.replace(8'194, 4, "web2");
  const float expected = 2.5;
  const uint32_t counts[] = {1, 2, 3, 4, 5, 6, 1};
  std::memcpy(engine.data() + 8'260, &expected, sizeof expected);
  std::memcpy(engine.data() + 8'264, counts, sizeof counts);
  std::ofstream(folder / "pmie" / own, std::ios::binary) << engine;
  std::ofstream(folder / "pmie" / "1", std::ios::binary) << engine.substr(4);

  const auto loggers = running_loggers({.temporary = folder});
  ASSERT_EQ(loggers.size(), 2u);
  EXPECT_EQ(loggers.at(getpid()).port, 4'330u);
  const auto engines = running_engines({.temporary = folder, .run = folder});
  ASSERT_EQ(engines.size(), 2u);
  EXPECT_EQ(engines.at(getpid()).log_file, "/log");

  client_.connect();
  EXPECT_TRUE(running_loggers({}).empty());
  pmcd_.read_files_apart({.places = {.temporary = folder, .run = folder}});
  EXPECT_NE(fetched(client_, "pmcd.pmlogger.archive").find("today"), std::string::npos);
  EXPECT_NE(fetched(client_, "pmcd.pmie.pmcd_host").find("web2"), std::string::npos);
  EXPECT_NE(fetched(client_, "pmcd.pmie.eval.actual").find(fmt::format("{}=6", own)),
            std::string::npos)
      << fetched(client_, "pmcd.pmie.eval.actual");
  const auto instances = pmcd_.instances(make_indom(2, 4), {}).value();
  ASSERT_EQ(instances.size(), 2u);
  EXPECT_EQ(instances[0].name, "primary");
  EXPECT_EQ(instances[1].name, own);
  std::filesystem::remove_all(folder);
}

TEST_F(PmcdAgentTest, LabelFilesAreReadWhenAsked) {
  const std::filesystem::path folder = testing::TempDir() + "/labels." + std::to_string(getpid());
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "labels" / "optional");
  const auto write = [&](const char* name, const char* text) {
    std::ofstream(folder / "labels" / name) << text;
  };
  write("10", R"({"rack": {"row": 3, "pos": "b"}, "place": "hq", "parts": [1, 2]})");
  write("20", R"({"place": "branch", "hostname": "another"})");
  write("30", R"({"place": )");
  write("40", R"({"place x": 1})");
  write(".50", R"({"hidden": 1})");
  write("optional/10", R"({"owner": "me"})");
  std::ofstream(folder / "labels.conf") << "[global]\nmachineid_hash = sha256\n";
  state_.label_folder = folder;
  state_.host_name = "web1";
  const std::string json = labels_json(context_labels({}, state_, read_machine_labels(state_)));
  for (const char* const part : {R"("place":"branch")", R"("hostname":"web1")", R"("rack.row":3)",
                                 R"("rack.pos":"b")", R"("parts":[1,2])", R"("owner":"me")"}) {
    EXPECT_NE(json.find(part), std::string::npos) << part << " in " << json;
  }
  EXPECT_EQ(json.find("hidden"), std::string::npos);
  EXPECT_EQ(json.find("machineid\""), std::string::npos);
  EXPECT_EQ(sha256_text("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_text(std::string(119, 'x')).size(), 64u);

  client_.connect();
  core_.read_labels();
  EXPECT_NE(fetched(client_, "pmcd.labels").find("branch"), std::string::npos);
  const auto place = [this] {
    LabelSheets sheets;
    EXPECT_EQ(core_.labels({.ident = 0, .type = 1}, {}, sheets), 0);
    const std::string text(sheets.take_sets().at(0).json);
    return text.substr(text.find("\"place\":"), 16);
  };
  EXPECT_EQ(place(), R"("place":"branch")");
  write("20", R"({"place": "office"})");
  EXPECT_EQ(place(), R"("place":"office")");
  std::filesystem::remove_all(folder / "labels");
  EXPECT_EQ(file_labels(folder).size(), 0u);
  core_.read_labels();
  EXPECT_EQ(core_.take_changes(7) & wire::kLabelsChanged, wire::kLabelsChanged);
  std::filesystem::remove_all(folder);
}

TEST_F(PmcdAgentTest, KnowsItsVersionAgentsAndClients) {
  client_.connect();
  EXPECT_NE(fetched(client_, "pmcd.version").find("\"9.8"), std::string::npos);
  EXPECT_NE(fetched(client_, "pmcd.agent.name").find("scripted"), std::string::npos);
  EXPECT_EQ(state_.clients.size(), 1u);
  {
    ScriptedClient other(core_, 8);
    EXPECT_EQ(state_.clients.size(), 2u);
  }
  EXPECT_EQ(state_.clients.size(), 1u);
  const auto agents = pmcd_.instances(make_indom(2, 3), {}).value();
  ASSERT_EQ(agents.size(), 2u);
  EXPECT_EQ(agents[1].id, 250);
  EXPECT_EQ(pmcd_.instances(make_indom(2, 7), {}).error(), pm_err::E_INDOM);
}

// A zone file that nobody writes to: whoever opens it hangs.
TEST_F(PmcdAgentTest, AFileThatHangsCostsItsOwnValues) {
  const std::string pipe = fmt::format("{}/zone.{}", testing::TempDir(), getpid());
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  setenv("TZ", ":UTC", 1);
  pmcd_.read_files_apart(
      {.patience = std::chrono::milliseconds(200), .places = {.local_time = pipe}});
  const auto index = [&](std::string_view name) {
    const auto found = std::ranges::find(pmcd_.metrics(), name, &AgentMetric::name);
    return static_cast<uint32_t>(found - pmcd_.metrics().begin());
  };
  const std::vector<uint32_t> which = {index("pmcd.timezone"), index("pmcd.pid")};
  const AgentAsker asker{.client = 7};
  ASSERT_TRUE(pmcd_.begin_fetch(which, asker));
  int writer = -1;  // can be opened once the other end is
  while (writer < 0) writer = open(pipe.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  EXPECT_TRUE(pmcd_.fetches(asker)) << "the collector goes on meanwhile";
  std::vector<AgentValues> columns(2);
  std::vector<AgentValues*> out;
  for (size_t i = 0; i < 2; ++i) {
    columns[i].start(pmcd_.metrics()[which[i]].desc);
    out.push_back(&columns[i]);
  }
  pmcd_.fetch(which, asker, out);
  EXPECT_EQ(columns[0].status(), pm_err::E_TIMEOUT);
  EXPECT_EQ(columns[1].status(), 0);
  EXPECT_TRUE(pmcd_.ready());
  EXPECT_EQ(pmcd_.take_notes().size(), 1U);
  close(writer);  // the thread goes on
  unlink(pipe.c_str());
}

TEST_F(PmcdAgentTest, EverythingHasItsTexts) {
  for (const AgentMetric& metric : pmcd_.metrics()) {
    EXPECT_FALSE(metric.text.empty() || metric.help.empty()) << metric.name;
    EXPECT_EQ(metric.text.find('\n'), std::string::npos) << metric.name;
  }
  for (const AgentInDom& indom : pmcd_.indoms()) EXPECT_FALSE(indom.text.empty()) << indom.id;
}

TEST_F(PmcdAgentTest, AClientSaysWhoItIs) {
  client_.connect();
  ScriptedClient other(core_, 8);
  other.connect();
  EXPECT_EQ(store(client_, "pmcd.client.whoami", kSingular, "a test"), "ERROR from=0 code=0\n");
  EXPECT_EQ(state_.clients[7].who, "a test");
  EXPECT_EQ(pmcd_.instances(make_indom(2, 6), {.client = 8}).value().size(), 2u);
  EXPECT_EQ(pmcd_.instances(make_indom(2, 6), {.client = 7}).value().size(), 1u);
  // Not for others, and nothing else.
  EXPECT_EQ(store(client_, "pmcd.client.whoami", 8, "x"), "ERROR from=0 code=-12387\n");
  EXPECT_EQ(store(client_, "pmcd.version", kSingular, "x"), "ERROR from=0 code=-12358\n");
  EXPECT_EQ(store(client_, "pmcd.control.timeout", kSingular, "9"), "ERROR from=0 code=-12387\n");
}

TEST_F(PmcdAgentTest, TheSuperUserControlsIt) {
  const auto stored = [&](std::string_view name, std::vector<StoredItem> items) {
    const auto row = std::ranges::find(pmcd_.metrics(), name, &AgentMetric::name);
    return pmcd_.store(static_cast<uint32_t>(row - pmcd_.metrics().begin()), items,
                       {.client = 7, .user_id = 0u});
  };
  const auto number = [](int32_t instance, uint64_t bits) {
    return StoredItem{.instance = instance, .type = pm_type::u32, .bits = bits};
  };
  state_.agents = {{.domain = 2, .name = "pmcd"}, {.domain = 60, .name = "linux"}};
  // Of all agents, as pmstore does it: the collector's own stays as it is.
  EXPECT_EQ(stored("pmcd.agent.fenced", {number(2, 1), number(60, 1)}), 0);
  EXPECT_FALSE(state_.agents[0].fenced);
  EXPECT_TRUE(state_.agents[1].fenced);
  EXPECT_EQ(stored("pmcd.agent.fenced", {number(2, 0), number(60, 0)}), 0);
  EXPECT_FALSE(state_.agents[1].fenced);
  EXPECT_EQ(stored("pmcd.agent.fenced", {number(61, 1)}), pm_err::E_INST);
  EXPECT_EQ(stored("pmcd.agent.fenced", {number(2, 7)}), pm_err::E_BADSTORE);
  EXPECT_EQ(stored("pmcd.control.debug", {number(kSingular, 3)}), 0);
  EXPECT_EQ(state_.debug, 3);
  EXPECT_EQ(stored("pmcd.control.dumpconn", {number(kSingular, 1)}), 0);
  EXPECT_TRUE(state_.client_table_wanted);
  EXPECT_EQ(stored("pmcd.control.tracepdu", {number(kSingular, 1)}), 0);
  EXPECT_EQ(stored("pmcd.control.tracepdu", {number(kSingular, 2)}), pm_err::E_BADSTORE);
  EXPECT_EQ(state_.traces_pdus, 1);
  EXPECT_EQ(stored("pmcd.control.tracebufs", {number(kSingular, 0)}), pm_err::E_BADSTORE);
  EXPECT_EQ(stored("pmcd.control.dumptrace", {number(kSingular, 1)}), 0);
  EXPECT_TRUE(state_.trace_dump_wanted);
  // Without files there is nothing to read again.
  EXPECT_EQ(stored("pmcd.control.sighup", {number(kSingular, 1)}), pm_err::E_PMID);
  state_.reads_files_again = true;
  EXPECT_EQ(stored("pmcd.control.sighup", {number(kSingular, 1)}), 0);
  EXPECT_TRUE(state_.hang_up_wanted);
}

TEST_F(PmcdAgentTest, TracesTheLastEvents) {
  state_.traces_pdus = state_.traces_connections = 1;
  state_.trace_buffers = 3;
  EventTrace& trace = core_.trace();
  trace.came(7, {.slot = 2, .fd = 12}, "192.0.2.1");
  client_.connect();
  (void)client_.ask(wire::DescRequest{.pmid = ScriptedAgent::kOne});
  clock_.advance(std::chrono::seconds(1));
  trace.went(7);
  const std::string dump = trace.take_dump();
  EXPECT_TRUE(dump.starts_with("\n->PMCD event trace: starting at ")) << dump;
  EXPECT_NE(dump.find("\n->         Recv: DESC_REQ PDU, fd=12\n"
                      "->         Xmit: DESC PDU, fd=12\n->"),
            std::string::npos)
      << dump;
  EXPECT_TRUE(dump.ends_with(" End client: [2] fd=12\n")) << dump;
  EXPECT_EQ(trace.take_dump(), "");
  state_.traces_unbuffered = 1;
  trace.came(8, {.slot = 0, .fd = 4}, "::1");
  const auto lines = trace.take_lines();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(lines.front().ends_with(" New client: [0] addr=::1, fd=4")) << lines.front();
}

TEST_F(PmcdAgentTest, CountsPdus) {
  client_.connect();
  (void)client_.ask(wire::DescRequest{.pmid = ScriptedAgent::kOne});
  (void)client_.ask(wire::DescRequest{.pmid = 1});
  EXPECT_EQ(state_.in.of[4], 2u);   // DESC_REQ
  EXPECT_EQ(state_.out.of[5], 1u);  // DESC
  EXPECT_EQ(state_.out.of[0], 2u);  // the greeting, and an error
  EXPECT_EQ(state_.in.total, 3u);
}

TEST_F(PmcdAgentTest, EveryMetricIsFetched) {
  client_.connect();
  (void)client_.ask(wire::ProfileMessage{});
  wire::HighresFetchRequest all;
  for (const AgentMetric& metric : pmcd_.metrics()) all.pmids.push_back(metric.desc.pmid);
  const std::string text = client_.ask(std::move(all));
  EXPECT_TRUE(text.starts_with("HIGHRES_RESULT")) << text;
}

}  // namespace
}  // namespace pmjit
