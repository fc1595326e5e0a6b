// Rules of pmie in both meanings over an archive: when do they differ first? A rule is given to
// strict alone, with the values of its macros; where strict refuses it as it stands, with what it
// needs for the same meaning (compiler/differences/rules/rule_differences.h).
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/compat/pmie/settings.h"
#include "compiler/strict_rules/clock.h"
#include "rules/check/findings.h"
#include "rules/check/rule_check.h"
#include "rules/compat/run.h"
#include "rules/compat/sources.h"
#include "rules/model/events.h"
#include "rules/strict/strict_replay.h"
#include "runtime/model/feed.h"
#include "runtime/text/zone.h"

namespace pmjit {

// What became of rules in a run: truths and actions by time, to be compared with another run.

// Of one rule.
struct RuleHistory {
  struct Truth {
    double when;
    RuleTruth truth;
  };
  struct Action {
    double when;
    std::string text;  // with its verb
  };
  std::vector<Truth> truths;  // where it changed
  std::vector<Action> actions;
};

// Takes the place of a format.
class HistoryCollector final : public EventWriter {
 public:
  void begin(const ReplaySchema& schema) override {
    schema_ = schema;
    histories_.assign(schema.rules.size(), {});
    of_rule_.clear();
    for (size_t i = 0; i < histories_.size(); ++i) of_rule_[schema.number(i)].push_back(i);
  }
  void put(const RuleTransition& event) override {
    histories_[event.rule].truths.push_back({event.transition.when, event.transition.to});
  }
  void put(const RuleAction& event) override {
    histories_[event.rule].actions.push_back(
        {event.when, std::string(event.verb) + ": " + event.text});
  }
  void end(double, std::span<const RuleState>) override {}

  // Of a rule: on this host, or the one for all of them. Null: it does not run there.
  [[nodiscard]] const RuleHistory* find(size_t rule, const std::string& host) const {
    const auto runs = of_rule_.find(rule);
    if (runs == of_rule_.end()) return nullptr;
    const RuleHistory* out = nullptr;
    for (const size_t i : runs->second) {
      const bool own = schema_.hosts.empty() || schema_.hosts[i] == host;
      if (own || out == nullptr) out = &histories_[i];
    }
    return out;
  }
  // In the order of the rules.
  [[nodiscard]] const std::vector<RuleHistory>& histories() const { return histories_; }

 private:
  ReplaySchema schema_;
  std::vector<RuleHistory> histories_;
  std::unordered_map<size_t, std::vector<size_t>> of_rule_;  // where each of them is
};

struct FirstDifference {
  double when;
  std::string a, b;  // what each has then
};
// None: they are alike. Of one time a truth comes before an action.
[[nodiscard]] std::optional<FirstDifference> first_difference(const RuleHistory& a,
                                                              const RuleHistory& b);

struct Meaning {
  std::string rule;
  std::optional<FirstDifference> difference{};     // none, and no `refused`: none in this archive
  std::string rewritten{};                         // what strict was given; empty: the text itself
  std::string refused{};                           // why strict does not take it, in a line
  size_t text = 0, statement = 0;                  // of RuleCheckReport
  std::vector<double> fires{};                     // when it acts
  std::optional<std::vector<double>> in_strict{};  // none: strict refuses it
  std::optional<std::vector<double>> as_in_c{};    // CheckedStatement::as_in_c; none: no such text
};

struct MeaningsInput {
  const RuleCheck& check;
  pmie::ArchiveSources& sources;
  // Of the default source, where strict runs; and when both run.
  const Feeds& strict_feeds;
  Stamp start, end;
  Zone& zone;
  pmie::Settings settings;
  std::span<const SourceText> definitions;  // of derived metrics
  double delta = 10;
  std::function<void(double done)> progress = [](double) {};  // 0 … 1
};

// Of an archive's time, what lies before a time in seconds.
class ReplayShare {
 public:
  ReplayShare(Stamp begin, Stamp end)
      : begin_(pmie::seconds_of(begin)), end_(pmie::seconds_of(end)) {}
  [[nodiscard]] double of(double now) const {
    return end_ > begin_ ? std::clamp((now - begin_) / (end_ - begin_), 0.0, 1.0) : 1;
  }

 private:
  double begin_, end_;
};

// Of the rules that differences were told of.
[[nodiscard]] Result<std::vector<Meaning>> compare_meanings(const MeaningsInput& input);
// Without its place.
[[nodiscard]] CheckNote comparison_of(const Meaning& meaning, Zone& zone);
// Times at which a rule did something, once each.
[[nodiscard]] std::vector<double> action_times(const RuleHistory& history);

// When rules fire over an archive, as lines beside what was found in their files.

struct FiringsInput {
  const RuleCheckReport& report;
  std::span<const Meaning> meanings;
  std::string archive;                              // as messages call it
  std::function<std::string(double when)> time_of;  // for people
};

// `files`: of each text of the report. What a warning does to a rule is said beside the warning,
// and that strict would fire at other times in a line of its own.
void add_firings(const FiringsInput& input, std::span<CheckedFile> files);

// Which rules strict takes: as they stand, else as they are rewritten for it. All are compiled
// together, so that the time grows with the rules. Private to this folder.

struct StrictTrial {
  std::string texts[2];         // as it stands; and rewritten
  strict::StrictMacros macros;  // that it uses, as they are defined before it
  double delta = 10;            // its interval
  std::string unread{};         // why strict does not take one of these
  // What came of it.
  size_t taken = 0;       // which of the texts, if it is not refused
  std::string refused{};  // why strict takes neither, in a line
};

// Returns the rules that strict takes, in the order of `trials`. `progress` gets the part that is
// done, from 0 to 1.
[[nodiscard]] strict::RuleSet take_in_strict(std::span<StrictTrial> trials, const Feeds& feeds,
                                             const strict::TaskOptions& options,
                                             const pmie::Settings& settings,
                                             const std::function<void(double)>& progress);

}  // namespace pmjit
