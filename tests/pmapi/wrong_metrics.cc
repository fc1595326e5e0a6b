// Names, descriptors, instances, texts, fetches, stores and profiles with wrong arguments.
#include "tests/pmapi/wrong_calls.h"

namespace pmjit {

namespace {

void leaf(const char*) {}
void leaf_of(const char*, void*) {}

}  // namespace

void wrong_names() {
  pmID pmid = 0;
  const char* one[] = {"kernel.all.load"};
  const char* nobody[] = {nullptr};
  char *text = nullptr, **list = nullptr;
  int* status = nullptr;
  WANT(1, pmLookupName(1, one, &pmid));
  WANT(PM_ERR_TOOSMALL, pmLookupName(0, one, &pmid));
  WANT(PM_ERR_TOOSMALL, pmLookupName(-1, one, &pmid));
  WANT(-EINVAL, pmLookupName(1, nullptr, &pmid));
  WANT(-EINVAL, pmLookupName(1, one, nullptr));
  WANT(PM_ERR_NAME, pmLookupName(1, nobody, &pmid));
  WANT(PM_ERR_NAME, pmGetChildren(nullptr, &list));
  WANT(-EINVAL, pmGetChildren("kernel", nullptr));
  WANT(PM_ERR_NAME, pmGetChildrenStatus(nullptr, &list, &status));
  WANT(-EINVAL, pmGetChildrenStatus("kernel", nullptr, &status));
  WANT(PM_ERR_NAME, pmGetChildrenStatus("no.such", &list, nullptr));
  WANT(PM_ERR_PMID, pmNameID(0, &text));
  WANT(PM_ERR_PMID, pmNameID(PM_ID_NULL, &text));
  WANT(-EINVAL, pmNameID(g_known.load, nullptr));
  WANT(PM_ERR_PMID, pmNameAll(0, &list));
  WANT(PM_ERR_PMID, pmNameAll(PM_ID_NULL, &list));
  WANT(-EINVAL, pmNameAll(g_known.load, nullptr));
  WANT(PM_ERR_NAME, pmTraversePMNS(nullptr, leaf));
  WANT(-EINVAL, pmTraversePMNS("kernel", nullptr));
  WANT(PM_ERR_NAME, pmTraversePMNS_r(nullptr, leaf_of, &pmid));
  WANT(-EINVAL, pmTraversePMNS_r("kernel", nullptr, &pmid));
  WANT(1, pmTraversePMNS_r("kernel.all.load", leaf_of, nullptr));
}

void wrong_metrics() {
  pmDesc desc;
  pmID ids[2] = {g_known.load, PM_ID_NULL};
  pmDesc descs[2];
  char *text = nullptr, **list = nullptr;
  int* instances = nullptr;
  struct timeval end;  // where instances are known
  (void)pmGetArchiveEnd(&end);
  (void)pmSetMode(PM_MODE_INTERP, &end, 1000);
  WANT(PM_ERR_PMID_LOG, pmLookupDesc(0, &desc));
  WANT(PM_ERR_PMID_LOG, pmLookupDesc(PM_ID_NULL, &desc));
  WANT(-EINVAL, pmLookupDesc(g_known.load, nullptr));
  WANT(PM_ERR_TOOSMALL, pmLookupDescs(0, ids, descs));
  WANT(PM_ERR_TOOSMALL, pmLookupDescs(-1, ids, descs));
  WANT(-EINVAL, pmLookupDescs(2, nullptr, descs));
  WANT(-EINVAL, pmLookupDescs(2, ids, nullptr));
  WANT(-12379, pmLookupInDom(0, "sda"));
  WANT(PM_ERR_INDOM, pmLookupInDom(PM_INDOM_NULL, "sda"));
  WANT(-EINVAL, pmLookupInDom(g_known.disks, nullptr));
  WANT(-12379, pmLookupInDomArchive(0, "sda"));
  WANT(PM_ERR_INDOM, pmLookupInDomArchive(PM_INDOM_NULL, "sda"));
  WANT(-EINVAL, pmLookupInDomArchive(g_known.disks, nullptr));
  WANT(-12379, pmNameInDom(0, 0, &text));
  WANT(PM_ERR_INDOM, pmNameInDom(PM_INDOM_NULL, 0, &text));
  WANT(-12380, pmNameInDom(g_known.disks, -1, &text));
  WANT(-EINVAL, pmNameInDom(g_known.disks, 0, nullptr));
  WANT(-12379, pmNameInDomArchive(0, 0, &text));
  WANT(PM_ERR_INDOM, pmNameInDomArchive(PM_INDOM_NULL, 0, &text));
  WANT(-12380, pmNameInDomArchive(g_known.disks, -1, &text));
  WANT(-EINVAL, pmNameInDomArchive(g_known.disks, 0, nullptr));
  WANT(-12379, pmGetInDom(0, &instances, &list));
  WANT(PM_ERR_INDOM, pmGetInDom(PM_INDOM_NULL, &instances, &list));
  WANT(-EINVAL, pmGetInDom(g_known.disks, nullptr, &list));
  WANT(-EINVAL, pmGetInDom(g_known.disks, &instances, nullptr));
  WANT(-12379, pmGetInDomArchive(0, &instances, &list));
  WANT(PM_ERR_INDOM, pmGetInDomArchive(PM_INDOM_NULL, &instances, &list));
  WANT(-EINVAL, pmGetInDomArchive(g_known.disks, nullptr, &list));
  WANT(-EINVAL, pmGetInDomArchive(g_known.disks, &instances, nullptr));
  WANT(PM_ERR_TEXT, pmLookupText(0, PM_TEXT_HELP, &text));
  WANT(PM_ERR_TEXT, pmLookupText(PM_ID_NULL, PM_TEXT_HELP, &text));
  WANT(-12369, pmLookupText(g_known.load, 0, &text));
  WANT(-12369, pmLookupText(g_known.load, -1, &text));
  WANT(-EINVAL, pmLookupText(g_known.load, PM_TEXT_HELP, nullptr));
  WANT(PM_ERR_TEXT, pmLookupInDomText(0, PM_TEXT_HELP, &text));
  WANT(PM_ERR_TEXT, pmLookupInDomText(PM_INDOM_NULL, PM_TEXT_HELP, &text));
  WANT(-12369, pmLookupInDomText(g_known.disks, 0, &text));
  WANT(-12369, pmLookupInDomText(g_known.disks, -1, &text));
  WANT(-EINVAL, pmLookupInDomText(g_known.disks, PM_TEXT_HELP, nullptr));
  RETURNS(pmPrintDesc(nullptr, &desc));
  RETURNS(pmPrintDesc(stderr, nullptr));
}

void wrong_fetches() {
  pmID ids[1] = {g_known.load};
  int instances[2] = {1, 2};
  pmResult *result = nullptr, stored{};
  pmHighResResult *fine = nullptr, stored_fine{};
  struct timeval when{.tv_sec = 1, .tv_usec = 0};
  struct timespec fine_when{.tv_sec = 1, .tv_nsec = 0}, step{.tv_sec = 1, .tv_nsec = 0};
  (void)pmSetMode(PM_MODE_FORW, &when, 0);
  WANT(PM_ERR_TOOSMALL, pmFetch(0, ids, &result));
  WANT(PM_ERR_TOOSMALL, pmFetch(-1, ids, &result));
  WANT(-EINVAL, pmFetch(1, nullptr, &result));
  WANT(-EINVAL, pmFetch(1, ids, nullptr));
  WANT(PM_ERR_TOOSMALL, pmFetchHighRes(0, ids, &fine));
  WANT(PM_ERR_TOOSMALL, pmFetchHighRes(-1, ids, &fine));
  WANT(-EINVAL, pmFetchHighRes(1, nullptr, &fine));
  WANT(-EINVAL, pmFetchHighRes(1, ids, nullptr));
  WANT(PM_ERR_TOOSMALL, pmHighResFetch(0, ids, &fine));
  WANT(PM_ERR_TOOSMALL, pmHighResFetch(-1, ids, &fine));
  WANT(-EINVAL, pmHighResFetch(1, nullptr, &fine));
  WANT(-EINVAL, pmHighResFetch(1, ids, nullptr));
  WANT(-EINVAL, pmFetchArchive(nullptr));
  WANT(-EINVAL, pmFetchHighResArchive(nullptr));
  RETURNS(pmFreeResult(nullptr));
  RETURNS(pmFreeHighResResult(nullptr));
  RETURNS(pmSortInstances(nullptr));
  RETURNS(pmSortHighResInstances(nullptr));
  WANT(PM_ERR_MODE, pmSetMode(0, &when, 1000));
  WANT(PM_ERR_MODE, pmSetMode(-1, &when, 1000));
  WANT(0, pmSetMode(PM_MODE_INTERP, nullptr, 1000));
  WANT(0, pmSetMode(PM_MODE_INTERP, &when, 0));
  WANT(0, pmSetMode(PM_MODE_INTERP, &when, -1000));
  WANT(PM_ERR_MODE, pmSetModeHighRes(0, &fine_when, &step));
  WANT(PM_ERR_MODE, pmSetModeHighRes(-1, &fine_when, &step));
  WANT(0, pmSetModeHighRes(PM_MODE_INTERP, nullptr, &step));
  WANT(0, pmSetModeHighRes(PM_MODE_INTERP, &fine_when, nullptr));
  WANT(-EINVAL, pmGetArchiveLabel(nullptr));
  WANT(-EINVAL, pmGetHighResArchiveLabel(nullptr));
  WANT(-EINVAL, pmGetArchiveEnd(nullptr));
  WANT(-EINVAL, pmGetHighResArchiveEnd(nullptr));
  WANT(-EINVAL, pmStore(nullptr));
  WANT(PM_ERR_TOOSMALL, pmStore(&stored));
  WANT(-EINVAL, pmStoreHighRes(nullptr));
  WANT(PM_ERR_TOOSMALL, pmStoreHighRes(&stored_fine));
  WANT(0, pmAddProfile(0, 2, instances));
  WANT(PM_ERR_PROFILESPEC, pmAddProfile(PM_INDOM_NULL, 2, instances));
  WANT(0, pmAddProfile(g_known.disks, 0, instances));
  WANT(-EINVAL, pmAddProfile(g_known.disks, -1, instances));
  WANT(0, pmAddProfile(g_known.disks, 2, nullptr));
  WANT(0, pmDelProfile(0, 2, instances));
  WANT(PM_ERR_PROFILESPEC, pmDelProfile(PM_INDOM_NULL, 2, instances));
  WANT(0, pmDelProfile(g_known.disks, 0, instances));
  // A negative number of instances is none there.
  OURS(-EINVAL, pmDelProfile(g_known.disks, -1, instances));
  WANT(0, pmDelProfile(g_known.disks, 2, nullptr));
  WANT(0, pmAddProfile(PM_INDOM_NULL, 0, nullptr));
}

namespace {

void names_without(int code) {
  pmID pmid = g_known.load;
  const char* one[] = {"kernel.all.load"};
  char *text = nullptr, **list = nullptr;
  int* numbers = nullptr;
  // There it stays the one that another thread has destroyed.
  OURS(PM_ERR_NOCONTEXT, pmWhichContext());
  WANT(PM_ERR_NOCONTEXT, pmDupContext());
  WANT(PM_ERR_NOCONTEXT, pmNewContextZone());
  WANT(code, pmLookupName(1, one, &pmid));
  WANT(PM_ERR_NOPMNS, pmGetChildren("kernel", &list));
  WANT(PM_ERR_NOPMNS, pmGetChildrenStatus("kernel", &list, &numbers));
  WANT(PM_ERR_NOPMNS, pmNameID(pmid, &text));
  WANT(PM_ERR_NOPMNS, pmNameAll(pmid, &list));
  WANT(PM_ERR_NOPMNS, pmTraversePMNS("kernel", leaf));
  WANT(PM_ERR_NOPMNS, pmTraversePMNS_r("kernel", leaf_of, &pmid));
  WANT(PM_ERR_NOPMNS, pmGetPMNSLocation());
  WANT(PM_ERR_NOPMNS, pmTrimNameSpace());
}

void metrics_without() {
  pmID pmid = g_known.load;
  pmDesc desc;
  char *text = nullptr, **list = nullptr;
  int* numbers = nullptr;
  WANT(PM_ERR_NOCONTEXT, pmLookupDesc(pmid, &desc));
  WANT(PM_ERR_NOCONTEXT, pmLookupDescs(1, &pmid, &desc));
  WANT(PM_ERR_NOCONTEXT, pmLookupInDom(g_known.disks, "sda"));
  WANT(PM_ERR_NOCONTEXT, pmLookupInDomArchive(g_known.disks, "sda"));
  WANT(PM_ERR_NOCONTEXT, pmNameInDom(g_known.disks, 0, &text));
  WANT(PM_ERR_NOCONTEXT, pmNameInDomArchive(g_known.disks, 0, &text));
  WANT(PM_ERR_NOCONTEXT, pmGetInDom(g_known.disks, &numbers, &list));
  WANT(PM_ERR_NOCONTEXT, pmGetInDomArchive(g_known.disks, &numbers, &list));
  WANT(PM_ERR_NOCONTEXT, pmLookupText(pmid, PM_TEXT_HELP, &text));
  WANT(PM_ERR_NOCONTEXT, pmLookupInDomText(g_known.disks, PM_TEXT_HELP, &text));
}

void fetches_without() {
  pmID pmid = g_known.load;
  int instances[1] = {0};
  pmResult *result = nullptr, stored{};
  pmHighResResult *fine = nullptr, stored_fine{};
  pmLogLabel label;
  pmHighResLogLabel fine_label;
  struct timeval when{.tv_sec = 1, .tv_usec = 0};
  struct timespec fine_when{.tv_sec = 1, .tv_nsec = 0}, step{.tv_sec = 1, .tv_nsec = 0};
  WANT(PM_ERR_NOCONTEXT, pmFetch(1, &pmid, &result));
  WANT(PM_ERR_NOCONTEXT, pmFetchHighRes(1, &pmid, &fine));
  WANT(PM_ERR_NOCONTEXT, pmHighResFetch(1, &pmid, &fine));
  WANT(PM_ERR_NOCONTEXT, pmFetchArchive(&result));
  WANT(PM_ERR_NOCONTEXT, pmFetchHighResArchive(&fine));
  WANT(PM_ERR_NOCONTEXT, pmSetMode(PM_MODE_INTERP, &when, 1000));
  WANT(PM_ERR_NOCONTEXT, pmSetModeHighRes(PM_MODE_INTERP, &fine_when, &step));
  WANT(PM_ERR_NOCONTEXT, pmGetArchiveLabel(&label));
  WANT(PM_ERR_NOCONTEXT, pmGetHighResArchiveLabel(&fine_label));
  WANT(PM_ERR_NOCONTEXT, pmGetArchiveEnd(&when));
  WANT(PM_ERR_NOCONTEXT, pmGetHighResArchiveEnd(&fine_when));
  stored.numpmid = stored_fine.numpmid = 1;
  pmValueSet set{.pmid = pmid, .numval = 1, .valfmt = PM_VAL_INSITU, .vlist = {}};
  stored.vset[0] = stored_fine.vset[0] = &set;
  WANT(PM_ERR_NOCONTEXT, pmStore(&stored));
  WANT(PM_ERR_NOCONTEXT, pmStoreHighRes(&stored_fine));
  WANT(PM_ERR_NOCONTEXT, pmAddProfile(g_known.disks, 1, instances));
  WANT(PM_ERR_NOCONTEXT, pmDelProfile(g_known.disks, 1, instances));
}

void labels_without() {
  const pmID pmid = g_known.load;
  char buffer[200];
  pmLabelSet* labels = nullptr;
  WANT(PM_ERR_NOCONTEXT, pmGetContextLabels(&labels));
  WANT(PM_ERR_NOCONTEXT, pmGetDomainLabels(60, &labels));
  WANT(PM_ERR_NOCONTEXT, pmGetInDomLabels(g_known.disks, &labels));
  WANT(PM_ERR_NOCONTEXT, pmGetClusterLabels(pmid, &labels));
  WANT(PM_ERR_NOCONTEXT, pmGetItemLabels(pmid, &labels));
  WANT(PM_ERR_NOCONTEXT, pmGetInstancesLabels(g_known.disks, &labels));
  WANT(PM_ERR_NOCONTEXT, pmLookupLabels(pmid, &labels));
  char* message = nullptr;
  WANT(1, pmAddDerived("wrong.own", "1") != nullptr);
  WANT(PM_ERR_NOCONTEXT, pmAddDerivedMetric("wrong.own", "1", &message));
  std::free(message);
  WANT_TEXT("", pmGetContextHostName(pmWhichContext()));
  WANT_TEXT("", pmGetContextHostName_r(pmWhichContext(), buffer, sizeof buffer));
  WANT(0, pmGetHostName(pmWhichContext(), buffer, sizeof buffer));
}

}  // namespace

void without_context(int names) {
  names_without(names);
  metrics_without();
  fetches_without();
  labels_without();
}

}  // namespace pmjit
