#include "runtime/archive/reader/metadata_catalog.h"

#include <algorithm>

namespace pmjit {

Result<Desc> MetadataCatalog::describe(std::string_view metric) const {
  const auto pmid = metadata_.names.find(metric);
  if (!pmid) {
    return fail(Error(Fault::not_found, "Unknown metric name")
                    .at("metric", metric)
                    .at("archive", name_)
                    .pm_code(pm_err::E_NAME));
  }
  return metadata_.descs.at(*pmid);
}

std::vector<std::string> MetadataCatalog::leaves(std::string_view prefix) const {
  std::vector<std::string> out;
  if (const auto found = metadata_.names.leaves(prefix)) {
    for (const auto& leaf : *found) out.emplace_back(leaf.name);
  }
  std::ranges::sort(out);
  return out;
}

std::optional<std::string> MetadataCatalog::instance_name(InDomId indom, int32_t instance,
                                                          Stamp when) const {
  const Domain* domain = metadata_.domain(indom);
  if (domain == nullptr) return std::nullopt;
  const auto name = domain->name(instance, when);
  if (!name) return std::nullopt;
  return std::string(*name);
}

uint64_t MetadataCatalog::domain_epoch(InDomId indom, Stamp when) const {
  const Domain* domain = metadata_.domain(indom);
  return domain == nullptr ? 0 : domain->sets_until(when);
}

std::optional<std::vector<int32_t>> MetadataCatalog::changed_between(InDomId indom, Stamp from,
                                                                     Stamp to) const {
  const Domain* domain = metadata_.domain(indom);
  if (domain == nullptr) return std::vector<int32_t>();
  return domain->changed_between(from, to);
}

std::vector<Catalog::Instance> MetadataCatalog::instances(InDomId indom) const {
  const Domain* domain = metadata_.domain(indom);
  if (domain == nullptr) return {};
  return domain->all();
}

std::vector<std::string> MetadataCatalog::names_ever(InDomId indom) const {
  const Domain* domain = metadata_.domain(indom);
  if (domain == nullptr) return {};
  return domain->names_ever();
}

}  // namespace pmjit
