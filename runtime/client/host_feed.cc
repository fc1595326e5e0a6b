#include "runtime/client/host_feed.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/client/host_fetcher.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

constexpr PmId kOfNobody = 0x80000000;  // no collector's identifier has this bit

Stamp later(Stamp stamp, Nanos by) { return stamp_from_nanos(nanos(stamp) + by); }

}  // namespace

Stamp latest_due(const FeedTimes& times, Stamp from, Stamp now) {
  const Nanos gone = nanos(now) - nanos(from);
  if (gone < times.step) return from;
  return later(from, gone / times.step * times.step);
}

HostFeed::HostFeed(HostFetcher& fetcher, std::vector<HostCatalog::Described> metrics,
                   const FeedTimes& times, Rosters& rosters)
    : fetcher_(fetcher), rosters_(rosters), times_(times), due_(times.origin) {
  uint64_t epoch = fetcher.client().epoch();
  for (HostCatalog::Described& metric : metrics) {
    epoch = std::min(epoch, metric.epoch);
    const Elem elem = *elem_from_pm(metric.desc.pm_type);
    metrics_.push_back({.compiled = std::move(metric), .elem = elem});
  }
  fetcher_.add(*this, epoch);
}

HostFeed::~HostFeed() {
  fetcher_.remove(*this);
  if (round_) std::erase(round_->members, this);
}

void HostFeed::add_domains(std::set<InDomId>& out) const {
  for (const Followed& metric : metrics_) {
    const bool has_domain = metric.now.status == 0 && metric.now.desc.indom != kNullId;
    if (has_domain) out.insert(metric.now.desc.indom);
  }
}

FetchTick HostFeed::tick() const {
  return {.due = nanos(due_), .step = times_.step, .since = asked_};
}

std::vector<PmId> HostFeed::described() const {
  std::vector<PmId> out;
  for (const Followed& metric : metrics_) out.push_back(metric.compiled.desc.pmid);
  return out;
}

Stamp HostFeed::end_of_tick() const { return later(due_, times_.step); }

Stamp HostFeed::due() const { return round_ ? end_of_tick() : due_; }

Result<Feed::Next> HostFeed::next(Wave& wave) {
  (void)fetcher_.client().network().run_some(fetcher_.client().network().now());
  const Stamp now = fetcher_.wall_now();
  if (!round_) skip_to(now);
  if (due_ > times_.end) return Next::end;
  if (now < due_) return Next::nothing_yet;
  ask(now);
  if (!settled() && now < end_of_tick()) return Next::nothing_yet;
  end_tick(wave, now);
  return Next::wave;
}

void HostFeed::ask(Stamp now) {
  if (!round_) fetcher_.start(now);
}

// Nobody asked for the times before. Those before the first one were due while others still
// compiled.
void HostFeed::skip_to(Stamp now) {
  if (now < due_) return;
  const Stamp due = latest_due(times_, due_, now);
  if (begun_) stats_.skipped += static_cast<uint64_t>((nanos(due) - nanos(due_)) / times_.step);
  due_ = due;
}

void HostFeed::join(std::shared_ptr<FetchRound> round, Stamp now) {
  skip_to(now);
  round_ = std::move(round);
  asked_ = fetcher_.client().network().now();
}

std::string HostFeed::change_text(const std::string& metric, int status) const {
  const std::string& host = fetcher_.client().spec().text;
  if (status == 0) return fmt::format("metric {} is there again", metric);
  if (status == pm_err::E_CONV) {
    return fmt::format(
        "metric {} is not what it was: its type, semantics, units or instance domain is another "
        "one, and its values are unknown\n  help: start pmjit again to read it as it is now; "
        "`pmjit info -h {} {}` shows it",
        metric, host, metric);
  }
  const Error why = not_described(
      {.host = host, .metric = metric, .code = status, .lacks_agent = lacks_agent(status)});
  return fmt::format("metric {} has no values: {}\n  help: {}", metric, why.what(), why.help());
}

std::string refusal_text(int status) {
  if (status == 0) return "the host gives values again";
  std::string text =
      fmt::format("the host answers, and gives no values: {}", pm_error_text(status));
  if (status == pm_err::E_PERMISSION) text += fmt::format("\n  help: {}", kAccessHelp);
  return text;
}

// What the fetcher says of the metrics now. The columns' types are those that were compiled for.
void HostFeed::follow_changes() {
  if (version_ == fetcher_.version()) return;
  version_ = fetcher_.version();
  columns_.emplace(rosters_);
  for (Followed& metric : metrics_) {
    const LiveMetric now = fetcher_.metric(metric.compiled);
    if (now.status != metric.now.status)
      warnings_.add(change_text(metric.compiled.name, now.status));
    metric.now = now;
    metric.named.clear();
    metric.same = first_of(now.desc.pmid, static_cast<size_t>(&metric - metrics_.data()));
    Desc desc = now.desc;
    // Nothing that a collector sends is of such a metric; its column stays empty.
    if (now.status != 0 || metric.same) desc.pmid = kOfNobody | desc.pmid;
    columns_->add_metric(desc, metric.elem);
  }
}

// A metric may be wanted twice, for dialects see it differently; it comes once.
std::optional<size_t> HostFeed::first_of(PmId pmid, size_t before) const {
  for (size_t i = 0; i < before; ++i) {
    if (metrics_[i].now.status == 0 && metrics_[i].now.desc.pmid == pmid) return i;
  }
  return std::nullopt;
}

// Where there is nothing to ask for, one that cannot be used: a collector tells only with an answer
// that an agent has come.
void HostFeed::want(std::vector<PmId>& out) {
  follow_changes();
  const size_t before = out.size();
  for (const Followed& metric : metrics_) {
    if (metric.now.status == 0) out.push_back(metric.now.desc.pmid);
  }
  if (out.size() == before && !metrics_.empty()) out.push_back(metrics_.front().now.desc.pmid);
}

void HostFeed::add_names(std::vector<std::string>& out) const {
  for (const Followed& metric : metrics_) out.push_back(metric.compiled.name);
}

Result<bool> HostFeed::take(Bytes pdu) {
  columns_->prepare(block_);
  answered_.reset();
  const auto stamp = columns_->append(pdu, block_);
  if (!stamp) return fail(stamp.error());
  answered_ = *stamp;
  refused_ = 0;
  stats_.bytes += pdu.size();
  ++stats_.records;
  for (const Column& column : block_.columns) stats_.values += column.count;
  return true;
}

void HostFeed::take_nothing(Stamp stamp, int status) {
  columns_->prepare(block_);
  answered_ = stamp;
  refused_ = status;
}

std::vector<InDomId> HostFeed::domains_to_learn() {
  std::vector<InDomId> out;
  for (size_t i = 0; i < metrics_.size(); ++i) {
    Followed& metric = metrics_[i];
    const InDomId indom = metric.now.desc.indom;
    if (indom == kNullId || block_.columns[i].rows.empty()) continue;
    const auto there = rosters_.instances(block_.columns[i].rows.front().roster_id);
    if (std::ranges::equal(there, metric.named)) continue;
    std::vector<int32_t> now(there.begin(), there.end());
    std::ranges::sort(now);
    if (!std::ranges::includes(metric.named, now)) out.push_back(indom);
    metric.named = std::move(now);
  }
  return out;
}

void HostFeed::end_tick(Wave& wave, Stamp now) {
  const bool answered = answered_.has_value();
  const bool stamped = answered && refused_ == 0;  // by the host
  if (stamped && *answered_ < last_) {
    ++segment_;
    warnings_.add(fmt::format("the host's time goes back from {} to {}: history starts afresh",
                              iso_utc(last_), iso_utc(*answered_)));
  }
  if (stamped) last_ = *answered_;
  if (answered && std::exchange(told_refusal_, refused_) != refused_)
    warnings_.add(refusal_text(refused_));
  wave.recorded = false;
  wave.last = true;
  wave.late = now >= end_of_tick();
  wave.by_source = {};
  wave.groups = {Group{.t = due_, .segment = segment_}};
  wave.missing.clear();
  fetcher_.end_tick(due_, answered, round_->why);
  down_ = !answered;
  if (!answered) {
    const int code = fetcher_.health().why_down()->pm_code();
    wave.missing.push_back({.host_id = {}, .status = code != 0 ? code : int{kHostDown}});
  }
  wave.operands.resize(metrics_.size());
  for (size_t i = 0; i < metrics_.size(); ++i) fill(i, answered, wave);
  answered_.reset();
  if (round_->done()) round_.reset();
  due_ = end_of_tick();
  begun_ = true;
}

void HostFeed::fill(size_t metric, bool answered, Wave& wave) {
  Observations& out = wave.operands[metric];
  out.segments.clear();
  out.limits = {AgeLimit{}};
  if (metrics_[metric].same) {
    const Column& same = wave.operands[*metrics_[metric].same].column;
    out.column.clear();
    out.column.elem = same.elem;
    out.column.copy_values(same);
    out.column.rows = same.rows;
    return;
  }
  if (answered) {
    swap_columns(out.column, block_.columns[metric]);
    if (!out.column.rows.empty()) {
      if (out.column.rows.front().record != 0) out.column.rows.edit().front().record = 0;
      return;
    }
  }
  out.column.clear();
  out.column.elem = metrics_[metric].elem;
  const int32_t own = metrics_[metric].now.status;
  // Of a collector that leaves the metric out, as it may after an agent was lost.
  const int32_t refused = refused_ != 0 ? refused_ : pm_err::E_VALUE;
  const int32_t status = !answered ? int32_t{kHostDown} : own != 0 ? own : refused;
  out.column.rows.push_back(
      {.stamp = answered ? *answered_ : due_, .roster_id = Rosters::kNobodyId, .status = status});
}

void HostFeed::keep_rosters(Rosters& rosters) const {
  for (const Column& column : block_.columns) {
    for (const Row& row : column.rows) rosters.keep(row.roster_id);
  }
}

Result<HostCatalog::Described> described_for_columns(const HostCatalog& catalog, PmId metric) {
  const auto* const known = catalog.described(metric);
  if (known == nullptr) {
    return fail(Error(Fault::usage, "the catalog has not described it")
                    .at("metric", pmid_text(metric))
                    .pm_code(pm_err::E_PMID));
  }
  if (!elem_from_pm(known->desc.pm_type)) {
    return fail(Error(Fault::unsupported, "values of this type cannot be evaluated")
                    .at("metric", known->name)
                    .pm_code(pm_err::E_TYPE)
                    .help("event records are printed by pminfo -x"));
  }
  return *known;
}

HostFeeds::HostFeeds(HostContext& context)
    : context_(context),
      catalog_(context),
      fetcher_(std::make_unique<HostFetcher>(context.client(), catalog_)) {}

HostFeeds::~HostFeeds() = default;

Result<std::unique_ptr<Feed>> HostFeeds::open(std::vector<WantedMetric> metrics,
                                              const FeedTimes& times, Rosters& rosters) const {
  auto opened = open_part(std::move(metrics), times, rosters);
  if (!opened) return fail(opened.error());
  return *std::move(opened);
}

Result<std::unique_ptr<HostFeed>> HostFeeds::open_part(std::vector<WantedMetric> metrics,
                                                       const FeedTimes& times,
                                                       Rosters& rosters) const {
  std::vector<HostCatalog::Described> described;
  for (const WantedMetric& metric : metrics) {
    auto known = described_for_columns(catalog_, metric.pmid);
    if (!known) return fail(known.error());
    described.push_back(*std::move(known));
  }
  catalog_.stop_asking();
  auto out = std::make_unique<HostFeed>(*fetcher_, std::move(described), times, rosters);
  if (auto refused =
          Connection::refused_fetch(fetcher_->metrics(), context_.client().spec().text)) {
    return fail(*std::move(refused));
  }
  return out;
}

void HostFeeds::wait(Stamp until) const {
  const Nanos left = nanos(until) - nanos(fetcher_->wall_now());
  const Nanos some = std::clamp<Nanos>(left, 0, kNoTimeLimit.count());
  Network& network = context_.client().network();
  (void)network.run_some(network.now() + std::chrono::nanoseconds(static_cast<int64_t>(some)));
}

HostHealth& HostFeeds::health() const { return fetcher_->health(); }

uint64_t HostFeeds::fetches() const { return fetcher_->fetches(); }

}  // namespace pmjit
