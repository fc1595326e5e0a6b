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

bool lacks_agent(int code) {
  constexpr int kCodes[] = {pm_err::E_NOAGENT,    pm_err::E_AGAIN,     pm_err::E_PMID,
                            pm_err::E_PMDAFENCED, pm_err::E_PMDAREADY, pm_err::E_PMDANOTREADY};
  return std::ranges::find(kCodes, code) != std::end(kCodes);
}

// A name that is unknown may be one that an agent brings.
Error not_described(const NotDescribed& what) {
  const std::string why =
      fmt::format("{} does not describe it: {}", what.host, pm_error_text(what.code));
  if (what.lacks_agent) {
    return Error(Fault::io, why)
        .pm_code(what.code)
        .help(fmt::format("is its agent running there? `pmjit info -h {} {}` says when it is",
                          what.host, what.metric));
  }
  if (what.code == pm_err::E_NAME || what.code == pm_err::E_NONLEAF) {
    return Error(Fault::not_found, why)
        .pm_code(what.code)
        .help(fmt::format("`pmjit info -h {}` shows what there is; if an agent brings this one, is "
                          "that running there?",
                          what.host));
  }
  return Error(Fault::io, why)
      .pm_code(what.code)
      .help(what.code == pm_err::E_PERMISSION
                ? std::string(kAccessHelp)
                : fmt::format(
                      "`pmjit info -h {} {}` asks it again; the log of its agent may say more",
                      what.host, what.metric));
}

bool HostCatalog::must_borrow() const {
  borrows_ = borrows_ || (lender_ != nullptr && context_.why());
  return borrows_;
}

// Of no epoch: the feed looks it up when the host is there.
Result<Desc> HostCatalog::borrowed(std::string_view metric) const {
  auto desc = lender_->describe(metric);
  if (desc) described_.insert_or_assign(desc->pmid, Described{std::string(metric), *desc, 0});
  return desc;
}

OrPmError<Desc> HostCatalog::own(std::string_view metric) const {
  const auto pmid = context_.look_up(metric);
  if (!pmid) return pm_fail(pmid.error());
  return context_.describe(*pmid);
}

bool HostCatalog::has_not_said(std::string_view metric) const {
  const KnownAhead* const ahead = context_.answers_from();
  if (ahead == nullptr) return false;
  const auto* const pmid = find_ahead(*ahead, &HostAnswers::pmids, metric);
  if (pmid == nullptr) return true;
  return *pmid && find_ahead(*ahead, &HostAnswers::descs, **pmid) == nullptr;
}

const HostCatalog::Described* HostCatalog::described_as(std::string_view metric) const {
  const Described* out = nullptr;
  for (const auto& [pmid, one] : described_) {
    if (one.name == metric && (out == nullptr || one.epoch > out->epoch)) out = &one;
  }
  return out;
}

bool HostCatalog::agent_runs(std::string_view metric) const {
  if (!running_) {
    running_.emplace();
    for (const HostContext::AgentState& agent : context_.agent_states()) {
      if (agent.status == 0) running_->push_back(agent.domain);
    }
  }
  const auto pmid = context_.look_up(metric);
  return pmid && std::ranges::find(*running_, domain_of(*pmid)) != running_->end();
}

// Its domain is taken to have the number that it has there, until it is looked up.
std::optional<Desc> HostCatalog::lent(std::string_view metric) const {
  if (all_ == nullptr) return std::nullopt;
  for (const HostCatalog* const other : *all_) {
    if (other == this || other->context_.why()) continue;
    const auto desc = other->own(metric);
    if (!desc) continue;
    if (desc->indom != kNullId) lent_domains_.emplace(desc->indom, other);
    Desc out = *desc;
    out.pmid = context_.look_up(metric).value_or(out.pmid);
    return out;
  }
  return std::nullopt;
}

Result<Desc> HostCatalog::describe(std::string_view metric) const {
  if (!asked_.contains(metric)) asked_.emplace(metric);
  auto out = own_or_lent(metric);
  if (!out) {
    missing_.emplace(metric);
  } else if (const auto found = missing_.find(metric); found != missing_.end()) {
    missing_.erase(found);
  }
  return out;
}

Result<Desc> HostCatalog::own_or_lent(std::string_view metric) const {
  if (must_borrow()) return borrowed(metric);
  const auto desc = own(metric);
  const auto remember = [&](const Desc& of, uint64_t epoch) {
    described_.insert_or_assign(of.pmid,
                                Described{.name = std::string(metric), .desc = of, .epoch = epoch});
    return of;
  };
  if (desc) return remember(*desc, context_.client().epoch());
  if (has_not_said(metric)) {
    if (const Described* const before = described_as(metric)) return before->desc;
    if (const auto other = lent(metric)) return remember(*other, 0);
  }
  if (must_borrow()) return borrowed(metric);
  if (context_.why()) return fail(*context_.why());
  const bool lacks =
      lacks_agent(desc.error()) && (desc.error() != pm_err::E_PMID || !agent_runs(metric));
  if (lacks) {
    if (const auto other = lent(metric)) return remember(*other, 0);
  }
  return fail(not_described({.host = context_.client().spec().text,
                             .metric = metric,
                             .code = desc.error(),
                             .lacks_agent = lacks}));
}

std::vector<std::string> HostCatalog::leaves(std::string_view prefix) const {
  if (must_borrow()) return lender_->leaves(prefix);
  std::vector<std::string> out;
  if (const auto found = context_.leaves(prefix)) {
    for (const Context::Leaf& leaf : *found) out.push_back(leaf.name);
  } else if (must_borrow()) {
    return lender_->leaves(prefix);
  }
  std::ranges::sort(out);
  return out;
}

void HostCatalog::learn(const HostAnswers& said) const {
  for (const auto& [indom, found] : said.instances) {
    if (found && asks_ && !instances_.knows(indom)) {
      instances_.refresh(indom, *found, wall_now(context_));
    }
  }
}

void HostCatalog::learn(InDomId indom) const {
  if (instances_.knows(indom) || !asks_ || must_borrow()) return;
  if (const auto found = context_.instances(indom)) {
    instances_.refresh(indom, *found, wall_now(context_));
  }
}

std::vector<Catalog::Instance> HostCatalog::instances(InDomId indom) const {
  learn(indom);
  if (borrows_ && !instances_.knows(indom)) return lender_->instances(indom);
  const auto lent = lent_domains_.find(indom);
  if (lent != lent_domains_.end() && !instances_.knows(indom))
    return lent->second->instances(indom);
  return instances_.all(indom);
}

std::vector<std::string> HostCatalog::names_ever(InDomId indom) const {
  learn(indom);
  if (borrows_ && !instances_.knows(indom)) return lender_->names_ever(indom);
  const auto lent = lent_domains_.find(indom);
  if (lent != lent_domains_.end() && !instances_.knows(indom)) {
    return lent->second->names_ever(indom);
  }
  return instances_.names_ever(indom);
}

const HostCatalog::Described* HostCatalog::described(PmId pmid) const {
  const auto found = described_.find(pmid);
  return found == described_.end() ? nullptr : &found->second;
}

}  // namespace pmjit
