// PmieSession: what a run of pmie has: sources, zone, window, rules. Source: spec rules-language.md
// §17–§20.
#pragma once

#include <memory>
#include <string>

#include "compiler/compat/pmie/rule_reader.h"
#include "rules/cmd/pmie_options.h"
#include "rules/cmd/strict_session.h"
#include "rules/compat/fetched_elements.h"
#include "rules/compat/run.h"
#include "runtime/base/clock.h"
#include "runtime/cmd/output.h"
#include "runtime/text/window.h"

namespace pmjit::pmie {

class PmieSession final : public RuleReader::Messages {
 public:
  PmieSession(PmieOptions options, DerivedMetrics& derived, const Clock& clock, ToolOutput& out,
              pmjit::Messages& messages);

  // Sources, zone, window. False: it has been told why not, as of all that follows.
  [[nodiscard]] bool open();
  // Empty: standard input.
  [[nodiscard]] bool read_rules(const std::string& file);
  [[nodiscard]] const RuleReader& rules() const { return reader_; }
  // Are the rules that were read right, as -C asks? What is wrong has been told.
  [[nodiscard]] bool are_right();
  [[nodiscard]] const ArchiveSources& sources() const { return sources_; }
  [[nodiscard]] const PmieOptions& options() const { return options_; }
  // Of the window.
  [[nodiscard]] Stamp origin() const { return start_; }
  [[nodiscard]] double start() const { return seconds_of(start_); }
  [[nodiscard]] double end() const { return seconds_of(end_); }
  // `first`: what times are counted from.
  [[nodiscard]] Result<Window> window(const Options& shared, Stamp first);
  [[nodiscard]] bool run(double start, double end);
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
  [[nodiscard]] bool open_archives();
  [[nodiscard]] bool read_strict(const RuleFileText& file);
  [[nodiscard]] StrictSession::ReplayWindow strict_window() const;
  [[nodiscard]] bool run_strict();
  void set_zone();
  [[nodiscard]] bool find_extent();

  PmieOptions options_;
  ArchiveSources sources_;
  const Clock& clock_;
  ToolOutput& out_;
  pmjit::Messages& messages_;
  RuleReader reader_;
  Zone zone_;
  Stamp first_{}, last_{};  // of all archives
  Stamp start_{}, end_{};
  StrictSession strict_{[this](std::string_view text) { messages_.add(text); }};
  std::unique_ptr<RuleRun> run_;
  size_t statements_ = 0;  // that the run has
};

}  // namespace pmjit::pmie
