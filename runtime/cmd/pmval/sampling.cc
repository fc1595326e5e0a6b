#include "runtime/cmd/pmval/sampling.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "runtime/cmd/pmval/followed_metric.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

// The reference steps by whole milliseconds.
ReplayStep milliseconds_of(NanoTime interval) {
  constexpr int64_t kMillisecond = 1'000'000;
  return {interval.sec, static_cast<int32_t>(interval.part / kMillisecond * kMillisecond)};
}

// Times are microseconds here.
bool after(Stamp a, Stamp b) {
  return a.sec > b.sec || (a.sec == b.sec && a.nsec / 1000 > b.nsec / 1000);
}

// The reference subtracts what is left of two times in a double each.
double whole_microseconds(Stamp stamp) { return to_real(MicroTime{stamp.sec, stamp.nsec / 1000}); }

}  // namespace

ValSampling::ValSampling(const ValSource& source, const ValSeries& series,
                         const ValRequest& request, const ValPlan& plan, Zone& zone,
                         ToolOutput& out, Messages& messages)
    : series_(series),
      request_(request),
      plan_(plan),
      zone_(zone),
      out_(out),
      messages_(messages),
      source_(source),
      columns_(series, request),
      events_(is_event_type(series.desc.pm_type)) {
  const bool between = !request.records && !events_;
  if (source_.archive != nullptr) {
    source_.archive->replay().set_mode(between ? ReplayMode::interpolated : ReplayMode::forward,
                                       plan.start, milliseconds_of(plan.interval));
  }
  if (series.chosen) {
    std::vector<int32_t> instances;
    for (const auto& column : series.columns) instances.push_back(column.instance);
    profile_.restrict(series.desc.indom, std::move(instances));
  }
}

bool ValSampling::run() {
  for (int round_number = 0; !plan_.samples || round_number < *plan_.samples; ++round_number) {
    const Got got = round();
    if (got == Got::end) return true;
    if (got == Got::error) return false;
  }
  return true;
}

ValSampling::Got ValSampling::judge(int code, std::string_view call, Got otherwise) {
  if (code == pm_err::E_EOL) return Got::end;
  messages_.add("\n");
  messages_.complain(fmt::format("{}: {}", call, pm_error_text(code)));
  return otherwise;
}

ValSampling::Got ValSampling::fetch(Fetched& into) {
  const bool records = source_.archive != nullptr && (request_.records || events_);
  return records ? fetch_record(into) : fetch_values(into);
}

ValSampling::Got ValSampling::fetch_values(Fetched& into) {
  const auto done = source_.context.fetch({&series_.desc.pmid, 1}, profile_, into);
  if (!done) return judge(done.error().pm_code(), "pmFetch", Got::error);
  if (after(into.stamp, plan_.end)) return Got::end;
  const int count = into.sets.front().count;
  if (count < 0) return judge(count, "pmFetch", Got::failure);
  return count > 0 ? Got::values : Got::nothing;
}

// The next record that has the metric, or a mark.
ValSampling::Got ValSampling::fetch_record(Fetched& into) {
  while (true) {
    const auto done = source_.archive->replay().fetch_record(into, series_.desc.pmid);
    if (!done) return judge(done.error().pm_code(), "pmFetchArchive", Got::error);
    if (into.sets.empty()) return Got::mark;
    const auto found = std::ranges::find(into.sets, series_.desc.pmid, &FetchedSet::pmid);
    if (found == into.sets.end()) continue;
    if (after(into.stamp, plan_.end)) return Got::end;
    if (found != into.sets.begin()) std::swap(into.sets.front(), *found);
    const int count = into.sets.front().count;
    if (count < 0) return judge(count, "pmFetchArchive", Got::failure);
    return count > 0 ? Got::values : Got::nothing;
  }
}

ValSampling::Got ValSampling::round() {
  if (!has_before_) {
    const Got got = fetch(now_);
    if (got == Got::values) put_heading();
    if (got != Got::values || !series_.rate) {
      has_before_ = got == Got::values;
      had_none_ = true;
      const Got reported = report(got);
      if (got == Got::nothing || got == Got::failure) pause();
      return reported;
    }
    if (std::exchange(had_none_, false) || had_rates_) say(now_.stamp, "No values available");
    columns_.read_numbers(now_.sets.front());
    has_before_ = true;
    before_ = now_.stamp;
  }
  pause();
  const Got got = fetch(now_);
  has_before_ = got == Got::values;
  if (got == Got::values) had_rates_ = true;
  if (got == Got::mark) had_none_ = had_rates_ = false;
  if (has_before_ && columns_.has_unknown(now_.sets.front())) put_heading();
  return report(got);
}

// Whoever watches sees what there is meanwhile.
void ValSampling::pause() {
  if (source_.archive == nullptr) return wait_for_tick();
  if (!request_.delay) return;
  out_.flush();
  constexpr int64_t kSecondsMax = 100LL * 366 * 86'400;  // clocks overflow beyond some 292 years
  source_.clock.wait_until(
      source_.clock.now() +
      std::chrono::seconds(std::clamp<int64_t>(plan_.interval.sec, 0, kSecondsMax)) +
      std::chrono::nanoseconds(plan_.interval.part));
}

// Ticks are an interval apart, however long a fetch took.
void ValSampling::wait_for_tick() {
  out_.flush();
  Network* const network = source_.network;
  const Instant now = network == nullptr ? source_.clock.now() : network->now();
  const auto step = std::chrono::seconds(std::clamp<int64_t>(plan_.interval.sec, 0, 1 << 30)) +
                    std::chrono::nanoseconds(plan_.interval.part);
  const Instant tick = std::max(next_tick_.value_or(now) + step, now);
  next_tick_ = tick;
  if (network == nullptr) return source_.clock.wait_until(tick);
  while (network->now() < tick) (void)network->run_some(tick);
}

// Whenever values come anew: at the start, after there were none, and for an instance that has no
// column.
void ValSampling::put_heading() {
  if (events_) return;
  columns_.put_labels(line_);
  out_ << std::exchange(line_, {});
}

ValSampling::Got ValSampling::report(Got got) {
  if (got == Got::values) {
    const auto done = put();
    out_ << line_;
    line_.clear();
    if (!done) return refuse(done.error());
  }
  if (got == Got::nothing) say(now_.stamp, "No values available");
  if (got == Got::mark) say(now_.stamp, "Archive logging suspended");
  return got;
}

void ValSampling::say(Stamp stamp, std::string_view what) {
  columns_.put_stamp(line_, stamp, zone_);
  out_ << line_ << (request_.live ? "" : "  ") << what << "\n";
  line_.clear();
}

Result<void> ValSampling::put() {
  const FetchedSet& set = now_.sets.front();
  columns_.put_stamp(line_, now_.stamp, zone_);
  if (events_) {
    if (!request_.live) line_ += "  ";
    put_events(line_, series_, source_.context, set, zone_);
    return {};
  }
  if (!series_.rate) return columns_.put_values(line_, set, zone_);
  columns_.read_numbers(set);
  const Stamp before = std::exchange(before_, now_.stamp);
  return columns_.put_rates(line_, whole_microseconds(now_.stamp) - whole_microseconds(before));
}

// A value that is not what its metric says ends everything, in the middle of a line.
ValSampling::Got ValSampling::refuse(const Error& error) {
  messages_.add(fmt::format("{}:{}: {}\n", messages_.program(), error.what(),
                            pm_error_text(error.pm_code())));
  return Got::error;
}

}  // namespace pmjit
