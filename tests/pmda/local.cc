// Local contexts (PM_CONTEXT_LOCAL) over an agent that says what it is asked, without PCP.
//
//   pmda_local AGENT FOLDER              a shared object with its suffix, a folder that is made
#include <fcntl.h>
#include <pcp/pmapi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace {

int g_failures = 0;
std::string g_folder, g_agent;
int g_log = -1, g_messages = -1;

void expect(bool holds, const std::string& what) {
  if (holds) return;
  std::printf("FAILED %s\n", what.c_str());
  ++g_failures;
}
#define EXPECT(condition) expect((condition), #condition)

// What was written to the file since the last time.
std::string taken(int file) {
  std::string out;
  char part[4096];
  ::lseek(file, 0, SEEK_SET);
  for (ssize_t bytes = 0; (bytes = ::read(file, part, sizeof part)) > 0;) {
    out.append(part, static_cast<size_t>(bytes));
  }
  (void)::ftruncate(file, 0);
  ::lseek(file, 0, SEEK_SET);
  return out;
}
void expect_asked(const std::string& lines) {
  const std::string said = taken(g_log);
  expect(said == lines, "the agent was asked:\n" + said + "not\n" + lines);
}
void expect_message(const std::string& text) {
  const std::string said = taken(g_messages);
  expect(said.find(text) != std::string::npos, "message: " + said + "not " + text);
}

int open_file(const char* name) {
  return ::open((g_folder + "/" + name).c_str(), O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600);
}

bool specify(const std::string& spec, const std::string& wrong = "") {
  const char* const said = pmSpecLocalPMDA(spec.c_str());
  return wrong.empty() ? said == nullptr : said != nullptr && said == wrong;
}

void prepare() {
  std::filesystem::create_directories(g_folder);
  std::ofstream(g_folder + "/names")
      << "root {\n local\n}\nlocal {\n count 400:0:0\n sets 400:0:1\n"
         " text 400:1:0\n none 401:0:0\n own 400:*:*\n}\n";
  std::ofstream(g_folder + "/pmcd.conf")
      << "# agents\npmcd 2 dso pmcd_init " << g_agent << "\nlocal 400 dso local7_init " << g_agent
      << "\nother 402 pipe binary /nonexistent\n";
  g_log = open_file("log");
  g_messages = open_file("messages");
  ::dup2(g_messages, STDERR_FILENO);
  ::setenv("LOCAL_AGENT_LOG", std::to_string(g_log).c_str(), 1);
  ::setenv("PMNS_DEFAULT", (g_folder + "/names").c_str(), 1);
  ::setenv("PCP_PMCDCONF_PATH", (g_folder + "/pmcd.conf").c_str(), 1);
  ::setenv("PCP_DERIVED_CONFIG", "", 1);
}

pmID id_of(const char* name) {
  pmID out = PM_ID_NULL;
  const int code = pmLookupName(1, &name, &out);
  return code < 0 ? PM_ID_NULL : out;
}

void names() {
  char *name = nullptr, **children = nullptr;
  int *status = nullptr, leaves = 0;
  EXPECT(id_of("local.sets") == pmID_build(400, 0, 1));
  EXPECT(id_of("local.own.sub.b") == pmID_build(400, 5, 2));
  EXPECT(id_of("local.own.no") == PM_ID_NULL);
  EXPECT(pmNameID(pmID_build(400, 5, 1), &name) == 0 && std::string(name) == "local.own.a");
  std::free(name);
  EXPECT(pmNameID(pmID_build(401, 5, 1), &name) == PM_ERR_NOAGENT);
  EXPECT(pmGetChildrenStatus("local.own", &children, &status) == 2);
  EXPECT(std::string(children[1]) == "sub" && status[0] == 0 && status[1] == 1);
  std::free(children);
  std::free(status);
  const auto count = [](const char*, void* to) { ++*static_cast<int*>(to); };
  EXPECT(pmTraversePMNS_r("local", count, &leaves) == 6 && leaves == 6);
  EXPECT(pmGetPMNSLocation() == PMNS_LOCAL);
}

void metadata() {
  pmDesc desc;
  int* ids = nullptr;
  char **instances = nullptr, *text = nullptr;
  const pmInDom indom = pmInDom_build(400, 0);
  EXPECT(pmLookupDesc(pmID_build(400, 0, 1), &desc) == 0 && desc.indom == indom);
  EXPECT(pmLookupDesc(pmID_build(401, 0, 0), &desc) == PM_ERR_NOAGENT);
  EXPECT(pmLookupDesc(pmID_build(400, 7, 7), &desc) == PM_ERR_PMID);
  EXPECT(pmGetInDom(indom, &ids, &instances) == 3 && std::string(instances[2]) == "two more");
  std::free(ids);
  std::free(instances);
  EXPECT(pmLookupInDom(indom, "two") == 2 && pmLookupInDom(indom, "three") == PM_ERR_INST);
  EXPECT(pmNameInDom(indom, 1, &text) == 0 && std::string(text) == "one");
  std::free(text);
  EXPECT(pmGetInDomArchive(indom, &ids, &instances) == PM_ERR_NOTARCHIVE);
  taken(g_log);
  // An empty help text is as good as none.
  EXPECT(pmLookupText(desc.pmid, PM_TEXT_HELP, &text) == 0 && std::string(text) == "one line");
  std::free(text);
  EXPECT(pmLookupInDomText(indom, PM_TEXT_HELP | PM_TEXT_DIRECT, &text) == 0 && *text == '\0');
  std::free(text);
  expect_asked("text 6\ntext 5\ntext 26\n");
  pmLabelSet* sets = nullptr;
  EXPECT(pmGetDomainLabels(400, &sets) == 1 && std::string(sets->json) == "{\"own\":1}");
  pmFreeLabelSets(sets, 1);
  EXPECT(pmGetContextLabels(&sets) == 1 && std::string(sets->json).find("userid") != 0);
  pmFreeLabelSets(sets, 1);
}

void values(int first) {
  pmID pmids[] = {pmID_build(400, 0, 1), pmID_build(401, 0, 0), pmID_build(400, 1, 0)};
  pmResult* result = nullptr;
  const std::string mine = std::to_string(first), next = std::to_string(first + 1);
  EXPECT(pmFetch(3, pmids, &result) == 0);
  EXPECT(result->vset[0]->numval == 3 && result->vset[0]->vlist[2].value.lval == 42);
  EXPECT(result->vset[1]->numval == PM_ERR_NOAGENT && result->vset[2]->numval == 1);
  EXPECT(std::string(result->vset[2]->vlist[0].value.pval->vbuf) == "text");
  pmFreeResult(result);
  expect_asked("profile 0 0 of " + mine + "\nfetch 2 of " + mine + "\n");
  int only = 1;
  EXPECT(pmAddProfile(pmInDom_build(400, 0), 1, &only) == 0);
  EXPECT(pmFetch(1, pmids, &result) == 0 && result->vset[0]->numval == 1);
  expect_asked("profile 0 1 of " + mine + "\nfetch 1 of " + mine + "\n");
  EXPECT(pmStore(result) == 0);
  pmFreeResult(result);
  expect_asked("store 400.0.1 1\n");
  EXPECT(pmFetch(1, &pmids[2], &result) == 0 && pmStore(result) == PM_ERR_PERMISSION);
  pmFreeResult(result);
  taken(g_log);
  // Another context has a profile of its own.
  EXPECT(pmNewContext(PM_CONTEXT_LOCAL, nullptr) == first + 1);
  EXPECT(pmFetch(1, pmids, &result) == 0 && result->vset[0]->numval == 3);
  pmFreeResult(result);
  expect_asked("attribute " + next + " 14 1\nattribute " + next + " 12 1\nattribute " + next +
               " 11 1\nprofile 0 0 of " + next + "\nfetch 1 of " + next + "\n");
  EXPECT(pmDestroyContext(first + 1) == 0);
  expect_asked("end " + next + "\n");
  EXPECT(pmUseContext(first) == 0);
  pmID refused = pmID_build(400, 9, 9);
  EXPECT(pmFetch(1, &refused, &result) == 0 && result->vset[0]->numval == PM_ERR_PERMISSION);
  pmFreeResult(result);
  EXPECT(pmSetMode(PM_MODE_LIVE, nullptr, 0) == PM_ERR_MODE);
}

// One thread has all local contexts.
void other_thread(int context) {
  pmDesc desc;
  EXPECT(pmNewContext(PM_CONTEXT_LOCAL, nullptr) == PM_ERR_THREAD);
  EXPECT(pmUseContext(context) == 0);
  EXPECT(pmLookupDesc(pmID_build(400, 0, 0), &desc) == PM_ERR_THREAD);
  EXPECT(pmDupContext() == PM_ERR_THREAD);
  const char* name = "local.own.a";
  pmID pmid;
  EXPECT(pmLookupName(1, &name, &pmid) == PM_ERR_THREAD);
  EXPECT(!specify("clear"));
}

void specifications() {
  EXPECT(specify("clear,x", "unexpected text after clear op in spec"));
  EXPECT(specify("more", "bad op in spec") && specify("", "bad op in spec"));
  EXPECT(pmSpecLocalPMDA(nullptr) != nullptr);
  EXPECT(specify("add", "expected , after op in spec"));
  EXPECT(specify("add,", "missing domain in spec"));
  EXPECT(specify("add,511,a,b", "bad domain in spec"));
  EXPECT(specify("add,5", "missing dso-path in spec"));
  EXPECT(specify("add,5,a", "missing init-routine in spec"));
  EXPECT(specify("del,,", "missing domain and dso-path in spec"));
  EXPECT(specify("del,7", "__pmLocalPMDA: Unknown or illegal instance domain identifier"));
}

// Agents that cannot be are reported, and left out.
void faults() {
  struct Fault {
    const char *wrong, *entry, *message;
  };
  const Fault all[] = {
      {"status", "local7_init", "failed in DSO \""},
      {"interface", "local7_init", "Error: Unknown PMDA interface version 8 in \""},
      {"pmapi", "local7_init", "Error: Unknown PMAPI version 1 in \""},
      {"", "no_init", "Warning: couldn't find init function \"no_init\" in DSO \""},
      {"", "nothing_init", "Error: \"nothing_init\" has not called pmdaDSO() in \""},
  };
  pmDesc desc;
  for (const Fault& fault : all) {
    ::setenv("LOCAL_AGENT_WRONG", fault.wrong, 1);
    EXPECT(specify("clear") && specify("add,400," + g_agent + "," + fault.entry));
    const int context = pmNewContext(PM_CONTEXT_LOCAL, nullptr);
    expect_message(fault.message);
    EXPECT(context >= 0 && pmLookupDesc(pmID_build(400, 0, 0), &desc) == PM_ERR_NOAGENT);
    EXPECT(pmDestroyContext(context) == 0);
    taken(g_messages);
  }
  EXPECT(specify("add,400,/nonexistent,local7_init") && specify("add,401,/etc/passwd,local7_init"));
  EXPECT(pmDestroyContext(pmNewContext(PM_CONTEXT_LOCAL, nullptr)) == 0);
  const std::string said = taken(g_messages);
  expect(said.find("cannot find DSO at \"/nonexistent.so\" or \"/nonexistent\"") != said.npos,
         said);
  expect(said.find("error attaching DSO \"/etc/passwd\"") != said.npos, said);
  ::setenv("PCP_CONTAINER", "some", 1);
  EXPECT(pmNewContext(PM_CONTEXT_LOCAL, nullptr) == PM_ERR_NYI);
  expect_message("container some: local contexts see the whole machine only");
  ::unsetenv("PCP_CONTAINER");
}

// An agent of the oldest interface: no names of its own, no contexts, no labels.
void oldest() {
  pmLabelSet* sets = nullptr;
  pmID pmid = pmID_build(400, 0, 0);
  pmResult* result = nullptr;
  ::unsetenv("LOCAL_AGENT_WRONG");
  EXPECT(specify("clear") && specify("add,400," + g_agent + ",local2_init"));
  taken(g_log);
  const int context = pmNewContext(PM_CONTEXT_LOCAL, nullptr);
  expect_asked("begin 400 255 2\n");
  EXPECT(pmFetch(1, &pmid, &result) == 0 && result->vset[0]->vlist[0].value.lval == 42);
  pmFreeResult(result);
  expect_asked("profile 0 0 of 0\nfetch 1 of -1\n");
  EXPECT(id_of("local.own.a") == PM_ID_NULL && id_of("local.count") == pmid);
  EXPECT(pmGetDomainLabels(400, &sets) == 1);
  pmFreeLabelSets(sets, 1);
  EXPECT(pmGetItemLabels(pmid, &sets) == 0);
  EXPECT(pmDestroyContext(context) == 0);
  expect_asked("");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  g_agent = argv[1];
  g_folder = argv[2];
  prepare();
  specifications();
  const int context = pmNewContext(PM_CONTEXT_LOCAL, nullptr);
  EXPECT(context >= 0);
  const std::string own = std::to_string(context);
  expect_asked("begin 400 255 2\nattribute " + own + " 14 1\nattribute " + own +
               " 12 1\nattribute " + own + " 11 1\n");
  names();
  metadata();
  values(context);
  std::thread([context] { other_thread(context); }).join();
  EXPECT(pmReconnectContext(context) == context);
  const int copy = pmDupContext();
  EXPECT(copy > context && pmDestroyContext(copy) == 0 && pmDestroyContext(context) == 0);
  faults();
  oldest();
  std::filesystem::remove_all(g_folder);
  return g_failures == 0 ? 0 : 1;
}
