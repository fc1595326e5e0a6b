#include "rules/check/meanings.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <set>

#include "compiler/compat/pmie/settings.h"
#include "compiler/strict_rules/rule_file.h"
#include "rules/compat/fetched_elements.h"
#include "rules/compat/replay.h"
#include "rules/strict/strict_replay.h"

namespace pmjit {

namespace {

// Of the whole work, where each replay begins: for a progress bar.
constexpr double kReplayFrom = 0.2, kAsInCFrom = 0.4, kStrictFrom = 0.6;

struct Candidate {
  const RuleCheckReport::Text* text;
  const pmie::CheckedStatement* statement;
  size_t meaning;  // of the list
};

// The macros that have been defined so far, as strict reads them. Each is read once, with the
// values of those that it uses.
class MacroValues {
 public:
  MacroValues(double delta, const pmie::Settings& settings) : delta_(delta), settings_(settings) {}

  void add(const pmie::CheckedStatement& statement, const std::string& file) {
    const Span span = statement.span;
    const SourceText source{.name = statement.name,
                            .text = file.substr(span.begin, span.end - span.begin)};
    Diags diags;
    const StrictTrial needs = trial_of(statement);
    auto read = strict::read_rules(
        source, {.delta = delta_, .settings = settings_, .given = &needs.macros}, diags);
    Value& value = values_[statement.name] = {.unread = needs.unread};
    if (!read) {
      value.unread = read.error().what();
    } else if (value.unread.empty() && diags.has_errors()) {
      value.unread = render_all(diags, source);
    }
    if (!value.unread.empty()) return;
    delta_ = read->delta;
    value.macro = std::move(read->values[statement.name]);
    value.macro.used = false;
  }

  // Without its texts.
  [[nodiscard]] StrictTrial trial_of(const pmie::CheckedStatement& statement) const {
    StrictTrial out{.delta = delta_};
    const auto need = [&](const std::string& name) {
      const auto of = values_.find(name);
      if (of == values_.end()) return;
      if (out.unread.empty()) out.unread = of->second.unread;
      out.macros.emplace(name, of->second.macro);
    };
    need(std::string(pmie::name_of(pmie::Variable::delta)));
    for (const std::string& name : statement.used) need(name);
    return out;
  }

 private:
  struct Value {
    strict::StrictMacro macro{};
    std::string unread{};  // why strict does not take it
  };
  double delta_;
  const pmie::Settings& settings_;
  std::map<std::string, Value> values_;
};

// Lines behind the first below it.
std::string indented(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c;
    if (c == '\n') out += "      ";
  }
  return out;
}

class Comparison {
 public:
  explicit Comparison(const MeaningsInput& input) : input_(input), share_(input.start, input.end) {}

  Result<std::vector<Meaning>> run() {
    collect();
    if (candidates_.empty()) return std::move(meanings_);
    options_ = {.origin = input_.start,
                .end = input_.end,
                .zone = input_.zone,
                .definition_files = {input_.definitions.begin(), input_.definitions.end()}};
    const strict::RuleSet taken =
        take_in_strict(trials_, input_.strict_feeds, options_, input_.settings,
                       [&](double done) { input_.progress(kReplayFrom * done); });
    const std::vector<Candidate> compared = keep_trials();
    HistoryCollector here, there;
    if (auto done = replay(input_.check.reader().program(), kReplayFrom, here); !done) {
      return fail(done.error());
    }
    for (const Candidate& one : candidates_) {
      meanings_[one.meaning].fires = action_times(here.histories()[one.statement->number]);
    }
    if (auto done = replay_as_in_c(); !done) return fail(done.error());
    if (compared.empty()) return std::move(meanings_);
    auto strict = strict::StrictReplay::open(taken, input_.strict_feeds, options_, {});
    if (!strict) return fail(strict.error());
    const auto stop = [&] {
      input_.progress(kStrictFrom +
                      (1 - kStrictFrom) * share_.of(pmie::seconds_of((*strict)->now())));
      return false;
    };
    if (auto done = (*strict)->run(there, stop); !done) return fail(done.error());
    const std::string host = input_.strict_feeds.host();
    for (size_t i = 0; i < compared.size(); ++i) {
      const RuleHistory* const strict_one = there.find(i, host);
      if (strict_one == nullptr) continue;
      compare(here.histories()[compared[i].statement->number], *strict_one,
              meanings_[compared[i].meaning]);
    }
    return std::move(meanings_);
  }

 private:
  static void compare(const RuleHistory& here, const RuleHistory& there, Meaning& meaning) {
    const bool silent = there.truths.empty() && there.actions.empty();
    if (silent && !here.truths.empty()) {
      meaning.refused = "a set without an action has no events";
    } else {
      meaning.difference = first_difference(here, there);
      meaning.in_strict = action_times(there);
    }
  }

  void collect() {
    MacroValues macros(input_.delta, input_.settings);
    const auto& texts = input_.check.report().texts;
    for (size_t t = 0; t < texts.size(); ++t) {
      for (size_t i = 0; i < texts[t].statements.size(); ++i) {
        const pmie::CheckedStatement& statement = texts[t].statements[i];
        if (statement.defines) macros.add(statement, texts[t].source.text);
        if (!statement.is_rule || statement.codes.empty()) continue;
        candidates_.push_back({&texts[t], &statement, meanings_.size()});
        trials_.push_back(macros.trial_of(statement));
        add_texts(candidates_.back(), trials_.back());
        meanings_.push_back({.rule = statement.name, .text = t, .statement = i});
      }
    }
  }

  // `from`: of the whole work, where it begins.
  Result<void> replay(const pmie::RuleProgram& program, double from, HistoryCollector& out) const {
    Replay replay(program, input_.sources, input_.zone, options_.origin, out);
    const auto stop = [&] {
      const double now = replay.due().value_or(pmie::seconds_of(options_.end));
      input_.progress(from + (kAsInCFrom - kReplayFrom) * share_.of(now));
      return false;
    };
    return replay.run(pmie::seconds_of(options_.origin), pmie::seconds_of(options_.end), stop);
  }

  // The same files where && binds more than ||.
  Result<void> replay_as_in_c() {
    const auto differs = [](const Candidate& one) { return !one.statement->as_in_c.empty(); };
    if (std::ranges::none_of(candidates_, differs)) return {};
    RuleCheck check(
        {.metrics = &input_.sources, .delta = input_.delta, .settings = input_.settings});
    std::vector<SourceText> files;
    for (const RuleCheckReport::Text& text : input_.check.report().texts) {
      std::vector<pmie::Edit> edits;
      for (const auto& one : text.statements)
        std::ranges::copy(one.as_in_c, std::back_inserter(edits));
      const Span whole{0, static_cast<uint32_t>(text.source.text.size())};
      files.push_back(
          {.name = text.source.name, .text = pmie::rewritten(text.source.text, whole, edits)});
    }
    if (auto done = check.read(files); !done) return done;
    HistoryCollector out;
    if (auto done = replay(check.reader().program(), kAsInCFrom, out); !done) return done;
    for (const Candidate& one : candidates_) {
      if (!differs(one) || one.statement->number >= out.histories().size()) continue;
      meanings_[one.meaning].as_in_c = action_times(out.histories()[one.statement->number]);
    }
    return {};
  }

  // Alone, as it stands or as strict needs it.
  static void add_texts(const Candidate& one, StrictTrial& to) {
    const std::string& file = one.text->source.text;
    const Span span = one.statement->span;
    to.texts[0] = file.substr(span.begin, span.end - span.begin);
    to.texts[1] = pmie::rewritten(file, span, one.statement->edits);
  }

  // What came of them. Those that strict takes.
  std::vector<Candidate> keep_trials() {
    std::vector<Candidate> out;
    for (size_t i = 0; i < trials_.size(); ++i) {
      const Candidate& one = candidates_[i];
      Meaning& meaning = meanings_[one.meaning];
      meaning.refused = trials_[i].refused;
      if (!meaning.refused.empty()) continue;
      if (trials_[i].taken == 1) {
        meaning.rewritten =
            pmie::rewritten(one.text->source.text, one.statement->span, one.statement->edits);
      }
      out.push_back(one);
    }
    return out;
  }

  const MeaningsInput& input_;
  ReplayShare share_;
  strict::TaskOptions options_;
  std::vector<Candidate> candidates_;
  std::vector<StrictTrial> trials_;  // of these
  std::vector<Meaning> meanings_;
};

std::string text_of(std::optional<RuleTruth> truth) {
  return truth ? std::string(rule_truth_text(*truth)) : "not evaluated";
}

std::optional<FirstDifference> truth_difference(const RuleHistory& a, const RuleHistory& b) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  std::optional<RuleTruth> x, y;
  for (size_t i = 0, k = 0; i < a.truths.size() || k < b.truths.size();) {
    const double at = i < a.truths.size() ? a.truths[i].when : kNever;
    const double bt = k < b.truths.size() ? b.truths[k].when : kNever;
    const double now = std::min(at, bt);
    if (at == now) x = a.truths[i++].truth;
    if (bt == now) y = b.truths[k++].truth;
    if (x != y) return FirstDifference{now, text_of(x), text_of(y)};
  }
  return std::nullopt;
}

// What was done at a time, all of it.
std::string done_at(const std::vector<RuleHistory::Action>& actions, double when) {
  std::string out;
  for (const auto& action : actions) {
    if (action.when != when) continue;
    if (!out.empty()) out += ", ";
    out += action.text;
  }
  return out.empty() ? "no action" : out;
}

std::optional<FirstDifference> action_difference(const RuleHistory& a, const RuleHistory& b) {
  for (size_t i = 0; i < a.actions.size() || i < b.actions.size(); ++i) {
    const bool both = i < a.actions.size() && i < b.actions.size();
    if (both && a.actions[i].when == b.actions[i].when && a.actions[i].text == b.actions[i].text) {
      continue;
    }
    const double when = !both ? (i < a.actions.size() ? a.actions[i].when : b.actions[i].when)
                              : std::min(a.actions[i].when, b.actions[i].when);
    return FirstDifference{when, done_at(a.actions, when), done_at(b.actions, when)};
  }
  return std::nullopt;
}

}  // namespace

Result<std::vector<Meaning>> compare_meanings(const MeaningsInput& input) {
  return Comparison(input).run();
}

CheckNote comparison_of(const Meaning& meaning, Zone& zone) {
  CheckNote out;
  if (!meaning.refused.empty()) {
    out.message = fmt::format("{}: not known in strict: {}", meaning.rule, meaning.refused);
    return out;
  }
  if (meaning.difference) {
    const FirstDifference& first = *meaning.difference;
    out.message = fmt::format("{}: first at {}: {} here, {} in strict", meaning.rule,
                              event_time_text(first.when, zone), first.a, first.b);
  } else {
    out.message = fmt::format("{}: no difference in this archive", meaning.rule);
  }
  if (!meaning.rewritten.empty()) {
    out.details.push_back(fmt::format("to strict as {}", indented(meaning.rewritten)));
  }
  return out;
}

std::vector<double> action_times(const RuleHistory& history) {
  std::vector<double> out;
  for (const RuleHistory::Action& action : history.actions) {
    if (out.empty() || out.back() != action.when) out.push_back(action.when);
  }
  return out;
}

std::optional<FirstDifference> first_difference(const RuleHistory& a, const RuleHistory& b) {
  auto truth = truth_difference(a, b), action = action_difference(a, b);
  if (truth && action) return truth->when <= action->when ? truth : action;
  return truth ? truth : action;
}

}  // namespace pmjit
