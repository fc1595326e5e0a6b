#include "rules/cmd/pmie_session.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <iostream>

#include "rules/cmd/rule_files.h"
#include "rules/compat/fetched_elements.h"
#include "rules/compat/value_report.h"
#include "runtime/cmd/session.h"
#include "runtime/model/pm_codes.h"

namespace pmjit::pmie {

PmieSession::PmieSession(PmieOptions options, DerivedMetrics& derived, const Clock& clock,
                         ToolOutput& out, pmjit::Messages& messages)
    : options_(std::move(options)),
      clock_(clock),
      out_(out),
      messages_(messages),
      sources_(open_sources(derived)),
      reader_(sources_, *this,
              {.program = messages.program(),
               .delta = options_.delta,
               .applet = options_.verbose == Verbose::applet}) {
  if (live_) live_->stop_when([this] { return meanwhile(); });
}

void log_line(Messages& messages, const Clock& clock, std::string_view severity,
              std::string_view text) {
  const std::tm local = Zone().local(unix_seconds(clock.wall()));
  messages.add(fmt::format("[{:.19}] {}({}) {}: {}\n", time_text(local), messages.program(),
                           getpid(), severity, text));
}

void PmieSession::log(std::string_view severity, std::string_view text) {
  log_line(messages_, clock_, severity, text);
}

void PmieSession::put_out(std::string_view text) {
  if (options_.to_stderr) return messages_.add(text);
  out_ << text;
}

RuleSources& PmieSession::open_sources(DerivedMetrics& derived) {
  if (options_.live()) {
    live_ = std::make_unique<LivePmie>(options_.live_host(), local_names(options_.shared), derived,
                                       clock_,
                                       [this](const HostChange& change) { tell_change(change); });
    return live_->sources();
  }
  archives_ = std::make_unique<ArchiveSources>(derived);
  if (const unsigned threads = TbbExecutor::processors(); threads > 1) {
    archives_->read_with(executor_.emplace(threads));
  }
  archives_->on_open(
      [this](Archives& archives) { use_local_names(options_.shared, LocalNames::all, archives); });
  return *archives_;
}

bool PmieSession::open() {
  if (live_) {
    for (const std::string& warning : live_->warnings()) complain(warning);
    set_live_zone();
    first_ = live_->stamp();
    last_ = kStampMax;
  } else {
    if (!open_archives()) return false;
    set_zone();
    if (!find_extent()) return false;
  }
  const auto found = window(options_.shared, first_);
  if (!found) {
    const std::string_view why = found.error().what();
    messages_.add(fmt::format("{}{}", why, why.ends_with('\n') ? "" : "\n"));
    return false;
  }
  start_ = found->origin;
  end_ = found->end;
  return true;
}

bool PmieSession::open_archives() {
  std::expected<void, NotAdded> added;
  for (const std::string& names : options_.archives) {
    if (added) added = archives_->add(names);
  }
  // Of $PCP_ARCHIVE, all of whose archives are one source.
  const std::string& others = options_.shared.archives;
  if (options_.archives.empty() && !others.empty()) added = archives_->add_one(others);
  if (!added) messages_.add(added.error().in_pmie);
  return added.has_value();
}

void PmieSession::set_zone() {
  const Options& shared = options_.shared;
  if (shared.zone) zone_ = Zone(*shared.zone);
  if (!shared.host_zone) return;
  zone_ = Zone(archives_->archives(0).label().timezone);
  put_out(fmt::format("{}: timezone set to local timezone from {}\n", messages_.program(),
                      sources_.connections().front()));
}

// From the earliest start to the latest end of all archives.
bool PmieSession::find_extent() {
  first_ = kStampMax;
  last_ = kStampMin;
  for (uint32_t i = 0; i < sources_.size(); ++i) {
    const Archives& archives = archives_->archives(i);
    const auto end = archives.end();
    if (!end) {
      messages_.add(fmt::format("{}: archive {} is corrupted\npmGetArchiveEnd failed: {}\n",
                                messages_.program(), sources_.connections()[i],
                                end.error().text()));
      return false;
    }
    first_ = std::min(first_, archives.start());
    last_ = std::max(last_, *end);
  }
  return true;
}

Result<Window> PmieSession::window(const Options& shared, Stamp first) {
  return report_micro_window(shared, first, last_, zone_, clock_);
}

bool PmieSession::read_rules(const std::string& file) {
  const auto found = find_rule_file(file, options_.interactive ? &std::cin : nullptr);
  if (stops()) return true;
  if (found && config_.empty()) config_ = found->name.empty() ? "<stdin>" : found->name;
  if (!found) {
    const Error& wrong = found.error();
    wrong.fault() == Fault::usage ? messages_.add(wrong.what()) : messages_.complain(wrong.what());
    return false;
  }
  if (found->strict) return read_strict(*found);
  if (strict_.any()) {
    messages_.complain("some of the files are in the strict dialect, others in pmie's");
    return false;
  }
  if (auto read = reader_.read(found->text, found->name); !read) {
    // The only failure there is: a host that no archive is of.
    messages_.add(
        "pmie: cannot open archive unknown archive\n"
        "pmNewContext: No such file or directory\n");
    return false;
  }
  return true;
}

bool PmieSession::read_strict(const RuleFileText& file) {
  std::string wrong;
  if (!reader_.program().statements.empty()) {
    wrong = "some of the files are in the strict dialect, others in pmie's";
  } else if (options_.interactive) {
    wrong = "-d is not there yet for rules of the strict dialect: run them without it";
  }
  if (wrong.empty()) return strict_.read(file, options_.delta);
  messages_.complain(wrong);
  return false;
}

StrictSession::ReplayWindow PmieSession::strict_window() {
  StrictSession::ReplayWindow out{.archives = options_.archives.empty()
                                                  ? std::vector{options_.shared.archives}
                                                  : options_.archives,
                                  .names = &options_.shared,
                                  .origin = start_,
                                  .end = end_,
                                  .verbose = options_.verbose,
                                  .zone = zone_};
  if (!live_) return out;
  out.live = live_.get();
  out.actions = &actions_;
  out.tell = [this](const HostChange& change) { tell_change(change); };
  out.stop = [this] {
    between_ticks();
    return stops();
  };
  return out;
}

bool PmieSession::are_right() {
  if (strict_.any()) return strict_.check(strict_window());
  return !reader_.last_failed();
}

void PmieSession::tell_unnamed(const std::string& metric, uint32_t source) {
  log("Error", fmt::format("metric {} from {}: instance domain not available in archive\n"
                           "pmNameInDomArchive failed: {}",
                           metric, sources_.title(source), pm_error_text(pm_err::E_INST_LOG)));
}

// Over archives nothing is sent, but the configuration must be there all the same. Live the server
// must be there, too.
bool PmieSession::stomp_is_there() {
  if (!reader_.has_stomp() && !strict_.has_stomp()) return true;
  const std::string file = options_.stomp.value_or(rule_folder() + "/stomp");
  if (live_) {
    auto settings = read_stomp_settings(file);
    if (!settings) {
      for (const std::string& wrong : settings.error()) log("Error", wrong);
      return false;
    }
    stomp_.emplace(
        *std::move(settings), live_->network(),
        [this](std::string_view severity, std::string_view text) { log(severity, text); });
    return stomp_->connect();
  }
  if (access(file.c_str(), R_OK) == 0) return true;
  log("Error",
      fmt::format("Cannot open STOMP configuration file {}: {}", file, std::strerror(errno)));
  return false;
}

void PmieSession::flush() {
  (void)out_.flush();
  messages_.flush();
}

}  // namespace pmjit::pmie
