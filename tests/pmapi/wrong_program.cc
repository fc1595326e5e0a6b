// Contexts, derived metrics, fetch groups, labels, options, messages and strings with wrong
// arguments.
#include "tests/pmapi/wrong_calls.h"

namespace pmjit {

void wrong_contexts() {
  char room[PM_MAX_HOSTNAMELEN];
  const int gone = pmNewContext(PM_CONTEXT_ARCHIVE, g_known.archive);
  (void)pmDestroyContext(gone);
  (void)pmUseContext(g_known.context);
  WANT(PM_ERR_NOCONTEXT, pmNewContext(0, g_known.archive));
  WANT(PM_ERR_NOCONTEXT, pmNewContext(-2, g_known.archive));
  WANT(PM_ERR_NOCONTEXT, pmNewContext(PM_CONTEXT_ARCHIVE, nullptr));
  WANT(PM_ERR_LOGFILE, pmNewContext(PM_CONTEXT_ARCHIVE, ""));
  WANT(-2, pmNewContext(PM_CONTEXT_ARCHIVE, "no/such/archive"));
  WANT(-12369, pmNewContext(PM_CONTEXT_HOST, ""));
  for (const int handle : {-1, 12345, gone}) {
    WANT(PM_ERR_NOCONTEXT, pmUseContext(handle));
    WANT(PM_ERR_NOCONTEXT, pmDestroyContext(handle));
    WANT(PM_ERR_NOCONTEXT, pmReconnectContext(handle));
    WANT_TEXT("", pmGetContextHostName(handle));
    WANT_TEXT("", pmGetContextHostName_r(handle, room, sizeof room));
    WANT(0, pmGetHostName(handle, room, sizeof room));
  }
  WANT_TEXT(nullptr, pmGetContextHostName_r(g_known.context, nullptr, sizeof room));
  RETURNS(pmGetContextHostName_r(g_known.context, room, 0));
  RETURNS(pmGetContextHostName_r(g_known.context, room, -1));
  WANT(0, pmGetHostName(g_known.context, nullptr, sizeof room));
  WANT(0, pmGetHostName(g_known.context, room, 0));
  WANT(0, pmGetHostName(g_known.context, room, -1));
  WANT(1, pmSpecLocalPMDA(nullptr) != nullptr);
  WANT_TEXT("bad op in spec", pmSpecLocalPMDA("nonsense"));
  WANT(-2, pmLoadNameSpace("no/such/file"));
  RETURNS(pmLoadASCIINameSpace(nullptr, 0));  // the default one, if there is any
  pmUnloadNameSpace();
  WANT(-2, pmLoadASCIINameSpace("no/such/file", 0));
  WANT(-2, pmLoadASCIINameSpace("no/such/file", -1));
  pmUnloadNameSpace();
}

void wrong_derived() {
  char* message = nullptr;
  int value = 0;
  WANT(1, pmRegisterDerived(nullptr, "1") != nullptr);
  WANT(1, pmRegisterDerived("wrong.a", nullptr) == nullptr);
  WANT(1, pmRegisterDerived("wrong.a", "((") != nullptr);
  WANT(-1, pmRegisterDerivedMetric(nullptr, "1", &message));
  WANT(-1, pmRegisterDerivedMetric("wrong.b", nullptr, &message));
  WANT(-1, pmRegisterDerivedMetric("wrong.b", "((", nullptr));
  WANT(1, pmAddDerived(nullptr, "1") != nullptr);
  WANT(1, pmAddDerived("wrong.c", nullptr) == nullptr);
  WANT(-EINVAL, pmAddDerivedMetric(nullptr, "1", &message));
  WANT(-EINVAL, pmAddDerivedMetric("wrong.d", nullptr, &message));
  WANT(PM_ERR_BADDERIVE, pmAddDerivedMetric("wrong.d", "((", nullptr));
  WANT(-2, pmLoadDerivedConfig("no/such/file"));
  WANT(PM_ERR_BADDERIVE, pmGetDerivedControl(0, &value));
  WANT(PM_ERR_BADDERIVE, pmGetDerivedControl(-1, &value));
  WANT(-EINVAL, pmGetDerivedControl(PCP_DERIVED_GLOBAL_LIMIT, nullptr));
  WANT(PM_ERR_BADDERIVE, pmSetDerivedControl(0, 1));
  WANT(PM_ERR_BADDERIVE, pmSetDerivedControl(-1, 1));
  WANT(0, pmSetDerivedControl(PCP_DERIVED_DEBUG_EVAL, 0));
  WANT(0, pmSetDerivedControl(PCP_DERIVED_DEBUG_EVAL, -1));
  WANT(0, pmSetDerivedControl(PCP_DERIVED_DEBUG_EVAL, 0));
}

namespace {

// What each call says of a group that is none, or no more: of that the real library reads what is
// freed.
void wrong_group(pmFG group) {
  pmAtomValue atom{};
  int number = 0, codes[2], status = 0;
  unsigned count = 0;
  char* names[2];
  struct timeval time{};
  struct timespec fine{}, times[2];
  OURS(-EINVAL, pmExtendFetchGroup_item(group, "kernel.all.load", nullptr, nullptr, &atom,
                                        PM_TYPE_32, &status));
  OURS(-EINVAL, pmExtendFetchGroup_indom(group, "kernel.all.load", nullptr, codes, names, &atom,
                                         PM_TYPE_32, &number, 1, &count, &status));
  OURS(-EINVAL, pmExtendFetchGroup_event(group, "kernel.all.load", nullptr, "x", nullptr, times,
                                         &atom, PM_TYPE_32, &number, 1, &count, &status));
  OURS(-EINVAL, pmExtendFetchGroup_timestamp(group, &time));
  OURS(-EINVAL, pmExtendFetchGroup_timeval(group, &time));
  OURS(-EINVAL, pmExtendFetchGroup_timespec(group, &fine));
  OURS(-EINVAL, pmGetFetchGroupContext(group));
  OURS(-EINVAL, pmFetchGroup(group));
  OURS(-EINVAL, pmClearFetchGroup(group));
  OURS(-EINVAL, pmDestroyFetchGroup(group));
}

void wrong_items(pmFG group) {
  pmAtomValue atom{};
  int status = 0;
  WANT(-EINVAL,
       pmExtendFetchGroup_item(group, nullptr, nullptr, nullptr, &atom, PM_TYPE_32, &status));
  WANT(PM_ERR_INDOM, pmExtendFetchGroup_item(group, "disk.dev.read", nullptr, nullptr, &atom,
                                             PM_TYPE_32, nullptr));
  WANT(-12380, pmExtendFetchGroup_item(group, "disk.dev.read", "sda", nullptr, nullptr, PM_TYPE_32,
                                       nullptr));
  WANT(-12380,
       pmExtendFetchGroup_item(group, "disk.dev.read", "sda", "instant", &atom, -1, &status));
  WANT(-12380,
       pmExtendFetchGroup_item(group, "disk.dev.read", "sda", "nonsense", &atom, 0, &status));
  WANT(-12380,
       pmExtendFetchGroup_item(group, "disk.dev.read", "no such", nullptr, &atom, 0, &status));
  WANT(0, pmExtendFetchGroup_timestamp(group, nullptr));
  WANT(0, pmExtendFetchGroup_timeval(group, nullptr));
  WANT(0, pmExtendFetchGroup_timespec(group, nullptr));
}

// A group writes to them until it is destroyed.
struct GroupVariables {
  pmAtomValue atoms[2] = {};
  int codes[2] = {}, statuses[2] = {}, status = 0;
  unsigned count = 0;
  char* names[2] = {};
  struct timespec times[2] = {};
};

void wrong_domains(pmFG group, GroupVariables& into) {
  auto& [atoms, codes, statuses, status, count, names, times] = into;
  const char* reads = "disk.dev.read";
  WANT(-EINVAL, pmExtendFetchGroup_indom(group, nullptr, nullptr, codes, names, atoms, PM_TYPE_32,
                                         statuses, 2, &count, &status));
  WANT(0, pmExtendFetchGroup_indom(group, reads, nullptr, nullptr, nullptr, nullptr, 0, nullptr, 2,
                                   nullptr, nullptr));
  WANT(PM_ERR_CONV, pmExtendFetchGroup_indom(group, reads, "nonsense", codes, names, atoms, 0,
                                             statuses, 2, &count, &status));
  WANT(PM_ERR_TYPE, pmExtendFetchGroup_indom(group, reads, nullptr, codes, names, atoms, -1,
                                             statuses, 2, &count, &status));
  WANT(0, pmExtendFetchGroup_indom(group, reads, nullptr, codes, names, atoms, 0, statuses, 0,
                                   &count, &status));
  WANT(-EINVAL, pmExtendFetchGroup_event(group, nullptr, nullptr, reads, nullptr, times, atoms, 0,
                                         statuses, 2, &count, &status));
  WANT(PM_ERR_INDOM, pmExtendFetchGroup_event(group, reads, nullptr, nullptr, nullptr, times, atoms,
                                              0, statuses, 2, &count, &status));
  WANT(-12380, pmExtendFetchGroup_event(group, reads, "sda", reads, "nonsense", nullptr, nullptr, 0,
                                        nullptr, 2, nullptr, nullptr));
  WANT(-12380, pmExtendFetchGroup_event(group, reads, "sda", reads, nullptr, times, atoms, -1,
                                        statuses, 2, &count, &status));
  WANT(-12380, pmExtendFetchGroup_event(group, reads, "sda", reads, nullptr, times, atoms, 0,
                                        statuses, 0, &count, &status));
}

}  // namespace

void wrong_groups() {
  pmFG group = nullptr;
  WANT(-EINVAL, pmCreateFetchGroup(nullptr, PM_CONTEXT_ARCHIVE, g_known.archive));
  WANT(PM_ERR_NOCONTEXT, pmCreateFetchGroup(&group, 0, g_known.archive));
  WANT(PM_ERR_NOCONTEXT, pmCreateFetchGroup(&group, -1, g_known.archive));
  WANT(PM_ERR_NOCONTEXT, pmCreateFetchGroup(&group, PM_CONTEXT_ARCHIVE, nullptr));
  wrong_group(nullptr);
  (void)pmCreateFetchGroup(&group, PM_CONTEXT_ARCHIVE, g_known.archive);
  wrong_items(group);
  GroupVariables into;
  wrong_domains(group, into);
  (void)pmDestroyFetchGroup(group);
  wrong_group(group);
}

void wrong_labels() {
  pmLabelSet* sets = nullptr;
  char room[100], text[] = "{\"a\":1}";
  char* texts[] = {text};
  (void)pmUseContext(g_known.context);
  WANT(-EINVAL, pmGetContextLabels(nullptr));
  WANT(0, pmGetDomainLabels(0, &sets));
  WANT(0, pmGetDomainLabels(-1, &sets));
  WANT(-EINVAL, pmGetDomainLabels(60, nullptr));
  WANT(0, pmGetInDomLabels(0, &sets));
  WANT(0, pmGetInDomLabels(PM_INDOM_NULL, &sets));
  WANT(-EINVAL, pmGetInDomLabels(g_known.disks, nullptr));
  WANT(0, pmGetClusterLabels(0, &sets));
  WANT(0, pmGetClusterLabels(PM_ID_NULL, &sets));
  WANT(-EINVAL, pmGetClusterLabels(g_known.load, nullptr));
  WANT(0, pmGetItemLabels(0, &sets));
  WANT(0, pmGetItemLabels(PM_ID_NULL, &sets));
  WANT(-EINVAL, pmGetItemLabels(g_known.load, nullptr));
  WANT(0, pmGetInstancesLabels(0, &sets));
  WANT(0, pmGetInstancesLabels(PM_INDOM_NULL, &sets));
  WANT(-EINVAL, pmGetInstancesLabels(g_known.disks, nullptr));
  WANT(PM_ERR_PMID_LOG, pmLookupLabels(0, &sets));
  WANT(PM_ERR_PMID_LOG, pmLookupLabels(PM_ID_NULL, &sets));
  WANT(-EINVAL, pmLookupLabels(g_known.load, nullptr));
  WANT(-EINVAL, pmMergeLabels(nullptr, 1, room, sizeof room));
  WANT(-EINVAL, pmMergeLabels(texts, 0, room, sizeof room));
  WANT(-EINVAL, pmMergeLabels(texts, -1, room, sizeof room));
  WANT(-EINVAL, pmMergeLabels(texts, 1, nullptr, sizeof room));
  WANT(-7, pmMergeLabels(texts, 1, room, 0));
  WANT(-7, pmMergeLabels(texts, 1, room, -1));
  pmLabelSet* one[] = {nullptr};
  WANT(-EINVAL, pmMergeLabelSets(nullptr, 1, room, sizeof room, nullptr, nullptr));
  WANT(-EINVAL, pmMergeLabelSets(one, 0, room, sizeof room, nullptr, nullptr));
  WANT(-EINVAL, pmMergeLabelSets(one, -1, room, sizeof room, nullptr, nullptr));
  // Where nothing is written, the room is not looked at there.
  OURS(-EINVAL, pmMergeLabelSets(one, 1, nullptr, sizeof room, nullptr, nullptr));
  WANT(0, pmMergeLabelSets(one, 1, room, 0, nullptr, nullptr));
  WANT(0, pmMergeLabelSets(one, 1, room, -1, nullptr, nullptr));
  RETURNS(pmFreeLabelSets(nullptr, 1));
  RETURNS(pmFreeLabelSets(nullptr, 0));
  RETURNS(pmFreeLabelSets(nullptr, -1));
  RETURNS(pmPrintLabelSets(nullptr, 0, 0, nullptr, 0));
  RETURNS(pmPrintLabelSets(stderr, -1, -1, nullptr, -1));
  RETURNS(pmPrintLabelSets(stderr, 0, PM_LABEL_CONTEXT, nullptr, 1));
}

namespace {

void wrong_strings() {
  char room[4] = "a", *text = nullptr;
  WANT(1, pmsprintf(nullptr, sizeof room, "x"));
  WANT(0, pmsprintf(room, 0, "x"));
  const char* const no_format = nullptr;
  OURS(1, pmsprintf(room, sizeof room, no_format, 1));  // there the length of what was before
  WANT(3, pmsprintf(room, sizeof room, "%s", "too long"));
  WANT(-1, pmstrncpy(nullptr, sizeof room, "x"));
  WANT(-1, pmstrncpy(room, 0, "x"));
  WANT(-1, pmstrncpy(room, sizeof room, nullptr));
  WANT(-1, pmstrncat(nullptr, sizeof room, "x"));
  WANT(-1, pmstrncat(room, 0, "x"));
  WANT(-1, pmstrncat(room, sizeof room, nullptr));
  WANT(0, pmstrlen(nullptr));
  WANT(-1, pmfstring(nullptr, &text));
  WANT(-1, pmfstring(stdin, nullptr));
  WANT(-EINVAL, pmGetUsername(nullptr));
  RETURNS(pmPathSeparator());
  WANT_TEXT(nullptr, pmGetOptionalConfig(nullptr));
  WANT_TEXT(nullptr, pmGetOptionalConfig("PCP_NO_SUCH_NAME"));
  WANT_TEXT(nullptr, pmGetAPIConfig(nullptr));
  WANT_TEXT(nullptr, pmGetAPIConfig("nonsense"));
  WANT_TEXT("", pmGetConfig("PCP_NO_SUCH_NAME"));
  WANT_TEXT("", pmGetConfig(nullptr));
  WANT(PM_ERR_CONV, pmSetDebug(nullptr));
  WANT(PM_ERR_CONV, pmSetDebug("nonsense"));
  WANT(PM_ERR_CONV, pmClearDebug(nullptr));
  WANT(PM_ERR_CONV, pmClearDebug("nonsense"));
}

}  // namespace

void wrong_program() {
  char word[] = "wrong", *words[] = {word, nullptr}, **list = nullptr;
  pmOptions options{};
  int status = 0;
  options.short_options = "";
  WANT(-1, pmGetOptions(0, words, &options));
  WANT(-1, pmGetOptions(-1, words, &options));
  WANT(-1, pmGetOptions(1, nullptr, &options));
  WANT(-1, pmGetOptions(1, words, nullptr));
  WANT(-1, pmgetopt_r(0, words, &options));
  WANT(-1, pmgetopt_r(-1, words, &options));
  WANT(-1, pmgetopt_r(1, nullptr, &options));
  WANT(-1, pmgetopt_r(1, words, nullptr));
  const int gone = pmNewContext(PM_CONTEXT_ARCHIVE, g_known.archive);
  (void)pmDestroyContext(gone);
  (void)pmUseContext(g_known.context);
  for (const int handle : {-1, 12345, gone}) {
    pmOptions fresh{};
    WANT(0, pmGetContextOptions(handle, &fresh));
  }
  WANT(-EINVAL, pmGetContextOptions(g_known.context, nullptr));
  RETURNS(pmUsageMessage(nullptr));
  RETURNS(pmFreeOptions(nullptr));
  WANT(-1, pmprintf(nullptr));
  RETURNS(pmNotifyErr(0, nullptr));
  RETURNS(pmNotifyErr(-1, "%s", "wrong"));
  RETURNS(pmSyslog(-1));
  RETURNS(pmSyslog(0));
  RETURNS(pmNoMem(nullptr, 0, 0));
  RETURNS(pmNoMem("wrong", 1, 0));
  WANT(1, pmOpenLog(nullptr, "no/such/file", stderr, &status) == stderr);
  WANT(1, pmOpenLog("wrong", nullptr, stderr, &status) == stderr);
  WANT(1, pmOpenLog("wrong", "no/such/file", nullptr, &status) == nullptr);
  WANT(1, pmOpenLog("wrong", "no/such/file", stderr, nullptr) == stderr);
  RETURNS(pmSetProgname(nullptr));
  RETURNS(pmSetProgname("wrong_calls"));
  WANT(0, pmDiscoverServices(nullptr, nullptr, &list));
  WANT(-EINVAL, pmDiscoverServices(PM_SERVER_SERVICE_SPEC, nullptr, nullptr));
  wrong_strings();
}

}  // namespace pmjit
