// RuleMetrics over archives, as far as the reader of rules needs it: no derived metrics.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "compiler/compat/pmie/rule_reader.h"
#include "runtime/archive/archive.h"

namespace pmjit::pmie {

class ArchiveMetrics final : public RuleMetrics {
 public:
  [[nodiscard]] Result<void> add(const std::string& name) {
    auto archive = Archive::open(name);
    if (!archive) return fail(archive.error());
    archives_.push_back(std::move(*archive));
    names_.push_back(name);
    return {};
  }

  Result<uint32_t> source(std::string_view host) override {
    for (uint32_t i = 0; i < archives_.size(); ++i)
      if (host.empty() || archives_[i]->host() == host) return i;
    return fail(Fault::not_found,
                "pmie: cannot open archive unknown archive\npmNewContext: No such file or "
                "directory");
  }
  std::string host(uint32_t source) const override { return archives_[source]->host(); }
  std::string title(uint32_t source) const override {
    return fmt::format("archive {} (host {})", names_[source], host(source));
  }
  OrPmError<PmId> look_up(uint32_t source, std::string_view name) override {
    const auto found = archives_[source]->metadata().names.look_up(name);
    if (!found) return pm_fail(static_cast<int>(found.error()));
    return *found;
  }
  OrPmError<Desc> describe(uint32_t source, PmId pmid) override {
    const Desc* desc = archives_[source]->metadata().desc(pmid);
    if (desc == nullptr) return pm_fail(pm_err::E_PMID_LOG);
    return *desc;
  }
  OrPmError<std::vector<Catalog::Instance>> instances(uint32_t source, InDomId indom) override {
    const Domain* domain = archives_[source]->metadata().domain(indom);
    if (domain == nullptr) return pm_fail(pm_err::E_INDOM_LOG);
    return domain->all();
  }

 private:
  std::vector<std::unique_ptr<Archive>> archives_;
  std::vector<std::string> names_;
};

}  // namespace pmjit::pmie
