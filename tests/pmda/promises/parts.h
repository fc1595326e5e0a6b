/* The parts of pmda_promises, and the agent that they share. */
#ifndef PMJIT_TESTS_PMDA_PROMISED_PARTS_H
#define PMJIT_TESTS_PMDA_PROMISED_PARTS_H

#include <pcp/pmapi.h>
#include <pcp/pmda.h>

#include "../../pmapi/promises/promise.h"

/* clang-format off */
#define PROMISED_PARTS(PART) \
  PART(init) PART(init_without) PART(example) PART(init_errors) PART(lookup) PART(rehash) \
  PART(without_memory) PART(structures) PART(constants) PART(options) PART(channels_of_options) \
  PART(wrong_options) \
  PART(fields) PART(order) PART(log) PART(answers) PART(fetch_codes) PART(instances) \
  PART(callbacks) PART(help) PART(caches) PART(cache_operations) PART(cache_files) PART(trees) \
  PART(dynamic_names) PART(labels) PART(channels) PART(requests) PART(contexts) PART(changes) \
  PART(old_interfaces) PART(refused_agents) PART(debugging) PART(pdus) PART(trivial) \
  PART(simple_values) PART(simple_stores) PART(simple_fields)
/* clang-format on */

#define DECLARED(name) void promises_##name(void);
PROMISED_PARTS(DECLARED)
#undef DECLARED

#define DOMAIN_OF_TEST 249

/* What the call-back of the test's agents returns, and gives; whom it was called for. */
extern int g_code, g_calls;
extern unsigned g_instance;
int give(pmdaMetric* metric, unsigned instance, pmAtomValue* atom);
/* One singular metric 0.0 and one 0.1 with the instances 0 "zero", 1 "one two" and 5 "x"; new each
 * time, for pmdaInit() changes them. */
struct tables {
  pmdaInstid set[3];
  pmdaIndom indoms[1];
  pmdaMetric metrics[2];
};
struct tables* new_tables(void);
/* An agent with these tables that is set up; its status. */
int set_up(pmdaInterface* agent, int version, struct tables* tables);
/* numval of the metric that comes n-th; the whole result is freed. */
int fetched(pmdaInterface* agent, int count, pmID* ids, int which);

#endif
