#include "runtime/client/context_fetches.h"

#include <set>
#include <utility>

#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

Result<FetchAnswer> keep(Result<FetchAnswer> answer, std::vector<std::byte>& kept) {
  if (!answer) return answer;
  kept.assign(answer->pdu.begin(), answer->pdu.end());
  answer->pdu = kept;
  return answer;
}

std::vector<InDomId> domains_of(const KnownAhead& known, std::span<const PmId> metrics) {
  std::set<InDomId> out;
  for (const PmId metric : metrics) out.insert(known_domain(known, metric));
  out.erase(kNullId);
  return {out.begin(), out.end()};
}

}  // namespace

Async<Result<FetchAnswer>> fetch_kept(HostClient& client, FetchCall call) {
  auto waiting = client.lease();
  Result<ConnectionLease> lease = co_await waiting;
  if (!lease) co_return fail(lease.error());
  auto fetching = lease->connection().fetch(call.metrics, call.profile);
  co_return keep(co_await fetching, call.kept);
}

Async<Result<FetchAnswer>> fetch_followed(HostClient& client,
                                          std::shared_ptr<FollowedMetrics> followed, FetchCall call,
                                          FollowedFetch& sent) {
  auto waiting = client.lease();
  Result<ConnectionLease> lease = co_await waiting;
  if (!lease) co_return fail(lease.error());
  Result<FetchAnswer> answer = FetchAnswer{};
  uint32_t changes = 0;
  for (bool again = false;; again = true) {
    auto refreshing = followed->refresh(lease->connection(), client.epoch());
    const Result<bool> fresh = co_await refreshing;
    if (!fresh) co_return fail(fresh.error());
    FollowedFetch wanted = followed->fetch_of(call.metrics);
    if (again && wanted == sent) break;
    sent = std::move(wanted);
    answer = FetchAnswer{};
    if (sent.pmids.empty()) break;
    auto fetching = lease->connection().fetch(sent.pmids, call.profile);
    answer = keep(co_await fetching, call.kept);
    if (!answer) co_return fail(answer.error());
    changes |= answer->changes;
    const uint64_t epoch = client.epoch();
    client.note_changes(answer->changes);
    if (again || epoch == client.epoch()) break;
  }
  answer->changes = changes;
  co_return answer;
}

Async<Result<FetchAnswer>> fetch_known(HostClient& client, KnownAhead& known, FetchCall call,
                                       TickUser* user, FetchTick tick) {
  auto waiting = client.lease();
  Result<ConnectionLease> lease = co_await waiting;
  if (!lease) co_return fail(lease.error());
  const auto before = known.answers;
  if (before != nullptr && known.epoch != client.epoch()) {
    const uint64_t epoch = client.epoch();
    auto asking = ask_over(lease->connection(), questions_of(*before));
    Result<HostAnswers> now = co_await asking;
    if (!now) co_return fail(now.error());
    known.epoch = known.asked_epoch = epoch;
    if (has_moved(*before, *now)) {
      known.moved = *std::move(now);
      co_return fail(Error(Fault::io, "its metrics are others than before: they are bound anew")
                         .at("host", client.spec().text)
                         .pm_code(pm_err::E_AGAIN));
    }
  }
  if (user == nullptr) {
    auto fetching = lease->connection().fetch(call.metrics, call.profile);
    co_return keep(co_await fetching, call.kept);
  }
  const std::vector<InDomId> domains = domains_of(known, call.metrics);
  auto fetching =
      user->fetch(lease->connection(), tick,
                  {.metrics = call.metrics, .profile = call.profile, .domains = domains});
  co_return keep(co_await fetching, call.kept);
}

}  // namespace pmjit
