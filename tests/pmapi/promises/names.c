/* The name space, of an archive, of a host and of files. */
#include "parts.h"

#define ARCHIVE_NAMES "meta-v3" /* me.a and me.alias.a are one metric, me.s is another */

static int count_leaves;
static char g_leaves[500];
static void leaf(const char* name) {
  ++count_leaves;
  if (strlen(g_leaves) + strlen(name) + 2 > sizeof g_leaves) return;
  strcat(strcat(g_leaves, name), " ");
}
static int traverse(const char* name) {
  count_leaves = 0;
  g_leaves[0] = '\0';
  return pmTraversePMNS(name, leaf);
}

/* Where the name stands in the list; -1: nowhere. */
static int place_of(const char* name, int count, char** list) {
  for (int i = 0; i < count; ++i)
    if (strcmp(list[i], name) == 0) return i;
  return -1;
}

void promises_children(void) {
  char *untouched = NULL, **list = NULL, **const sentinel = &untouched;
  int *status = NULL, count;
  open_archive(ARCHIVE_NAMES);
  count = pmGetChildren("me", &list);
  PROMISE("pmapi.names.pmGetChildren", count == 3 && place_of("alias", count, list) >= 0 &&
                                           place_of("a", count, list) >= 0 &&
                                           place_of("s", count, list) >= 0);
  for (int i = 0; i < count; ++i) PROMISE("pmapi.names.pmGetChildren", lies_in(list, list[i]));
  free(list);
  count = pmGetChildren("", &list);
  PROMISE("pmapi.names.pmGetChildren.root", count > 0 && place_of("me", count, list) >= 0);
  free(list);
  list = sentinel;
  PROMISE("pmapi.names.pmGetChildren.leaf", pmGetChildren("me.a", &list) == 0 && list == NULL);
  list = sentinel;
  PROMISE("pmapi.names.pmGetChildren.unknown", pmGetChildren("me.no", &list) == PM_ERR_NAME);
  PROMISE_OF_OURS("pmapi.names.pmGetChildren.unknown", list == sentinel); /* PCP's clears it */
  PROMISE("pmapi.names.pmGetChildren.unknown", pmGetChildren("no.such", &list) == PM_ERR_NAME);

  count = pmGetChildrenStatus("me", &list, &status);
  PROMISE("pmapi.names.pmGetChildrenStatus",
          count == 3 && status[place_of("alias", count, list)] == PMNS_NONLEAF_STATUS &&
              status[place_of("a", count, list)] == PMNS_LEAF_STATUS &&
              status[place_of("s", count, list)] == PMNS_LEAF_STATUS);
  PROMISE("pmapi.names.pmGetChildrenStatus", PMNS_LEAF_STATUS == 0 && PMNS_NONLEAF_STATUS == 1);
  PROMISE("pmapi.names.pmGetChildrenStatus", (void*)status != (void*)list);
  free(status);
  free(list);
  count = pmGetChildrenStatus("me", &list, NULL);
  PROMISE("pmapi.names.pmGetChildrenStatus.null", count == 3 && place_of("s", count, list) >= 0);
  free(list);
}

void promises_look_up(void) {
  const char *one[] = {"me.s"}, *mixed[] = {"me.s", "me.no", "me.alias.a", "me"};
  const char* bad[] = {"me.no"};
  const char* groups[] = {"me.alias"};
  const char* both[] = {"me.s", "me.a"};
  pmID ids[4] = {7, 7, 7, 7};
  open_archive(ARCHIVE_NAMES);
  PROMISE("pmapi.names.pmLookupName", pmLookupName(2, both, ids) == 2);
  PROMISE("pmapi.names.pmLookupName",
          ids[0] == pmID_build(245, 7, 1) && ids[1] == pmID_build(245, 7, 0));
  PROMISE("pmapi.names.pmLookupName.partial", pmLookupName(4, mixed, ids) == 2);
  PROMISE("pmapi.names.pmLookupName.partial",
          ids[0] == pmID_build(245, 7, 1) && ids[1] == PM_ID_NULL &&
              ids[2] == pmID_build(245, 7, 0) && ids[3] == PM_ID_NULL);
  PROMISE("pmapi.names.pmLookupName.one_unknown", pmLookupName(1, bad, ids) == PM_ERR_NAME);
  PROMISE("pmapi.names.pmLookupName.nonleaf", pmLookupName(1, groups, ids) == PM_ERR_NONLEAF);
  /* The count alone says how long a list is: what is behind it is not read. */
  const char* with_more[] = {"me.s", (const char*)16};
  PROMISE("pmapi.style.lists", pmLookupName(1, with_more, ids) == 1 && one[0] == with_more[0]);
}

void promises_names_of_metrics(void) {
  char *name = NULL, **names = NULL;
  int count;
  open_archive(ARCHIVE_NAMES);
  PROMISE("pmapi.names.pmNameID", pmNameID(pmID_build(245, 7, 1), &name) == 0);
  PROMISE("pmapi.names.pmNameID", strcmp(name, "me.s") == 0);
  free(name);
  PROMISE("pmapi.names.pmNameID", pmNameID(pmID_build(245, 7, 9), &name) == PM_ERR_PMID);
  count = pmNameAll(pmID_build(245, 7, 0), &names);
  PROMISE("pmapi.names.pmNameAll", count == 2 && place_of("me.a", count, names) >= 0 &&
                                       place_of("me.alias.a", count, names) >= 0);
  PROMISE("pmapi.names.pmNameAll", lies_in(names, names[0]) && lies_in(names, names[1]));
  free(names);
  PROMISE("pmapi.names.pmNameAll", pmNameAll(pmID_build(245, 7, 9), &names) == PM_ERR_PMID);
}

void promises_traversal(void) {
  open_archive(ARCHIVE_NAMES);
  PROMISE("pmapi.names.pmTraversePMNS", traverse("me") == 3 && count_leaves == 3);
  PROMISE("pmapi.names.pmTraversePMNS", strstr(g_leaves, "me.alias.a ") &&
                                            strstr(g_leaves, "me.a ") && strstr(g_leaves, "me.s "));
  PROMISE("pmapi.names.pmTraversePMNS", traverse("") >= 3 && strstr(g_leaves, "me.alias.a "));
  PROMISE("pmapi.names.pmTraversePMNS", traverse("me.no") == PM_ERR_NAME && count_leaves == 0);
  PROMISE("pmapi.names.pmTraversePMNS.leaf", traverse("me.s") == 1);
  PROMISE("pmapi.names.pmTraversePMNS.leaf", strcmp(g_leaves, "me.s ") == 0);
  /* Of a deeper tree: all of a subtree before what is beside it. */
  pmLoadNameSpace(write_file("deep",
                             "root {\n a\n b\n}\na {\n c\n f 29:0:3\n}\na.c {\n d 29:0:1\n"
                             " e 29:0:2\n}\nb {\n g 29:0:4\n}\n"));
  traverse("");
  PROMISE("pmapi.names.pmTraversePMNS",
          strstr(g_leaves, "a.c.d a.c.e ") && strstr(g_leaves, "a.f ") && strstr(g_leaves, "b.g "));
  const char *inner = strstr(g_leaves, "a.c.d"), *last = strstr(g_leaves, "b.g");
  const char* between = strstr(g_leaves, "a.f");
  PROMISE("pmapi.names.pmTraversePMNS", (inner < last) == (between < last));
}

/* The Guide's example: metrics of several clusters may stand in one node. */
void promises_syntax_of_names(void) {
  PROMISE("pmns.alternate",
          pmLoadNameSpace(write_file("simple",
                                     "root { simple }\nsimple {\n numfetch 253:0:0\n"
                                     " color 253:0:1\n usertime 253:1:2\n"
                                     " systime 253:1:3\n now 253:2:4\n}\n")) >= 0);
  PROMISE("pmns.alternate", id_of("simple.usertime") == pmID_build(253, 1, 2) &&
                                id_of("simple.systime") == pmID_build(253, 1, 3) &&
                                id_of("simple.color") == pmID_build(253, 0, 1));
  PROMISE("pmns.syntax", traverse("simple") == 5 && traverse("") >= 5);
  pmUnloadNameSpace();
}

static void load_wrong(void) {
  const char* path = write_file("wrong", "root {\n mine\n}\nmine {\n one 29:0\n}\n");
  PROMISE("pmapi.names.pmLoadNameSpace", pmLoadNameSpace(path) == PM_ERR_PMNS);
}

void promises_files(void) {
  const char *path = write_file("names", "root {\n mine\n}\nmine {\n one 29:0:1\n}\n"), *name;
  pmID pmid = 0;
  char* said;
  open_archive(ARCHIVE_NAMES);
  PROMISE("pmapi.names.pmGetPMNSLocation", pmGetPMNSLocation() == PMNS_ARCHIVE);
  pmUnloadNameSpace();
  PROMISE("pmapi.names.pmUnloadNameSpace", traverse("me") == 3);
  PROMISE("pmapi.names.pmLoadNameSpace", pmLoadNameSpace(path) >= 0);
  PROMISE("pmapi.names.pmGetPMNSLocation", pmGetPMNSLocation() == PMNS_LOCAL);
  name = "mine.one";
  PROMISE("pmapi.names.pmLoadNameSpace",
          pmLookupName(1, &name, &pmid) == 1 && pmid == pmID_build(29, 0, 1));
  PROMISE("pmapi.names.distributed", traverse("me") == PM_ERR_NAME && traverse("mine") == 1);
  PROMISE("pmapi.names.pmLoadNameSpace", pmLoadNameSpace(path) == PM_ERR_DUPPMNS);
  pmUnloadNameSpace();
  PROMISE("pmapi.names.pmUnloadNameSpace", traverse("mine") == PM_ERR_NAME && traverse("me") == 3);
  said = said_by(load_wrong);
  PROMISE("pmapi.names.pmLoadNameSpace",
          strstr(said, "/wrong:6] Error Parsing ASCII PMNS: Illegal PMID") && strstr(said, "29:0"));
  free(said);
  pmUnloadNameSpace();
  setenv("PMNS_DEFAULT", path, 1);
  PROMISE("pmapi.names.pmLoadNameSpace.default", pmLoadNameSpace(PM_NS_DEFAULT) >= 0);
  PROMISE("pmapi.names.pmLoadNameSpace.default", traverse("mine") == 1);
  pmUnloadNameSpace();
  unsetenv("PMNS_DEFAULT"); /* then PCP_VAR_DIR/pmns/root, which the test has made */
  PROMISE("pmapi.names.pmLoadNameSpace.default", pmLoadNameSpace(PM_NS_DEFAULT) >= 0);
  PROMISE("pmapi.names.pmLoadNameSpace.default", traverse("default") == 1);
}

void promises_sources_of_names(void) {
  const int host = open_host(), archive = open_archive(ARCHIVE_NAMES);
  PROMISE("pmapi.names.pmGetPMNSLocation", pmUseContext(host) == 0);
  PROMISE("pmapi.names.pmGetPMNSLocation", pmGetPMNSLocation() == PMNS_REMOTE);
  PROMISE("pmapi.names.distributed",
          traverse("simple") > 0 && id_of("simple.numfetch") == pmID_build(253, 0, 0));
  PROMISE("pmapi.names.distributed", traverse("me") == PM_ERR_NAME);
  pmUseContext(archive);
  PROMISE("pmapi.names.distributed", traverse("simple") == PM_ERR_NAME && traverse("me") == 3);
}

void promises_without_names(void) {
  const char* name = "me.s";
  char **list = NULL, *one = NULL;
  pmID pmid = 0;
  PROMISE("pmapi.names.nopmns", pmLookupName(1, &name, &pmid) == PM_ERR_NOPMNS);
  PROMISE("pmapi.names.nopmns", pmGetChildren("", &list) == PM_ERR_NOPMNS);
  PROMISE("pmapi.names.nopmns", pmNameID(29, &one) == PM_ERR_NOPMNS);
  PROMISE("pmapi.names.nopmns", pmNameAll(29, &list) == PM_ERR_NOPMNS);
  PROMISE("pmapi.names.nopmns", traverse("") == PM_ERR_NOPMNS);
  PROMISE("pmapi.names.nopmns", pmGetPMNSLocation() == PM_ERR_NOPMNS);
}
