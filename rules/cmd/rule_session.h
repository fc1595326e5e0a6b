// RuleSession: what verbs about rules share: rule files and archives, opened, read, with the window
// over which rules run.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/compat/pmie/rule_reader.h"
#include "rules/cmd/command.h"
#include "rules/cmd/left_out.h"
#include "rules/cmd/live_hosts.h"
#include "rules/cmd/rule_files.h"
#include "rules/cmd/strict_run.h"
#include "rules/cmd/zone_option.h"
#include "rules/compat/host_sources.h"
#include "rules/compat/replay.h"
#include "rules/model/events.h"
#include "rules/strict/definitions.h"
#include "rules/strict/rule_set.h"
#include "runtime/base/clock.h"
#include "runtime/sched/tbb_executor.h"
#include "runtime/text/zone.h"

namespace pmjit {

struct RuleSessionOptions {
  std::vector<std::string> files;     // rules
  std::vector<std::string> archives;  // a source each, also with commas between
  std::vector<std::string> hosts{};   // or live hosts
  bool takes_hosts = false;           // the verb has -h
  std::string start, finish, align, origin, interval;
  ZoneOption zone;
  std::vector<std::string> settings;  // NAME=VALUE
  unsigned threads = 1;               // of strict rules; 0: one a processor
  bool stats = false;                 // says how the run went, where it can
  bool verbose = false;               // names every rule that is left out
  bool warned = false;                // of the archives
  std::string rule{};                 // the only one whose mistakes are told; or empty
  std::optional<uint64_t> samples{};  // so many evaluations at the shortest interval of rules
  std::vector<std::string> definition_files;
};
[[nodiscard]] CommandOptions session_options(RuleSessionOptions& options);
// For Command::wrong: nothing is named that rules could run over.
[[nodiscard]] std::string missing_source_of(const RuleSessionOptions& options);
[[nodiscard]] CommandOption setting_option(std::vector<std::string>& settings);
[[nodiscard]] CommandOption definitions_option(std::vector<std::string>& files);
// Can they be read? What loads them does not say why not.
[[nodiscard]] Result<void> check_definition_files(const std::vector<std::string>& files);
// And of $PCP_DERIVED_CONFIG. What is wrong with their lines is said in the words of `check`.
[[nodiscard]] Result<Definitions> load_definitions(const std::vector<std::string>& files);
// The drop-in pmie's messages, for those who end lines themselves.
[[nodiscard]] std::string without_end_of_line(std::string text);
// `defined`: in all files; a setting of another macro would change nothing.
[[nodiscard]] Result<void> check_settings(const std::vector<std::string>& settings,
                                          const pmie::MacroNames& defined);

// A failure: the archive of a host that no rule of pmie has named up to now.
[[nodiscard]] Result<void> all_hosts_named(const pmie::ArchiveSources& sources);

class RuleSession final : public pmie::RuleReader::Messages {
 public:
  // Messages of the rules go to standard error.
  [[nodiscard]] static Result<std::unique_ptr<RuleSession>> open(const RuleSessionOptions& options,
                                                                 const Clock& clock);

  [[nodiscard]] const pmie::RuleProgram& program() const { return reader_->program(); }
  // Macros of its files.
  [[nodiscard]] const pmie::MacroNames& macros() const {
    return is_strict() ? strict_.macros : reader_->defined();
  }
  // In the strict dialect; then program() is empty.
  [[nodiscard]] bool is_strict() const { return !strict_.sources.empty(); }
  // Over the window, in whichever dialect they are.
  // `progress` hears of archives how much of the window is behind, 0 … 1; it may be empty.
  [[nodiscard]] Result<void> replay(EventWriter& writer, const std::function<bool()>& stop,
                                    const std::function<void(double)>& progress);
  // Of a strict rule at the last evaluation up to `at`; `tree`: each part in a line of its own.
  [[nodiscard]] Result<std::string> why(const std::string& rule, Stamp at, bool tree);
  // How strict rules are compiled.
  [[nodiscard]] Result<std::string> how(bool summary);
  // Of a file with that name, as messages have it.
  [[nodiscard]] std::string_view text_of(std::string_view file) const;
  [[nodiscard]] pmie::RuleSources& sources() {
    if (live_sources_) return *live_sources_;
    return sources_;
  }
  // Of each source, in the dialect pmie.
  [[nodiscard]] std::vector<std::vector<Gap>> interruptions() const;
  // And when its recording ends, in seconds.
  [[nodiscard]] std::vector<double> ends() const;
  [[nodiscard]] Zone& zone() { return zone_; }
  [[nodiscard]] Stamp origin() const { return origin_; }
  [[nodiscard]] double start() const;  // seconds
  [[nodiscard]] double end() const;
  void put(std::string_view text) override;
  void log(std::string_view severity, std::string_view text) override;
  void absent(const pmie::AbsentMetric& metric) override;
  void absent_instance(const pmie::AbsentInstance& instance) override;
  // As -S has it; empty: the end.
  [[nodiscard]] Result<Stamp> time(const std::string& text);
  // Of records whose times go back, and of pauses with evaluations in them.
  void warn_of_times() const;
  // An error: an archive is damaged, and what follows is missing, or was read and has no meaning.
  [[nodiscard]] Result<void> whole_up_to_end() const;
  // False: the archives of a folder that cannot be read are left out.
  [[nodiscard]] bool has_all_archives() const { return has_all_archives_; }
  // Of each host that is recorded.
  [[nodiscard]] std::vector<const Archives*> archives() const;
  // Was there no message about a rule or a definition? But for rules that are left out.
  [[nodiscard]] bool all_installed() const { return !told_ && !definitions_.mistaken(); }
  // In the dialect pmie.
  [[nodiscard]] const LeftOutRules& left_out() const { return left_out_; }
  [[nodiscard]] std::string left_out_help() const;
  // Strict ones, at the end of a live run. Others have run.
  [[nodiscard]] size_t strict_left_out() const { return strict_left_out_; }

 private:
  RuleSession(Definitions definitions, const Clock& clock)
      : clock_(clock), definitions_(std::move(definitions)), sources_(definitions_.metrics()) {}
  [[nodiscard]] Result<void> find_files(const RuleSessionOptions& options);
  [[nodiscard]] Result<void> open_sources(const RuleSessionOptions& options);
  [[nodiscard]] StrictRun strict_run(Stamp end) const;
  [[nodiscard]] Result<void> replay_pmie(EventWriter& writer, const std::function<bool()>& stop,
                                         const std::function<void(double)>& progress);
  [[nodiscard]] Result<void> replay_live(EventWriter& writer, const std::function<bool()>& stop);
  [[nodiscard]] Result<void> open_live(const RuleSessionOptions& options);
  // The next time's hosts have answered, or are waited for no longer. False: `stop` said so before.
  [[nodiscard]] bool wait_for_hosts(Replay& replay, const std::function<bool()>& stop);
  [[nodiscard]] double now() const;
  void report_missed(uint64_t skipped) const;
  void tell_left_out() const;
  [[nodiscard]] std::vector<uint32_t> bind_waiting();
  [[nodiscard]] Result<void> find_window(const RuleSessionOptions& options);
  [[nodiscard]] Result<void> read_rules(const RuleSessionOptions& options);

  const Clock& clock_;
  Definitions definitions_;
  std::vector<pmie::RuleFileText> files_;
  // By the dialect of the files: of pmie, or of strict.
  std::unique_ptr<LiveHosts> live_;      // -h; then there are no archives
  std::optional<TbbExecutor> executor_;  // whose threads read sources_ and evaluate rules
  pmie::ArchiveSources sources_;
  std::unique_ptr<pmie::HostSources> live_sources_;
  std::unique_ptr<pmie::RuleReader> reader_;
  std::vector<std::unique_ptr<ArchivesSource>> hosts_;
  std::vector<std::string> connections_;  // of hosts_
  strict::RuleSet strict_;
  unsigned threads_ = 1;
  bool stats_ = false, verbose_ = false;
  bool has_all_archives_ = true;
  Zone zone_;
  Stamp first_{}, last_{};  // of the archives
  Stamp origin_{}, end_{};
  // While files are read: what was said.
  struct ToldText {
    bool is_mistake = false;  // in the text of the rules
    std::string text{};
  };
  void tell_mistakes(const pmie::Settings& settings, const std::string& rule);
  void note_no_rules() const;
  void note_long_interval() const;
  void note_unused_interval(const std::string& interval) const;
  void end_after(uint64_t samples);
  // The shortest interval of the rules.
  [[nodiscard]] Nanos shortest_step() const;
  bool reads_ = false;
  bool warns_ = false;  // the next text is the warning of the place that was said
  std::vector<ToldText> told_texts_;
  bool told_ = false;
  LeftOutRules left_out_;
  size_t strict_left_out_ = 0;
};

// pmjit run --diff OLD NEW: what a change of rules changes.

// The session's files are the old rules and the new ones. The exit status; with `exit_code` it is
// kExitWarnings if something changes.
[[nodiscard]] int diff_rules(const RuleSessionOptions& options, const std::string& format,
                             bool exit_code, const Clock& clock);

}  // namespace pmjit
