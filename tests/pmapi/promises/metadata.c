/* Descriptors, help texts, instance domains and labels. */
#include "parts.h"

#define TWO_INSTANCES                                                         \
  "meta-v3" /* 245.2: 1 "one", 2 "two words"; from its end on 1 and 7 "seven" \
             */
#define NO_TEXTS "types-v3"

static pmID of_agent(unsigned item) { return pmID_build(253, 0, item); }
static const pmInDom g_colours = 253u << 22, g_instances = 245u << 22 | 2;

void promises_descriptors(void) {
  pmDesc desc, several[3];
  open_archive(TWO_INSTANCES);
  PROMISE("pmapi.desc.pmLookupDesc", pmLookupDesc(id_of("me.a"), &desc) == 0);
  PROMISE("pmapi.desc.pmLookupDesc", desc.pmid == pmID_build(245, 7, 0) &&
                                         desc.type == PM_TYPE_U32 && desc.indom == g_instances &&
                                         desc.sem == PM_SEM_INSTANT);
  PROMISE("pmapi.desc.pmLookupDesc", desc.units.dimCount == 1 && desc.units.scaleCount == 3 &&
                                         desc.units.dimSpace == 0 && desc.units.dimTime == 0);
  PROMISE("pmapi.desc.pmLookupDesc.pmid_err", pmLookupDesc(of_agent(0), &desc) == PM_ERR_PMID_LOG);
  pmID unknown = of_agent(0);
  memset(several, 0, sizeof several);
  PROMISE("pmapi.desc.pmLookupDescs.single", pmLookupDescs(1, &unknown, several) == 0);
  PROMISE("pmapi.desc.pmLookupDescs.single", several[0].pmid == PM_ID_NULL);
  PROMISE("pmapi.desc.pmLookupDescs.zero", pmLookupDescs(0, &unknown, several) == PM_ERR_TOOSMALL);

  open_host();
  pmID ids[] = {of_agent(1), pmID_build(250, 0, 0), of_agent(0)};
  PROMISE("pmapi.desc.pmLookupDescs", pmLookupDescs(3, ids, several) == 3);
  PROMISE("pmapi.desc.pmLookupDescs",
          several[0].pmid == ids[0] && several[1].pmid == ids[1] && several[2].pmid == ids[2]);
  PROMISE("pmapi.desc.pmLookupDescs", several[0].indom == g_colours &&
                                          several[2].type == PM_TYPE_U32 &&
                                          several[2].indom == PM_INDOM_NULL);
  PROMISE("pmapi.desc.pmLookupDesc.pmid_err", pmLookupDesc(of_agent(99), &desc) == PM_ERR_PMID);
  PROMISE("pmapi.desc.pmLookupDesc.noagent",
          pmLookupDesc(pmID_build(399, 0, 0), &desc) == PM_ERR_NOAGENT);
  ids[1] = of_agent(99);
  PROMISE("pmapi.desc.pmLookupDescs.partial", pmLookupDescs(3, ids, several) == 2);
  PROMISE("pmapi.desc.pmLookupDescs.partial",
          several[0].pmid == ids[0] && several[1].pmid == PM_ID_NULL && several[2].pmid == ids[2]);
  unknown = of_agent(99);
  PROMISE("pmapi.desc.pmLookupDescs.single", pmLookupDescs(1, &unknown, several) == PM_ERR_PMID);
  PROMISE("pmapi.desc.pmLookupDescs.zero", pmLookupDescs(0, ids, several) == PM_ERR_TOOSMALL);
}

/* The text, which is freed alone; its first bytes count. */
static int reads(int sts, char** text, const char* wanted) {
  const int same = sts == 0 && strncmp(*text, wanted, strlen(wanted)) == 0;
  if (sts == 0) free(*text);
  return same;
}

void promises_texts(void) {
  char* text = NULL;
  open_archive(TWO_INSTANCES);
  const pmID pmid = id_of("me.a");
  PROMISE("pmapi.desc.pmLookupText",
          reads(pmLookupText(pmid, PM_TEXT_ONELINE, &text), &text, "one line"));
  PROMISE("pmapi.desc.text_levels",
          reads(pmLookupText(pmid, PM_TEXT_HELP, &text), &text, "full help\nsecond line"));
  PROMISE("pmapi.desc.text_levels",
          pmLookupText(id_of("me.s"), PM_TEXT_ONELINE, &text) == PM_ERR_TEXT && text == NULL);
  PROMISE("pmapi.desc.pmLookupInDomText",
          reads(pmLookupInDomText(g_instances, PM_TEXT_ONELINE, &text), &text, "indom one line"));
  PROMISE("pmapi.desc.text_archive",
          reads(pmLookupText(pmid, PM_TEXT_ONELINE, &text), &text, "one line"));
  open_archive(NO_TEXTS);
  PROMISE("pmapi.desc.text_archive",
          pmLookupText(id_of("syn.ctr.i32"), PM_TEXT_HELP, &text) == PM_ERR_NOTHOST);

  open_host();
  PROMISE("pmapi.desc.pmLookupText", reads(pmLookupText(of_agent(0), PM_TEXT_ONELINE, &text), &text,
                                           "how many fetches so far"));
  PROMISE("pmapi.desc.text_levels",
          reads(pmLookupText(of_agent(0), PM_TEXT_HELP, &text), &text, "\nBlank first line kept"));
  PROMISE("pmapi.desc.pmLookupInDomText",
          reads(pmLookupInDomText(g_colours, PM_TEXT_ONELINE, &text), &text, "three colours"));
  PROMISE("pmapi.desc.pmLookupInDomText", reads(pmLookupInDomText(g_colours, PM_TEXT_HELP, &text),
                                                &text, "First line of the domain"));
  PROMISE("pmapi.desc.text_levels",
          pmLookupText(pmID_build(250, 0, 0), PM_TEXT_HELP, &text) == PM_ERR_TEXT);
}

void promises_instances(void) {
  int *ids = NULL, count, untouched = 0;
  char **names = NULL, *name = NULL, *letters = NULL;
  open_archive(TWO_INSTANCES);
  count = pmGetInDom(g_instances, &ids, &names);
  PROMISE("pmapi.indom.pmGetInDom", count == 2 && ids[0] == 1 && ids[1] == 2);
  PROMISE("pmapi.indom.pmGetInDom",
          strcmp(names[0], "one") == 0 && strcmp(names[1], "two words") == 0);
  PROMISE("pmapi.indom.pmGetInDom", lies_in(names, names[0]) && lies_in(names, names[1]));
  PROMISE("pmapi.style.one_free", lies_in(names, names[0]) && lies_in(names, names[1]));
  free(ids);
  free(names);
  ids = &untouched, names = &letters;
  PROMISE("pmapi.indom.pmGetInDom", pmGetInDom(g_instances + 7, &ids, &names) == PM_ERR_INDOM_LOG);
  PROMISE("pmapi.indom.pmGetInDom", ids == &untouched && names == &letters);
  PROMISE("pmapi.indom.pmLookupInDom", pmLookupInDom(g_instances, "two words") == 2);
  PROMISE("pmapi.indom.pmLookupInDom", pmLookupInDom(g_instances, "two") == 2);
  PROMISE("pmapi.indom.pmNameInDom", reads(pmNameInDom(g_instances, 2, &name), &name, "two words"));
  PROMISE("pmapi.indom.unknown", pmLookupInDom(g_instances, "three") == PM_ERR_INST_LOG);
  PROMISE("pmapi.indom.unknown", pmNameInDom(g_instances, 77, &name) == PM_ERR_INST_LOG);
  PROMISE("pmapi.indom.unknown", pmLookupInDom(g_instances + 7, "one") == PM_ERR_INDOM_LOG);
  PROMISE("pmapi.indom.unknown", pmNameInDom(g_instances + 7, 1, &name) == PM_ERR_INDOM_LOG);

  open_host();
  PROMISE("pmapi.indom.pmLookupInDom", pmLookupInDom(g_colours, "blue") == 2);
  PROMISE("pmapi.indom.pmNameInDom", reads(pmNameInDom(g_colours, 1, &name), &name, "green"));
  PROMISE("pmapi.indom.unknown", pmGetInDom(g_colours + 7, &ids, &names) == PM_ERR_INDOM);
  PROMISE("pmapi.indom.unknown", pmLookupInDom(g_colours, "black") == PM_ERR_INST);
  PROMISE("pmapi.indom.unknown", pmNameInDom(g_colours, 77, &name) == PM_ERR_INST);
  PROMISE("pmapi.indom.null", pmGetInDom(PM_INDOM_NULL, &ids, &names) == PM_ERR_INDOM);
  PROMISE("pmapi.indom.null", pmLookupInDom(PM_INDOM_NULL, "one") == PM_ERR_INDOM);
  PROMISE("pmapi.indom.null", pmNameInDom(PM_INDOM_NULL, 1, &name) == PM_ERR_INDOM);
}

/* Is the text in one of the sets? */
static int labelled(int count, const pmLabelSet* sets, const char* text) {
  for (int i = 0; i < count; ++i)
    if (sets[i].json != NULL && strstr(sets[i].json, text) != NULL) return 1;
  return 0;
}

void promises_labels(void) {
  pmLabelSet* sets = NULL;
  int count;
  open_archive(TWO_INSTANCES);
  count = pmLookupLabels(id_of("me.a"), &sets);
  PROMISE("pmapi.labels.pmLookupLabels", count > 0 && labelled(count, sets, "\"a\":\"b\""));
  pmFreeLabelSets(sets, count);
  count = pmGetContextLabels(&sets);
  PROMISE("pmapi.labels.pmLookupLabels", count == 1 && labelled(1, sets, "\"n\":42"));
  pmFreeLabelSets(sets, count);
  count = pmGetInstancesLabels(g_instances, &sets);
  PROMISE("pmapi.labels.pmLookupLabels", count > 0 && labelled(count, sets, "\"k\":1"));
  pmFreeLabelSets(sets, count);

  open_host();
  count = pmGetDomainLabels(253, &sets);
  PROMISE("pmapi.labels.pmLookupLabels", count == 1 && labelled(1, sets, "\"role\":\"testing\""));
  pmFreeLabelSets(sets, count);
  count = pmGetInDomLabels(g_colours, &sets);
  PROMISE("pmapi.labels.pmLookupLabels", count == 1 && labelled(1, sets, "\"model\":\"RGB\""));
  pmFreeLabelSets(sets, count);
  count = pmLookupLabels(of_agent(1), &sets);
  PROMISE("pmapi.labels.pmLookupLabels", labelled(count, sets, "\"hostname\"") &&
                                             labelled(count, sets, "\"role\":\"testing\"") &&
                                             labelled(count, sets, "\"model\":\"RGB\""));
  pmFreeLabelSets(sets, count);
  PROMISE("pmapi.labels.pmLookupLabels", pmGetClusterLabels(of_agent(1), &sets) == 0);
  PROMISE("pmapi.labels.pmLookupLabels", pmGetItemLabels(of_agent(1), &sets) == 0);
}
