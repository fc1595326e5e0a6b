// RuleMetrics: what the reader of rules asks of the world: sources by host, and their metrics.
// Archives and hosts stand behind it. Source: spec rules-language.md §6, §16, §17, §24.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/model/catalog.h"
#include "runtime/model/desc.h"
#include "runtime/model/pm_error.h"

namespace pmjit::pmie {

class RuleMetrics {
 public:
  virtual ~RuleMetrics() = default;

  // The source of a host as written behind `:`, or, empty, the default one. A failure is the end of
  // the reading.
  [[nodiscard]] virtual Result<uint32_t> source(std::string_view host) = 0;
  [[nodiscard]] virtual std::string host(uint32_t source) const = 0;  // as `%h` prints it
  // As messages call it: `archive A (host H)`, `pmcd CONN (host H)`.
  [[nodiscard]] virtual std::string title(uint32_t source) const = 0;

  [[nodiscard]] virtual OrPmError<PmId> look_up(uint32_t source, std::string_view name) = 0;
  [[nodiscard]] virtual OrPmError<Desc> describe(uint32_t source, PmId pmid) = 0;
  // Of an archive: all ever recorded, those of the newest record first.
  [[nodiscard]] virtual OrPmError<std::vector<Catalog::Instance>> instances(uint32_t source,
                                                                            InDomId indom) = 0;
};

}  // namespace pmjit::pmie
