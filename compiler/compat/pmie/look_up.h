// A fetch as it is written, bound to the metrics of its hosts. Source: spec rules-language.md §6,
// §16, §24.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/compat/pmie/expr.h"
#include "compiler/compat/pmie/rule_metrics.h"
#include "compiler/compat/pmie/rule_reader.h"

namespace pmjit::pmie {

struct WrittenFetch {
  std::string name;
  std::vector<std::string> hosts, instances;
  std::vector<double> samples;  // none, one or two
  Span span{};
};

struct BoundFetch {
  Fetch fetch;
  PmieShape shape;  // but for the samples
};

// All instances of the domains that were met.
using DomainLists = std::map<std::pair<uint32_t, InDomId>, std::shared_ptr<const InstanceList>>;

// What is behind `@`.
void set_samples(const WrittenFetch& written, Fetch& fetch);
// None: a message has said why. A failure ends the program.
[[nodiscard]] Result<std::optional<BoundFetch>> look_up(const WrittenFetch& written,
                                                        RuleMetrics& metrics, DomainLists& lists,
                                                        RuleReader::Messages& messages,
                                                        const std::string& program);

}  // namespace pmjit::pmie
