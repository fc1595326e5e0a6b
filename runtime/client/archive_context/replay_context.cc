#include "runtime/client/archive_context/replay_context.h"

#include <algorithm>
#include <utility>

namespace pmjit {

ReplayContext::ReplayContext(const Archives& archives, BadVolumes bad_volumes)
    : archives_(archives),
      bad_volumes_(bad_volumes),
      reader_(archives, bad_volumes),
      interpolation_(archives, reader_),
      now_(archives.start()) {}

void ReplayContext::set_mode(ReplayMode mode, std::optional<Stamp> when, ReplayStep step) {
  mode_ = mode;
  step_ = step;
  if (when) now_ = *when;
  lost_ = true;
  interpolation_.reposition(now_);
}

// The place from which the next record read is at the current time or behind it, in the direction.
Result<void> ReplayContext::find_place() {
  const bool forward = mode_ != ReplayMode::backward;
  const auto look_around = reader_.seek(now_, forward);
  if (!look_around) return std::unexpected(look_around.error());
  lost_ = false;
  while (*look_around) {
    const RecordPosition here = reader_.position();
    const auto step = forward ? reader_.previous() : reader_.next();
    // A last record that is cut short ends the data. The fetch reports other damage at once.
    if (!step && step.error().fault() != Fault::truncated) return std::unexpected(step.error());
    if (!step || !*step) break;
    const double ahead = seconds_between(reader_.record().stamp, now_);
    if (forward ? ahead < 0 : ahead > 0) {
      reader_.move_to(here);
      break;
    }
  }
  return {};
}

// One record in the direction that is not on the near side of the current time.
Result<void> ReplayContext::read_on() {
  const bool forward = mode_ != ReplayMode::backward;
  if (lost_) {
    if (auto found = find_place(); !found) return found;
  }
  while (true) {
    const auto step = forward ? reader_.next() : reader_.previous();
    if (!step) return std::unexpected(step.error());
    if (!*step) {
      return fail(Error(Fault::not_found, "End of PCP archive log")
                      .at("archive", archives_[archives_.size() - 1].name())
                      .pm_code(pm_err::E_EOL));
    }
    const double ahead = seconds_between(reader_.record().stamp, now_);
    if (forward ? ahead < 0 : ahead > 0) continue;
    now_ = reader_.record().stamp;
    return {};
  }
}

Result<void> ReplayContext::fetch(std::span<const PmId> metrics, const Profile& profile,
                                  Fetched& out) {
  if (metrics.empty()) {
    return fail(Error(Fault::usage, "Insufficient elements in list").pm_code(pm_err::E_TOOSMALL));
  }
  if (mode_ == ReplayMode::interpolated) {
    auto done = interpolation_.fetch(now_, step_.sec > 0 || (step_.sec == 0 && step_.nsec > 0),
                                     metrics, profile, out);
    // Damage holds the reference where it is, for ever; the ends of the recording do not.
    if (done || done.error().pm_code() != pm_err::E_LOGREC) now_ = step_on(now_, step_);
    return done;
  }
  while (true) {
    if (auto read = read_on(); !read) return read;
    if (!reader_.record().mark && take_sets(metrics, profile, out)) return {};
  }
}

Stamp step_on(Stamp now, ReplayStep step) {
  constexpr int64_t kSecond = 1'000'000'000;
  now.sec += step.sec;
  // Steps of pmSetMode() in micro- and nanoseconds may be seconds long, and 32 bits run over.
  int64_t nsec = static_cast<int32_t>(int64_t{now.nsec} + step.nsec);
  for (; nsec > kSecond; nsec -= kSecond) ++now.sec;
  for (; nsec < 0; nsec += kSecond) --now.sec;
  now.nsec = static_cast<int32_t>(nsec);
  return now;
}

// A block's format as its writer said it, which stands in front of the pairs.
void keep_format(const RecordHead& head, const ValueSet& set, FetchedSet& to) {
  if (set.count <= 0 || set.in_place) return;
  to.format = static_cast<ValueFormat>(load_be<uint32_t>(head.bytes.data() + set.pairs - 4));
}

// False: the record has none of the metrics. Of a metric that it has twice the first counts.
bool ReplayContext::take_sets(std::span<const PmId> metrics, const Profile& profile, Fetched& out) {
  const auto& sets = reader_.layout().sets;
  bool any = false;
  out.sets.resize(metrics.size());
  for (size_t i = 0; i < metrics.size(); ++i) {
    FetchedSet& to = out.sets[i];
    const auto found = std::ranges::find(sets, metrics[i], &ValueSet::pmid);
    if (found == sets.end()) {
      to = {.pmid = metrics[i], .values = std::move(to.values)};
      to.values.clear();
      continue;
    }
    if (!std::exchange(any, true)) arena_.clear();
    const Desc* desc = archives_.metadata().desc(metrics[i]);
    take_set(reader_.record().head, reader_.layout(), *found, arena_, to, [&](int32_t instance) {
      return desc == nullptr || profile.wants(desc->indom, instance);
    });
    keep_format(reader_.record().head, *found, to);
  }
  out.stamp = reader_.record().stamp;
  return any;
}

Result<void> ReplayContext::fetch_record(Fetched& out, std::optional<PmId> values_of) {
  if (mode_ == ReplayMode::interpolated) {
    return fail(Error(Fault::usage, "Illegal mode specification").pm_code(pm_err::E_MODE));
  }
  if (auto read = read_on(); !read) return read;
  arena_.clear();
  const auto& sets = reader_.layout().sets;
  out.stamp = reader_.record().stamp;
  out.sets.resize(reader_.record().mark ? 0 : sets.size());
  for (size_t i = 0; i < out.sets.size(); ++i) {
    if (values_of && sets[i].pmid != *values_of) {
      out.sets[i].pmid = sets[i].pmid;
      out.sets[i].count = sets[i].count;
      out.sets[i].values.clear();
      continue;
    }
    take_set(reader_.record().head, reader_.layout(), sets[i], arena_, out.sets[i],
             [](int32_t) { return true; });
    keep_format(reader_.record().head, sets[i], out.sets[i]);
  }
  return {};
}

}  // namespace pmjit
