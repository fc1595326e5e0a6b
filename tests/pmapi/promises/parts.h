/* The parts, in the order in which they run. */
#ifndef PMJIT_TESTS_PMAPI_PROMISED_PARTS_H
#define PMJIT_TESTS_PMAPI_PROMISED_PARTS_H

#include "promise.h"

/* clang-format off */
#define PROMISED_PARTS(PART) \
  PART(children) PART(look_up) PART(names_of_metrics) PART(traversal) PART(files) \
  PART(syntax_of_names) PART(refused_hosts) PART(example_agents) PART(sources_of_names) \
  PART(without_names) PART(descriptors) PART(texts) PART(instances) PART(labels) PART(opening) \
  PART(several_contexts) PART(profiles) PART(of_hosts) PART(zones) PART(results) \
  PART(ends_of_results) PART(stores) PART(groups) PART(missing_values) PART(wrapped_rates) \
  PART(changing_descriptors) PART(extraction) PART(unsupported) PART(scales) PART(formatters) \
  PART(printing) PART(what_users_type) PART(sorting_and_sleeping) PART(structures) PART(bits) \
  PART(constants) PART(error_texts) PART(table) PART(messages) PART(messages_to_a_file) \
  PART(messages_in_a_window) PART(log) PART(configuration) \
  PART(options)
/* clang-format on */

#define DECLARED(name) void promises_##name(void);
PROMISED_PARTS(DECLARED)
#undef DECLARED

#endif
