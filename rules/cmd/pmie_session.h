// PmieSession: what a run of pmie has: sources, zone, window, rules. Source: spec rules-language.md
// §17–§20.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/compat/pmie/rule_reader.h"
#include "rules/cmd/live_actions.h"
#include "rules/cmd/live_pmie.h"
#include "rules/cmd/stats_file.h"
#include "rules/cmd/stomp.h"
#include "rules/cmd/strict_session.h"
#include "rules/compat/fetched_elements.h"
#include "rules/compat/run.h"
#include "rules/compat/value_report.h"
#include "runtime/base/clock.h"
#include "runtime/cmd/options.h"
#include "runtime/cmd/output.h"
#include "runtime/sched/tbb_executor.h"
#include "runtime/text/window.h"

namespace pmjit::pmie {

// The command line of pmie. Source: spec rules-language.md §18.
struct PmieOptions {
  std::vector<std::string> archives;  // a source each
  std::vector<std::string> files;     // rules; none: standard input
  std::optional<std::string> host, log, stomp, user;
  double delta = 10;  // seconds
  Verbose verbose = Verbose::off;
  bool check = false, interactive = false, quiet = false, to_stderr = false, agent = false;
  bool foreground = false, systemd = false, primary = false;
  bool stamps = false;  // -e: in value lines, where they have none by themselves
  Options shared;

  // Over hosts, not archives: those of the command line, or of $PCP_ARCHIVE.
  [[nodiscard]] bool live() const {
    return archives.empty() && (host || !shared.hosts.empty() || shared.archives.empty());
  }
  // What rules mean that name none.
  [[nodiscard]] std::string live_host() const;
  // What stands below the header of a log: whole lines. `first`: it is the first log of the run.
  [[nodiscard]] std::string about(bool first) const;
  // Does it stay on its own? Source: spec rules-language.md §18.
  [[nodiscard]] bool daemon() const;
};

// `[DATE] PROGRAM(PID) SEVERITY: TEXT`.
void log_line(Messages& messages, const Clock& clock, std::string_view severity,
              std::string_view text);

// None: `reader` has complained, or the usage text is asked for.
[[nodiscard]] std::optional<PmieOptions> read_pmie_options(OptionReader& reader);
[[nodiscard]] const OptionTable& pmie_options();

// The log of -l: standard error goes there, between a header and a footer. Source: spec
// rules-language.md §20.
class LogFile {
 public:
  // Standard error goes to the file from now on; `-` leaves it where it is. What is in `messages`
  // goes before. `about`: what stands below the header, whole lines.
  LogFile(const std::string& path, const std::string& about, Messages& messages,
          const Clock& clock);
  ~LogFile();  // all of `messages` goes before the footer
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  [[nodiscard]] bool is_open() const { return is_open_; }
  // Ends the file, which somebody has renamed, and begins another of its name.
  void rotate(const std::string& about);
  [[nodiscard]] std::string full_path() const;

 private:
  std::string open(std::string_view what);

  const std::string path_;
  Messages& messages_;
  const Clock& clock_;
  bool is_open_ = true;
};

class PmieSession final : public RuleReader::Messages {
 public:
  PmieSession(PmieOptions options, DerivedMetrics& derived, const Clock& clock, ToolOutput& out,
              pmjit::Messages& messages);

  // For what a live run does meanwhile: another log after SIGHUP.
  void use_log(LogFile* log) { log_ = log; }
  // Sources, zone, window. False: it has been told why not, as of all that follows.
  [[nodiscard]] bool open();
  // Empty: standard input.
  [[nodiscard]] bool read_rules(const std::string& file);
  [[nodiscard]] const RuleReader& rules() const { return reader_; }
  // Are the rules that were read right, as -C asks? What is wrong has been told.
  [[nodiscard]] bool are_right();
  [[nodiscard]] const RuleSources& sources() const { return sources_; }
  [[nodiscard]] const PmieOptions& options() const { return options_; }
  // Of the window.
  [[nodiscard]] Stamp origin() const { return start_; }
  [[nodiscard]] double start() const { return seconds_of(start_); }
  [[nodiscard]] double end() const { return seconds_of(end_); }
  // `first`: what times are counted from.
  [[nodiscard]] Result<Window> window(const Options& shared, Stamp first);
  // Seconds. Live it begins now, whatever `start` is.
  [[nodiscard]] bool run(double start, double end);
  // Live, by default until a signal comes.
  [[nodiscard]] bool run_to_end();
  // Is what stomp actions need there, if there are any?
  [[nodiscard]] bool stomp_is_there();
  void complain(std::string_view text) { messages_.complain(text); }
  // Standard output, or with -b standard error.
  void put_out(std::string_view text);
  void flush();

  void put(std::string_view text) override { messages_.add(text); }
  void log(std::string_view severity, std::string_view text) override;

 private:
  void tell_unnamed(const std::string& metric, uint32_t source);
  void tell_change(const HostChange& change);
  [[nodiscard]] RuleSources& open_sources(DerivedMetrics& derived);
  [[nodiscard]] bool open_archives();
  void set_live_zone();
  [[nodiscard]] bool read_strict(const RuleFileText& file);
  [[nodiscard]] StrictSession::ReplayWindow strict_window();
  [[nodiscard]] bool run_tasks(double end);
  void make_run();
  void between_ticks();  // live
  void flush_all();      // what is wrong before the rest
  void tell_late(double due);
  [[nodiscard]] bool stops() const;
  [[nodiscard]] bool meanwhile();
  void tell_the_end();
  [[nodiscard]] StatsAbout about_rules() const;
  void begin_stats(StatsAbout about);
  void set_zone();
  [[nodiscard]] bool find_extent();

  PmieOptions options_;
  const Clock& clock_;
  ToolOutput& out_;
  pmjit::Messages& messages_;
  std::unique_ptr<LivePmie> live_;
  std::optional<TbbExecutor> executor_;       // whose threads read archives and evaluate
  std::unique_ptr<ArchiveSources> archives_;  // null: live
  RuleSources& sources_;                      // one of both
  LiveActions actions_{[this](std::string_view text) { put_out(text); }, [this] { flush_all(); },
                       [this](const std::string& text) { return stomp_ && stomp_->send(text); },
                       options_.to_stderr};
  RuleReader reader_;
  Zone zone_;
  Stamp first_{}, last_{};  // of all archives
  Stamp start_{}, end_{};
  StrictSession strict_{[this](std::string_view text) { messages_.add(text); }};
  std::unique_ptr<RuleRun> run_;
  size_t statements_ = 0;  // that the run has
  std::string config_;     // the first file
  std::optional<StatsFile> stats_;
  std::optional<StompClient> stomp_;
  LogFile* log_ = nullptr;
  bool in_tick_ = false, cut_short_ = false;
};

// pmie -d: commands of one letter, once the files of the command line are read. Source: spec
// rules-language.md §21.
class Interactive {
 public:
  explicit Interactive(PmieSession& session)
      : session_(session), start_(session.origin()), seconds_(session.end() - session.start()) {}
  // Until q or the end of standard input. The exit status.
  [[nodiscard]] int run();

 private:
  enum class After : uint8_t { go_on, quit, give_up };

  [[nodiscard]] After obey(char command, const std::string& argument);
  void list_statements(const std::string& name);
  void list_bindings(const std::string& name);
  [[nodiscard]] bool run_rules(const std::string& interval);
  void set_start(const std::string& text);
  void set_interval(const std::string& text);
  [[nodiscard]] bool take_seconds(const std::string& interval);

  PmieSession& session_;
  Stamp start_;     // S counts from it
  double seconds_;  // how long r runs: as the window, or as T or r said last
};

}  // namespace pmjit::pmie
