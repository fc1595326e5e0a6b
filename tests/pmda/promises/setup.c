/* From pmdaDaemon() to pmdaInit(): what is filled in, looked up, refused and said. */
#include <stddef.h>
#include <sys/resource.h>

#include "parts.h"

static pmdaInterface g_agent;
static struct tables* g_tables;

static pmdaExt* ext(void) { return g_agent.version.any.ext; }

void promises_init(void) {
  struct tables* const t = new_tables();
  PROMISE("pmda.pmdaInit", set_up(&g_agent, PMDA_INTERFACE_7, t) == 0);
  PROMISE("pmda.pmdaInit", ext()->e_metrics == t->metrics && ext()->e_nmetrics == 2 &&
                               ext()->e_indoms == t->indoms && ext()->e_nindoms == 1);
  PROMISE("pmda.pmdaInit.stamp_pmid",
          t->metrics[0].m_desc.pmid == pmID_build(DOMAIN_OF_TEST, 0, 0));
  PROMISE("pmda.pmdaInit.stamp_pmid",
          t->metrics[1].m_desc.pmid == pmID_build(DOMAIN_OF_TEST, 0, 1));
  PROMISE("pmda.pmdaInit.stamp_indom", t->indoms[0].it_indom == pmInDom_build(DOMAIN_OF_TEST, 3));
  PROMISE("pmda.pmdaInit.stamp_indom",
          t->metrics[1].m_desc.indom == pmInDom_build(DOMAIN_OF_TEST, 3));
  PROMISE("pmda.pmdaInit.singular", t->metrics[0].m_desc.indom == PM_INDOM_NULL);
  pmID pmid = t->metrics[0].m_desc.pmid;
  PROMISE("pmda.pmdaInit.singular",
          fetched(&g_agent, 1, &pmid, 0) == 1 && g_instance == PM_IN_NULL);
  /* The help file that pmdaDaemon() was given, or pmdaDSO(). */
  char path[1000], *text = NULL;
  snprintf(path, sizeof path, "%s/pmdas/simple/help", g_places.folder);
  for (int as_object = 0; as_object < 2; ++as_object) {
    struct tables* const other = new_tables();
    pmdaInterface agent = {.domain = 253};
    if (as_object)
      pmdaDSO(&agent, PMDA_INTERFACE_7, "test", path);
    else
      pmdaDaemon(&agent, PMDA_INTERFACE_7, "test", 253, NULL, path);
    pmdaSetFetchCallBack(&agent, give);
    pmdaInit(&agent, other->indoms, 1, other->metrics, 2);
    PROMISE("pmda.pmdaInit.help", agent.status == 0 && agent.version.any.ext->e_help >= 0);
    PROMISE("pmda.pmdaInit.help",
            pmdaText((int)pmID_build(253, 0, 0), PM_TEXT_PMID | PM_TEXT_ONELINE, &text,
                     agent.version.any.ext) == 0 &&
                strcmp(text, "how many fetches so far") == 0);
  }
}

static int own_fetch(int count, pmID* ids, pmResult** out, pmdaExt* of) {
  (void)count, (void)ids, (void)out, (void)of;
  return PM_ERR_AGAIN;
}
static int own_desc(pmID pmid, pmDesc* out, pmdaExt* of) {
  (void)of;
  *out = (pmDesc){.pmid = pmid, .type = PM_TYPE_DOUBLE};
  return 0;
}

void promises_init_without(void) {
  struct tables* const t = new_tables();
  pmDesc desc = {.pmid = 0};
  pmdaDaemon(&g_agent, PMDA_INTERFACE_7, "test", DOMAIN_OF_TEST, NULL, NULL);
  g_agent.version.any.fetch = own_fetch;
  t->metrics[1].m_desc.indom = PM_INDOM_NULL;
  pmdaInit(&g_agent, NULL, 0, t->metrics, 2);
  PROMISE("pmda.pmdaInit.no_indoms", g_agent.status == 0 && ext()->e_nindoms == 0);
  PROMISE("pmda.cb.override", fetched(&g_agent, 1, &desc.pmid, 0) == PM_ERR_AGAIN);
  pmdaDaemon(&g_agent, PMDA_INTERFACE_7, "test", DOMAIN_OF_TEST, NULL, NULL);
  g_agent.version.any.fetch = own_fetch;
  g_agent.version.any.desc = own_desc;
  pmdaInit(&g_agent, NULL, 0, NULL, 0);
  PROMISE("pmda.pmdaInit.no_metrics", g_agent.status == 0 && ext()->e_nmetrics == 0);
  PROMISE("pmda.pmdaInit.no_metrics",
          g_agent.version.any.desc(7, &desc, ext()) == 0 && desc.type == PM_TYPE_DOUBLE);
}

/* The tables of pmdaInit(3). */
void promises_example(void) {
  static pmdaInstid x[] = {{0, "a"}, {1, "b"}}, y[] = {{0, "m"}, {1, "n"}, {2, "o"}};
  static pmdaIndom indoms[] = {{0, 2, x}, {3, 3, y}};
  static pmdaMetric metrics[] = {
      {NULL, {PMDA_PMID(0, 0), PM_TYPE_U32, PM_INDOM_NULL, PM_SEM_INSTANT, {0}}},
      {NULL, {PMDA_PMID(0, 1), PM_TYPE_U32, 0, PM_SEM_INSTANT, {0}}},
      {NULL, {PMDA_PMID(0, 2), PM_TYPE_DOUBLE, 3, PM_SEM_INSTANT, {0}}}};
  pmdaDaemon(&g_agent, PMDA_INTERFACE_7, "test", DOMAIN_OF_TEST, NULL, NULL);
  pmdaSetFetchCallBack(&g_agent, give);
  pmdaInit(&g_agent, indoms, 2, metrics, 3);
  for (unsigned i = 0; i < 3; ++i)
    PROMISE("pmda.example.abc", metrics[i].m_desc.pmid == pmID_build(DOMAIN_OF_TEST, 0, i));
  PROMISE("pmda.example.abc", metrics[0].m_desc.indom == PM_INDOM_NULL &&
                                  metrics[1].m_desc.indom == pmInDom_build(DOMAIN_OF_TEST, 0) &&
                                  metrics[2].m_desc.indom == pmInDom_build(DOMAIN_OF_TEST, 3));
  PROMISE("pmda.example.abc", indoms[0].it_indom == pmInDom_build(DOMAIN_OF_TEST, 0) &&
                                  indoms[1].it_indom == pmInDom_build(DOMAIN_OF_TEST, 3));
}

static void old_version(void) {
  memset(&g_agent, 0, sizeof g_agent);
  pmdaDaemon(&g_agent, 1, "test", DOMAIN_OF_TEST, NULL, NULL);
}
static void without_callback(void) {
  g_tables = new_tables();
  pmdaDaemon(&g_agent, PMDA_INTERFACE_7, "test", DOMAIN_OF_TEST, NULL, NULL);
  pmdaInit(&g_agent, g_tables->indoms, 1, g_tables->metrics, 2);
}
static void unknown_domain(void) {
  g_tables = new_tables();
  g_tables->metrics[1].m_desc.indom = 6;
  set_up(&g_agent, PMDA_INTERFACE_7, g_tables);
}
static void without_help(void) { set_up(&g_agent, PMDA_INTERFACE_7, new_tables()); }
static void direct_in_vain(void) {
  g_tables = new_tables();
  g_tables->metrics[1].m_desc.pmid = PMDA_PMID(0, 7);
  pmdaDaemon(&g_agent, PMDA_INTERFACE_7, "test", DOMAIN_OF_TEST, NULL, NULL);
  pmdaSetFetchCallBack(&g_agent, give);
  pmdaSetFlags(&g_agent, PMDA_EXT_FLAG_DIRECT);
  pmdaInit(&g_agent, g_tables->indoms, 1, g_tables->metrics, 2);
}
static void after_wrong_version(void) {
  g_agent.comm.pmda_interface = 42;
  pmdaInit(&g_agent, NULL, 0, NULL, 0);
}
/* Does the function say this, with the status left behind? */
static int says(void (*function)(void), const char* text, int status) {
  char* const said = said_by(function);
  const int out = strstr(said, text) != NULL && g_agent.status == status;
  if (!out) printf("said: %sstatus %d\n", said, g_agent.status);
  free(said);
  return out;
}

void promises_init_errors(void) {
  PROMISE(
      "pmda.err.version",
      says(old_version, "PMDA: interface version 1 not supported (domain=249)", PM_ERR_GENERIC));
  PROMISE("pmda.pmdaInit.version",
          says(old_version, "interface version 1 not supported", PM_ERR_GENERIC));
  PROMISE("pmda.err.no_fetch_callback",
          says(without_callback, "using pmdaFetch() but fetch call back not set", PM_ERR_GENERIC));
  PROMISE("pmda.pmdaInit.status", g_agent.status < 0);
  PROMISE("pmda.err.indom",
          says(unknown_domain, "Undefined instance domain serial (6) specified for metric 249.0.1",
               PM_ERR_GENERIC));
  PROMISE("pmda.pmdaInit.status", g_agent.status < 0);
  PROMISE("pmda.err.no_help",
          says(without_help, "Warning: pmdaInit: PMDA test: No help text file specified", 0));
  PROMISE("pmda.err.direct",
          says(direct_in_vain, "Direct mapping for metrics disabled @ metrics[1] 249.0.7", 0));
  PROMISE("pmda.pmdaInit.version",
          says(after_wrong_version, "PMDA interface version 42 not supported", PM_ERR_GENERIC));
}

void promises_lookup(void) {
  pmDesc desc;
  struct tables* t = new_tables();
  set_up(&g_agent, PMDA_INTERFACE_7, t);
  PROMISE("pmda.lookup.direct", ext()->e_direct == 1); /* every item is its place */
  PROMISE("pmda.lookup.direct", pmdaDesc(pmID_build(DOMAIN_OF_TEST, 0, 1), &desc, ext()) == 0 &&
                                    desc.indom == pmInDom_build(DOMAIN_OF_TEST, 3));
  direct_in_vain();
  PROMISE("pmda.lookup.PMDA_EXT_FLAG_DIRECT",
          g_agent.status == 0 && ext()->e_direct == 0 && (ext()->e_flags & PMDA_EXT_FLAG_DIRECT));
  PROMISE("pmda.lookup.PMDA_EXT_FLAG_DIRECT",
          pmdaDesc(pmID_build(DOMAIN_OF_TEST, 0, 7), &desc, ext()) == 0);
  t = new_tables();
  t->metrics[1].m_desc.pmid = PMDA_PMID(0, 7);
  PROMISE("pmda.lookup.linear", set_up(&g_agent, PMDA_INTERFACE_7, t) == 0 && !ext()->e_direct);
  PROMISE("pmda.lookup.linear",
          pmdaDesc(pmID_build(DOMAIN_OF_TEST, 0, 7), &desc, ext()) == 0 &&
              pmdaDesc(pmID_build(DOMAIN_OF_TEST, 0, 1), &desc, ext()) == PM_ERR_PMID);
  /* Of two with one number the first in the table counts. */
  t->metrics[0].m_desc.pmid = t->metrics[1].m_desc.pmid;
  pmdaDesc(t->metrics[0].m_desc.pmid, &desc, ext());
  PROMISE("pmda.lookup.linear", desc.indom == PM_INDOM_NULL);
}

void promises_rehash(void) {
  struct tables *const t = new_tables(), *const other = new_tables();
  pmDesc desc;
  const pmID later = pmID_build(DOMAIN_OF_TEST, 9, 77);
  pmdaDaemon(&g_agent, PMDA_INTERFACE_7, "test", DOMAIN_OF_TEST, NULL, NULL);
  pmdaSetFetchCallBack(&g_agent, give);
  pmdaSetFlags(&g_agent, PMDA_EXT_FLAG_HASHED);
  PROMISE("pmda.pmdaSetFlags", (ext()->e_flags & PMDA_EXT_FLAG_HASHED) != 0);
  pmdaSetFlags(&g_agent, PMDA_EXT_LABEL_CHANGE);
  PROMISE("pmda.pmdaSetFlags", (ext()->e_flags & (PMDA_EXT_FLAG_HASHED | PMDA_EXT_LABEL_CHANGE)) ==
                                   (PMDA_EXT_FLAG_HASHED | PMDA_EXT_LABEL_CHANGE));
  pmdaExtSetFlags(ext(), PMDA_EXT_NAMES_CHANGE);
  PROMISE("pmda.pmdaExtSetFlags", (ext()->e_flags & PMDA_EXT_NAMES_CHANGE) != 0 &&
                                      (ext()->e_flags & PMDA_EXT_LABEL_CHANGE) != 0);
  pmdaInit(&g_agent, t->indoms, 1, t->metrics, 2);
  PROMISE("pmda.lookup.PMDA_EXT_FLAG_HASHED", g_agent.status == 0 && ext()->e_direct == 0);
  PROMISE("pmda.lookup.PMDA_EXT_FLAG_HASHED",
          pmdaDesc(pmID_build(DOMAIN_OF_TEST, 0, 1), &desc, ext()) == 0);
  PROMISE("pmda.lookup.dynamic", pmdaDesc(later, &desc, ext()) == PM_ERR_PMID);
  other->metrics[0].m_desc.pmid = later;
  pmdaRehash(ext(), other->metrics, 1);
  PROMISE("pmda.pmdaRehash", ext()->e_metrics == other->metrics && ext()->e_nmetrics == 1);
  PROMISE("pmda.lookup.dynamic", pmdaDesc(later, &desc, ext()) == 0);
  PROMISE("pmda.pmdaRehash",
          pmdaDesc(pmID_build(DOMAIN_OF_TEST, 0, 1), &desc, ext()) == PM_ERR_PMID);
}

/* Of so many metrics that there is no memory for the hash; nothing looks at the table. */
static void rehash_too_many(void) {
  const struct rlimit little = {1u << 30, 1u << 30};
  setrlimit(RLIMIT_AS, &little);
  pmdaRehash(ext(), g_tables->metrics, 1 << 28);
}

void promises_without_memory(void) {
  g_tables = new_tables();
  set_up(&g_agent, PMDA_INTERFACE_7, g_tables);
  if (is_real_library()) return; /* PCP's reads on behind the table before it is short of memory */
  PROMISE("pmda.err.hashed", says(rehash_too_many,
                                  "pmdaRehash: PMDA test: Hashed mapping for metrics disabled @ "
                                  "metric[0] 249.0.0\n",
                                  0));
}

#define AT(type, field, offset) (offsetof(type, field) == (offset))

void promises_structures(void) {
  PROMISE("pmda.struct.pmdaMetric",
          sizeof(pmdaMetric) == 32 && AT(pmdaMetric, m_user, 0) && AT(pmdaMetric, m_desc, 8));
  PROMISE("pmda.struct.pmdaInstid",
          sizeof(pmdaInstid) == 16 && AT(pmdaInstid, i_inst, 0) && AT(pmdaInstid, i_name, 8));
  PROMISE("pmda.struct.pmdaIndom", sizeof(pmdaIndom) == 16 && AT(pmdaIndom, it_indom, 0) &&
                                       AT(pmdaIndom, it_numinst, 4) && AT(pmdaIndom, it_set, 8));
  PROMISE("pmda.struct.pmdaInterface",
          sizeof(pmdaInterface) == 112 && AT(pmdaInterface, domain, 0) &&
              AT(pmdaInterface, comm, 4) && AT(pmdaInterface, status, 8) &&
              AT(pmdaInterface, version, 16));
  pmdaInterface bits = {.comm = {.pmda_interface = 7, .pmapi_version = 2, .flags = 0x44}};
  unsigned word;
  memcpy(&word, &bits.comm, sizeof word);
  PROMISE("pmda.struct.pmdaInterface", word == 0x00440207);
  PROMISE("pmda.struct.pmdaInterface.versions", AT(pmdaInterface, version.any.store, 64) &&
                                                    AT(pmdaInterface, version.two.store, 64) &&
                                                    AT(pmdaInterface, version.three.store, 64) &&
                                                    AT(pmdaInterface, version.four.store, 64));
  PROMISE("pmda.struct.pmdaInterface.versions",
          AT(pmdaInterface, version.four.children, 88) &&
              AT(pmdaInterface, version.five.children, 88) &&
              AT(pmdaInterface, version.six.attribute, 96) &&
              AT(pmdaInterface, version.seven.attribute, 96) &&
              AT(pmdaInterface, version.seven.label, 104));
  PROMISE("pmda.struct.pmdaExt", sizeof(pmdaExt) == 192 && AT(pmdaExt, e_flags, 0) &&
                                     AT(pmdaExt, e_sockname, 16) && AT(pmdaExt, e_status, 48) &&
                                     AT(pmdaExt, e_infd, 52) && AT(pmdaExt, e_outfd, 56));
  PROMISE("pmda.struct.pmdaExt", AT(pmdaExt, e_prof, 96) && AT(pmdaExt, e_metrics, 128) &&
                                     AT(pmdaExt, e_fetchCallBack, 144) &&
                                     AT(pmdaExt, e_context, 168) &&
                                     AT(pmdaExt, e_labelCallBack, 184));
  PROMISE("pmda.struct.pmdaOptions",
          sizeof(pmdaOptions) == 112 && AT(pmdaOptions, short_options, 8) &&
              AT(pmdaOptions, long_options, 16) && AT(pmdaOptions, errors, 96) &&
              AT(pmdaOptions, username, 104));
  PROMISE("pmda.struct.pmdaIoType",
          pmdaPipe == 0 && pmdaInet == 1 && pmdaUnix == 2 && pmdaUnknown == 3 && pmdaIPv6 == 4);
}

void promises_constants(void) {
  static const pmID at_compile_time = PMDA_PMID(4095, 1023);
  static const pmUnits units = PMDA_PMUNITS(1, -1, 2, PM_SPACE_MBYTE, PM_TIME_SEC, -3);
  static const pmLongOptions all[] = {PMDAOPT_DOMAIN, PMDAOPT_LOGFILE, PMDAOPT_USERNAME,
                                      PMDAOPT_INET,   PMDAOPT_PIPE,    PMDAOPT_UNIX,
                                      PMDAOPT_IPV6,   PMDAOPT_HELPTEXT};
  static const pmLongOptions others[] = {PMDA_OPTIONS_HEADER("head"), PMDA_OPTIONS_TEXT("text"),
                                         PMDA_OPTIONS_END};
  static const char letters[] = "dlUipu6h";
  PROMISE("pmda.macro.PMDA_PMID", at_compile_time == 0x3fffff && PMDA_PMID(1, 2) == 1026);
  PROMISE("pmda.macro.PMDA_PMUNITS", units.dimSpace == 1 && units.dimTime == -1 &&
                                         units.dimCount == 2 && units.scaleSpace == 2 &&
                                         units.scaleTime == 3 && units.scaleCount == -3);
  PROMISE("pmda.macro.PMDA_INTERFACE", PMDA_INTERFACE_2 == 2 && PMDA_INTERFACE_3 == 3 &&
                                           PMDA_INTERFACE_4 == 4 && PMDA_INTERFACE_5 == 5 &&
                                           PMDA_INTERFACE_6 == 6 && PMDA_INTERFACE_7 == 7 &&
                                           PMDA_INTERFACE_LATEST == 7);
  for (int i = 0; i < 8; ++i) PROMISE("pmda.macro.PMDAOPT", all[i].short_opt == letters[i]);
  for (int i = 0; i < 8; ++i) PROMISE("pmda.macro.PMDAOPT", all[i].has_arg == (letters[i] != 'p'));
  PROMISE("pmda.macro.PMDAOPT", strcmp(others[0].message, "head") == 0 &&
                                    strcmp(others[1].message, "text") == 0 &&
                                    others[2].long_opt == NULL);
  PROMISE("pmda.macro.PMDA_FETCH",
          PMDA_FETCH_NOVALUES == 0 && PMDA_FETCH_STATIC == 1 && PMDA_FETCH_DYNAMIC == 2);
  PROMISE("pmda.macro.PMDA_CACHE", PMDA_CACHE_LOAD == 1 && PMDA_CACHE_ADD == 2 &&
                                       PMDA_CACHE_HIDE == 3 && PMDA_CACHE_CULL == 4 &&
                                       PMDA_CACHE_SAVE == 6 && PMDA_CACHE_ACTIVE == 8 &&
                                       PMDA_CACHE_INACTIVE == 9);
  PROMISE("pmda.macro.PMDA_CACHE", PMDA_CACHE_SIZE == 10 && PMDA_CACHE_REUSE == 13 &&
                                       PMDA_CACHE_WALK_REWIND == 14 && PMDA_CACHE_WALK_NEXT == 15 &&
                                       PMDA_CACHE_CHECK == 16 && PMDA_CACHE_SYNC == 18 &&
                                       PMDA_CACHE_DUMP_ALL == 20);
}
