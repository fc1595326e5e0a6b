#include "rules/check/meanings.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <limits>

#include "rules/compat/fetched_elements.h"
#include "rules/compat/replay.h"
#include "rules/strict/strict_replay.h"

namespace pmjit {

namespace {

struct Candidate {
  const RuleCheckReport::Text* text;
  const pmie::CheckedStatement* statement;
  size_t meaning;             // of the list
  const std::string& macros;  // of the files before
};

// The macros of a file: those behind it have them, too.
std::string macros_of(const RuleCheckReport::Text& text) {
  std::string out;
  for (const pmie::CheckedStatement& statement : text.statements) {
    const Span span = statement.span;
    if (!statement.defines) continue;
    out += text.source.text.substr(span.begin, span.end - span.begin) + "\n";
  }
  return out;
}

// The statement as it stands in its file, with the macros before it; everything else is blank.
SourceText alone(const Candidate& of, bool as_strict_needs_it) {
  const std::string& file = of.text->source.text;
  SourceText out{.name = of.text->source.name, .text = of.macros};
  uint32_t at = 0;
  const auto blank_to = [&](uint32_t end) {
    for (; at < end; ++at) out.text += file[at] == '\n' ? '\n' : ' ';
  };
  for (const pmie::CheckedStatement& statement : of.text->statements) {
    const bool wanted = &statement == of.statement;
    if (!wanted && !statement.defines) continue;
    blank_to(statement.span.begin);
    out.text += wanted && as_strict_needs_it
                    ? pmie::rewritten(file, statement.span, statement.edits)
                    : file.substr(at, std::max(at, statement.span.end) - at);
    at = std::max(at, statement.span.end);  // what a macro brings in may have several
    if (wanted) break;
  }
  return out;
}

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

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
  explicit Comparison(const MeaningsInput& input) : input_(input) {}

  Result<std::vector<Meaning>> run() {
    collect();
    options_ = {.origin = input_.start,
                .end = input_.end,
                .zone = input_.zone,
                .definition_files = {input_.definitions.begin(), input_.definitions.end()}};
    strict::RuleSet taken;
    std::vector<Candidate> compared;
    for (const Candidate& one : candidates_) {
      if (auto source = text_for_strict(one)) {
        auto added = strict::add_rules(taken, *std::move(source), reading());
        if (!added) return fail(added.error());
        compared.push_back(one);
      }
    }
    if (compared.empty()) return std::move(meanings_);
    HistoryCollector here, there;
    Replay replay(input_.check.reader().program(), input_.sources, input_.zone, options_.origin,
                  here);
    auto done =
        replay.run(pmie::seconds_of(options_.origin), pmie::seconds_of(options_.end), input_.stop);
    if (!done) return fail(done.error());
    auto strict = strict::StrictReplay::open(taken, input_.strict_feeds, options_, {});
    if (!strict) return fail(strict.error());
    if (done = (*strict)->run(there, input_.stop); !done) return fail(done.error());
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
      meaning.refused = "it is a set without an action, of which there are no events";
    } else {
      meaning.difference = first_difference(here, there);
    }
  }

  void collect() {
    std::string macros;
    for (const RuleCheckReport::Text& text : input_.check.report().texts) {
      const std::string& before = macros_before_.emplace_back(macros);
      for (const pmie::CheckedStatement& statement : text.statements) {
        if (!statement.is_rule || statement.codes.empty()) continue;
        candidates_.push_back({&text, &statement, meanings_.size(), before});
        meanings_.push_back({.rule = statement.name});
      }
      macros += macros_of(text);
    }
  }

  // As it stands, else as strict needs it; none: neither, and the meaning says why.
  std::optional<SourceText> text_for_strict(const Candidate& one) {
    Meaning& meaning = meanings_[one.meaning];
    for (const bool as_needed : {false, true}) {
      SourceText source = alone(one, as_needed);
      strict::RuleSet set;
      const auto added = strict::add_rules(set, source, reading());
      std::string wrong = first_line(added ? set.errors : added.error().what());
      if (wrong.empty()) {
        const auto opened = strict::StrictReplay::open(set, input_.strict_feeds, options_, {});
        if (!opened) wrong = first_line(opened.error().what());
      }
      if (wrong.empty()) {
        if (as_needed) {
          meaning.rewritten =
              pmie::rewritten(one.text->source.text, one.statement->span, one.statement->edits);
        }
        meaning.refused.clear();
        return source;
      }
      meaning.refused = std::move(wrong);
    }
    return std::nullopt;
  }

  [[nodiscard]] strict::ReadOptions reading() const {
    return {.delta = input_.delta, .settings = input_.settings};
  }

  const MeaningsInput& input_;
  strict::TaskOptions options_;
  std::deque<std::string> macros_before_;  // of each file: those of the files before
  std::vector<Candidate> candidates_;
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

std::string meanings_text(const std::vector<Meaning>& meanings, Zone& zone) {
  std::string out = meanings.empty() ? "" : "over this archive, here and in strict:\n";
  for (const Meaning& meaning : meanings) {
    if (!meaning.refused.empty()) {
      out += fmt::format("  {}: not known in strict: {}\n", meaning.rule, meaning.refused);
      continue;
    }
    if (meaning.difference) {
      const FirstDifference& first = *meaning.difference;
      out += fmt::format("  {}: first at {}: {} here, {} in strict\n", meaning.rule,
                         event_time_text(first.when, zone), first.a, first.b);
    } else {
      out += fmt::format("  {}: no difference in this archive\n", meaning.rule);
    }
    if (!meaning.rewritten.empty()) {
      out += fmt::format("    to strict as {}\n", indented(meaning.rewritten));
    }
  }
  return out;
}

std::optional<FirstDifference> first_difference(const RuleHistory& a, const RuleHistory& b) {
  auto truth = truth_difference(a, b), action = action_difference(a, b);
  if (truth && action) return truth->when <= action->when ? truth : action;
  return truth ? truth : action;
}

}  // namespace pmjit
