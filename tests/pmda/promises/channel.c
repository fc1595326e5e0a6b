/* Agents as processes: PDUs over pipes and sockets, as pmcd sends them. */
#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "parts.h"

enum { kError = 0x7000, kResult, kProfile, kFetch, kDescRequest, kDesc };
enum { kInstanceRequest = 0x7006, kInstance, kTextRequest, kText };
enum { kCreds = 0x700c, kIds, kNames, kChild, kTraverse, kAttribute };
enum { kLabelRequest = 0x7012, kLabel };
enum { kEnded = 17 }; /* the exit status behind pmdaMain() */

/* What the agent's metrics say, one an item. */
enum item { CHECKS, DONES, RESULTS, CONTEXT, LEFT, ATTRIBUTES, STORED, SOME, ITEMS };
static int g_counts[ITEMS], g_check_code;

static int count_of(pmdaMetric* metric, unsigned instance, pmAtomValue* atom) {
  const unsigned item = pmID_item(metric->m_desc.pmid);
  if (item == SOME) {
    atom->l = 50 + (int)instance;
    return PMDA_FETCH_STATIC;
  }
  atom->l = item == CONTEXT ? pmdaGetContext() : g_counts[item];
  return PMDA_FETCH_STATIC;
}
static int check(void) {
  ++g_counts[CHECKS];
  return g_check_code;
}
static void done(void) { ++g_counts[DONES]; }
static void after_result(pmResult* result) {
  (void)result;
  ++g_counts[RESULTS];
}
static void left(int context) { g_counts[LEFT] = context; }
static int attribute(int context, int key, const char* value, int bytes, pmdaExt* ext) {
  (void)ext;
  if (key == PMDA_ATTR_USERNAME && strcmp(value, "fre") == 0 && bytes == 4)
    g_counts[ATTRIBUTES] += context;
  return 0;
}
static int name_to_id(const char* name, pmID* pmid, pmdaExt* ext) {
  *pmid = pmID_build((unsigned)ext->e_domain, 7, 7);
  return strcmp(name, "own.name") == 0 ? 0 : PM_ERR_NAME;
}

static int names_of_id(pmID pmid, char*** names, pmdaExt* ext) {
  static const char own[] = "own.name";
  if (pmid != pmID_build((unsigned)ext->e_domain, 7, 7)) return PM_ERR_PMID;
  *names = malloc(sizeof(char*) + sizeof own);
  **names = memcpy(*names + 1, own, sizeof own);
  return 1;
}
static int children_of(const char* name, int traverse, char*** names, int** status, pmdaExt* ext) {
  if (strcmp(name, "own") != 0) return PM_ERR_NAME;
  names_of_id(pmID_build((unsigned)ext->e_domain, 7, 7), names, ext);
  if (!traverse) **names += strlen("own.");
  *status = calloc(1, sizeof(int));
  return 1;
}
static int own_text(int ident, int type, char** text, pmdaExt* ext) {
  static char words[] = "own text";
  (void)type, (void)ext;
  *text = words;
  return ident == (int)pmID_build((unsigned)ext->e_domain, 0, 0) ? 0 : PM_ERR_TEXT;
}
static int own_store(pmResult* result, pmdaExt* ext) {
  (void)ext;
  if (pmID_item(result->vset[0]->pmid) != STORED) return PM_ERR_PERMISSION;
  g_counts[STORED] = result->vset[0]->vlist[0].value.lval;
  return 0;
}
static int own_label(int ident, int type, pmLabelSet** set, pmdaExt* ext) {
  if (type == PM_LABEL_ITEM) pmdaAddLabels(set, "{\"own\":1}");
  return pmdaLabel(ident, type, set, ext);
}

static pmdaInstid g_instances[] = {{1, "one"}, {2, "two"}};
static pmdaIndom g_indoms[] = {{0, 2, g_instances}};
static pmdaMetric g_metrics[ITEMS];
static void run_agent(int version, const char* option, char* place, int flags, int check_code) {
  pmdaInterface agent = {.domain = 0};
  pmLongOptions none[] = {PMDA_OPTIONS_END};
  pmdaOptions opts = {.short_options = "pu:i:6:", .long_options = none};
  char* words[] = {"agent", (char*)option, place, NULL};
  for (unsigned i = 0; i < ITEMS; ++i)
    g_metrics[i].m_desc = (pmDesc){PMDA_PMID(0, i), PM_TYPE_32, PM_INDOM_NULL, PM_SEM_INSTANT, {0}};
  g_metrics[SOME].m_desc.indom = 0;
  pmdaDaemon(&agent, version, "test", DOMAIN_OF_TEST, NULL, NULL);
  while (pmdaGetOptions(place ? 3 : 2, words, &opts, &agent) != EOF) continue;
  pmdaSetFetchCallBack(&agent, count_of);
  pmdaSetCheckCallBack(&agent, check);
  pmdaSetDoneCallBack(&agent, done);
  pmdaSetResultCallBack(&agent, after_result);
  agent.version.any.text = own_text;
  agent.version.any.store = own_store;
  if (version >= PMDA_INTERFACE_4) {
    agent.version.four.pmid = name_to_id;
    agent.version.four.name = names_of_id;
    agent.version.four.children = children_of;
  }
  if (version >= PMDA_INTERFACE_5) pmdaSetEndContextCallBack(&agent, left);
  if (version >= PMDA_INTERFACE_6) agent.version.six.attribute = attribute;
  if (version >= PMDA_INTERFACE_7) agent.version.seven.label = own_label;
  pmdaInit(&agent, g_indoms, 1, g_metrics, ITEMS);
  pmdaSetFlags(&agent, flags);
  g_check_code = check_code;
  pmdaConnect(&agent);
  pmdaMain(&agent);
  _exit(kEnded);
}

static pid_t g_child;
static int g_in, g_out;
// True in the child, whose standard input and output are the other ends of both pipes.
static int is_child_of_pipes(int to[2], int from[2]) {
  if (pipe(to) != 0 || pipe(from) != 0) exit(2);
  fflush(stdout);
  if ((g_child = fork()) != 0) return 0;
  dup2(to[0], 0), dup2(from[1], 1);
  close(to[0]), close(to[1]), close(from[0]), close(from[1]);
  return 1;
}
static void start(int version, int flags, int check_code) {
  int to[2], from[2];
  if (is_child_of_pipes(to, from)) run_agent(version, "-p", NULL, flags, check_code);
  close(to[0]), close(from[1]);
  g_out = to[1], g_in = from[0];
}

static unsigned g_words[4000]; /* of the last PDU, its head included */
static char g_bytes[sizeof g_words];
static int take(void) {
  size_t have = 0, wanted = 12;
  while (have < wanted) {
    const ssize_t got = read(g_in, (char*)g_words + have, wanted - have);
    if (got <= 0) return -1;
    have += (size_t)got;
    if (have >= 4) wanted = ntohl(g_words[0]);
    if (wanted > sizeof g_words) return -1;
  }
  memcpy(g_bytes, g_words, wanted);
  for (size_t i = 0; i < wanted / 4; ++i) g_words[i] = ntohl(g_words[i]);
  return (int)g_words[1];
}
/* Sends words behind a header, and bytes behind these. */
static void send_pdu(int type, int from, int count, const unsigned* words, const char* text) {
  unsigned pdu[100];
  const size_t bytes = text ? (strlen(text) + 3) / 4 * 4 : 0, size = 12 + 4 * (size_t)count + bytes;
  memset(pdu, 0, sizeof pdu);
  pdu[0] = htonl((unsigned)size), pdu[1] = htonl((unsigned)type), pdu[2] = htonl((unsigned)from);
  for (int i = 0; i < count; ++i) pdu[3 + i] = htonl(words[i]);
  if (text) memcpy(pdu + 3 + count, text, strlen(text));
  if (write(g_out, pdu, size) != (ssize_t)size) printf("FAILED nobody reads a PDU\n");
}
static void greet(void) { send_pdu(kCreds, 0, 2, (const unsigned[]){1, 0x01020000}, NULL); }
/* The value of an item, as that client asks; -1000: there is none. */
static int asked(int context, unsigned item) {
  const unsigned words[] = {(unsigned)context, 0, 0, 1, pmID_build(DOMAIN_OF_TEST, 0, item)};
  send_pdu(kFetch, context, 5, words, NULL);
  if (take() != kResult || g_words[5] != 1 || (int)g_words[7] != 1) return -1000;
  return (int)g_words[10];
}
static int end(void) {
  int status = 0;
  close(g_out), close(g_in);
  waitpid(g_child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* An agent that listens: a pid and a connection. */
static int dial(const char* option, char* place, const struct sockaddr* address, socklen_t bytes) {
  fflush(stdout);
  if ((g_child = fork()) == 0) run_agent(PMDA_INTERFACE_7, option, place, 0, 0);
  for (int i = 0; i < 200; ++i) {
    g_in = g_out = socket(address->sa_family, SOCK_STREAM, 0);
    if (g_in < 0) return 0;
    if (connect(g_in, address, bytes) == 0) return 1;
    close(g_in);
    usleep(20000);
  }
  return 0;
}
static void promise_socket(const char* option, char* place, const struct sockaddr* address,
                           socklen_t bytes) {
  PROMISE("pmda.setup.pmdaConnect", dial(option, place, address, bytes) && take() == kCreds);
  greet();
  PROMISE("pmda.setup.pmdaConnect", asked(1, DONES) >= 0);
  close(g_in);
  int status = 0;
  waitpid(g_child, &status, 0);
  PROMISE("pmda.pmdaMain.returns", WIFEXITED(status) && WEXITSTATUS(status) == kEnded);
}

void promises_channels(void) {
  start(PMDA_INTERFACE_7, 0, 0);
  PROMISE("pmda.setup.pmdaConnect", take() == kCreds && g_words[3] == 1);
  PROMISE("pmda.setup.pmdaConnect", g_words[4] >> 16 == 0x0102); /* its version */
  greet();
  PROMISE("pmda.setup.pmdaMain", asked(1, RESULTS) == 0 && asked(1, RESULTS) == 1);
  PROMISE("pmda.pmdaMain.returns", end() == kEnded);
  char path[108], port[20];
  snprintf(path, sizeof path, "%s/agent", g_places.folder);
  struct sockaddr_un local = {.sun_family = AF_UNIX};
  snprintf(local.sun_path, sizeof local.sun_path, "%s", path);
  promise_socket("-u", path, (struct sockaddr*)&local, sizeof local);
  const int number = 21000 + (int)getpid() % 9000;
  snprintf(port, sizeof port, "%d", number);
  struct sockaddr_in inet = {.sin_family = AF_INET, .sin_port = htons((uint16_t)number)};
  inet.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  promise_socket("-i", port, (struct sockaddr*)&inet, sizeof inet);
  struct sockaddr_in6 inet6 = {
      .sin6_family = AF_INET6, .sin6_port = 0, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
  const int probe = socket(AF_INET6, SOCK_STREAM, 0);
  if (probe < 0 || bind(probe, (struct sockaddr*)&inet6, sizeof inet6) != 0) return; /* no IPv6 */
  close(probe);
  snprintf(port, sizeof port, "%d", number + 1);
  inet6.sin6_port = htons((uint16_t)(number + 1));
  promise_socket("-6", port, (struct sockaddr*)&inet6, sizeof inet6);
}

void promises_requests(void) {
  start(PMDA_INTERFACE_7, 0, 0);
  take();
  greet();
  const int checks = asked(1, CHECKS), dones = asked(1, DONES);
  PROMISE("pmda.cb.check_done", checks > 0 && asked(1, CHECKS) == checks + 2);
  PROMISE("pmda.cb.check_done", asked(1, DONES) == dones + 2);
  const int results = asked(1, RESULTS);
  PROMISE("pmda.cb.result", results > 0 && asked(1, RESULTS) == results + 1);
  send_pdu(kDescRequest, 0, 1, (const unsigned[]){pmID_build(DOMAIN_OF_TEST, 0, 2)}, NULL);
  PROMISE("pmda.setup.pmdaMain", take() == kDesc && g_words[3] == pmID_build(DOMAIN_OF_TEST, 0, 2));
  send_pdu(kDescRequest, 0, 1, (const unsigned[]){pmID_build(DOMAIN_OF_TEST, 0, 99)}, NULL);
  PROMISE("pmda.setup.pmdaMain", take() == kError && (int)g_words[3] == PM_ERR_PMID);
  PROMISE("pmda.cb.result", asked(1, RESULTS) == results + 2); /* of fetches alone */
  end();
  start(PMDA_INTERFACE_7, 0, PM_ERR_PMDANOTREADY); /* the check call-back refuses all */
  take();
  greet();
  send_pdu(kDescRequest, 0, 1, (const unsigned[]){pmID_build(DOMAIN_OF_TEST, 0, 2)}, NULL);
  PROMISE("pmda.cb.check_done", take() == kError && (int)g_words[3] == PM_ERR_PMDANOTREADY);
  end();
}

void promises_contexts(void) {
  start(PMDA_INTERFACE_6, 0, 0);
  take();
  greet();
  PROMISE("pmda.cb.pmdaGetContext", asked(3, CONTEXT) == 3 && asked(12, CONTEXT) == 12);
  PROMISE("pmda.cb.end_context", asked(3, LEFT) == 0);
  send_pdu(kError, 12, 1, (const unsigned[]){(unsigned)PM_ERR_NOTCONN}, NULL);
  PROMISE("pmda.cb.end_context", asked(3, LEFT) == 12);
  send_pdu(kAttribute, 7, 1, (const unsigned[]){PMDA_ATTR_USERNAME}, "fre");
  PROMISE("pmda.attr", asked(3, ATTRIBUTES) == 7);
  PROMISE("pmda.interface.6", asked(3, ATTRIBUTES) == 7);
  end();
  start(PMDA_INTERFACE_5, 0, 0);
  take();
  greet();
  PROMISE("pmda.interface.5", asked(9, CONTEXT) == 9);
  send_pdu(kError, 9, 1, (const unsigned[]){(unsigned)PM_ERR_NOTCONN}, NULL);
  PROMISE("pmda.interface.5", asked(3, LEFT) == 9);
  end();
}

void promises_changes(void) {
  start(PMDA_INTERFACE_7, PMDA_EXT_NAMES_CHANGE, 0);
  take();
  greet();
  asked(1, DONES);
  PROMISE("pmda.change.PMDA_EXT_NAMES_CHANGE", g_words[3] == PMCD_NAMES_CHANGE);
  asked(1, DONES);
  PROMISE("pmda.change.PMDA_EXT_NAMES_CHANGE", g_words[3] == 0); /* it is told once */
  end();
  start(PMDA_INTERFACE_7, PMDA_EXT_LABEL_CHANGE, 0);
  take();
  greet();
  asked(1, DONES);
  PROMISE("pmda.change.PMDA_EXT_LABEL_CHANGE", g_words[3] == PMCD_LABEL_CHANGE);
  asked(1, DONES);
  PROMISE("pmda.change.PMDA_EXT_LABEL_CHANGE", g_words[3] == 0);
  end();
  start(PMDA_INTERFACE_6, PMDA_EXT_NAMES_CHANGE, 0);
  take();
  greet();
  asked(1, DONES);
  PROMISE("pmda.change.version7", g_words[3] == 0);
  end();
}

/* Names of an agent of this interface: what a request for one is answered with. */
static int answer_to_name(int version) {
  start(version, 0, 0);
  take();
  greet();
  send_pdu(kNames, 0, 4, (const unsigned[]){9, 0, 1, 8}, "own.name");
  const int type = take(), answer = type == kError ? (int)g_words[3] : type;
  send_pdu(kDescRequest, 0, 1, (const unsigned[]){pmID_build(DOMAIN_OF_TEST, 0, 2)}, NULL);
  const int goes_on = take() == kDesc;
  end();
  return goes_on ? answer : -1;
}

void promises_old_interfaces(void) {
  PROMISE("wire.optional_pdus", answer_to_name(PMDA_INTERFACE_2) == PM_ERR_NAME);
  PROMISE("wire.optional_pdus", answer_to_name(PMDA_INTERFACE_3) == PM_ERR_NAME);
  PROMISE("pmda.interface.4", answer_to_name(PMDA_INTERFACE_4) == kIds);
  PROMISE("pmda.dyn.callbacks", answer_to_name(PMDA_INTERFACE_4) == kIds && g_words[3] != 0);
  start(PMDA_INTERFACE_3, 0, 0);
  take();
  greet();
  PROMISE("wire.optional_pdus", asked(1, DONES) >= 0);
  send_pdu(kAttribute, 7, 1, (const unsigned[]){PMDA_ATTR_USERNAME}, "fre");
  PROMISE("wire.optional_pdus", asked(1, ATTRIBUTES) == 0); /* nobody is told, and it goes on */
  for (int type = kIds; type <= kTraverse; ++type) {
    const unsigned of_ids[] = {0, 1, pmID_build(DOMAIN_OF_TEST, 7, 7)};
    if (type == kNames) continue;
    if (type == kIds)
      send_pdu(type, 0, 3, of_ids, NULL);
    else
      send_pdu(type, 0, 2, (const unsigned[]){0, 8}, "own.name");
    PROMISE("wire.optional_pdus",
            take() == kError && (int)g_words[3] == (type == kIds ? PM_ERR_PMID : PM_ERR_NAME));
  }
  end();
}

/* Its set-up has failed: pmdaMain() comes back at the first request. */
static void run_refused(void) {
  pmdaInterface agent = {.domain = 0};
  pmdaDaemon(&agent, PMDA_INTERFACE_7, "test", DOMAIN_OF_TEST, NULL, NULL);
  pmdaSetFetchCallBack(&agent, count_of);
  pmdaInit(&agent, NULL, 0, NULL, 0);
  pmdaConnect(&agent);
  agent.status = PM_ERR_GENERIC;
  pmdaMain(&agent);
  _exit(kEnded);
}

void promises_refused_agents(void) {
  int to[2], from[2];
  if (is_child_of_pipes(to, from)) run_refused();
  close(to[0]), close(from[1]);
  g_out = to[1], g_in = from[0];
  take();
  greet();
  (void)!write(g_out, (const unsigned[]){htonl(16), htonl(kDescRequest), 0, 0}, 16);
  PROMISE("pmda.pmdaMain.returns", take() == -1);
  PROMISE("pmda.pmdaInit.status", end() == kEnded);
}

/* With the flag libpmda the library says what it does. */
static void one_request(void) {
  start(PMDA_INTERFACE_7, 0, 0);
  take();
  greet();
  asked(1, DONES);
  end();
}

void promises_debugging(void) {
  char* said = said_by(one_request);
  PROMISE("debug.libpmda", strstr(said, "Received") == NULL);
  free(said);
  pmSetDebug("libpmda");
  said = said_by(one_request);
  PROMISE("debug.libpmda", strstr(said, "Debug: Received PDU_FETCH\n") != NULL);
  PROMISE("debug.libpmda", strstr(said, "Debug: pmdaConnect: PMDA test: opened pipe") != NULL);
  PROMISE("debug.libpmda", strstr(said, "Info: metric map  = direct\n") != NULL);
  free(said);
}

/* Is it an error with this code? */
static int is_error(int type, int code) { return type == kError && (int)g_words[3] == code; }
static int has_text(const char* text) {
  return memmem(g_bytes, g_words[0], text, strlen(text)) != NULL;
}
#define SEND(type, text, ...) \
  send_pdu(type, 4, sizeof((unsigned[]){__VA_ARGS__}) / 4, (unsigned[]){__VA_ARGS__}, text)

/* Each PDU that pmcd sends to an agent, and its answer. */
void promises_pdus(void) {
  const unsigned some = pmID_build(DOMAIN_OF_TEST, 0, SOME),
                 none = pmID_build(DOMAIN_OF_TEST, 0, 99);
  const unsigned indom = pmInDom_build(DOMAIN_OF_TEST, 0), own = pmID_build(DOMAIN_OF_TEST, 7, 7);
  const unsigned null = PM_IN_NULL, first = pmID_build(DOMAIN_OF_TEST, 0, 0);
  start(PMDA_INTERFACE_7, 0, 0);
  PROMISE("wire.PDU_CREDS", take() == kCreds && g_words[3] == 1 && g_words[4] >> 16 == 0x0102);
  PROMISE("wire.handshake_agent", g_words[1] == kCreds); /* it is the agent who begins */
  greet();
  SEND(kFetch, NULL, 1, 0, 0, 1, some);
  PROMISE("wire.handshake_agent", take() == kResult);
  PROMISE("wire.PDU_FETCH", g_words[5] == 1 && g_words[6] == some && g_words[7] == 2);
  PROMISE("wire.PDU_FETCH", g_words[9] == 1 && g_words[10] == 51 && g_words[11] == 2);
  SEND(kFetch, NULL, 1, 0, 0, 1, none);
  PROMISE("wire.PDU_FETCH", take() == kResult && (int)g_words[7] == PM_ERR_PMID);
  SEND(kProfile, NULL, 1, 0, 1, 0, indom, 1, 1, 0, 2); /* of this domain 2 alone */
  for (int i = 0; i < 2; ++i) {
    SEND(kFetch, NULL, 1, 0, 0, 1, some); /* the next that comes is its answer */
    PROMISE("wire.PDU_PROFILE", take() == kResult && g_words[7] == 1 && g_words[9] == 2);
  }
  SEND(kInstanceRequest, NULL, indom, 0, 0, null, 0);
  PROMISE("wire.PDU_INSTANCE_REQ", take() == kInstance && g_words[3] == indom && g_words[4] == 2);
  PROMISE("wire.PDU_INSTANCE_REQ", has_text("one") && has_text("two"));
  SEND(kInstanceRequest, NULL, indom + 1, 0, 0, null, 0);
  PROMISE("wire.PDU_INSTANCE_REQ", is_error(take(), PM_ERR_INDOM));
  SEND(kDescRequest, NULL, some);
  PROMISE("wire.PDU_DESC_REQ", take() == kDesc && g_words[3] == some && g_words[5] == indom);
  SEND(kTextRequest, NULL, first, PM_TEXT_PMID | PM_TEXT_ONELINE);
  PROMISE("wire.PDU_TEXT_REQ", take() == kText && g_words[4] == 8 && has_text("own text"));
  SEND(kTextRequest, NULL, some, PM_TEXT_PMID | PM_TEXT_ONELINE);
  PROMISE("wire.PDU_TEXT_REQ", is_error(take(), PM_ERR_TEXT));
  SEND(kResult, NULL, 0, 0, 1, pmID_build(DOMAIN_OF_TEST, 0, STORED), 1, 0, null, 77);
  PROMISE("wire.PDU_RESULT", is_error(take(), 0) && asked(1, STORED) == 77);
  SEND(kResult, NULL, 0, 0, 1, first, 1, 0, null, 77);
  PROMISE("wire.PDU_RESULT", is_error(take(), PM_ERR_PERMISSION));
  PROMISE("wire.PDU_ERROR", g_words[0] == 16 && (int)g_words[3] == PM_ERR_PERMISSION);
  SEND(kNames, "own.name", 9, 0, 1, 8);
  PROMISE("wire.PDU_PMNS_NAMES", take() == kIds && g_words[5] == own);
  SEND(kIds, NULL, 0, 1, own);
  PROMISE("wire.PDU_PMNS_IDS", take() == kNames && has_text("own.name"));
  SEND(kChild, "own", 1, 3);
  PROMISE("wire.PDU_PMNS_CHILD", take() == kNames && has_text("name") && !has_text("own.name"));
  SEND(kTraverse, "own", 0, 3);
  PROMISE("wire.PDU_PMNS_TRAVERSE", take() == kNames && has_text("own.name"));
  SEND(kAttribute, "fre", PMDA_ATTR_USERNAME);
  PROMISE("wire.PDU_AUTH", asked(1, ATTRIBUTES) == 4); /* no answer but that to this fetch */
  SEND(kLabelRequest, NULL, first, PM_LABEL_ITEM);
  PROMISE("wire.LABEL_REQ", take() == kLabel && has_text("{\"own\":1}"));
  SEND(kLabelRequest, NULL, indom, PM_LABEL_INDOM);
  PROMISE("wire.LABEL_REQ", take() == kLabel && !has_text("own"));
  end();
}
