/* What answers pmcd: fetches, profiles, instances, texts, caches, names at run time, labels. */
#include "parts.h"

static pmdaInterface g_agent;
static struct tables* g_tables;
static pmdaExt* ext(void) { return g_agent.version.any.ext; }
static void begin(int version) {
  g_tables = new_tables();
  set_up(&g_agent, version, g_tables);
}

void promises_answers(void) {
  pmResult* result = NULL;
  pmDesc desc;
  char *text = NULL, **names = NULL;
  int one[] = {1}, *status = NULL;
  pmID pmid = 0;
  begin(PMDA_INTERFACE_7);
  pmID ids[] = {g_tables->metrics[1].m_desc.pmid, pmID_build(DOMAIN_OF_TEST, 9, 9),
                g_tables->metrics[0].m_desc.pmid};
  PROMISE("pmda.cb.pmdaFetch", pmdaFetch(3, ids, &result, ext()) == 0 && result->numpmid == 3);
  PROMISE("pmda.cb.pmdaFetch", result->vset[0]->numval == 3 && result->vset[2]->numval == 1);
  PROMISE("pmda.cb.pmdaFetch",
          result->vset[0]->vlist[2].inst == 5 && result->vset[0]->vlist[2].value.lval == 45);
  PROMISE("pmda.cb.pmdaFetch", result->vset[1]->numval == PM_ERR_PMID);
  ext()->e_resultCallBack(result);
  pmInDomProfile only = {.indom = g_tables->indoms[0].it_indom,
                         .state = PM_PROFILE_EXCLUDE,
                         .instances_len = 1,
                         .instances = one};
  pmProfile profile = {.state = PM_PROFILE_INCLUDE, .profile_len = 1, .profile = &only};
  PROMISE("pmda.cb.pmdaProfile", pmdaProfile(&profile, ext()) == 0 && ext()->e_prof == &profile);
  PROMISE("pmda.cb.pmdaProfile", fetched(&g_agent, 1, ids, 0) == 1 && g_instance == 1);
  PROMISE("pmda.cb.pmdaProfile", fetched(&g_agent, 1, ids, 0) == 1); /* and in later ones */
  only.state = PM_PROFILE_INCLUDE;
  PROMISE("pmda.cb.pmdaProfile", fetched(&g_agent, 1, ids, 0) == 2);
  PROMISE("pmda.cb.pmdaDesc", pmdaDesc(ids[0], &desc, ext()) == 0 && desc.type == PM_TYPE_U32 &&
                                  desc.indom == g_tables->indoms[0].it_indom);
  PROMISE("pmda.cb.pmdaDesc", pmdaDesc(ids[1], &desc, ext()) == PM_ERR_PMID);
  PROMISE("pmda.cb.pmdaText",
          pmdaText((int)ids[0], PM_TEXT_PMID | PM_TEXT_HELP, &text, ext()) == PM_ERR_TEXT);
  PROMISE("pmda.cb.pmdaStore", pmdaStore(result, ext()) == PM_ERR_PERMISSION);
  PROMISE("pmda.cb.pmdaPMID", pmdaPMID("test.x", &pmid, ext()) == PM_ERR_NAME);
  PROMISE("pmda.cb.pmdaName", pmdaName(ids[0], &names, ext()) == PM_ERR_PMID);
  PROMISE("pmda.cb.pmdaChildren", pmdaChildren("test", 0, &names, &status, ext()) == PM_ERR_NAME);
  PROMISE("pmda.cb.pmdaAttribute", pmdaAttribute(1, PMDA_ATTR_USERID, "7", 2, ext()) == 0);
}

void promises_fetch_codes(void) {
  for (int version = PMDA_INTERFACE_2; version <= PMDA_INTERFACE_7; ++version) {
    begin(version);
    pmID pmid = g_tables->metrics[0].m_desc.pmid;
    const char* const id = version == 2 ? "pmda.cb.fetch_codes_2" : "pmda.cb.fetch_codes_3";
    g_code = 0;
    PROMISE(id, fetched(&g_agent, 1, &pmid, 0) == (version == 2));
    PROMISE("pmda.cb.fetch_args", g_calls == 1 && g_instance == PM_IN_NULL);
    g_code = 1;
    PROMISE(id, fetched(&g_agent, 1, &pmid, 0) == 1);
    g_code = PM_ERR_AGAIN;
    PROMISE(id, fetched(&g_agent, 1, &pmid, 0) == PM_ERR_AGAIN);
    if (version == 2) PROMISE("pmda.interface.2", g_agent.status == 0 && ext()->e_nmetrics == 2);
    g_code = 0;
    if (version == 3) PROMISE("pmda.interface.3", fetched(&g_agent, 1, &pmid, 0) == 0);
  }
}

void promises_instances(void) {
  pmInResult* found = NULL;
  begin(PMDA_INTERFACE_7);
  const pmInDom indom = g_tables->indoms[0].it_indom;
  char first[] = "one", whole[] = "one two", unknown[] = "three";
  PROMISE("pmda.cb.pmdaInstance", pmdaInstance(indom, (int)PM_IN_NULL, NULL, &found, ext()) == 0);
  PROMISE("pmda.cb.pmdaInstance", found->numinst == 3 && found->instlist[2] == 5 &&
                                      strcmp(found->namelist[1], "one two") == 0);
  PROMISE("pmda.cb.pmdaInstance", pmdaInstance(indom, 5, NULL, &found, ext()) == 0 &&
                                      found->numinst == 1 && strcmp(found->namelist[0], "x") == 0);
  PROMISE("pmda.cb.pmdaInstance", pmdaInstance(indom, (int)PM_IN_NULL, whole, &found, ext()) == 0 &&
                                      found->numinst == 1 && found->instlist[0] == 1);
  PROMISE("pmda.cb.pmdaInstance", pmdaInstance(indom, (int)PM_IN_NULL, first, &found, ext()) == 0 &&
                                      found->instlist[0] == 1);
  PROMISE("pmda.cb.pmdaInstance",
          pmdaInstance(indom, (int)PM_IN_NULL, unknown, &found, ext()) == PM_ERR_INST);
  PROMISE("pmda.cb.pmdaInstance",
          pmdaInstance(indom + 1, (int)PM_IN_NULL, NULL, &found, ext()) == PM_ERR_INDOM);
}

/* Each type has its member of the atom. */
static int of_type(pmdaMetric* metric, unsigned instance, pmAtomValue* atom) {
  (void)instance;
  switch (metric->m_desc.type) {
    case PM_TYPE_32: atom->l = -3; break;
    case PM_TYPE_U64: atom->ull = 1ull << 40; break;
    case PM_TYPE_FLOAT: atom->f = 0.5f; break;
    case PM_TYPE_DOUBLE: atom->d = 0.25; break;
    default: atom->cp = "text"; break;
  }
  return PMDA_FETCH_STATIC;
}

void promises_callbacks(void) {
  static const int types[] = {PM_TYPE_32, PM_TYPE_U64, PM_TYPE_FLOAT, PM_TYPE_DOUBLE,
                              PM_TYPE_STRING};
  static pmdaMetric metrics[5];
  pmID ids[5];
  pmResult* result = NULL;
  pmAtomValue atom;
  for (unsigned i = 0; i < 5; ++i)
    metrics[i].m_desc = (pmDesc){PMDA_PMID(0, i), types[i], PM_INDOM_NULL, PM_SEM_INSTANT, {0}};
  memset(&g_agent, 0, sizeof g_agent);
  pmdaDaemon(&g_agent, PMDA_INTERFACE_7, "test", DOMAIN_OF_TEST, NULL, NULL);
  pmdaSetFetchCallBack(&g_agent, of_type);
  pmdaInit(&g_agent, NULL, 0, metrics, 5);
  for (int i = 0; i < 5; ++i) ids[i] = metrics[i].m_desc.pmid;
  PROMISE("pmda.cb.pmdaSetFetchCallBack", pmdaFetch(5, ids, &result, ext()) == 0);
  PROMISE("pmda.cb.fetch_args", result->vset[0]->vlist[0].value.lval == -3);
  for (int i = 1; i < 5; ++i) {
    const int to = types[i] == PM_TYPE_STRING ? PM_TYPE_STRING : PM_TYPE_DOUBLE;
    static const double wanted[] = {0, 1099511627776.0, 0.5, 0.25};
    PROMISE("pmda.cb.fetch_args", pmExtractValue(result->vset[i]->valfmt, result->vset[i]->vlist,
                                                 types[i], &atom, to) == 0);
    PROMISE("pmda.cb.fetch_args",
            to == PM_TYPE_STRING ? strcmp(atom.cp, "text") == 0 : atom.d == wanted[i]);
  }
}

void promises_help(void) {
  char path[1000];
  snprintf(path, sizeof path, "%s/pmdas/simple/help", g_places.folder);
  const int help = pmdaOpenHelp(path);
  PROMISE("help.pmdaOpenHelp", help >= 0 && pmdaOpenHelp("/etc/no/such/help") == -ENOENT);
  PROMISE("help.pmdaOpenHelp", strcmp(pmdaGetHelp(help, pmID_build(253, 0, 0), PM_TEXT_ONELINE),
                                      "how many fetches so far") == 0);
  PROMISE("help.pmdaOpenHelp", strncmp(pmdaGetHelp(help, pmID_build(253, 1, 2), PM_TEXT_HELP),
                                       "Text by number.", 15) == 0);
  PROMISE(
      "help.pmdaOpenHelp",
      strcmp(pmdaGetInDomHelp(help, pmInDom_build(253, 0), PM_TEXT_ONELINE), "three colours") == 0);
  PROMISE("help.pmdaOpenHelp", pmdaGetHelp(help, pmID_build(253, 9, 9), PM_TEXT_ONELINE) == NULL);
  pmdaCloseHelp(help);
  PROMISE("help.pmdaOpenHelp", pmdaGetHelp(help, pmID_build(253, 0, 0), PM_TEXT_ONELINE) == NULL);
}

void promises_caches(void) {
  const pmInDom indom = pmInDom_build(DOMAIN_OF_TEST, 11),
                keyed = pmInDom_build(DOMAIN_OF_TEST, 12);
  char* name = NULL;
  void* data = NULL;
  int inst = -1, mine;
  const int first = pmdaCacheStore(indom, PMDA_CACHE_ADD, "eth0", &mine);
  const int second = pmdaCacheStore(indom, PMDA_CACHE_ADD, "1 minute", NULL);
  PROMISE("pmda.cache.pmdaCacheStore", first >= 0 && second >= 0 && first != second);
  PROMISE("pmda.cache.pmdaCacheStore",
          pmdaCacheStore(indom, PMDA_CACHE_ADD, "eth0", &mine) == first);
  PROMISE("pmda.cache.short_name",
          pmdaCacheStore(indom, PMDA_CACHE_ADD, "1 hour", NULL) == -EINVAL);
  PROMISE("pmda.cache.pmdaCacheLookup",
          pmdaCacheLookup(indom, first, &name, &data) == PMDA_CACHE_ACTIVE && data == &mine &&
              strcmp(name, "eth0") == 0);
  PROMISE("pmda.cache.pmdaCacheLookup", pmdaCacheLookup(indom, 999, &name, &data) == PM_ERR_INST);
  PROMISE(
      "pmda.cache.pmdaCacheLookupName",
      pmdaCacheLookupName(indom, "1 minute", &inst, &data) == PMDA_CACHE_ACTIVE && inst == second);
  PROMISE("pmda.cache.pmdaCacheLookupName",
          pmdaCacheLookupName(indom, "none", &inst, &data) == PM_ERR_INST);
  PROMISE("pmda.cache.pmdaCacheStore",
          pmdaCacheStore(indom, PMDA_CACHE_HIDE, "eth0", NULL) == first);
  PROMISE("pmda.cache.pmdaCacheLookup",
          pmdaCacheLookup(indom, first, NULL, NULL) == PMDA_CACHE_INACTIVE);
  PROMISE("pmda.cache.pmdaCacheStore",
          pmdaCacheStore(indom, PMDA_CACHE_CULL, "eth0", NULL) == first);
  PROMISE("pmda.cache.pmdaCacheLookup", pmdaCacheLookup(indom, first, NULL, NULL) == PM_ERR_INST);

  const unsigned long long key = 0x1122334455667788ull;
  const int by_key = pmdaCacheStoreKey(keyed, PMDA_CACHE_ADD, "disk-a", 8, &key, NULL);
  PROMISE("pmda.cache.pmdaCacheStoreKey",
          by_key == 111972382); /* what PCP's makes of these bytes */
  PROMISE("pmda.cache.id_31bit", by_key >= 0);
  const int by_name = pmdaCacheStoreKey(keyed, PMDA_CACHE_ADD, "disk-c", 0, NULL, NULL);
  PROMISE("pmda.cache.pmdaCacheStoreKey", by_name == 1026726050);
  PROMISE("pmda.cache.pmdaCacheLookupKey",
          pmdaCacheLookupKey(keyed, NULL, 8, &key, &name, &inst, &data) == PMDA_CACHE_ACTIVE);
  PROMISE("pmda.cache.pmdaCacheLookupKey", inst == by_key && strcmp(name, "disk-a") == 0);
  /* Thousands of them are each another number of 31 bits. */
  static char seen_twice, text[20];
  static int all[3000];
  for (int i = 0; i < 3000; ++i) {
    snprintf(text, sizeof text, "many-%d", i);
    all[i] = pmdaCacheStoreKey(keyed, PMDA_CACHE_ADD, text, 0, NULL, NULL);
    PROMISE("pmda.cache.id_31bit", all[i] >= 0);
    for (int k = 0; k < i; ++k) seen_twice |= all[k] == all[i];
  }
  PROMISE("pmda.cache.id_31bit", !seen_twice);
}

void promises_cache_operations(void) {
  const pmInDom indom = pmInDom_build(DOMAIN_OF_TEST, 13),
                texts = pmInDom_build(DOMAIN_OF_TEST, 14);
  int inst, walked = 0;
  PROMISE("pmda.cache.pmdaCacheOp", pmdaCacheOp(indom, PMDA_CACHE_CHECK) == 0);
  for (int i = 0; i < 3; ++i)
    pmdaCacheStore(indom, PMDA_CACHE_ADD, (const char*[]){"a", "b", "c"}[i], NULL);
  PROMISE("pmda.cache.pmdaCacheOp", pmdaCacheOp(indom, PMDA_CACHE_CHECK) == 1);
  pmdaCacheStore(indom, PMDA_CACHE_HIDE, "b", NULL);
  PROMISE("pmda.cache.pmdaCacheOp", pmdaCacheOp(indom, PMDA_CACHE_SIZE) == 3 &&
                                        pmdaCacheOp(indom, PMDA_CACHE_SIZE_ACTIVE) == 2 &&
                                        pmdaCacheOp(indom, PMDA_CACHE_SIZE_INACTIVE) == 1);
  pmdaCacheOp(indom, PMDA_CACHE_WALK_REWIND);
  while ((inst = pmdaCacheOp(indom, PMDA_CACHE_WALK_NEXT)) != -1) walked = 10 * walked + inst + 1;
  PROMISE("pmda.cache.pmdaCacheOp", walked == 13); /* a and c, the active ones */
  PROMISE("pmda.cache.pmdaCacheOp", pmdaCacheOp(indom, PMDA_CACHE_INACTIVE) == 2 &&
                                        pmdaCacheOp(indom, PMDA_CACHE_ACTIVE) == 3);
  pmdaCacheStore(indom, PMDA_CACHE_CULL, "a", NULL);
  PROMISE("pmda.cache.pmdaCacheOp", pmdaCacheOp(indom, PMDA_CACHE_SIZE) == 3);
  PROMISE("pmda.cache.pmdaCacheOp", pmdaCacheOp(indom, PMDA_CACHE_REORG) == 0);
  /* PCP 6.0.3 goes on counting what was culled. */
  PROMISE_OF_OURS("pmda.cache.pmdaCacheOp", pmdaCacheOp(indom, PMDA_CACHE_SIZE) == 2);
  PROMISE("pmda.cache.pmdaCacheOp", pmdaCacheOp(indom, PMDA_CACHE_REUSE) == 0 &&
                                        pmdaCacheStore(indom, PMDA_CACHE_ADD, "d", NULL) == 0);
  PROMISE("pmda.cache.pmdaCacheOp",
          pmdaCacheOp(texts, PMDA_CACHE_STRINGS) == 0 &&
              pmdaCacheStore(texts, PMDA_CACHE_ADD, "1 minute", NULL) >= 0 &&
              pmdaCacheStore(texts, PMDA_CACHE_ADD, "1 hour", NULL) >= 0);
  PROMISE("pmda.cache.pmdaCacheOp", pmdaCacheOp(indom, PMDA_CACHE_STRINGS) == -E2BIG);
  PROMISE("pmda.cache.pmdaCacheOp",
          pmdaCacheOp(indom, 99) == -EINVAL &&
              pmdaCacheOp(PM_INDOM_NULL, PMDA_CACHE_SIZE) == PM_ERR_INDOM);
  PROMISE("pmda.cache.pmdaCacheOp", pmdaCacheOp(indom, PMDA_CACHE_CULL) == 3);
  PROMISE("pmda.cache.pmdaCacheResize",
          pmdaCacheResize(indom, 100) == 0 && pmdaCacheResize(indom, -1) == PM_ERR_SIGN);
  pmdaCacheStore(texts, PMDA_CACHE_ADD, "another", NULL);
  PROMISE("pmda.cache.pmdaCacheResize", pmdaCacheResize(texts, 1) == PM_ERR_TOOBIG);
}

static void dump(void) { pmdaCacheOp(pmInDom_build(DOMAIN_OF_TEST, 15), PMDA_CACHE_DUMP); }

void promises_cache_files(void) {
  const pmInDom indom = pmInDom_build(DOMAIN_OF_TEST, 15);
  const char* const path = path_of("var/config/pmda/249.15");
  char* text;
  const int first = pmdaCacheStore(indom, PMDA_CACHE_ADD, "sda", NULL);
  pmdaCacheStore(indom, PMDA_CACHE_ADD, "two words", NULL);
  PROMISE("pmda.cache.file", pmdaCacheOp(indom, PMDA_CACHE_SAVE) == 2);
  PROMISE("pmda.cache.pmdaCacheOp", pmdaCacheOp(indom, PMDA_CACHE_SAVE) == 0); /* no change */
  text = text_of(path);
  PROMISE("pmda.cache.file", strncmp(text, "2 0 2147483647\n0 ", 17) == 0);
  PROMISE("pmda.cache.file", strstr(text, " sda\n1 ") && strstr(text, " two words\n"));
  free(text);
  text = said_by(dump);
  PROMISE("pmda.cache.pmdaCacheOp", strstr(text, "sda") && strstr(text, "two words"));
  free(text);
  /* As after a restart: the file is all there is of another domain. */
  write_file("var/config/pmda/249.16",
             "2 0 2147483647\n7 1600000000 old\n9 1700000000 older one\n");
  const pmInDom loaded = pmInDom_build(DOMAIN_OF_TEST, 16);
  PROMISE("pmda.cache.file", pmdaCacheOp(loaded, PMDA_CACHE_LOAD) == 2);
  PROMISE("pmda.cache.file", pmdaCacheLookup(loaded, 7, NULL, NULL) == PMDA_CACHE_INACTIVE);
  PROMISE("pmda.cache.file", pmdaCacheStore(loaded, PMDA_CACHE_ADD, "old", NULL) == 7);
  PROMISE("pmda.cache.file", pmdaCacheStore(loaded, PMDA_CACHE_ADD, "older one", NULL) == 9);
  PROMISE("pmda.cache.pmdaCachePurge", pmdaCachePurge(loaded, 3600) == 0); /* they are in use */
  PROMISE("pmda.cache.pmdaCachePurge", pmdaCacheLookup(loaded, 7, NULL, NULL) == PMDA_CACHE_ACTIVE);
  write_file("var/config/pmda/249.17", "2 0 2147483647\n7 1600000000 old\n9 1700000000 other\n");
  const pmInDom unused = pmInDom_build(DOMAIN_OF_TEST, 17);
  pmdaCacheOp(unused, PMDA_CACHE_LOAD);
  pmdaCacheStore(unused, PMDA_CACHE_ADD, "other", NULL);
  PROMISE("pmda.cache.pmdaCachePurge", pmdaCachePurge(unused, (time_t)1 << 40) == 0);
  PROMISE("pmda.cache.pmdaCachePurge", pmdaCachePurge(unused, 3600) == 1); /* since 2020 */
  PROMISE("pmda.cache.pmdaCachePurge", pmdaCacheLookup(unused, 7, NULL, NULL) == PM_ERR_INST);
  PROMISE("pmda.cache.pmdaCachePurge", pmdaCacheLookup(unused, 9, NULL, NULL) == PMDA_CACHE_ACTIVE);
  PROMISE("pmda.cache.pmdaCachePurge", first == 0);
}

void promises_trees(void) {
  pmdaNameSpace* tree = NULL;
  char **names = NULL, **children = NULL;
  int* status = NULL;
  pmID pmid = 0;
  PROMISE("pmda.dyn.pmdaTree", pmdaTreeCreate(&tree) == 0);
  pmdaTreeInsert(tree, pmID_build(DOMAIN_OF_TEST, 3, 1), "dyn.a.x");
  pmdaTreeInsert(tree, pmID_build(DOMAIN_OF_TEST, 3, 2), "dyn.b");
  pmdaTreeInsert(tree, pmID_build(DOMAIN_OF_TEST, 3, 2), "dyn.c");
  pmdaTreeRebuildHash(tree, 3);
  PROMISE("pmda.dyn.pmdaTree", pmdaTreeSize(tree) == 3);
  PROMISE("pmda.dyn.pmdaTree",
          pmdaTreePMID(tree, "dyn.a.x", &pmid) == 0 && pmid == pmID_build(DOMAIN_OF_TEST, 3, 1));
  PROMISE("pmda.dyn.pmdaTree", pmdaTreePMID(tree, "dyn.a", &pmid) == PM_ERR_NAME);
  PROMISE("pmda.dyn.pmdaTree", pmdaTreeName(tree, pmID_build(DOMAIN_OF_TEST, 3, 2), &names) == 2);
  PROMISE("pmda.dyn.pmdaTree", lies_in(names, names[0]) && lies_in(names, names[1]));
  free(names);
  PROMISE("pmda.dyn.pmdaTree",
          pmdaTreeName(tree, pmID_build(DOMAIN_OF_TEST, 3, 9), &names) == PM_ERR_PMID);
  PROMISE("pmda.dyn.pmdaTree", pmdaTreeChildren(tree, "dyn", 0, &children, &status) == 3);
  for (int i = 0; i < 3; ++i)
    PROMISE("pmda.dyn.pmdaTree", status[i] == (strcmp(children[i], "a") == 0));
  free(children);
  free(status);
  PROMISE("pmda.dyn.pmdaTree", pmdaTreeChildren(tree, "no", 0, &children, &status) == PM_ERR_NAME);
  pmdaTreeRelease(tree);
}

static pmdaNameSpace* g_tree;
static int g_changed = 1;
static int update_names(pmdaExt* of, pmdaNameSpace** out) {
  (void)of;
  const int changed = g_changed;
  if (changed) {
    pmdaTreeCreate(&g_tree);
    pmdaTreeInsert(g_tree, pmID_build(DOMAIN_OF_TEST, 3, 1), "dyn.x");
    pmdaTreeRebuildHash(g_tree, 1);
  }
  *out = g_tree;
  g_changed = 0;
  return changed;
}
static int update_text(pmdaExt* of, pmID pmid, int type, char** out) {
  (void)of, (void)type;
  *out = "dynamic text";
  return pmID_cluster(pmid) == 3 ? 0 : PM_ERR_TEXT;
}
static void update_metric(pmdaMetric* from, pmdaMetric* to, int number) {
  *to = *from;
  to->m_desc.pmid =
      pmID_build(pmID_domain(from->m_desc.pmid), pmID_cluster(from->m_desc.pmid), (unsigned)number);
}
static void count_metrics(int* total, int* trees) { *total = 1, *trees = 2; }

void promises_dynamic_names(void) {
  static pmdaMetric metrics[] = {
      {NULL, {PMDA_PMID(0, 0), PM_TYPE_U32, PM_INDOM_NULL, PM_SEM_INSTANT, {0}}},
      {NULL, {PMDA_PMID(3, 1), PM_TYPE_U32, PM_INDOM_NULL, PM_SEM_INSTANT, {0}}}};
  static int clusters[] = {3};
  char* text = NULL;
  pmDesc desc;
  memset(&g_agent, 0, sizeof g_agent);
  pmdaDaemon(&g_agent, PMDA_INTERFACE_7, "test", DOMAIN_OF_TEST, NULL, NULL);
  pmdaSetFetchCallBack(&g_agent, give);
  pmdaExtDynamicPMNS("dyn", clusters, 1, update_names, update_text, update_metric, count_metrics,
                     metrics, 2, ext());
  pmdaSetFlags(&g_agent, PMDA_EXT_FLAG_HASHED);
  pmdaInit(&g_agent, NULL, 0, metrics, 2);
  PROMISE("pmda.dyn.pmdaDynamicPMNS", g_agent.status == 0);
  PROMISE("pmda.dyn.pmdaDynamicPMNS", pmdaDynamicLookupName(ext(), "dyn.x") == g_tree);
  PROMISE("pmda.dyn.pmdaDynamicPMNS", pmdaDynamicLookupName(ext(), "other") == NULL);
  PROMISE("pmda.dyn.pmdaDynamicPMNS",
          pmdaDynamicLookupPMID(ext(), pmID_build(DOMAIN_OF_TEST, 3, 1)) == g_tree);
  PROMISE("pmda.dyn.pmdaDynamicPMNS",
          pmdaDynamicLookupPMID(ext(), pmID_build(DOMAIN_OF_TEST, 4, 1)) == NULL);
  PROMISE("pmda.dyn.pmdaDynamicPMNS", pmdaDynamicLookupText(pmID_build(DOMAIN_OF_TEST, 3, 1),
                                                            PM_TEXT_PMID, &text, ext()) == 0 &&
                                          strcmp(text, "dynamic text") == 0);
  PROMISE("pmda.dyn.pmdaDynamicPMNS", pmdaDynamicLookupText(pmID_build(DOMAIN_OF_TEST, 9, 1),
                                                            PM_TEXT_PMID, &text, ext()) == -ENOENT);
  /* The table has the dynamic metrics then. */
  PROMISE("pmda.dyn.pmdaDynamicPMNS",
          pmdaDesc(pmID_build(DOMAIN_OF_TEST, 3, 2), &desc, ext()) == 0);
}

static int label_instance(pmInDom indom, unsigned inst, pmLabelSet** out) {
  (void)indom;
  return inst == 5 ? pmdaAddLabels(out, "{\"number\":%u}", inst) : 0;
}

void promises_labels(void) {
  pmLabelSet* set = NULL;
  begin(PMDA_INTERFACE_7);
  const pmInDom indom = g_tables->indoms[0].it_indom;
  PROMISE("pmda.label", pmdaLabel(DOMAIN_OF_TEST, PM_LABEL_DOMAIN, &set, ext()) == 1);
  PROMISE("pmda.label", strcmp(set->json, "{\"agent\":\"test\"}") == 0);
  set = NULL;
  PROMISE("pmda.label", pmdaLabel((int)indom, PM_LABEL_INDOM, &set, ext()) == 0);
  pmdaAddLabels(&set, "{\"own\":%d}", 3);
  pmdaAddNotes(&set, "{\"note\":\"x\"}");
  PROMISE("pmda.label", set->nlabels == 2 && strstr(set->json, "\"own\":3") != NULL);
  int optional = 0;
  for (int i = 0; i < set->nlabels; ++i)
    optional += (set->labels[i].flags & PM_LABEL_OPTIONAL) != 0;
  PROMISE("pmda.label", optional == 1);
  pmdaSetLabelCallBack(&g_agent, label_instance);
  PROMISE("pmda.interface.7", ext()->e_labelCallBack == label_instance && g_agent.status == 0);
  pmLabelSet* sets = NULL;
  PROMISE("pmda.label", pmdaLabel((int)indom, PM_LABEL_INSTANCES, &sets, ext()) == 3);
  PROMISE("pmda.label",
          sets[2].inst == 5 && strcmp(sets[2].json, "{\"number\":5}") == 0 && sets[0].nlabels == 0);
}
