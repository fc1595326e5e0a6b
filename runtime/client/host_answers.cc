#include "runtime/client/host_answers.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "runtime/client/requests.h"

namespace pmjit {

namespace {

bool same_instances(const OrPmError<std::vector<Catalog::Instance>>& one,
                    const OrPmError<std::vector<Catalog::Instance>>& other) {
  if (one.has_value() != other.has_value()) return false;
  if (!one) return one.error() == other.error();
  return std::ranges::equal(
      *one, *other, [](const auto& a, const auto& b) { return a.id == b.id && a.name == b.name; });
}

bool same_desc(const OrPmError<Desc>& one, const OrPmError<Desc>& other) {
  if (one.has_value() != other.has_value()) return false;
  if (!one) return one.error() == other.error();
  return one->pmid == other->pmid && one->pm_type == other->pm_type && one->indom == other->indom &&
         one->semantics == other->semantics && one->units == other->units;
}

template <class Map, class Same>
bool same_map(const Map& one, const Map& other, Same same) {
  return std::ranges::equal(one, other, [&](const auto& a, const auto& b) {
    return a.first == b.first && same(a.second, b.second);
  });
}

void mix(size_t& hash, size_t value) { hash = (hash ^ value) * 0x100000001b3; }

template <class Map>
void replace(Map& old, Map& newer) {
  for (auto& [key, value] : newer) old.insert_or_assign(key, std::move(value));
}

}  // namespace

void HostQuestions::add(const HostQuestions& more) {
  names.insert(more.names.begin(), more.names.end());
  metrics.insert(more.metrics.begin(), more.metrics.end());
  domains.insert(more.domains.begin(), more.domains.end());
}

void HostAnswers::add(HostAnswers newer) {
  replace(pmids, newer.pmids);
  replace(descs, newer.descs);
  replace(instances, newer.instances);
}

bool HostAnswers::same_as(const HostAnswers& other) const {
  return same_map(pmids, other.pmids, std::equal_to<>()) &&
         same_map(descs, other.descs, same_desc) &&
         same_map(instances, other.instances, same_instances);
}

size_t HostAnswers::hash() const {
  size_t out = 0xcbf29ce484222325;
  for (const auto& [name, pmid] : pmids) {
    mix(out, std::hash<std::string>{}(name));
    mix(out, pmid ? *pmid : static_cast<size_t>(pmid.error()));
  }
  for (const auto& [pmid, desc] : descs) {
    mix(out, pmid);
    mix(out, desc ? static_cast<size_t>(desc->pm_type) : static_cast<size_t>(desc.error()));
  }
  for (const auto& [domain, all] : instances) {
    mix(out, domain);
    if (!all) continue;
    for (const Catalog::Instance& one : *all) {
      mix(out, static_cast<size_t>(one.id));
      mix(out, std::hash<std::string>{}(one.name));
    }
  }
  return out;
}

InDomId known_domain(const KnownAhead& ahead, PmId metric) {
  const auto* const desc = find_ahead(ahead, &HostAnswers::descs, metric);
  return desc != nullptr && *desc ? (*desc)->indom : kNullId;
}

HostQuestions questions_of(const HostAnswers& answers) {
  HostQuestions out;
  for (const auto& [name, pmid] : answers.pmids) out.names.insert(name);
  for (const auto& [pmid, desc] : answers.descs) out.metrics.insert(pmid);
  for (const auto& [domain, all] : answers.instances) out.domains.insert(domain);
  return out;
}

bool has_moved(const HostAnswers& before, const HostAnswers& now) {
  for (const auto& [name, pmid] : before.pmids) {
    const auto found = now.pmids.find(name);
    if (pmid && (found == now.pmids.end() || found->second != pmid)) return true;
  }
  for (const auto& [pmid, desc] : before.descs) {
    const auto found = now.descs.find(pmid);
    if (desc && (found == now.descs.end() || !same_desc(found->second, desc))) return true;
  }
  for (const auto& [domain, all] : before.instances) {
    const auto found = now.instances.find(domain);
    if (!all || found == now.instances.end() || !found->second) continue;
    std::unordered_map<int32_t, std::string_view> names;
    for (const Catalog::Instance& one : *found->second) names.emplace(one.id, one.name);
    for (const Catalog::Instance& one : *all) {
      const auto same = names.find(one.id);
      if (same != names.end() && same->second != one.name) return true;
    }
  }
  return false;
}

Async<Result<HostAnswers>> ask_ahead(HostClient& client, HostQuestions questions, uint64_t& epoch) {
  auto waiting = client.lease();
  const Result<ConnectionLease> lease = co_await waiting;
  if (!lease) co_return fail(lease.error());
  epoch = client.epoch();
  auto asking = ask_over(lease->connection(), std::move(questions));
  Result<HostAnswers> out = co_await asking;
  co_return out;
}

Async<Result<HostAnswers>> ask_over(Connection& connection, HostQuestions questions) {
  HostAnswers out;
  const std::vector<std::string_view> names(questions.names.begin(), questions.names.end());
  if (!names.empty()) {
    auto asking = request_ids(connection, names);
    const Result<std::vector<OrPmError<PmId>>> ids = co_await asking;
    if (!ids) co_return fail(ids.error());
    for (size_t i = 0; i < names.size(); ++i) {
      out.pmids.emplace(names[i], (*ids)[i]);
      if ((*ids)[i]) questions.metrics.insert(*(*ids)[i]);
    }
  }
  const std::vector<PmId> metrics(questions.metrics.begin(), questions.metrics.end());
  if (!metrics.empty()) {
    auto asking = request_descs(connection, metrics);
    const Result<std::vector<OrPmError<Desc>>> descs = co_await asking;
    if (!descs) co_return fail(descs.error());
    for (size_t i = 0; i < metrics.size(); ++i) {
      out.descs.emplace(metrics[i], (*descs)[i]);
      const bool has_domain =
          questions.with_instances && (*descs)[i] && (*descs)[i]->indom != kNullId;
      if (has_domain) questions.domains.insert((*descs)[i]->indom);
    }
  }
  for (const InDomId domain : questions.domains) {
    auto asking = request_instances(connection, domain);
    Result<OrPmError<std::vector<Catalog::Instance>>> found = co_await asking;
    if (!found) co_return fail(found.error());
    out.instances.emplace(domain, *std::move(found));
  }
  co_return out;
}

}  // namespace pmjit
