#include "runtime/client/host_fetcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/model/pm_codes.h"

namespace pmjit {

LiveMetric compared(const Desc& was, const OrPmError<Desc>& now) {
  if (!now) return {.desc = was, .status = now.error()};
  const bool same = now->pm_type == was.pm_type && now->semantics == was.semantics &&
                    now->units == was.units && now->indom == was.indom;
  return {.desc = *now, .status = same ? 0 : int{pm_err::E_CONV}};
}

Async<Result<std::vector<OrPmError<Desc>>>> request_described(
    Connection& connection, const std::vector<std::string>& names) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  auto asking = request_ids(connection, views);
  const Result<std::vector<OrPmError<PmId>>> ids = co_await asking;
  if (!ids) co_return fail(ids.error());
  std::vector<PmId> found;
  for (const auto& id : *ids) found.push_back(id.value_or(kNullId));
  auto describing = request_descs(connection, found);
  Result<std::vector<OrPmError<Desc>>> descs = co_await describing;
  if (!descs) co_return fail(descs.error());
  for (size_t i = 0; i < names.size(); ++i) {
    if (!(*ids)[i]) (*descs)[i] = pm_fail((*ids)[i].error());
  }
  co_return descs;
}

Stamp HostFetcher::wall_now() const {
  return stamp_from_nanos(client_.network().clock().wall().time_since_epoch().count());
}

void HostFetcher::add(HostFeed& feed, uint64_t epoch) {
  if (feeds_.empty()) {
    epoch_ = epoch;
  } else if (epoch_ != epoch) {
    epoch_ = kLookUpAgain;
  }
  feeds_.push_back(&feed);
  for (const PmId pmid : feed.described()) ++users_[pmid];
}

void HostFetcher::remove(HostFeed& feed) {
  std::erase(feeds_, &feed);
  for (const PmId pmid : feed.described()) {
    const auto found = users_.find(pmid);
    if (--found->second == 0) users_.erase(found);
  }
}

LiveMetric HostFetcher::metric(const HostCatalog::Described& compiled) const {
  const auto found = now_.find(compiled.name);
  if (found == now_.end()) return {.desc = compiled.desc};
  return compared(compiled.desc, found->second);
}

void HostFetcher::start(Stamp now) {
  const auto round =
      std::make_shared<FetchRound>(FetchRound{.due = now, .members = {}, .work = {}});
  for (HostFeed* const feed : feeds_) {
    if (!feed->wants_round(now)) continue;
    round->members.push_back(feed);
    feed->join(round, now);
  }
  round->work.emplace(run(*round));
  round->work->start();
}

void HostFetcher::end_tick(Stamp due, bool answered, const std::optional<Error>& why) {
  health_.end_time(due, answered, why, client_.spec().text);
}

Async<Result<bool>> HostFetcher::run(FetchRound& round) {
  auto fetching = fetch(round);
  Result<bool> done = co_await fetching;
  if (!done) round.why = done.error();
  co_return done;
}

Async<Result<bool>> HostFetcher::fetch(FetchRound& round) {
  auto waiting = client_.lease();
  const Result<ConnectionLease> lease = co_await waiting;
  if (!lease) co_return fail(lease.error());
  Connection& connection = lease->connection();
  if (epoch_ != client_.epoch()) {
    auto looking = look_up_again(connection);
    const Result<bool> looked = co_await looking;
    if (!looked) co_return fail(looked.error());
    epoch_ = client_.epoch();
  }
  std::vector<PmId> wanted;
  for (HostFeed* const feed : round.members) feed->want(wanted);
  std::ranges::sort(wanted);
  const auto twice = std::ranges::unique(wanted);
  wanted.erase(twice.begin(), twice.end());
  if (wanted.empty()) {
    for (HostFeed* const feed : round.members) feed->take_nothing(wall_now());
    co_return true;
  }
  ++fetches_;
  auto asking = ask(round, connection, wanted);
  const Result<FetchAnswer> answer = co_await asking;
  if (!answer) co_return fail(answer.error());
  client_.note_changes(answer->changes);  // the next round looks metrics up again
  if (answer->status < 0) {
    for (HostFeed* const feed : round.members) feed->take_nothing(wall_now(), answer->status);
    co_return true;
  }
  for (HostFeed* const feed : round.members) {
    const Result<bool> taken = feed->take(answer->pdu);
    if (!taken) co_return fail(connection.break_off(taken.error().what()));
  }
  auto learning = learn_names(round, connection);
  Result<bool> learnt = co_await learning;
  co_return learnt;
}

// Together with other users of the host, if all of the round is of one time.
Async<Result<FetchAnswer>> HostFetcher::ask(const FetchRound& round, Connection& connection,
                                            std::span<const PmId> wanted) {
  const Profile everything;
  const FetchTick tick = round.members.front()->tick();
  const bool is_one = std::ranges::all_of(
      round.members, [&](const HostFeed* feed) { return feed->tick().due == tick.due; });
  if (!is_one) {
    auto fetching = connection.fetch(wanted, everything);
    co_return co_await fetching;
  }
  std::set<InDomId> of;
  for (const HostFeed* const feed : round.members) feed->add_domains(of);
  const std::vector<InDomId> domains(of.begin(), of.end());
  auto fetching =
      user_.fetch(connection, tick, {.metrics = wanted, .profile = everything, .domains = domains});
  co_return co_await fetching;
}

// By name: a collector that was restarted with another configuration has other identifiers.
Async<Result<bool>> HostFetcher::look_up_again(Connection& connection) {
  std::vector<std::string> names;
  for (const HostFeed* const feed : feeds_) feed->add_names(names);
  std::ranges::sort(names);
  const auto twice = std::ranges::unique(names);
  names.erase(twice.begin(), twice.end());
  auto asking = request_described(connection, names);
  const Result<std::vector<OrPmError<Desc>>> descs = co_await asking;
  if (!descs) co_return fail(descs.error());
  now_.clear();
  for (size_t i = 0; i < names.size(); ++i) now_.emplace(names[i], (*descs)[i]);
  ++version_;
  co_return true;
}

Async<Result<bool>> HostFetcher::learn_names(FetchRound& round, Connection& connection) {
  std::vector<InDomId> domains;
  for (HostFeed* const feed : round.members) {
    for (const InDomId indom : feed->domains_to_learn()) domains.push_back(indom);
  }
  std::ranges::sort(domains);
  const auto twice = std::ranges::unique(domains);
  domains.erase(twice.begin(), twice.end());
  for (const InDomId indom : domains) {
    auto asking = request_instances(connection, indom);
    const Result<OrPmError<std::vector<Catalog::Instance>>> found = co_await asking;
    if (!found) co_return fail(found.error());
    // A refusal leaves them without names.
    if (*found) catalog_.watched().refresh(indom, **found, round.due);
  }
  co_return true;
}

}  // namespace pmjit
