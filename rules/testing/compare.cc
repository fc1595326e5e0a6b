#include "rules/testing/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "runtime/testing/case_file.h"

namespace pmjit {

namespace {

std::vector<std::string> texts(const std::vector<EventLine>& lines) {
  std::vector<std::string> out;
  for (const EventLine& line : lines) out.push_back(line.text);
  return out;
}

std::string differs(const RuleTestFile& file, const cases::Section& section,
                    const std::string& difference) {
  return fmt::format("{}:{}: {} differs (- expected, + came out)\n{}", file.file.path,
                     section.line - 1, section.title, difference);
}

struct Expectation {
  EventKind kind;
  const cases::Section* RuleTest::* section;
  std::vector<EventLine> RuleTestOutcome::* actual;
};
constexpr Expectation kExpectations[] = {
    {EventKind::transition, &RuleTest::transitions, &RuleTestOutcome::transitions},
    {EventKind::action, &RuleTest::actions, &RuleTestOutcome::actions},
    {EventKind::alert, &RuleTest::alerts, &RuleTestOutcome::alerts}};

// Rules that are expected and are not there: a name that is misspelt.
void add_unknown_rules(const RuleTestFile& file, const cases::Section& section,
                       const std::vector<EventLine>& expected, const RuleTestOutcome& outcome,
                       std::vector<std::string>& faults) {
  std::set<std::string> told;
  for (const EventLine& line : expected) {
    if (std::ranges::find(outcome.names, line.rule) != outcome.names.end()) continue;
    if (!told.insert(line.rule).second) continue;
    faults.push_back(fmt::format(
        "{}:{}: there is no rule {}; there are: {}\n", file.file.path, section.line - 1, line.rule,
        outcome.names.empty() ? "none" : fmt::format("{}", fmt::join(outcome.names, ", "))));
  }
}

// Alerts are expected of rules that are none.
void add_no_alerts(const RuleTestFile& file, const cases::Section& section,
                   const std::vector<EventLine>& expected, const RuleTestOutcome& outcome,
                   std::vector<std::string>& faults) {
  std::set<std::string> told;
  for (const EventLine& line : expected) {
    const auto is_among = [&](const std::vector<std::string>& names) {
      return std::ranges::find(names, line.rule) != names.end();
    };
    if (!is_among(outcome.names) || is_among(outcome.alert_names)) continue;
    if (!told.insert(line.rule).second) continue;
    faults.push_back(
        fmt::format("{}:{}: {} is a rule and not an alert, so it has no alerts\n"
                    "  help: use expect transitions, or in strict write: {} = alert …\n",
                    file.file.path, section.line - 1, line.rule, line.rule));
  }
}

// The first few; what the rules did follows from them.
std::string mistakes_text(const RuleTestFile& file, const RuleTest& test,
                          std::span<const std::string> mistakes) {
  constexpr size_t kShownMax = 2;
  std::string out =
      fmt::format("{}:{}: a rule of this test has a mistake\n", file.file.path, test.line);
  for (size_t i = 0; i < std::min(kShownMax, mistakes.size()); ++i) out += mistakes[i];
  if (mistakes.size() > kShownMax) out += fmt::format("and {} more\n", mistakes.size() - kShownMax);
  return out;
}

void compare_messages(const RuleTestFile& file, const RuleTest& test,
                      const RuleTestOutcome& outcome, std::vector<std::string>& faults) {
  if (test.messages == nullptr) {
    if (outcome.messages.empty()) return;
    faults.push_back(fmt::format("{}:{}: messages that are not expected\n+ {}\n", file.file.path,
                                 test.line, fmt::join(outcome.messages, "\n+ ")));
    return;
  }
  std::vector<std::string> expected = cases::split_lines(test.messages->body);
  while (!expected.empty() && expected.back().empty()) expected.pop_back();
  const std::string found = cases::diff(expected, outcome.messages, std::equal_to<std::string>());
  if (!found.empty()) faults.push_back(differs(file, *test.messages, found));
}

using SectionBodies = std::map<const cases::Section*, std::vector<std::string>>;

// A section of events as it is to be; what cannot be read is written anew, as if it were empty.
void add_events(const cases::Section* section, EventKind kind, const std::vector<EventLine>& actual,
                bool all, SectionBodies& to) {
  if (section == nullptr) return;
  const auto expected = read_event_lines(*section, kind);
  to[section] = events_of_interest(expected ? *expected : std::vector<EventLine>(), actual, all);
}

}  // namespace

std::vector<std::string> events_of_interest(const std::vector<EventLine>& expected,
                                            const std::vector<EventLine>& actual, bool all) {
  if (all || expected.empty()) return texts(actual);
  std::set<std::string> named;
  for (const EventLine& line : expected) named.insert(line.rule);
  std::vector<std::string> out;
  for (const EventLine& line : actual) {
    if (named.contains(line.rule)) out.push_back(line.text);
  }
  return out;
}

Result<std::vector<std::string>> compare(const RuleTestFile& file, const RuleTest& test,
                                         const RuleTestOutcome& outcome) {
  std::vector<std::string> faults;
  if (test.messages == nullptr && !outcome.mistakes.empty()) {
    return std::vector{mistakes_text(file, test, outcome.mistakes)};
  }
  compare_messages(file, test, outcome, faults);  // first: other events may follow from them
  for (const Expectation& expectation : kExpectations) {
    const cases::Section* const section = test.*(expectation.section);
    if (section == nullptr) continue;
    const auto expected = read_event_lines(*section, expectation.kind);
    if (!expected) return fail(expected.error());
    if (expectation.kind == EventKind::alert) {
      const size_t before = faults.size();
      add_no_alerts(file, *section, *expected, outcome, faults);
      if (faults.size() > before) continue;
    }
    const auto actual = events_of_interest(*expected, outcome.*(expectation.actual), file.all);
    const std::string found = cases::diff(texts(*expected), actual, same_event);
    if (!found.empty()) faults.push_back(differs(file, *section, found));
    add_unknown_rules(file, *section, *expected, outcome, faults);
  }
  if (!faults.empty()) faults.insert(faults.end(), outcome.unlike.begin(), outcome.unlike.end());
  return faults;
}

std::string updated(const RuleTestFile& file, std::string_view text,
                    std::span<const RuleTestOutcome> outcomes) {
  SectionBodies bodies;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    const RuleTest& test = file.tests[i];
    for (const Expectation& expectation : kExpectations) {
      add_events(test.*(expectation.section), expectation.kind, outcomes[i].*(expectation.actual),
                 file.all, bodies);
    }
    if (test.messages != nullptr) bodies[test.messages] = outcomes[i].messages;
  }
  std::vector<std::string> lines = cases::split_lines(text);
  for (auto section = file.file.sections.rbegin(); section != file.file.sections.rend();
       ++section) {
    const auto body = bodies.find(&*section);
    if (body == bodies.end()) continue;
    std::vector<std::string> old = cases::split_lines(section->body);
    // Empty lines at its end set the next section apart.
    while (!old.empty() && old.back().empty()) old.pop_back();
    const auto at = lines.begin() + section->line - 1;
    lines.insert(lines.erase(at, at + static_cast<ptrdiff_t>(old.size())), body->second.begin(),
                 body->second.end());
  }
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

}  // namespace pmjit
