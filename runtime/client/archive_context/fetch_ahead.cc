#include "runtime/client/archive_context/fetch_ahead.h"

#include <algorithm>

#include "runtime/client/archive_context/grid_source.h"
#include "runtime/model/fetched_values.h"

namespace pmjit {

namespace {

// Behind the border of two such archives interpolation knows as little as libpcp. A window that
// begins behind it would not see why.
bool overlap(const Archives& archives) {
  for (size_t i = 0; i + 1 < archives.size(); ++i) {
    if (!archives.refuse_overlap(i)) return true;
  }
  return false;
}

}  // namespace

std::unique_ptr<FetchAhead> FetchAhead::open(const From& from, std::span<const PmId> metrics,
                                             Stamp start, ReplayStep step) {
  const ArchivesSource& recorded = from.recorded;
  if (overlap(recorded.archives())) return nullptr;
  std::unique_ptr<FetchAhead> out(new FetchAhead(recorded, start, step));
  FetchPlan plan;
  for (const PmId metric : metrics) {
    const Desc* const desc = recorded.archives().metadata().desc(metric);
    const auto elem = desc == nullptr ? std::nullopt : elem_from_pm(desc->pm_type);
    if (!elem || !is_number(*elem)) return nullptr;
    const auto found = std::ranges::find(plan.metrics, metric, &WantedMetric::pmid);
    out->metrics_.push_back({.pmid = metric,
                             .desc = *desc,
                             .column = static_cast<size_t>(found - plan.metrics.begin())});
    if (found == plan.metrics.end()) plan.metrics.emplace_back(metric, Between::as_pcp, false);
  }
  if (plan.metrics.empty()) return nullptr;
  const TimeGrid grid{.origin = start, .step = step, .certain = true};
  auto cursor = GridSource(recorded, grid, &from.reader).open(plan, out->rosters_);
  if (!cursor) return nullptr;  // interpolation says why
  out->cursor_ = *std::move(cursor);
  return out;
}

bool FetchAhead::load() {
  if (place_ < times()) return true;
  if (cursor_ == nullptr) return false;
  if (rosters_.crowded()) rosters_.forget_others();
  place_ = 0;
  const auto more = cursor_->next(block_);
  if (more && *more) {
    find_times();
    return true;
  }
  block_.clear();
  cursor_.reset();
  at_end_ = now_ > recorded_.start() && !bounds_.check(seconds_between(now_, recorded_.start()));
  return false;
}

void FetchAhead::find_times() {
  asked_.clear();
  for (Stamp at = now_; asked_.size() < times(); at = step_on(at, step_)) asked_.push_back(at);
}

void FetchAhead::pass(size_t times) {
  place_ += times;
  for (; times > 0; --times) {
    before_[passed_++ % kRemembered] = now_;
    now_ = step_on(now_, step_);
  }
}

void FetchAhead::take(size_t metric, size_t row, const Profile& profile, FetchedSet& out) {
  Member& member = metrics_[metric];
  const Column& from = column(metric);
  const Row& at = from.rows[row];
  std::span<const int32_t> of = instances(metric, at);
  const uint64_t* numbers = from.values.as<uint64_t>() + at.offset;
  if (elem_bytes(from.elem) != sizeof(uint64_t)) {
    const uint32_t* const narrow = from.values.as<uint32_t>() + at.offset;
    member.numbers.assign(narrow, narrow + of.size());
    numbers = member.numbers.data();
  }
  if (profile.restricts(member.desc.indom)) {
    std::vector<uint64_t> wanted;
    member.instances.clear();
    for (size_t i = 0; i < of.size(); ++i) {
      if (!profile.wants(member.desc.indom, of[i])) continue;
      member.instances.push_back(of[i]);
      wanted.push_back(numbers[i]);
    }
    member.numbers = std::move(wanted);
    numbers = member.numbers.data();
    of = member.instances;
  }
  out.pmid = member.pmid;
  out.count = at.status < 0 ? at.status : static_cast<int32_t>(of.size());
  out.format = format_of(member.desc);
  out.values.clear();
  out.numbers = {numbers, of.size()};
  out.instances = of;
}

}  // namespace pmjit
