#include "rules/strict/clock_feed.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/core.h>

#include "compiler/strict_rules/clock.h"
#include "compiler/strict_rules/tree.h"
#include "runtime/model/hosts.h"
#include "runtime/model/pm_codes.h"

namespace pmjit::strict {

namespace {

// Identifiers that no recorded metric has, for its highest bit is another's; those of several
// hosts' metrics (HostsCatalog) are far below.
constexpr PmId kFirstId = 0xffff0000;
PmId id_of(const ClockVariable& variable) {
  return kFirstId + static_cast<PmId>(&variable - clock_variables().data());
}
const ClockVariable* variable_of(PmId pmid) {
  const auto all = clock_variables();
  const auto found = std::ranges::find(all, pmid, id_of);
  return found == all.end() ? nullptr : &*found;
}

void append(int32_t value, Stamp stamp, uint32_t group, Column& column) {
  const uint64_t at = column.grow(1);
  std::memcpy(column.values.data() + at * sizeof value, &value, sizeof value);
  column.rows.push_back(
      {.stamp = stamp, .roster_id = Rosters::kSingularId, .record = group, .offset = at});
}

class ClockFeed final : public Feed {
 public:
  // `columns`: the variables; null where it is the next metric of the other feed.
  ClockFeed(std::unique_ptr<Feed> under, std::vector<const ClockVariable*> columns, Zone zone)
      : under_(std::move(under)), columns_(std::move(columns)), zone_(std::move(zone)) {
    for (uint32_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i] == nullptr) places_.push_back(i);
    }
  }

  Result<Next> next(Wave& wave) override;
  Stamp due() const override { return under_->due(); }
  void keep_rosters(Rosters& rosters) const override { under_->keep_rosters(rosters); }
  FeedStats stats() const override { return under_->stats(); }
  double done() const override { return under_->done(); }
  std::vector<std::string> take_warnings() override { return under_->take_warnings(); }

 private:
  void swap_metrics(Wave& wave);
  void tell_time(Wave& wave);
  void tell_sources(Wave& wave) const;

  std::unique_ptr<Feed> under_;
  std::vector<const ClockVariable*> columns_;
  std::vector<uint32_t> places_;  // of the other feed's metrics among the columns
  Zone zone_;
  Wave metrics_;
};

Result<Feed::Next> ClockFeed::next(Wave& wave) {
  wave.operands.resize(columns_.size());
  swap_metrics(wave);  // their memory goes back
  const auto next = under_->next(metrics_);
  if (!next || *next != Next::wave) return next;
  swap_metrics(wave);
  for (const uint32_t place : places_) {
    uint32_t& like = wave.operands[place].like;
    if (like != kNoIndex) like = places_[like];
  }
  wave.recorded = metrics_.recorded;
  wave.groups.swap(metrics_.groups);
  wave.missing.swap(metrics_.missing);
  wave.hosts.swap(metrics_.hosts);
  wave.last = metrics_.last;
  wave.late = metrics_.late;
  tell_time(wave);
  tell_sources(wave);
  return Next::wave;
}

// Where there are several, time is a source of its own, which nothing interrupts.
void ClockFeed::tell_sources(Wave& wave) const {
  const SourceSegments& from = metrics_.by_source;
  SourceSegments& out = wave.by_source;
  out.source_of.clear();
  out.of_group.clear();
  if (from.source_of.empty()) return;
  out.sources = from.sources + 1;
  size_t at = 0;
  for (const ClockVariable* column : columns_) {
    out.source_of.push_back(column == nullptr ? from.source_of[at++] : from.sources);
  }
  for (size_t group = 0; group < wave.groups.size(); ++group) {
    const auto first = from.of_group.begin() + static_cast<ptrdiff_t>(group * from.sources);
    out.of_group.insert(out.of_group.end(), first, first + from.sources);
    out.of_group.push_back(0);
  }
}

void ClockFeed::swap_metrics(Wave& wave) {
  metrics_.operands.resize(places_.size());
  for (size_t i = 0; i < places_.size(); ++i) {
    std::swap(wave.operands[places_[i]], metrics_.operands[i]);
  }
}

void ClockFeed::tell_time(Wave& wave) {
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i] == nullptr) continue;
    Observations& out = wave.operands[i];
    out.column.clear();
    out.column.elem = Elem::i32;
    out.limits.assign(wave.groups.size(), AgeLimit{});
  }
  for (uint32_t group = 0; group < wave.groups.size(); ++group) {
    const Stamp time = wave.groups[group].t;
    const std::tm local = zone_.local(time.sec);
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i] == nullptr) continue;
      append(columns_[i]->of(local), time, group, wave.operands[i].column);
    }
  }
}

}  // namespace

Result<Desc> ClockNames::describe(std::string_view metric) const {
  const ClockVariable* const variable = find_clock_variable(metric);
  if (variable != nullptr) return Desc{.pmid = id_of(*variable), .pm_type = pm_type::i32};
  const auto named = MetricOfHost::of(metric);
  if (!named) return under().describe(metric);
  const HostsCatalog* const hosts = feeds_.hosts();
  if (hosts == nullptr && named->host == feeds_.host()) return under().describe(named->metric);
  for (uint32_t h = 0; hosts != nullptr && h < hosts->hosts().size(); ++h) {
    if (hosts->hosts()[h].name == named->host) return hosts->of_host(h).describe(named->metric);
  }
  return fail(Error(Fault::not_found, fmt::format("no host {} is read", named->host)));
}

Result<std::unique_ptr<Feed>> open_with_clock(const OpenFeed& open,
                                              std::vector<WantedMetric> wanted, const Zone& zone) {
  std::vector<WantedMetric> metrics;
  std::vector<const ClockVariable*> columns;
  for (const WantedMetric& each : wanted) {
    columns.push_back(variable_of(each.pmid));
    if (columns.back() == nullptr) metrics.push_back(each);
  }
  const bool has_clock = metrics.size() != columns.size();
  auto feed = open(std::move(metrics));
  if (!feed || !has_clock) return feed;
  return std::make_unique<ClockFeed>(*std::move(feed), std::move(columns), zone);
}

}  // namespace pmjit::strict
