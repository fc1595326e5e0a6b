// How the drop-in pmie runs its rules, over archives and live. Source: spec rules-language.md §15,
// §16, §20, §23.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "rules/cmd/interrupt.h"
#include "rules/cmd/pmie_session.h"
#include "runtime/client/connection.h"
#include "runtime/model/pm_codes.h"

namespace pmjit::pmie {

bool PmieSession::stops() const { return live_ && !options_.interactive && interrupted() != 0; }

// Is called often while it waits: what is not to be put off to the next evaluation. Must it stop?
bool PmieSession::meanwhile() {
  if (take_asked(Asking::hangup) && log_ != nullptr && options_.daemon())
    log_->rotate(options_.about(false));
  actions_.reap();
  // A wait that a signal has ended: the values of this time say nothing of the host.
  if (in_tick_ && stops()) cut_short_ = true;
  return stops();
}

// A run goes on where the last one ended, unless there are more rules.
bool PmieSession::run(double start, double end) {
  if (strict_.any()) {
    const auto put = [this](std::string_view text) { put_out(text); };
    if (live_) begin_stats(strict_.about());
    if (!strict_.run(strict_window(), put)) return false;
    tell_the_end();
    return true;
  }
  if (reader_.program().statements.empty()) return true;
  make_run();
  run_->begin(live_ && options_.interactive ? live_->now() : start);
  if (live_) {
    if (options_.interactive) end = live_->now() + (end - start);
    if (!run_tasks(end)) return false;
  } else if (auto done = run_until(*run_, end, [] { return false; }); !done) {
    messages_.complain(fmt::format("pmFetch failed: {}", pm_error_text(done.error().pm_code())));
    return false;
  }
  tell_the_end();
  return true;
}

// Live, times count from when the rules have been read.
bool PmieSession::run_to_end() {
  if (live_) {
    first_ = live_->stamp();
    if (const auto found = window(options_.shared, first_)) {
      start_ = found->origin;
      end_ = found->end;
    }
  }
  return run(start(), end());
}

void PmieSession::tell_the_end() {
  if (!options_.quiet && !stops()) log("Info", "evaluator exiting");
}

void PmieSession::make_run() {
  const RuleProgram& program = reader_.program();
  if (run_ && statements_ == program.statements.size()) return;
  RunOptions how{.origin = start_,
                 .verbose = options_.verbose,
                 .stamps = !live_ || options_.stamps,
                 .unnamed = [this](const std::string& metric,
                                   uint32_t source) { tell_unnamed(metric, source); },
                 .executor = executor_ ? &*executor_ : nullptr};
  if (live_) {
    how.act = [this](const PmieNode& action, const std::optional<std::string>& text,
                     const std::string& when) {
      return cut_short_ || actions_.perform({.verb = action.op,
                                             .text = text,
                                             .syslog_tag = action.syslog_tag,
                                             .syslog_priority = action.syslog_priority,
                                             .of = &action},
                                            when);
    };
    how.bind_waiting = [this] { return reader_.bind_waiting(); };
    how.retries = true;
  }
  run_ = std::make_unique<RuleRun>(program, sources_, zone_, how, [this](std::string_view text) {
    if (!cut_short_) put_out(text);
  });
  statements_ = program.statements.size();
}

bool PmieSession::run_tasks(double end) {
  constexpr double kRounding = 1e-6;  // times are sums of doubles; the end itself is evaluated
  begin_stats(about_rules());
  while (run_->due() && *run_->due() <= end + kRounding) {
    between_ticks();
    if (!live_->wait_until(*run_->due())) break;
    tell_late(*run_->due());
    in_tick_ = true;
    const auto done = run_->tick();
    in_tick_ = false;
    if (!done) {
      messages_.complain(fmt::format("pmFetch failed: {}", done.error().text()));
      return false;
    }
  }
  between_ticks();
  return true;
}

// What was said is seen at once, and what is wrong before the values that it explains.
void PmieSession::between_ticks() {
  (void)meanwhile();
  flush_all();
  if (!stats_) return;
  if (strict_.any()) {
    if (!strict_.host().empty()) stats_->set_host(strict_.host());
    return stats_->set(strict_.counts());
  }
  const PmieEvaluator::Outcomes& outcomes = run_->evaluator().outcomes();
  stats_->set_host(sources_.hosts().front());
  stats_->set({.actions = run_->counts().actions,
               .yes = outcomes.yes,
               .no = outcomes.no,
               .unknown = outcomes.unknown,
               .evaluations = run_->counts().statements});
}

void PmieSession::flush_all() {
  messages_.flush();
  flush();
}

// The values are those of now all the same, and no evaluation is left out.
void PmieSession::tell_late(double due) {
  constexpr double kLate = 1;
  const double now = live_->now();
  if (now - due <= kLate || options_.quiet) return;
  messages_.add(fmt::format("sleepTight: negative delay ({:.6f}). sched={:.6f}, cur={:.6f}\n",
                            due - now, due, now));
}

StatsAbout PmieSession::about_rules() const {
  double expected = 0;
  for (const PmieStatement& statement : reader_.program().statements) {
    expected += 1 / statement.delta;
  }
  return {
      .config = {}, .log = {}, .rules = reader_.rules(), .expected = static_cast<float>(expected)};
}

void PmieSession::begin_stats(StatsAbout about) {
  if (options_.interactive || stats_) return;
  std::error_code unknown;
  const auto full = std::filesystem::canonical(config_, unknown);
  about.config = unknown ? config_ : full.string();
  about.log = log_ == nullptr ? "<none>" : log_->full_path();
  stats_.emplace(about);
}

void PmieSession::tell_change(const HostChange& change) {
  if (cut_short_) return;
  const auto note = [this](const std::string& text) {
    if (!options_.quiet) log("Info", text);
  };
  switch (change.what) {
    case HostChange::What::back:
      return note("Re-established connection to pmcd " + change.connection);
    case HostChange::What::lost:
      log("Error", fmt::format("pmFetch from {} failed: {}", change.host, pm_reason(*change.why)));
      return note("Lost connection to pmcd " + change.connection);
    case HostChange::What::unreachable: break;
  }
  if (!change.bad_name.empty()) {
    messages_.add("pmNewContext: bad host specification\n" + change.bad_name);
  }
  // PCP's words for it leave open what is wrong with a certificate.
  if (is_of_encryption(*change.why)) complain(change.why->text());
  note("Cannot connect to pmcd " + change.connection);
  messages_.add("pmie: warning - " + unreachable_text(change) + "\n");
}

// Where the host cannot be asked, times are those of this machine.
void PmieSession::set_live_zone() {
  const Options& shared = options_.shared;
  if (shared.zone) zone_ = Zone(*shared.zone);
  if (!shared.host_zone) return;
  const auto found = live_->sources().text_of("pmcd.timezone");
  if (stops()) return;
  if (!found) {
    return messages_.add(fmt::format("{}: cannot set timezone from {}\npmNewContext failed: {}\n",
                                     messages_.program(), live_->host(), pm_reason(found.error())));
  }
  // It may be none of the names of -n.
  if (found->empty()) {
    return messages_.add(
        fmt::format("{}: cannot set timezone from {}\npmNewContextZone failed: {}\n",
                    messages_.program(), live_->host(), pm_error_text(pm_err::E_VALUE)));
  }
  zone_ = Zone(*found);
  put_out(fmt::format("{}: timezone set to local timezone from {}\n", messages_.program(),
                      live_->host()));
  flush();
}

}  // namespace pmjit::pmie
