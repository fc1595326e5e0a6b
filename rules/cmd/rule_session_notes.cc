// What a session says: mistakes of its rules, rules that are left out, intervals that do nothing.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "rules/cmd/common.h"
#include "rules/cmd/rule_files.h"
#include "rules/cmd/rule_session.h"
#include "runtime/base/near.h"
#include "runtime/report/text/human_text.h"
#include "runtime/text/interval.h"

namespace pmjit {

// Comments and macros alone. Of an empty file it is said when it is read.
void RuleSession::note_no_rules() const {
  const auto empty = [](const pmie::RuleFileText& file) { return file.text.empty(); };
  if (std::ranges::all_of(files_, empty)) return;
  const bool some = !program().statements.empty() || !strict_.rules.empty() || !left_out_.empty();
  if (some || told_ || !strict_.errors.empty()) return;
  complain(fmt::format("note: there is no rule in {}",
                       files_.size() == 1 ? files_.front().name : "these files"));
}

// An interval that is longer than what is there: one evaluation, and nothing to compare it with.
void RuleSession::note_long_interval() const {
  if (live_) return;
  double longest = 0;
  for (const pmie::PmieStatement& statement : program().statements) {
    longest = std::max(longest, statement.delta);
  }
  for (const strict::TaskRules& task : strict::tasks_of(strict_)) {
    longest = std::max(longest, task.delta);
  }
  const double recorded = seconds_between(last_, first_);
  if (longest <= recorded) return;
  complain(
      fmt::format("note: the interval of rules is {}, and {} are recorded: they are evaluated once",
                  human_duration(longest), human_duration(recorded)));
}

// -t of rules that all say their own interval.
void RuleSession::note_unused_interval(const std::string& interval) const {
  const auto asked = parse_interval_seconds(interval);
  if (interval.empty() || !asked) return;
  std::set<double> deltas;
  for (const pmie::PmieStatement& statement : program().statements) deltas.insert(statement.delta);
  for (const strict::TaskRules& task : strict::tasks_of(strict_)) deltas.insert(task.delta);
  if (deltas.empty() || deltas.contains(*asked)) return;
  complain(fmt::format(
      "note: -t {} has no effect: the rules set delta, to {}{}", interval,
      human_duration(*deltas.begin()),
      deltas.size() == 1 ? "" : fmt::format(" to {}", human_duration(*deltas.rbegin()))));
}

// A host may have it later.
void RuleSession::tell_left_out() const {
  if (left_out_.empty()) return;
  complain(
      fmt::format("warning: {}\n  help: they run when it is there; pmjit info -h {} lists "
                  "what there is",
                  left_out_.text(verbose_), live_->client().spec().text));
}

// A warning has a line of its own before it, which names the file. Others are mistakes.
void RuleSession::put(std::string_view text) {
  told_ = true;
  if (!reads_) return say(text);
  const bool begins = text.starts_with("pmjit: warning - ");
  told_texts_.push_back({.is_mistake = !begins && !warns_, .text = std::string(text)});
  warns_ = begins;
}

// As `check` says it; where that finds nothing, as pmie does.
void RuleSession::tell_mistakes(const pmie::Settings& settings, const std::string& rule) {
  const bool any = std::ranges::any_of(told_texts_, &ToldText::is_mistake);
  std::string found;
  if (any) {
    std::vector<SourceText> texts;
    for (const pmie::RuleFileText& file : files_) {
      if (file.strict) continue;
      texts.push_back({.name = file.name.empty() ? "<stdin>" : file.name, .text = file.text});
    }
    const Catalog& catalog = live_ ? live_->feeds().catalog() : sources_.catalog(0);
    found = rule_mistakes(
        texts, {.metrics = sources(), .catalog = catalog, .settings = settings, .rule = rule});
  }
  for (const ToldText& told : told_texts_) {
    if (!told.is_mistake || (found.empty() && rule.empty())) say(told.text);
  }
  told_texts_.clear();
  if (found.empty()) return;
  say(found);
  if (const size_t run = program().statements.size(); run > 0 && rule.empty()) {
    complain(fmt::format("note: {} rule{} without an error run{}", run, run == 1 ? "" : "s",
                         run == 1 ? "s" : ""));
  }
}

void RuleSession::absent(const pmie::AbsentMetric& metric) { left_out_.absent(metric); }
void RuleSession::absent_instance(const pmie::AbsentInstance& instance) {
  left_out_.absent(instance);
}

// What mistyped metrics were meant for, or nothing.
std::string RuleSession::left_out_help() const {
  std::vector<std::string> meant;
  const std::vector<std::string> defined = definitions_.names();
  const size_t missing = left_out_.metrics().size();
  const auto add = [&](const std::string& metric, const std::vector<std::string>& near) {
    const std::string text = near_names_text(near);
    meant.push_back(missing == 1 ? text : fmt::format("for {} {}", metric, text));
  };
  for (const std::string& metric : left_out_.metrics()) {
    auto own = near_names(metric, defined);
    keep_slips(metric, own);
    std::erase(own, metric);
    if (!own.empty()) {
      add(metric, own);
      continue;
    }
    for (uint32_t i = 0; i < sources_.size(); ++i) {
      auto near = near_names(sources_.catalog(i), metric);
      if (std::erase(near, metric) > 0) {
        meant.push_back(
            fmt::format("{} is there, but not its description or its instances", metric));
        break;
      }
      keep_slips(metric, near);
      if (near.empty()) continue;
      add(metric, near);
      break;
    }
  }
  return meant.empty() ? std::string() : fmt::format("{}", fmt::join(meant, "\n  help: "));
}

void RuleSession::log(std::string_view severity, std::string_view text) {
  put(fmt::format("pmjit: {}: {}\n", severity, text));
}

}  // namespace pmjit
