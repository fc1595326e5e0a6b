#include "rules/compat/host_sources.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/model/pm_codes.h"

namespace pmjit::pmie {

namespace {

Error no_answer_in_time() { return {Fault::io, "no answer before the next time was due"}; }

}  // namespace

void HostSources::add_default(const std::string& name) {
  check(size() == 0, "the default host is the first");
  (void)add_named(name);
}

void HostSources::add_default(HostClient& client, const std::string& host) {
  add({.client = &client, .state = State::up, .was_up = true}, host, client.spec().text);
}

void HostSources::add(Member member, const std::string& host, const std::string& connection) {
  hosts_.push_back(host);
  connections_.push_back(connection);
  members_.push_back(std::move(member));
  Member& added = members_.back();
  if (options_.follow_metrics && !options_.names) {
    added.followed = std::make_shared<FollowedMetrics>();
  }
  // Whatever is asked of it is open then, and not out of reach.
  if (added.bad_name.empty()) added.ahead->answers = std::make_shared<HostAnswers>();
  added.context = with_derived(bare_context(static_cast<uint32_t>(size() - 1)));
}

Result<uint32_t> HostSources::source(std::string_view host) {
  if (host.empty()) return 0;
  for (uint32_t i = 0; i < size(); ++i) {
    if (hosts_[i] == host || connections_[i] == host) return i;
  }
  return add_named(std::string(host));
}

Result<uint32_t> HostSources::add_named(const std::string& name) {
  auto spec = parse_host_spec(name);
  if (!spec && options_.refuse_bad_names) return fail(spec_error(name, spec.error()));
  HostSpec there = spec ? *std::move(spec) : HostSpec{.text = name};
  if (auto refused = spec_refusal(there); refused && options_.refuse_bad_names) {
    return fail(*std::move(refused));
  }
  const std::string called = there.addresses.empty() ? name : there.host();
  Member member{.own = std::make_unique<HostClient>(network_, std::move(there), settings_)};
  member.client = member.own.get();
  if (!spec) member.bad_name = pcp_text(name, spec.error());
  add(std::move(member), called, name);
  return static_cast<uint32_t>(size() - 1);
}

std::string HostSources::title(uint32_t source) const {
  return fmt::format("pmcd {} (host {})", connections_[source], hosts_[source]);
}

bool HostSources::reach(uint32_t source) {
  Member& member = members_[source];
  if (member.state == State::up && member.client->connected()) return true;
  std::optional<Result<bool>> connected = fail(Error(Fault::usage, "that names no host"));
  if (member.bad_name.empty()) connected = connect(member);
  if (stops()) return false;  // which says nothing about the host
  if (connected && *connected) {
    set_state(source, nullptr);
    return true;
  }
  const Error why = with_host(source, connected ? connected->error() : no_answer_in_time());
  set_state(source, &why);
  return false;
}

Error HostSources::with_host(uint32_t source, Error why) const {
  if (why.place().find("host") != std::string::npos) return why;
  return std::move(why).at("host", connections_[source]);
}

// An attempt that takes longer than there is patience now goes on: the next call may find its end.
std::optional<Result<bool>> HostSources::connect(Member& member) {
  constexpr std::chrono::nanoseconds kStopUnseen = std::chrono::milliseconds(50);
  constexpr int kBriefPart = 10;  // of the patience: with one that did not answer last time
  if (!member.attempt) {
    member.attempt.emplace(HostContext(*member.client).connecting());
    member.attempt->start();
  }
  const auto now = [this] { return network_.now(); };
  const auto part = member.state == State::down ? patience_ / kBriefPart : patience_;
  const Instant until = std::min(limit_, now() + part);
  while (!member.attempt->done() && now() < until && !stops()) {
    (void)network_.run_some(settings_.stop ? std::min(until, now() + kStopUnseen) : until);
  }
  if (!member.attempt->done()) return std::nullopt;
  Result<bool> out = member.attempt->take();
  member.attempt.reset();
  return out;
}

// What is bound to such a host's metrics is bound anew.
bool HostSources::any_moved() {
  bool out = false;
  for (uint32_t i = 0; i < size(); ++i) {
    Member& member = members_[i];
    if (member.followed && member.followed->moved() && !std::exchange(member.moved, true)) {
      member.context = with_derived(bare_context(i));
    }
    out = out || member.moved || member.ahead->moved.has_value();
  }
  return out;
}

void HostSources::settle_moved() {
  for (Member& member : members_) {
    if (!std::exchange(member.moved, false)) continue;
    if (member.followed) member.followed->settle();
  }
}

void HostSources::set_tick(double due, double delta) {
  const Nanos step = std::llround(delta * 1e9);
  // A multiple of the interval: seconds since 1970 have no nanoseconds in binary64.
  tick_ = FetchTick{.due = std::llround(due / delta) * step, .step = step, .since = network_.now()};
}

void HostSources::set_patience(double seconds) {
  patience_ = std::chrono::nanoseconds(static_cast<int64_t>(seconds * 1e9));
  limit_ = network_.now() + patience_;
}

// Tasks that are due together are one time.
void HostSources::count(Member& member, double when, bool answered) {
  if (when <= member.counted) return;
  member.counted = when;
  ++member.tally.times;
  if (!answered) ++member.tally.missed;
}

void HostSources::note_fetch(uint32_t source, double when, const Result<void>& fetched) {
  if (!fetched && stops()) return;
  count(members_[source], when, fetched.has_value());
  set_state(source, fetched ? nullptr : &fetched.error());
}

void HostSources::note_wait(uint32_t source, double when) {
  count(members_[source], when, members_[source].state != State::down);
}

void HostSources::note_metric(uint32_t source, PmId pmid, const std::string& name, int32_t status) {
  if (!options_.tell_metric) return;
  // These say that there is no value now, and not that there is no metric.
  const bool gone = status < 0 && status != pm_err::E_AGAIN && status != pm_err::E_VALUE;
  auto& known = members_[source].gone;
  if (gone == known.contains(pmid)) return;
  gone ? void(known.insert(pmid)) : void(known.erase(pmid));
  options_.tell_metric({.host = hosts_[source],
                        .connection = connections_[source],
                        .metric = name,
                        .status = gone ? status : 0});
}

void HostSources::set_state(uint32_t source, const Error* why) {
  Member& member = members_[source];
  const State before = std::exchange(member.state, why == nullptr ? State::up : State::down);
  if (member.state == before) return;
  if (why == nullptr && !member.was_up && !options_.asks_ahead)
    hosts_[source] = host_context(source)->host_name();
  const bool was_up = std::exchange(member.was_up, member.was_up || why == nullptr);
  if (before == State::not_asked && why == nullptr) return;
  const auto what = why == nullptr ? HostChange::What::back
                    : was_up       ? HostChange::What::lost
                                   : HostChange::What::unreachable;
  options_.tell({.what = what,
                 .host = hosts_[source],
                 .connection = connections_[source],
                 .why = why,
                 .bad_name = member.bad_name});
}

std::unique_ptr<HostContext> HostSources::host_context(uint32_t source) const {
  auto out = std::make_unique<HostContext>(*members_[source].client);
  if (options_.names) out->use_names(options_.names);
  if (members_[source].followed) out->follow(members_[source].followed);
  out->give_up_at(&limit_);
  if (options_.asks_ahead) out->answer_from(*members_[source].ahead);
  out->share_at(tick_);
  return out;
}

// What was derived from the metadata before may be wrong.
void HostSources::set_known(uint32_t source, std::shared_ptr<const HostAnswers> answers) {
  KnownAhead& ahead = *members_[source].ahead;
  ahead.answers = std::move(answers);
  ahead.epoch = ahead.asked_epoch;
  members_[source].context = with_derived(bare_context(source));
}

void HostSources::ask(uint32_t source, HostQuestions questions) {
  Member& member = members_[source];
  if (!member.bad_name.empty()) return;
  member.asking.emplace(ask_ahead(*member.client, std::move(questions), member.ahead->asked_epoch));
  member.asking->start();
}

std::optional<Result<HostAnswers>> HostSources::take_asked(uint32_t source) {
  Member& member = members_[source];
  if (!member.asking || !member.asking->done()) return std::nullopt;
  Result<HostAnswers> out = member.asking->take();
  member.asking.reset();
  if (!out) {
    const Error why = with_host(source, out.error());
    set_state(source, &why);
  } else {
    set_state(source, nullptr);
  }
  return out;
}

std::optional<HostAnswers> HostSources::take_moved(uint32_t source) {
  Member& member = members_[source];
  member.moved = member.moved || member.ahead->moved.has_value();
  return std::exchange(member.ahead->moved, std::nullopt);
}

void HostSources::note_silence(uint32_t source) {
  const Error why = with_host(source, no_answer_in_time());
  set_state(source, &why);
}

std::unique_ptr<Context> HostSources::open_context(uint32_t source, Stamp /*start*/,
                                                   ReplayStep /*step*/) {
  return with_derived(bare_context(source));
}

Result<std::string> HostSources::text_of(std::string_view metric) {
  const auto host = host_context(0);
  if (auto there = host->connect(); !there) return fail(there.error());
  return host->text_value(metric);
}

}  // namespace pmjit::pmie
