// Every function of pcp/pmda.h with arguments that are wrong: the documented error, no crash.
//
//   pmda_misuse
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <pcp/pmapi.h>
#include <pcp/pmda.h>

namespace {

int g_failures = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("FAILED %s\n", what);
  ++g_failures;
}
#define EXPECT(condition) expect((condition), #condition)
#define REFUSED(call) expect((call) < 0, #call)

// Its texts are not there.
int one(pmdaMetric* metric, unsigned int, pmAtomValue* atom) {
  atom->ul = metric->m_desc.type == PM_TYPE_STRING ? 0 : 1;
  return PMDA_FETCH_STATIC;
}

pmdaMetric g_metrics[] = {
    {nullptr, {PMDA_PMID(0, 0), PM_TYPE_U32, PM_INDOM_NULL, PM_SEM_INSTANT, {}}},
    {nullptr, {PMDA_PMID(0, 1), PM_TYPE_NOSUPPORT, PM_INDOM_NULL, PM_SEM_INSTANT, {}}},
    {nullptr, {PMDA_PMID(0, 2), PM_TYPE_STRING, PM_INDOM_NULL, PM_SEM_INSTANT, {}}},
    {nullptr, {PMDA_PMID(0, 3), 99, PM_INDOM_NULL, PM_SEM_INSTANT, {}}},
};

pmdaInterface new_agent(int version) {
  pmdaInterface out{};
  pmdaDaemon(&out, version, "misuse", 249, nullptr, nullptr);
  pmdaSetFetchCallBack(&out, one);
  return out;
}

void misuse_set_up() {
  pmdaDaemon(nullptr, 7, "x", 1, nullptr, nullptr);
  pmdaDSO(nullptr, 7, nullptr, nullptr);
  pmdaInit(nullptr, nullptr, 0, nullptr, 0);
  pmdaConnect(nullptr);
  pmdaMain(nullptr);
  pmdaOpenLog(nullptr);
  pmdaRehash(nullptr, nullptr, 0);
  pmdaSetFlags(nullptr, 1);
  pmdaExtSetFlags(nullptr, 1);
  pmdaSetCommFlags(nullptr, 1);
  pmdaSetData(nullptr, nullptr);
  pmdaExtSetData(nullptr, nullptr);
  EXPECT(pmdaExtGetData(nullptr) == nullptr);
  pmdaSendError(nullptr, 1);
  pmdaInterfaceMoved(nullptr);
  pmdaSetFetchCallBack(nullptr, nullptr);
  pmdaSetResultCallBack(nullptr, nullptr);
  pmdaSetCheckCallBack(nullptr, nullptr);
  pmdaSetDoneCallBack(nullptr, nullptr);
  pmdaSetEndContextCallBack(nullptr, nullptr);
  pmdaSetLabelCallBack(nullptr, nullptr);
  pmdaUsageMessage(nullptr);
  EXPECT(pmdaGetOptions(0, nullptr, nullptr, nullptr) == EOF);
  EXPECT(pmdaGetOpt(0, nullptr, nullptr, nullptr, nullptr) == EOF);
  EXPECT(__pmdaInFd(nullptr) == -1);
  REFUSED(__pmdaMainPDU(nullptr));
  pmdaInterface nothing{};
  pmdaInit(&nothing, nullptr, 0, nullptr, 0);
  EXPECT(nothing.status == PM_ERR_GENERIC);
  pmdaInterface unnamed{};
  pmdaDaemon(&unnamed, PMDA_INTERFACE_7, nullptr, 1, nullptr, nullptr);
  pmdaSetFetchCallBack(&unnamed, one);
  pmdaInit(&unnamed, nullptr, 0, nullptr, 0);
  EXPECT(unnamed.status == 0);
  REFUSED(__pmdaMainPDU(&unnamed));  // not connected
}

void misuse_answers() {
  pmdaInterface agent = new_agent(PMDA_INTERFACE_7);
  pmdaInit(&agent, nullptr, 0, g_metrics, 4);
  EXPECT(agent.status == 0);
  pmdaExt* ext = agent.version.any.ext;
  pmResult* result = nullptr;
  pmInResult* found = nullptr;
  pmDesc desc;
  char* text = nullptr;
  pmLabelSet* set = nullptr;
  pmID ids[] = {g_metrics[0].m_desc.pmid, g_metrics[1].m_desc.pmid, g_metrics[2].m_desc.pmid,
                g_metrics[3].m_desc.pmid, pmID_build(249, 9, 0)};
  REFUSED(pmdaFetch(1, nullptr, &result, ext));
  REFUSED(pmdaFetch(0, ids, &result, ext));
  REFUSED(pmdaFetch(1, ids, nullptr, ext));
  REFUSED(pmdaFetch(1, ids, &result, nullptr));
  EXPECT(pmdaFetch(5, ids, &result, ext) == 0);
  EXPECT(result->vset[0]->numval == 1);
  EXPECT(result->vset[1]->numval == PM_ERR_APPVERSION);
  EXPECT(result->vset[2]->numval == PM_ERR_TYPE);
  EXPECT(result->vset[3]->numval == PM_ERR_TYPE);
  EXPECT(result->vset[4]->numval == PM_ERR_PMID);
  ext->e_resultCallBack(result);
  REFUSED(pmdaDesc(1, nullptr, ext));
  REFUSED(pmdaDesc(1, &desc, nullptr));
  EXPECT(pmdaDesc(pmID_build(249, 9, 0), &desc, ext) == PM_ERR_PMID);
  REFUSED(pmdaInstance(1, -1, nullptr, nullptr, ext));
  EXPECT(pmdaInstance(1, -1, nullptr, &found, ext) == PM_ERR_INDOM);
  EXPECT(pmdaText(1, 5, &text, ext) == PM_ERR_TEXT);
  REFUSED(pmdaText(1, 5, nullptr, ext));
  EXPECT(pmdaStore(nullptr, nullptr) == PM_ERR_PERMISSION);
  EXPECT(pmdaPMID(nullptr, nullptr, nullptr) == PM_ERR_NAME);
  EXPECT(pmdaName(1, nullptr, nullptr) == PM_ERR_PMID);
  EXPECT(pmdaChildren(nullptr, 0, nullptr, nullptr, nullptr) == PM_ERR_NAME);
  EXPECT(pmdaAttribute(0, 0, nullptr, 0, nullptr) == 0);
  REFUSED(pmdaProfile(nullptr, nullptr));
  REFUSED(pmdaLabel(1, PM_LABEL_ITEM, nullptr, ext));
  EXPECT(pmdaLabel(1, 3, &set, ext) == PM_ERR_TYPE);
  REFUSED(pmdaAddLabels(nullptr, "{}"));
  REFUSED(pmdaAddNotes(&set, "%s", "bad"));
  EXPECT(pmdaAddLabelFlags(nullptr, 1) == 0);
  EXPECT(__pmdaCntInst(1, nullptr) == 0 && __pmdaCntInst(1, ext) == 0);
  __pmdaStartInst(1, nullptr);
  EXPECT(__pmdaNextInst(nullptr, ext) == 0);
}

void misuse_names() {
  pmdaNameSpace* tree = nullptr;
  char** names = nullptr;
  int* status = nullptr;
  pmID pmid = 0;
  REFUSED(pmdaTreeCreate(nullptr));
  EXPECT(pmdaTreeCreate(&tree) == 0);
  REFUSED(pmdaTreeInsert(nullptr, 1, "a"));
  REFUSED(pmdaTreeInsert(tree, 1, nullptr));
  REFUSED(pmdaTreeInsert(tree, 1, ""));
  EXPECT(pmdaTreeInsert(tree, 1, "a.b") == 0 && pmdaTreeInsert(tree, 1, "a.b") == 0);
  EXPECT(pmdaTreeInsert(tree, 2, "a.b") == PM_ERR_PMID);
  EXPECT(pmdaTreeInsert(tree, 2, "a") == PM_ERR_PMID);
  EXPECT(pmdaTreePMID(tree, "a", &pmid) == PM_ERR_NAME);
  EXPECT(pmdaTreePMID(tree, nullptr, &pmid) == PM_ERR_NAME);
  EXPECT(pmdaTreeName(tree, 9, &names) == PM_ERR_PMID);
  EXPECT(pmdaTreeName(nullptr, 9, &names) == PM_ERR_PMID);
  EXPECT(pmdaTreeChildren(tree, "", 0, &names, &status) == PM_ERR_NAME);
  EXPECT(pmdaTreeChildren(nullptr, "a", 0, &names, &status) == PM_ERR_NAME);
  EXPECT(pmdaTreeSize(nullptr) == 0 && pmdaTreeSize(tree) == 1);
  pmdaTreeRebuildHash(nullptr, 0);
  pmdaTreeRelease(nullptr);
  pmdaTreeRelease(tree);
  pmdaDynamicPMNS(nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr, nullptr, 0);
  pmdaExtDynamicPMNS("x", nullptr, 1, nullptr, nullptr, nullptr, nullptr, nullptr, 0, nullptr);
  REFUSED(pmdaDynamicSetClusterMask(nullptr, 0));
  REFUSED(pmdaDynamicSetClusterMask("none", 0));
  EXPECT(pmdaDynamicLookupName(nullptr, "x") == nullptr);
  EXPECT(pmdaDynamicLookupPMID(nullptr, 1) == nullptr);
  REFUSED(pmdaDynamicLookupText(1, 5, nullptr, nullptr));
  pmdaDynamicMetricTable(nullptr);
}

void misuse_caches() {
  const pmInDom indom = pmInDom_build(249, 1);
  char* name = nullptr;
  void* data = nullptr;
  int inst = 0;
  REFUSED(pmdaCacheStore(PM_INDOM_NULL, PMDA_CACHE_ADD, "x", nullptr));
  REFUSED(pmdaCacheStore(indom, PMDA_CACHE_ADD, nullptr, nullptr));
  REFUSED(pmdaCacheStore(indom, 77, "x", nullptr));
  REFUSED(pmdaCacheStoreKey(indom, PMDA_CACHE_ADD, nullptr, 0, nullptr, nullptr));
  REFUSED(pmdaCacheLookup(indom, 5, &name, &data));
  REFUSED(pmdaCacheLookupName(indom, nullptr, &inst, &data));
  REFUSED(pmdaCacheLookupKey(indom, nullptr, 0, nullptr, &name, &inst, &data));
  REFUSED(pmdaCacheOp(indom, -1));
  REFUSED(pmdaCachePurge(PM_INDOM_NULL, 1));
  REFUSED(pmdaCachePurgeCallback(PM_INDOM_NULL, 1, nullptr));
  REFUSED(pmdaCacheResize(indom, -5));
  EXPECT(pmdaCacheStore(indom, PMDA_CACHE_ADD, "x", nullptr) == 0);
  EXPECT(pmdaCacheLookup(indom, 0, nullptr, nullptr) == PMDA_CACHE_ACTIVE);
  __pmdaCacheDump(nullptr, indom, 1);
  __pmdaCacheDumpAll(nullptr, 1);
}

void misuse_events() {
  pmAtomValue atom{};
  timeval time{};
  REFUSED(pmdaEventResetArray(-1));
  REFUSED(pmdaEventReleaseArray(99));
  const int array = pmdaEventNewArray(), fine = pmdaEventNewHighResArray();
  REFUSED(pmdaEventAddRecord(array, nullptr, 0));
  REFUSED(pmdaEventAddMissedRecord(array, nullptr, 1));
  REFUSED(pmdaEventAddParam(array, 1, PM_TYPE_32, &atom));  // no record yet
  EXPECT(pmdaEventAddRecord(array, &time, 0) == 0);
  REFUSED(pmdaEventAddParam(array, 1, PM_TYPE_32, nullptr));
  EXPECT(pmdaEventAddParam(array, 1, PM_TYPE_STRING, &atom) == 0);  // NULL is empty
  REFUSED(pmdaEventAddHighResRecord(array, nullptr, 0));
  REFUSED(pmdaEventAddHighResMissedRecord(fine, nullptr, 1));
  REFUSED(pmdaEventAddHighResParam(fine, 1, 99, &atom));
  REFUSED(pmdaEventHighResAddParam(fine, 1, 99, &atom));
  EXPECT(pmdaEventGetAddr(fine) == nullptr && pmdaEventGetHighResAddr(array) == nullptr);
  EXPECT(pmdaEventHighResGetAddr(-1) == nullptr);
  EXPECT(pmdaEventResetHighResArray(fine) == 0 && pmdaEventReleaseHighResArray(fine) == 0);
  REFUSED(pmdaEventNewActiveQueue(nullptr, 1, 1));
  REFUSED(pmdaEventQueueHandle(nullptr));
  const int queue = pmdaEventNewQueue("q", 100);
  char data[] = "x";
  REFUSED(pmdaEventQueueAppend(queue, nullptr, 1, &time));
  REFUSED(pmdaEventQueueAppend(queue, data, 1, nullptr));
  REFUSED(pmdaEventQueueRecords(queue, nullptr, 0, nullptr, nullptr));
  REFUSED(pmdaEventQueueClients(queue, nullptr));
  REFUSED(pmdaEventQueueCounter(-1, &atom));
  REFUSED(pmdaEventQueueBytes(-1, &atom));
  REFUSED(pmdaEventQueueMemory(-1, &atom));
  REFUSED(pmdaEventQueueShutdown(-1));
  REFUSED(pmdaEventClients(nullptr));
  REFUSED(pmdaEventSetFilter(1, queue, nullptr, nullptr, nullptr));
  REFUSED(pmdaEventSetAccess(1, queue, 1));
  EXPECT(pmdaEventNewClient(1) == 0 && pmdaEventEndClient(1) == 0 && pmdaEventEndClient(1) == 0);
  EXPECT(__pmdaEventPrint(nullptr, 1, data, 1) == data);
}

void misuse_help_and_context() {
  REFUSED(pmdaOpenHelp(nullptr));
  EXPECT(pmdaGetHelp(-1, 1, 1) == nullptr && pmdaGetInDomHelp(5, 1, 1) == nullptr);
  pmdaCloseHelp(-1);
  __pmdaSetContext(7);
  EXPECT(pmdaGetContext() == 7);
}

void misuse_root() {
  char name[8];
  int pid = 0, in = 0, out = 0;
  REFUSED(pmdaRootConnect("no/such"));
  EXPECT(pmdaRootContainerHostName(-1, "x", 1, name, sizeof name) == -ENOTCONN);
  REFUSED(pmdaRootContainerHostName(-1, nullptr, 1, name, sizeof name));
  REFUSED(pmdaRootContainerCGroupName(-1, "x", 1, nullptr, 0));
  REFUSED(pmdaRootContainerProcessID(-1, nullptr, -1));
  REFUSED(pmdaRootProcessStart(-1, 1, "x", 1, nullptr, 1, &pid, &in, &out));
  REFUSED(pmdaRootProcessStart(-1, 1, "x", 1, "y", 1, nullptr, &in, &out));
  REFUSED(pmdaRootProcessWait(-1, 1, nullptr));
  REFUSED(pmdaRootProcessTerminate(-1, 1));
  pmdaRootShutdown(-1);
}

}  // namespace

int main() {
  pmSetProgname("misuse");
  misuse_set_up();
  misuse_answers();
  misuse_names();
  misuse_caches();
  misuse_events();
  misuse_help_and_context();
  misuse_root();
  std::printf(g_failures == 0 ? "OK\n" : "%d failed\n", g_failures);
  return g_failures != 0;
}
