#include "runtime/sched/host_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <iterator>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "runtime/base/warnings.h"
#include "runtime/client/connection.h"
#include "runtime/client/host_fleet.h"
#include "runtime/model/pm_codes.h"
#include "runtime/sched/row_block.h"

namespace pmjit {

namespace {

// How long a row waits for those of other hosts. A wave costs each step of the program something,
// whoever is in it; and nobody should wait long.
constexpr Nanos kGather = 5'000'000;

// One host of a feed.
struct Polled {
  FleetMember* member = nullptr;
  uint64_t epoch = 0;                   // of `layout`, as HostClient counts
  std::shared_ptr<RowLayout> layout{};  // null: not looked up yet
  std::vector<RosterId> named{};        // of each metric: whose names were asked for
  Stamp last = kStampMin;               // the host's own, of the last answer
  uint64_t segment = 0;
  int told_refusal = 0;  // it answered so and gave no values
  bool has_row = false;  // of this tick
  std::unique_ptr<TickUser> user{};
  std::optional<Async<Result<bool>>> work{};
};

// `a, b, c and 3 more`.
std::string some_of(std::span<const std::string_view> names) {
  constexpr size_t kNamed = 3;
  const std::string out =
      fmt::format("{}", fmt::join(names.first(std::min(names.size(), kNamed)), ", "));
  if (names.size() <= kNamed) return out;
  return fmt::format("{} and {} more", out, names.size() - kNamed);
}

class HostRowsFeed final : public Feed {
 public:
  HostRowsFeed(std::vector<Polled> hosts, std::vector<PlannedMetric> metrics,
               const FeedTimes& times, Nanos begins_after, Rosters& rosters)
      : network_(hosts.front().member->client.network()),
        hosts_(std::move(hosts)),
        times_(times),
        begins_after_(begins_after),
        rosters_(rosters),
        block_(std::move(metrics), rosters),
        due_(times.origin) {
    for (Polled& host : hosts_) host.named.resize(block_.metrics().size());
  }

  Result<Next> next(Wave& wave) override;
  Stamp due() const override;
  void keep_rosters(Rosters& rosters) const override;
  FeedStats stats() const override { return stats_; }
  std::vector<std::string> take_warnings() override { return warnings_.take(); }

 private:
  [[nodiscard]] Stamp wall_now() const {
    return stamp_from_nanos(network_.clock().wall().time_since_epoch().count());
  }
  [[nodiscard]] Stamp begins() const { return stamp_from_nanos(nanos(due_) + begins_after_); }
  [[nodiscard]] Stamp ends() const { return stamp_from_nanos(nanos(begins()) + times_.step); }
  void skip_to(Stamp now);
  void begin_tick();
  void end_tick();
  void make_wave(Wave& wave, Stamp now);

  [[nodiscard]] Async<Result<bool>> ask(uint32_t host);
  [[nodiscard]] Async<Result<bool>> fetch(uint32_t host);
  [[nodiscard]] Async<Result<bool>> look_up(uint32_t host, Connection& connection);
  [[nodiscard]] Async<Result<bool>> learn_names(uint32_t host, const std::vector<InDomId>& domains,
                                                Connection& connection);
  [[nodiscard]] std::vector<InDomId> domains_to_learn(Polled& host);
  void tell_refusal(uint32_t host, int status);
  void tell_changes(uint32_t host, const RowLayout* before);
  void put_row(uint32_t host, std::optional<Stamp> answered, const std::optional<Error>& why);

  Network& network_;
  std::vector<Polled> hosts_;
  FeedTimes times_;
  Nanos begins_after_;
  Rosters& rosters_;
  RowBlock block_;                  // rows that no wave has had
  std::vector<HostId> of_rows_;     // whose they are
  std::vector<uint64_t> segments_;  // of each
  std::vector<MissingHost> missing_;
  Stamp first_row_{};  // when the first of them came
  Stamp due_;
  size_t without_row_ = 0;  // hosts, in this tick
  bool asked_ = false;      // at due_
  bool begun_ = false;      // a tick has ended
  FeedStats stats_;
  Warnings warnings_;
};

Result<Feed::Next> HostRowsFeed::next(Wave& wave) {
  const Stamp now = wall_now();
  if (!asked_) {
    skip_to(now);
    if (due_ > times_.end) return Next::end;
    if (now < begins()) return Next::nothing_yet;
    begin_tick();
  } else if (now >= ends()) {
    end_tick();
  }
  if (of_rows_.empty()) return Next::nothing_yet;
  if (without_row_ > 0 && nanos(now) < nanos(first_row_) + kGather) return Next::nothing_yet;
  make_wave(wave, now);
  return Next::wave;
}

Stamp HostRowsFeed::due() const {
  if (!asked_) return begins();
  if (of_rows_.empty()) return ends();
  if (without_row_ == 0) return due_;
  return std::min(ends(), stamp_from_nanos(nanos(first_row_) + kGather));
}

// Nobody asked for the times before. Those before the first one were due while others still
// compiled.
void HostRowsFeed::skip_to(Stamp now) {
  const Nanos gone = nanos(now) - nanos(begins());
  if (gone < times_.step) return;
  const Nanos ticks = gone / times_.step;
  if (begun_) stats_.skipped += static_cast<uint64_t>(ticks);
  due_ = stamp_from_nanos(nanos(due_) + ticks * times_.step);
}

// A host that has not answered yet is not asked twice at once.
void HostRowsFeed::begin_tick() {
  asked_ = true;
  without_row_ = hosts_.size();
  for (Polled& host : hosts_) host.has_row = false;
  for (uint32_t i = 0; i < hosts_.size(); ++i) {
    Polled& host = hosts_[i];
    if (host.work && !host.work->done()) continue;
    host.work.emplace(ask(i));
    host.work->start();
  }
}

void HostRowsFeed::end_tick() {
  for (uint32_t i = 0; i < hosts_.size(); ++i) {
    if (!hosts_[i].has_row) put_row(i, std::nullopt, std::nullopt);
  }
}

void HostRowsFeed::make_wave(Wave& wave, Stamp now) {
  wave.recorded = false;
  wave.last = true;
  wave.late = now >= ends();
  wave.by_source = {};
  wave.groups.clear();
  for (const uint64_t segment : segments_) wave.groups.push_back({.t = due_, .segment = segment});
  wave.hosts.swap(of_rows_);
  wave.missing.swap(missing_);
  block_.give(wave.operands);
  of_rows_.clear();
  segments_.clear();
  missing_.clear();
  if (without_row_ > 0) return;
  asked_ = false;
  begun_ = true;
  due_ = stamp_from_nanos(nanos(due_) + times_.step);
}

Async<Result<bool>> HostRowsFeed::ask(uint32_t host) {
  auto fetching = fetch(host);
  Result<bool> done = co_await fetching;
  if (!done && !hosts_[host].has_row) put_row(host, std::nullopt, done.error());
  co_return done;
}

Async<Result<bool>> HostRowsFeed::fetch(uint32_t index) {
  Polled& host = hosts_[index];
  const FetchTick tick{.due = nanos(due_), .step = times_.step, .since = network_.now()};
  auto waiting = host.member->client.lease();
  const Result<ConnectionLease> lease = co_await waiting;
  if (!lease) co_return fail(lease.error());
  Connection& connection = lease->connection();
  if (host.layout == nullptr || host.epoch != host.member->client.epoch()) {
    auto looking = look_up(index, connection);
    const Result<bool> looked = co_await looking;
    if (!looked) co_return fail(looked.error());
  }
  const Profile everything;
  auto fetching = host.user->fetch(
      connection, tick,
      {.metrics = host.layout->wanted, .profile = everything, .domains = host.layout->domains});
  const Result<FetchAnswer> answer = co_await fetching;
  if (!answer) co_return fail(answer.error());
  host.member->client.note_changes(answer->changes);  // the next fetch looks metrics up again
  // It is late: its tick is over, and the next one has not begun.
  if (host.has_row) co_return true;
  tell_refusal(index, std::min(answer->status, 0));
  if (answer->status < 0) {
    const Stamp now = wall_now();
    block_.append_refused(now, *host.layout, answer->status);
    put_row(index, now, std::nullopt);
    co_return true;
  }
  Result<Stamp> stamp = block_.append(answer->pdu, *host.layout);
  if (!stamp) co_return fail(connection.break_off(stamp.error().what()));
  const std::vector<InDomId> domains = domains_to_learn(host);
  if (!domains.empty()) {
    // Its row comes when their names are known; until then others go on without it.
    const std::vector<std::byte> kept(answer->pdu.begin(), answer->pdu.end());
    block_.take_back();
    auto learning = learn_names(index, domains, connection);
    const Result<bool> learnt = co_await learning;
    if (!learnt) co_return fail(learnt.error());
    if (host.has_row) co_return true;
    stamp = block_.append(kept, *host.layout);
    if (!stamp) co_return fail(connection.break_off(stamp.error().what()));
  }
  stats_.bytes += answer->pdu.size();
  ++stats_.records;
  put_row(index, *stamp, std::nullopt);
  co_return true;
}

// By name: hosts differ in identifiers, and one that was restarted may have others.
Async<Result<bool>> HostRowsFeed::look_up(uint32_t index, Connection& connection) {
  const uint64_t epoch = hosts_[index].member->client.epoch();
  auto asking = request_described(connection, block_.names());
  const Result<std::vector<OrPmError<Desc>>> descs = co_await asking;
  if (!descs) co_return fail(descs.error());
  Polled& host = hosts_[index];
  const auto before = std::exchange(host.layout, block_.layout_of(*descs));
  host.epoch = epoch;
  std::ranges::fill(host.named, RosterId{});
  tell_changes(index, before.get());
  co_return true;
}

Async<Result<bool>> HostRowsFeed::learn_names(uint32_t index, const std::vector<InDomId>& domains,
                                              Connection& connection) {
  for (const InDomId indom : domains) {
    auto asking = request_instances(connection, indom);
    const Result<OrPmError<std::vector<Catalog::Instance>>> found = co_await asking;
    if (!found) co_return fail(found.error());
    // A refusal leaves them without names.
    if (*found) hosts_[index].member->feeds.catalog().watched().refresh(indom, **found, due_);
  }
  co_return true;
}

// Of instances in the newest row that have come since the names were asked for.
std::vector<InDomId> HostRowsFeed::domains_to_learn(Polled& host) {
  std::vector<InDomId> out;
  for (const size_t metric : block_.instanced()) {
    const RosterId now = block_.newest(metric).roster_id;
    const RosterId before = std::exchange(host.named[metric], now);
    if (now == before || rosters_.size(now) == 0) continue;
    const bool none_came =
        rosters_.knows(before) &&
        rosters_.size(rosters_.without(rosters_.sorted(now), rosters_.sorted(before))) == 0;
    const InDomId indom = block_.metrics()[metric].desc.indom;
    if (!none_came && std::ranges::find(out, indom) == out.end()) out.push_back(indom);
  }
  return out;
}

// It answers; `status` is why it gives no values, 0 that it does.
void HostRowsFeed::tell_refusal(uint32_t index, int status) {
  Polled& host = hosts_[index];
  if (std::exchange(host.told_refusal, status) == status) return;
  warnings_.add(fmt::format("{}: {}", host.member->name, refusal_text(status)));
}

// What it does not have now, or has again.
void HostRowsFeed::tell_changes(uint32_t index, const RowLayout* before) {
  const RowLayout& now = *hosts_[index].layout;
  std::vector<std::string_view> gone, back;
  int32_t status = 0;
  for (size_t i = 0; i < now.metrics.size(); ++i) {
    const int32_t was = before == nullptr ? 0 : before->metrics[i].status;
    if (now.metrics[i].status == was || block_.metrics()[i].same) continue;
    if (now.metrics[i].status == 0) {
      back.push_back(block_.names()[i]);
      continue;
    }
    gone.push_back(block_.names()[i]);
    status = now.metrics[i].status;
  }
  if (!gone.empty()) {
    warnings_.add(
        fmt::format("{} has no values of {}: {}", hosts_[index].member->name, some_of(gone),
                    status == pm_err::E_CONV
                        ? "its type, semantics, units or instance domain is another one than on "
                          "the host that they were looked up on"
                        : pm_error_text(status)));
  }
  if (!back.empty())
    warnings_.add(fmt::format("{} has {} again", hosts_[index].member->name, some_of(back)));
}

void HostRowsFeed::keep_rosters(Rosters& rosters) const {
  block_.keep_rosters(rosters);
  for (const Polled& host : hosts_) {
    for (const RosterId id : host.named) rosters.keep(id);
  }
}

void HostRowsFeed::put_row(uint32_t index, std::optional<Stamp> answered,
                           const std::optional<Error>& why) {
  Polled& host = hosts_[index];
  const bool stamped = answered && host.told_refusal == 0;  // by the host
  if (stamped && *answered < host.last) {
    ++host.segment;
    warnings_.add(hosts_[index].member->name +
                  ": the host's time goes back: history starts afresh");
  }
  if (stamped) host.last = *answered;
  HostHealth& health = host.member->feeds.health();
  health.end_time(due_, answered.has_value(), why, hosts_[index].member->name);
  if (!answered) {
    const int code = health.why_down()->pm_code();
    missing_.push_back({.host_id = HostId{{index}}, .status = code != 0 ? code : int{kHostDown}});
    block_.append_down(due_);
  }
  if (of_rows_.empty()) first_row_ = wall_now();
  of_rows_.push_back(HostId{{index}});
  segments_.push_back(host.segment);
  host.has_row = true;
  --without_row_;
}

}  // namespace

HostRows::HostRows(const HostFleet& fleet, uint32_t lender, std::vector<uint32_t> hosts,
                   TickPlace place)
    : fleet_(fleet), lender_(lender), hosts_(std::move(hosts)), place_(place) {}

const Catalog& HostRows::catalog() const { return fleet_.members()[lender_]->feeds.catalog(); }

std::vector<const Catalog*> HostRows::row_catalogs() const {
  std::vector<const Catalog*> out;
  for (size_t i = 0; i < hosts_.size(); ++i) out.push_back(&member(i).feeds.catalog());
  return out;
}

Result<std::unique_ptr<Feed>> HostRows::open(std::vector<WantedMetric> metrics,
                                             const FeedTimes& times, Rosters& rosters) const {
  const HostCatalog& lender = fleet_.members()[lender_]->feeds.catalog();
  std::vector<PlannedMetric> planned;
  for (const WantedMetric& metric : metrics) {
    const auto described = described_for_columns(lender, metric.pmid);
    if (!described) return fail(described.error());
    planned.push_back({.name = described->name,
                       .desc = described->desc,
                       .elem = *elem_from_pm(described->desc.pm_type)});
  }
  if (auto refused = Connection::refused_fetch(planned.size(), host())) {
    return fail(*std::move(refused));
  }
  std::vector<Polled> polled;
  for (const uint32_t host : hosts_) {
    FleetMember* const member = fleet_.members()[host].get();
    polled.emplace_back(
        Polled{.member = member, .user = std::make_unique<TickUser>(member->client)});
  }
  return std::make_unique<HostRowsFeed>(std::move(polled), std::move(planned), times,
                                        begins_after(times.step), rosters);
}

namespace {

// A wave is evaluated while others wait for the thread, and costs each step something.
constexpr size_t kBatchHosts = 64;

// How long hosts may take to say what they have, before anything is evaluated.
constexpr auto kAgreeing = std::chrono::seconds(2);

bool same_metric(const OrPmError<Desc>& wanted, const OrPmError<Desc>& has) {
  if (!wanted.has_value() || !has.has_value()) return wanted.has_value() == has.has_value();
  return compared(*wanted, has).status == 0;
}

Async<Result<bool>> agrees(HostClient& client, const std::vector<std::string>& names,
                           const std::vector<OrPmError<Desc>>& wanted) {
  auto waiting = client.lease();
  const Result<ConnectionLease> lease = co_await waiting;
  if (!lease) co_return fail(lease.error());
  auto asking = request_described(lease->connection(), names);
  const Result<std::vector<OrPmError<Desc>>> descs = co_await asking;
  if (!descs) co_return fail(descs.error());
  co_return std::ranges::equal(wanted, *descs, same_metric);
}

// As far as it is known.
bool agrees_ahead(const HostAnswers& said, const std::vector<std::string>& names,
                  const std::vector<OrPmError<Desc>>& wanted) {
  for (size_t i = 0; i < names.size(); ++i) {
    const auto pmid = said.pmids.find(names[i]);
    if (pmid == said.pmids.end()) continue;
    OrPmError<Desc> has = pm_fail(pmid->second ? 0 : pmid->second.error());
    if (pmid->second) {
      const auto desc = said.descs.find(*pmid->second);
      if (desc == said.descs.end()) continue;
      has = desc->second;
    }
    if (!same_metric(wanted[i], has)) return false;
  }
  return true;
}

}  // namespace

void give_places(const HostFleet& fleet, TickPlace within) {
  const auto& members = fleet.members();
  std::vector<uint32_t> hosts;
  for (uint32_t i = 0; i < members.size(); ++i) hosts.push_back(i);
  std::ranges::stable_sort(hosts, {}, [&](uint32_t i) { return spread_hash(members[i]->name); });
  const size_t batches = (hosts.size() + kBatchHosts - 1) / kBatchHosts;
  for (size_t i = 0; i < hosts.size(); ++i) {
    const auto batch = static_cast<double>(i * batches / hosts.size());
    members[hosts[i]]->place =
        TickPlace{.part = within.part * batch / static_cast<double>(batches), .most = within.most};
  }
}

std::vector<RowBatch> in_batches(const HostFleet& fleet, const std::vector<uint32_t>& hosts) {
  std::map<double, RowBatch> by_place;
  for (const uint32_t host : hosts) {
    const TickPlace place = fleet.members()[host]->place.value_or(TickPlace{});
    RowBatch& batch =
        by_place.try_emplace(place.part, RowBatch{.hosts = {}, .place = place}).first->second;
    batch.hosts.push_back(host);
  }
  std::vector<RowBatch> out;
  for (auto& [place, batch] : by_place) {
    std::ranges::sort(batch.hosts);
    out.push_back(std::move(batch));
  }
  return out;
}

std::vector<uint32_t> agreeing_hosts(const HostFleet& fleet, uint32_t lender,
                                     const std::vector<uint32_t>& hosts) {
  const HostCatalog& catalog = fleet.members()[lender]->feeds.catalog();
  const std::vector<std::string> names(catalog.asked().begin(), catalog.asked().end());
  std::vector<OrPmError<Desc>> wanted;
  for (const std::string& name : names) {
    const auto desc = catalog.describe(name);
    wanted.push_back(desc ? OrPmError<Desc>(*desc) : pm_fail(desc.error().pm_code()));
  }
  std::vector<uint32_t> out;
  if (fleet.members()[lender]->context.answers_from() != nullptr) {
    std::ranges::copy_if(hosts, std::back_inserter(out), [&](uint32_t host) {
      const auto& said = fleet.members()[host]->context.answers_from()->answers;
      return host == lender || said == nullptr || agrees_ahead(*said, names, wanted);
    });
    return out;
  }
  Network& network = fleet.members()[lender]->client.network();
  const Instant until = network.now() + kAgreeing;
  std::deque<Async<Result<bool>>> asked;
  for (const uint32_t host : hosts) {
    asked.push_back(agrees(fleet.members()[host]->client, names, wanted));
    asked.back().start();
  }
  for (size_t i = 0; i < hosts.size(); ++i) {
    while (!asked[i].done() && network.now() < until) (void)network.run_some(until);
    if (hosts[i] == lender || !asked[i].done() || asked[i].take().value_or(true)) {
      out.push_back(hosts[i]);
    }
  }
  return out;
}

}  // namespace pmjit
