#include "rules/compat/fetcher.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "rules/compat/fetched_elements.h"
#include "runtime/model/pm_codes.h"

namespace pmjit::pmie {

Fetcher::Fetcher(const RuleProgram& program, const std::vector<uint32_t>& roots,
                 RuleSources& sources, Stamp start, ReplayStep step)
    : sources_(sources), start_(start), step_(step) {
  bind(program, roots);
}

void Fetcher::bind(const RuleProgram& program, const std::vector<uint32_t>& roots) {
  for (Member& member : members_) {
    if (sources_.has_moved(member.source)) {
      member.context = sources_.open_context(member.source, start_, step_);
      member.there = false;
    }
    member.metrics.clear();
    member.names.clear();
    member.places.clear();
    member.profile = {};
  }
  waiting_.clear();
  std::vector<uint32_t> fetches;
  for (const uint32_t root : roots) {
    for (uint32_t i = program.nodes[root].first; i <= root; ++i) {
      const PmieNode& node = program.nodes[i];
      if (node.op != PmieOp::fetch) continue;
      fetches.push_back(node.fetch);
      add_fetch(program.fetches[node.fetch]);
    }
  }
  restrict_profiles(program, fetches);
}

Fetcher::Member* Fetcher::find_member(uint32_t source) const {
  const auto found = std::ranges::find(members_, source, &Member::source);
  return found == members_.end() ? nullptr : &*found;
}

Fetcher::Member& Fetcher::member(uint32_t source) {
  if (Member* const found = find_member(source)) return *found;
  Member& out = members_.emplace_back();
  out.source = source;
  out.context = sources_.open_context(source, start_, step_);
  out.fetched.in_columns = true;
  return out;
}

void Fetcher::add_fetch(const Fetch& fetch) {
  for (const HostMetric& metric : fetch.hosts) {
    if (metric.waiting) {
      waiting_.insert(metric.source);
      continue;
    }
    Member& from = member(metric.source);
    if (from.places.try_emplace(metric.pmid, from.metrics.size()).second) {
      from.metrics.push_back(metric.pmid);
      from.names.push_back(fetch.name);
    }
  }
}

// Only listed instances, where every fetch of a domain lists its own. With the first metric without
// instances of a source pmie forgets what was listed before: where the domain is listed again
// behind it, the fetches before it have no values; where it is not, all its instances are fetched,
// as the operands of derived metrics show.
void Fetcher::restrict_profiles(const RuleProgram& program, const std::vector<uint32_t>& fetches) {
  using Domain = std::pair<uint32_t, InDomId>;  // of a source
  struct Listed {
    std::set<int32_t> before, behind;
  };
  std::map<Domain, Listed> listed;
  std::set<Domain> whole;
  std::set<uint32_t> has_singular;  // sources
  for (const uint32_t index : fetches) {
    const Fetch& fetch = program.fetches[index];
    for (const HostMetric& metric : fetch.hosts) {
      if (metric.waiting) continue;
      const Domain domain{metric.source, metric.desc.indom};
      if (metric.desc.indom == kNullId) has_singular.insert(metric.source);
      if (!fetch.instances_listed) whole.insert(domain);
      if (!fetch.instances_listed) continue;
      Listed& to = listed[domain];
      auto& instances = has_singular.contains(metric.source) ? to.behind : to.before;
      for (const HostMetric::Instance& instance : metric.instances()) instances.insert(instance.id);
    }
  }
  for (const auto& [domain, both] : listed) {
    if (whole.contains(domain)) continue;
    const auto& instances = has_singular.contains(domain.first) ? both.behind : both.before;
    if (instances.empty()) continue;
    member(domain.first).profile.restrict(domain.second, {instances.begin(), instances.end()});
  }
}

void Fetcher::ask() {
  for (Member& from : members_) from.context->begin_fetch(from.metrics, from.profile);
}

Fetcher::Pending Fetcher::pending() const {
  Pending out;
  for (const Member& from : members_) {
    if (from.context->settled()) continue;
    out.any = true;
    out.answering = out.answering || sources_.answers(from.source);
  }
  return out;
}

void Fetcher::release() {
  for (Member& from : members_) {
    from.fetched.sets = {};
    from.there = false;
    if (from.context->settled()) from.context->begin_fetch({}, {});
  }
}

void Fetcher::note_metrics(const Member& from) {
  for (size_t i = 0; i < from.metrics.size() && i < from.fetched.sets.size(); ++i) {
    sources_.note_metric(from.source, from.metrics[i], from.names[i], from.fetched.sets[i].count);
  }
}

size_t Fetcher::load_ahead(size_t most) {
  if (!waiting_.empty() || members_.empty()) return 0;
  ++tries_ahead_;
  for (Member& from : members_) {
    from.ahead = from.context->ahead(from.metrics);
    if (from.ahead == nullptr) return 0;
    went_ahead_ = true;
    if (!from.ahead->load()) return 0;
    most = std::min(most, from.ahead->times() - from.ahead->place());
  }
  for (Member& from : members_) {
    from.ahead_stamps.clear();
    for (size_t t = 0; t < most; ++t) {
      from.ahead_stamps.push_back(seconds_of(from.ahead->time(from.ahead->place() + t)));
    }
  }
  return most;
}

void Fetcher::use_ahead(size_t time) {
  used_ = time;
  ++uses_;
  for (Member& from : members_) {
    from.there = true;
    from.fetched.stamp = from.ahead->time(from.ahead->place() + time);
    from.fetched.sets.resize(from.metrics.size());
    from.taken.resize(from.metrics.size());
  }
}

void Fetcher::take_ahead(Member& from, size_t metric) const {
  if (std::exchange(from.taken[metric], uses_) == uses_) return;
  from.ahead->take(metric, from.ahead->place() + *used_, from.profile, from.fetched.sets[metric]);
}

std::optional<FetchedTimes> Fetcher::times_of(const Fetch& fetch, FetchState& state,
                                              size_t times) const {
  std::optional<FetchedTimes> out(std::in_place, fetch, state, times);
  for (const HostMetric& metric : fetch.hosts) {
    const Member& from = *find_member(metric.source);
    if (!out->add_host(*from.ahead, from.places.at(metric.pmid), from.ahead_stamps.data(),
                       from.profile)) {
      return std::nullopt;
    }
  }
  return out;
}

void Fetcher::pass_ahead(size_t times) {
  used_.reset();
  for (Member& from : members_) from.ahead->pass(times);
}

Result<void> Fetcher::fetch(double when) {
  waits_ = !waiting_.empty();
  for (const uint32_t source : waiting_) {
    const auto found = std::ranges::find(members_, source, &Member::source);
    if (found == members_.end() || found->metrics.empty()) sources_.note_wait(source, when);
  }
  for (Member& from : members_) {
    const auto fetched = from.context->fetch(from.metrics, from.profile, from.fetched);
    from.there = fetched.has_value();
    if (!fetched && fetched.error().pm_code() == pm_err::E_LOGREC) return fetched;
    sources_.note_fetch(from.source, when, fetched);
    if (fetched) note_metrics(from);
    waits_ = waits_ || !from.there;
  }
  return {};
}

// Null: the host has nothing.
const FetchedSet* Fetcher::find(const HostMetric& metric, double& stamp, Context*& asked) const {
  Member* const from = find_member(metric.source);
  if (from == nullptr || !from->there) return nullptr;
  const size_t place = from->places.at(metric.pmid);
  if (used_) take_ahead(*from, place);
  if (place >= from->fetched.sets.size()) return nullptr;
  stamp = seconds_of(from->fetched.stamp);
  asked = sources_.is_live() ? from->context.get() : nullptr;
  return &from->fetched.sets[place];
}

void Fetcher::tell_unnamed(const Fetch& fetch, FetchState& state) const {
  for (size_t h = 0; h < fetch.hosts.size(); ++h) {
    for (; state.hosts[h].unnamed > 0; --state.hosts[h].unnamed) {
      if (unnamed_) unnamed_(fetch.name, fetch.hosts[h].source);
    }
  }
}

bool Fetcher::read(uint32_t index, PmieEvaluator& at) const {
  const PmieNode& node = at.program().nodes[index];
  const Fetch& fetch = at.program().fetches[node.fetch];
  FetchState& state = at.fetched(node.fetch);
  if (fetch.waits()) {
    forget_history(state);
    return false;
  }
  std::vector<Delivered> delivered;
  double newest = 0;
  for (const HostMetric& metric : fetch.hosts) {
    Delivered& from = delivered.emplace_back();
    from.set = find(metric, from.stamp, from.asked);
    from.learns = sources_.never_waits();
    newest = std::max(newest, from.set != nullptr ? from.stamp : 0);
  }
  if (!take_elements(fetch, delivered, state)) {
    forget_history(state);
    return false;
  }
  tell_unnamed(fetch, state);
  const size_t elements = count_elements(state);
  if (elements != at.state(index).span()) at.reshape(index, static_cast<int32_t>(elements));
  NodeState& into = at.state(index);
  into.stamps[into.slot(0)] = newest;
  if (node.sem == Sem::text) return read_texts(fetch, delivered, state, into.text_now());
  return read_numbers(fetch, delivered, state, into.now(), wraps_);
}

}  // namespace pmjit::pmie
