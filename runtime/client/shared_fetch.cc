#include "runtime/client/shared_fetch.h"

#include <algorithm>
#include <utility>

#include "runtime/client/host_client.h"

namespace pmjit {

namespace {

// Of a step: how much older than a user's wish an answer may be. Users have the same place in it,
// so only one who is late finds it old.
constexpr Nanos kFreshPart = 2;

bool is_listed(const std::vector<InDomId>& domains, InDomId domain) {
  return std::ranges::binary_search(domains, domain);
}

}  // namespace

TickUser::TickUser(HostClient& client) : client_(client) { client_.shared_fetch().add(*this); }
TickUser::~TickUser() { client_.shared_fetch().remove(*this); }

Async<Result<FetchAnswer>> TickUser::fetch(Connection& connection, FetchTick tick,
                                           FetchWanted wanted) {
  SharedFetch& shared = client_.shared_fetch();
  const bool alone = !shared.has_others() || wanted.profile.excludes();
  if (!alone) note(tick, wanted);
  if (alone || !shared.wants_more(*this)) {
    auto fetching = connection.fetch(wanted.metrics, wanted.profile);
    co_return co_await fetching;
  }
  const uint64_t epoch = client_.epoch();
  if (const FetchAnswer* kept = shared.find(tick, *this, epoch)) co_return *kept;
  SharedFetch::Together all = shared.together(tick.due);
  if (Connection::refused_fetch(all.metrics.size(), "")) {
    all = {.metrics = metrics_, .profile = profile_};
  }
  const Instant asked = client_.network().now();
  auto fetching = connection.fetch(all.metrics, all.profile);
  Result<FetchAnswer> answer = co_await fetching;
  if (!answer) co_return answer;
  answer->has_more = true;
  shared.keep(tick, std::move(all), asked, epoch, *answer);
  co_return answer;
}

void TickUser::note(const FetchTick& tick, const FetchWanted& wanted) {
  tick_ = tick;
  metrics_.assign(wanted.metrics.begin(), wanted.metrics.end());
  std::ranges::sort(metrics_);
  const auto twice = std::ranges::unique(metrics_);
  metrics_.erase(twice.begin(), twice.end());
  profile_ = wanted.profile;
  domains_.assign(wanted.domains.begin(), wanted.domains.end());
}

bool SharedFetch::wants_more(const TickUser& user) const {
  return std::ranges::any_of(users_, [&](const TickUser* other) {
    return other != &user && is_due(*other, user.tick_.due);
  });
}

// A domain is fetched whole unless everybody who wants something of it lists instances.
SharedFetch::Together SharedFetch::together(Nanos due) const {
  Together out;
  std::vector<InDomId> whole;
  std::unordered_map<InDomId, std::vector<int32_t>> listed;
  for (const TickUser* user : users_) {
    if (!is_due(*user, due)) continue;
    out.metrics.insert(out.metrics.end(), user->metrics_.begin(), user->metrics_.end());
    for (const InDomId domain : user->domains_) {
      const Profile::Domain* only = user->profile_.find(domain);
      if (only == nullptr || !only->excludes) {
        whole.push_back(domain);
      } else {
        auto& instances = listed[domain];
        instances.insert(instances.end(), only->but.begin(), only->but.end());
      }
    }
  }
  std::ranges::sort(out.metrics);
  const auto twice = std::ranges::unique(out.metrics);
  out.metrics.erase(twice.begin(), twice.end());
  std::ranges::sort(whole);
  for (auto& [domain, instances] : listed) {
    if (is_listed(whole, domain)) continue;
    std::ranges::sort(instances);
    const auto again = std::ranges::unique(instances);
    instances.erase(again.begin(), again.end());
    out.profile.restrict(domain, std::move(instances));
  }
  return out;
}

void SharedFetch::keep(const FetchTick& tick, Together of, Instant asked, uint64_t epoch,
                       const FetchAnswer& answer) {
  kept_.tick = {.due = tick.due, .step = tick.step, .since = asked};
  kept_.epoch = epoch;
  kept_.of = std::move(of);
  kept_.pdu.assign(answer.pdu.begin(), answer.pdu.end());
  // What has changed was told to the user who asked.
  kept_.answer = {.status = answer.status, .pdu = kept_.pdu, .has_more = true};
}

const FetchAnswer* SharedFetch::find(const FetchTick& tick, const TickUser& user,
                                     uint64_t epoch) const {
  if (kept_.tick.step == 0 || kept_.tick.due != tick.due || kept_.epoch != epoch) return nullptr;
  const auto older = std::chrono::nanoseconds(static_cast<int64_t>(tick.step / kFreshPart));
  if (kept_.tick.since + older < tick.since) return nullptr;
  return covers(kept_.of, user) ? &kept_.answer : nullptr;
}

// It has asked before, and the time is one of its own.
bool SharedFetch::is_due(const TickUser& user, Nanos due) {
  return user.tick_.step > 0 && (due - user.tick_.due) % user.tick_.step == 0;
}

bool SharedFetch::covers(const Together& of, const TickUser& user) {
  return std::ranges::includes(of.metrics, user.metrics_) &&
         std::ranges::all_of(user.domains_, [&](InDomId domain) {
           const Profile::Domain* has = of.profile.find(domain);
           if (has == nullptr) return true;
           const Profile::Domain* wants = user.profile_.find(domain);
           return wants != nullptr && wants->excludes &&
                  std::ranges::includes(has->but, wants->but);
         });
}

}  // namespace pmjit
