#include "runtime/client/host_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <functional>
#include <utility>

#include "runtime/base/local_host.h"
#include "runtime/client/context_fetches.h"
#include "runtime/client/context_names.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

// Of an error that stands for a whole call. Errors of the client itself all have codes.
int code_of(const Error& error) { return error.pm_code() != 0 ? error.pm_code() : pm_err::E_IPC; }

using Followed = std::shared_ptr<FollowedMetrics>;  // null: none

// Connected, then asked. `make` makes the request's coroutine once there is a connection, and
// followed metrics are what they are by then.
template <class T>
using Make = std::move_only_function<Async<Result<T>>(Connection&)>;
template <class T>
Async<Result<T>> with_connection(HostClient& client, Followed followed, Make<T> make) {
  auto waiting = client.lease();
  Result<ConnectionLease> lease = co_await waiting;
  if (!lease) co_return fail(lease.error());
  if (followed != nullptr) {
    auto refreshing = followed->refresh(lease->connection(), client.epoch());
    const Result<bool> fresh = co_await refreshing;
    if (!fresh) co_return fail(fresh.error());
  }
  Async<Result<T>> asking = make(lease->connection());
  Result<T> answer = co_await asking;
  co_return answer;
}

Async<Result<bool>> only_connect(HostClient& client) {
  auto waiting = client.lease();
  const Result<ConnectionLease> lease = co_await waiting;
  if (!lease) co_return fail(lease.error());
  co_return true;
}

// How long the wish to stop may go unseen, and how long an answer may still come then.
constexpr auto kLongestUnseen = std::chrono::milliseconds(50);

Error interrupted_call() { return Error(Fault::io, "interrupted").pm_code(-EINTR); }

Stamp stamp_of(WallTime time) { return stamp_from_nanos(time.time_since_epoch().count()); }

}  // namespace

// What is given up is closed with its coroutine.
template <class T>
Result<T> HostContext::wait_for(Async<Result<T>> answer) {
  const bool may_stop = static_cast<bool>(client_.settings().stop);
  const auto longest = may_stop ? std::chrono::nanoseconds(kLongestUnseen) : kNoTimeLimit;
  const auto now = [this] { return client_.network().now(); };
  const auto too_late = [&] { return limit_ != nullptr && now() >= *limit_; };
  bool stopped = false;
  if (!too_late()) answer.start();
  while (!answer.done() && !too_late() && !stopped) {
    stopped = may_stop && must_stop();
    const Instant until = now() + longest;
    if (!stopped) {
      (void)client_.network().run_some(limit_ != nullptr ? std::min(*limit_, until) : until);
    }
  }
  Result<T> out =
      answer.done() ? answer.take() : Result<T>(fail(stopped ? interrupted_call() : no_answer()));
  if (out) {
    why_.reset();
  } else {
    why_ = out.error();
  }
  forget_old();
  return out;
}

bool HostContext::must_stop() {
  const Instant now = client_.network().now();
  if (!stop_seen_ && client_.settings().stop()) stop_seen_ = now;
  return stop_seen_ && now - *stop_seen_ >= kLongestUnseen;
}

template <class T, class Ask>
OrPmError<T> HostContext::ask(Ask ask) {
  auto answer = wait_for(with_connection<OrPmError<T>>(client_, followed_, std::move(ask)));
  if (!answer) return pm_fail(code_of(answer.error()));
  return *std::move(answer);
}

void HostContext::forget_old() {
  if (epoch_ == client_.epoch()) return;
  epoch_ = client_.epoch();
  pmids_.clear();
  descs_.clear();
  leaves_.clear();
  instance_names_.clear();
  nameless_.clear();
  host_name_.reset();
}

Result<void> HostContext::connect() {
  if (auto connected = wait_for(only_connect(client_)); !connected) return fail(connected.error());
  return {};
}

Async<Result<bool>> HostContext::connecting() { return only_connect(client_); }

void HostContext::connected(const Result<bool>& done) {
  why_.reset();
  if (!done) why_ = done.error();
  forget_old();
}

void HostContext::learn(const Result<HostAnswers>& said) {
  connected(said ? Result<bool>(true) : Result<bool>(fail(said.error())));
  if (!said) return;
  for (const auto& [name, pmid] : said->pmids) pmids_.insert_or_assign(name, pmid);
  for (const auto& [pmid, desc] : said->descs) descs_.insert_or_assign(pmid, desc);
}

std::string HostContext::host_name() {
  if (host_name_) return *host_name_;
  const HostSpec& spec = client_.spec();
  const bool local = spec.kind != HostSpec::Kind::remote || spec.host().starts_with("localhost");
  const std::string fallback = local ? local_host_name() : spec.host();
  host_name_ = fallback;
  const std::string said = text_value("pmcd.hostname");
  if (!said.empty()) host_name_ = said;
  return host_name_.value_or(fallback);
}

std::vector<HostContext::AgentState> HostContext::agent_states() {
  std::vector<AgentState> out;
  const auto status = look_up("pmcd.agent.status");
  Fetched fetched;
  if (!status || !fetch(std::array{*status}, Profile(), fetched)) return out;
  // The metric has an instance per agent, whose number is the agent's domain.
  for (const Value& value : fetched.sets.front().values) {
    out.push_back({.domain = static_cast<uint32_t>(value.instance),
                   .status = static_cast<int32_t>(value.word)});
  }
  return out;
}

void HostContext::begin_text_value(std::string_view metric) {
  const auto known = pmids_.find(std::string(metric));
  if (known != pmids_.end() && known->second) begin_fetch({&*known->second, 1}, {});
}

std::string HostContext::text_value(std::string_view metric) {
  const auto pmid = look_up(metric);
  if (!pmid) return {};
  Fetched fetched;
  const auto done = fetch({&*pmid, 1}, {}, fetched);
  if (!done || fetched.sets.empty() || fetched.sets.front().values.empty()) return {};
  const auto desc = describe(*pmid);
  if (!desc || desc->pm_type != pm_type::string) return {};
  const FetchedSet& set = fetched.sets.front();
  const auto atom = load_atom(set.format, desc->pm_type, set.values.front());
  return atom ? std::string(atom->text()) : std::string();
}

OrPmError<std::vector<HostLabels>> HostContext::labels(LabelLevel level, uint32_t ident) {
  return ask<std::vector<HostLabels>>(
      [level, ident](Connection& to) { return request_labels(to, level, ident); });
}

std::vector<OrPmError<PmId>> HostContext::look_up_names(std::span<const std::string_view> names) {
  if (names_) return look_up_in(*names_, names);
  std::vector<OrPmError<PmId>> out;
  if (ahead_ != nullptr) {
    for (const std::string_view name : names) {
      const auto* const known = find_ahead(*ahead_, &HostAnswers::pmids, name);
      if (known == nullptr) ahead_->open.names.emplace(name);
      out.push_back(known != nullptr ? *known : pm_fail(pm_err::E_NAME));
    }
    return out;
  }
  std::vector<std::string_view> unknown;
  std::vector<size_t> places;  // of them
  for (size_t i = 0; i < names.size(); ++i) {
    const auto known = pmids_.find(std::string(names[i]));
    out.push_back(known == pmids_.end() ? OrPmError<PmId>(kNullId) : known->second);
    if (known != pmids_.end()) continue;
    unknown.push_back(names[i]);
    places.push_back(i);
  }
  if (unknown.empty()) return out;
  const std::span<const std::string_view> wanted(unknown);
  const auto answer = wait_for(with_connection<std::vector<OrPmError<PmId>>>(
      client_, followed_, [wanted](Connection& to) { return request_ids(to, wanted); }));
  size_t next = 0;
  for (const size_t i : places) {
    out[i] = answer ? (*answer)[next++] : pm_fail(code_of(answer.error()));
    if (out[i] && followed_) out[i] = followed_->known_as(names[i], *out[i]);
    if (out[i]) pmids_.insert_or_assign(std::string(names[i]), *out[i]);
  }
  return out;
}

OrPmError<std::vector<std::string>> HostContext::names(PmId pmid) {
  if (names_) return names_in(*names_, pmid);
  return ask<std::vector<std::string>>([pmid](Connection& to) { return request_names(to, pmid); });
}

OrPmError<std::vector<Context::Child>> HostContext::children(std::string_view name) {
  if (names_) return children_in(*names_, name);
  return ask<std::vector<Child>>([name](Connection& to) { return request_children(to, name); });
}

OrPmError<std::vector<Context::Leaf>> HostContext::leaves(std::string_view name) {
  if (names_) return leaves_in(*names_, name);
  if (ahead_ != nullptr) return pm_fail(pm_err::E_NAME);
  if (const auto known = leaves_.find(std::string(name)); known != leaves_.end()) {
    return known->second;
  }
  const auto found =
      ask<std::vector<std::string>>([name](Connection& to) { return request_leaves(to, name); });
  if (!found) return pm_fail(found.error());
  const std::vector<std::string_view> all(found->begin(), found->end());
  const auto pmids = look_up_names(all);
  std::vector<Leaf> out;
  for (size_t i = 0; i < all.size(); ++i) {
    out.push_back({.name = (*found)[i], .pmid = pmids[i].value_or(kNullId)});
  }
  return out;
}

std::vector<OrPmError<Desc>> HostContext::describe_metrics(std::span<const PmId> metrics) {
  std::vector<OrPmError<Desc>> out;
  if (ahead_ != nullptr) {
    for (const PmId pmid : metrics) {
      const auto* const known = find_ahead(*ahead_, &HostAnswers::descs, pmid);
      if (known == nullptr) ahead_->open.metrics.insert(pmid);
      out.push_back(known != nullptr ? *known : pm_fail(pm_err::E_PMID));
    }
    return out;
  }
  std::vector<PmId> unknown;
  std::vector<size_t> places;  // of them
  for (size_t i = 0; i < metrics.size(); ++i) {
    const auto known = descs_.find(metrics[i]);
    out.push_back(known == descs_.end() ? OrPmError<Desc>(pm_fail(0)) : known->second);
    if (known != descs_.end()) continue;
    unknown.push_back(metrics[i]);
    places.push_back(i);
  }
  if (unknown.empty()) return out;
  std::vector<PmId> wanted;
  auto answer = wait_for(
      with_connection<std::vector<OrPmError<Desc>>>(client_, followed_, [&](Connection& to) {
        for (const PmId pmid : unknown) wanted.push_back(followed_ ? followed_->now(pmid) : pmid);
        return request_descs(to, wanted);
      }));
  size_t next = 0;
  for (const size_t i : places) {
    out[i] = answer ? (*answer)[next++] : pm_fail(code_of(answer.error()));
    if (out[i] && followed_) followed_->described(metrics[i], *out[i]);
    if (out[i]) descs_.insert_or_assign(metrics[i], *out[i]);
  }
  return out;
}

// Where there is no help, the one line is it.
OrPmError<std::string> HostContext::text(TextKind kind, TextOfWhat of, uint32_t ident) {
  auto found = ask<std::string>([=](Connection& to) { return request_text(to, kind, of, ident); });
  const bool missing = found ? found->empty() : found.error() == pm_err::E_TEXT;
  if (kind == TextKind::one_line || !missing) return found;
  return text(TextKind::one_line, of, ident);
}

OrPmError<std::string> HostContext::metric_text(TextKind kind, PmId pmid) {
  return text(kind, TextOfWhat::metric, pmid);
}

OrPmError<std::string> HostContext::indom_text(TextKind kind, InDomId indom) {
  return text(kind, TextOfWhat::indom, indom);
}

OrPmError<std::vector<Context::Instance>> HostContext::instances(InDomId indom) {
  if (ahead_ != nullptr) {
    const auto* const known = find_ahead(*ahead_, &HostAnswers::instances, indom);
    if (known != nullptr) return *known;
    ahead_->open.domains.insert(indom);
    return pm_fail(pm_err::E_INDOM);
  }
  auto found =
      ask<std::vector<Instance>>([indom](Connection& to) { return request_instances(to, indom); });
  if (!found) return found;
  if (followed_) followed_->listed(indom, *found);
  auto& names = instance_names_[indom];
  names.clear();
  for (const Instance& instance : *found) names.emplace(instance.id, instance.name);
  return found;
}

OrPmError<int32_t> HostContext::instance_id(InDomId indom, std::string_view name) {
  return ask<int32_t>(
      [indom, name](Connection& to) { return request_instance_id(to, indom, name); });
}

OrPmError<std::string> HostContext::instance_name(InDomId indom, int32_t instance) {
  if (ahead_ != nullptr) {
    const auto come = instance_names_.find(indom);
    if (come != instance_names_.end()) {
      const auto found = come->second.find(instance);
      if (found != come->second.end()) return found->second;
    }
    const auto first = known_ahead(indom);
    const auto found = std::ranges::find(first, instance, &Instance::id);
    if (found == first.end()) return pm_fail(pm_err::E_INST);
    return found->name;
  }
  if (!instance_names_.contains(indom)) {
    if (const auto all = instances(indom); !all) return pm_fail(all.error());
  }
  const auto& known = instance_names_[indom];
  if (const auto found = known.find(instance); found != known.end()) return found->second;
  auto name =
      ask<std::string>([=](Connection& to) { return request_instance_name(to, indom, instance); });
  if (name) instance_names_[indom].emplace(instance, *name);
  return name;
}

Result<void> HostContext::fetch(std::span<const PmId> metrics, const Profile& profile,
                                Fetched& out) {
  if (metrics.empty()) return fetch_stamp(out);
  if (!under_way_ && ahead_ != nullptr) return fail(no_answer());
  if (!under_way_) {
    const FetchCall call{.metrics = metrics, .profile = profile, .kept = result_};
    return take_answer(wait_for(fetching(call, sent_)), metrics, profile, out);
  }
  if (next_ || !under_way_->work->done()) {
    why_ = no_answer();
    return fail(*why_);
  }
  const auto done = std::move(under_way_);
  result_ = std::move(done->bytes);
  sent_ = std::move(done->sent);
  const Result<FetchAnswer> answer = done->answer ? *std::move(done->answer) : done->work->take();
  if (!followed_) return take_answer(answer, metrics, profile, out);
  auto taken = take_answer(answer, done->metrics, profile, out);
  if (taken && !std::ranges::equal(done->metrics, metrics)) choose(metrics, out.sets);
  return taken;
}

// From the sets of a fetch that began for others.
void HostContext::choose(std::span<const PmId> metrics, std::vector<FetchedSet>& sets) {
  std::vector<FetchedSet> out;
  for (const PmId metric : metrics) {
    const auto found = std::ranges::find(sets, metric, &FetchedSet::pmid);
    out.push_back(found != sets.end() ? *found
                                      : FetchedSet{.pmid = metric, .count = pm_err::E_AGAIN});
  }
  sets = std::move(out);
}

Async<Result<FetchAnswer>> HostContext::fetching(FetchCall call, FollowedFetch& sent,
                                                 const std::optional<FetchTick>& tick) {
  if (ahead_ == nullptr && !followed_) return fetch_kept(client_, call);
  if (ahead_ == nullptr) return fetch_followed(client_, followed_, call, sent);
  if (tick && user_ == nullptr) user_ = std::make_unique<TickUser>(client_);
  return fetch_known(client_, *ahead_, call, tick ? user_.get() : nullptr,
                     tick.value_or(FetchTick{}));
}

void HostContext::begin_fetch(std::span<const PmId> metrics, const Profile& profile) {
  next_.reset();
  if (metrics.empty()) {
    result_ = {};
    arena_ = {};
  }
  if (under_way_ && std::ranges::equal(under_way_->metrics, metrics) &&
      under_way_->profile == profile) {
    return;
  }
  std::unique_ptr<FetchUnderWay> wanted;
  if (!metrics.empty()) {
    wanted = std::make_unique<FetchUnderWay>(
        FetchUnderWay{.metrics = {metrics.begin(), metrics.end()},
                      .profile = profile,
                      .tick = tick_ != nullptr ? *tick_ : std::nullopt});
  }
  if (under_way_ && !under_way_->work->done()) {
    next_ = std::move(wanted);
  } else {
    start(std::move(wanted));
  }
}

void HostContext::start(std::unique_ptr<FetchUnderWay> fetch) {
  under_way_ = std::move(fetch);
  if (!under_way_) return;
  under_way_->work.emplace(fetching(
      {.metrics = under_way_->metrics, .profile = under_way_->profile, .kept = under_way_->bytes},
      under_way_->sent, under_way_->tick));
  under_way_->work->start();
}

bool HostContext::settled() {
  if (next_ && under_way_->work->done()) start(std::move(next_));
  if (!under_way_) return true;
  if (!under_way_->work->done()) return false;
  if (ahead_ == nullptr) return true;
  if (!under_way_->answer) {
    under_way_->answer = under_way_->work->take();
    ask_for_names();
  }
  return !naming_ || naming_->done();
}

void HostContext::ask_for_names() {
  const Result<FetchAnswer>& answer = *under_way_->answer;
  if (!answer || answer->status < 0 || (naming_ && !naming_->done())) return;
  forget_old();
  std::set<InDomId> domains = domains_to_name(answer->pdu);
  if (domains.empty()) return;
  naming_.emplace(learn_names(std::move(domains)));
  naming_->start();
}

std::set<InDomId> HostContext::domains_to_name(Bytes pdu) {
  std::set<InDomId> out;
  const auto decoded = wire::decode(pdu, {});
  if (!decoded) return out;
  const wire::ResultSets* sets = nullptr;
  if (const auto* result = std::get_if<wire::ResultMessage>(&decoded->body)) sets = &result->sets;
  const auto* highres = std::get_if<wire::HighresResultMessage>(&decoded->body);
  if (highres != nullptr) sets = &highres->sets;
  if (sets == nullptr) return out;
  constexpr size_t kPairBytes = 8;
  for (const ValueSet& set : sets->layout.sets) {
    if (set.count <= 0) continue;
    const auto* const desc = find_ahead(*ahead_, &HostAnswers::descs, set.pmid);
    if (desc == nullptr || !*desc || (*desc)->indom == kNullId) continue;
    const InDomId domain = (*desc)->indom;
    const auto first = known_ahead(domain);
    const std::byte* pair = sets->head.bytes.data() + set.pairs;
    for (size_t i = 0; i < static_cast<size_t>(set.count); ++i, pair += kPairBytes) {
      const auto instance = static_cast<int32_t>(load_be<uint32_t>(pair));
      if (knows(first, domain, i, instance)) continue;
      out.insert(domain);
      nameless_[domain].insert(instance);  // it is asked for once
    }
  }
  return out;
}

std::span<const Context::Instance> HostContext::known_ahead(InDomId domain) const {
  const auto* const known = find_ahead(*ahead_, &HostAnswers::instances, domain);
  if (known == nullptr || !*known) return {};
  return **known;
}

// Mostly the first ones come again, in their order.
bool HostContext::knows(std::span<const Instance> first, InDomId domain, size_t place,
                        int32_t instance) const {
  if (place < first.size() && first[place].id == instance) return true;
  const auto named = instance_names_.find(domain);
  if (named != instance_names_.end() && named->second.contains(instance)) return true;
  const auto asked = nameless_.find(domain);
  if (asked != nameless_.end() && asked->second.contains(instance)) return true;
  return std::ranges::find(first, instance, &Instance::id) != first.end();
}

Async<Result<bool>> HostContext::learn_names(std::set<InDomId> domains) {
  auto waiting = client_.lease();
  const Result<ConnectionLease> lease = co_await waiting;
  if (!lease) co_return fail(lease.error());
  for (const InDomId domain : domains) {
    auto asking = request_instances(lease->connection(), domain);
    const Result<OrPmError<std::vector<Instance>>> found = co_await asking;
    if (!found) co_return fail(found.error());
    if (!*found) continue;  // they stay without names
    auto& names = instance_names_[domain];
    names.clear();
    for (const Instance& one : **found) names.emplace(one.id, one.name);
    std::erase_if(nameless_[domain], [&](int32_t id) { return names.contains(id); });
  }
  co_return true;
}

Error HostContext::no_answer() const {
  return Error(Fault::io, "no answer before the next time was due")
      .at("host", client_.spec().text)
      .pm_code(pm_err::E_TIMEOUT);
}

Result<void> HostContext::take_answer(const Result<FetchAnswer>& answer,
                                      std::span<const PmId> metrics, const Profile& profile,
                                      Fetched& out) {
  why_.reset();
  if (!answer) {
    why_ = answer.error();
    forget_old();
    return fail(answer.error());
  }
  changes_ |= answer->changes;
  if (!followed_) client_.note_changes(answer->changes);  // else it was done before
  forget_old();
  if (answer->status < 0) {
    return fail(Error(Fault::io, pm_error_text(answer->status))
                    .at("host", client_.spec().text)
                    .pm_code(answer->status));
  }
  if (!followed_) return take_result(*answer, metrics, profile, out);
  if (sent_.pmids.empty()) {
    (void)fetch_stamp(out);
  } else if (auto taken = take_result(*answer, sent_.pmids, profile, out); !taken) {
    return taken;
  }
  place_followed(metrics, out.sets);
  return {};
}

// Sets of what was asked for, between those that say why others were not.
void HostContext::place_followed(std::span<const PmId> metrics,
                                 std::vector<FetchedSet>& sets) const {
  size_t left = sets.size();
  sets.resize(metrics.size());
  for (size_t i = metrics.size(); i-- > 0;) {
    if (sent_.statuses[i] < 0) {
      sets[i] = {.pmid = metrics[i], .count = sent_.statuses[i]};
      continue;
    }
    if (--left != i) sets[i] = std::move(sets[left]);
    sets[i].pmid = metrics[i];
  }
}

// The collector may answer with fewer sets than asked, after an agent was restarted: sets are
// matched by metric, and of one metric that was asked for twice in their order.
Result<void> HostContext::take_result(const FetchAnswer& answer, std::span<const PmId> metrics,
                                      const Profile& profile, Fetched& out) {
  const auto decoded = wire::decode(answer.pdu, {});
  if (!decoded) {
    client_.reset();
    return fail(decoded.error().at("host", client_.spec().text));
  }
  const wire::ResultSets* sets = nullptr;
  int64_t seconds = 0, nanoseconds = 0;
  if (const auto* result = std::get_if<wire::ResultMessage>(&decoded->body)) {
    sets = &result->sets;
    seconds = result->seconds;
    nanoseconds = int64_t{result->microseconds} * 1'000;
  } else {
    const auto& highres = std::get<wire::HighresResultMessage>(decoded->body);
    sets = &highres.sets;
    seconds = highres.seconds;
    nanoseconds = highres.nanoseconds;
  }
  if (nanoseconds < 0 || nanoseconds >= 1'000'000'000) {
    client_.reset();
    return fail(Error(Fault::format, fmt::format("a result's time has {} ns", nanoseconds))
                    .at("host", client_.spec().text)
                    .pm_code(pm_err::E_IPC)
                    .help("the collector breaks PCP's protocol"));
  }
  out.stamp = {.sec = seconds, .nsec = static_cast<int32_t>(nanoseconds)};
  out.sets.resize(metrics.size());
  arena_.clear();
  if (answer.has_more) {
    choose_sets(*sets, metrics, profile, out);
  } else {
    match_sets(*sets, metrics, out);
  }
  return {};
}

void HostContext::match_sets(const wire::ResultSets& sets, std::span<const PmId> metrics,
                             Fetched& out) {
  const auto& found = sets.layout.sets;
  std::vector<bool> used(found.size(), false);
  for (size_t i = 0; i < metrics.size(); ++i) {
    size_t at = i < found.size() && found[i].pmid == metrics[i] && !used[i] ? i : 0;
    while (at < found.size() && (found[at].pmid != metrics[i] || used[at])) ++at;
    if (at == found.size()) {
      out.sets[i] = {.pmid = metrics[i], .count = pm_err::E_PMID};
      continue;
    }
    used[at] = true;
    take_set(sets.head, sets.layout, found[at], arena_, out.sets[i], [](int32_t) { return true; });
  }
}

// Of an answer that has more than these.
void HostContext::choose_sets(const wire::ResultSets& sets, std::span<const PmId> metrics,
                              const Profile& profile, Fetched& out) {
  std::unordered_map<PmId, const ValueSet*> by_metric;
  for (const ValueSet& set : sets.layout.sets) by_metric.emplace(set.pmid, &set);
  for (size_t i = 0; i < metrics.size(); ++i) {
    const auto found = by_metric.find(metrics[i]);
    if (found == by_metric.end()) {
      out.sets[i] = {.pmid = metrics[i], .count = pm_err::E_PMID};
      continue;
    }
    const InDomId domain = known_domain(*ahead_, metrics[i]);
    take_set(sets.head, sets.layout, *found->second, arena_, out.sets[i],
             [&](int32_t instance) { return profile.wants(domain, instance); });
  }
}

Result<void> HostContext::fetch_stamp(Fetched& out) {
  out.sets.clear();
  out.stamp = stamp_of(client_.network().clock().wall());
  return {};
}

// As PCP 6.0.3 has it from pmcd, which knows no agent for it.
int HostContext::unknown_metric_status() const { return pm_err::E_NOAGENT; }

OrPmError<void> HostContext::store(std::span<const FetchedSet> sets) {
  if (sets.empty()) return pm_fail(pm_err::E_TOOSMALL);
  if (std::ranges::any_of(sets, [](const FetchedSet& set) { return set.count < 1; })) {
    return pm_fail(pm_err::E_VALUE);
  }
  const auto done = ask<int32_t>([sets](Connection& to) { return request_store(to, sets); });
  if (!done) return pm_fail(done.error());
  return {};
}

}  // namespace pmjit
