#include "runtime/client/host_catalog.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

Stamp wall_now(const HostContext& context) {
  const WallTime now = context.client().network().clock().wall();
  return stamp_from_nanos(now.time_since_epoch().count());
}

}  // namespace

Result<Desc> HostCatalog::describe(std::string_view metric) const {
  const auto refused = [&](int code) {
    if (context_.why()) return fail(*context_.why());
    return fail(Error(Fault::not_found, pm_error_text(code)).at("metric", metric).pm_code(code));
  };
  const auto pmid = context_.look_up(metric);
  if (!pmid) return refused(pmid.error());
  const auto desc = context_.describe(*pmid);
  if (!desc) return refused(desc.error());
  described_.insert_or_assign(
      *pmid,
      Described{.name = std::string(metric), .desc = *desc, .epoch = context_.client().epoch()});
  return *desc;
}

std::vector<std::string> HostCatalog::leaves(std::string_view prefix) const {
  std::vector<std::string> out;
  if (const auto found = context_.leaves(prefix)) {
    for (const Context::Leaf& leaf : *found) out.push_back(leaf.name);
  }
  std::ranges::sort(out);
  return out;
}

void HostCatalog::learn(InDomId indom) const {
  if (instances_.knows(indom)) return;
  if (const auto found = context_.instances(indom)) {
    instances_.refresh(indom, *found, wall_now(context_));
  }
}

std::vector<Catalog::Instance> HostCatalog::instances(InDomId indom) const {
  learn(indom);
  return instances_.all(indom);
}

std::vector<std::string> HostCatalog::names_ever(InDomId indom) const {
  learn(indom);
  return instances_.names_ever(indom);
}

const HostCatalog::Described* HostCatalog::described(PmId pmid) const {
  const auto found = described_.find(pmid);
  return found == described_.end() ? nullptr : &found->second;
}

}  // namespace pmjit
