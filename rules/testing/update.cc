#include "rules/testing/update.h"

#include <algorithm>
#include <map>

#include "rules/testing/compare.h"

namespace pmjit {

namespace {

using SectionBodies = std::map<const cases::Section*, std::vector<std::string>>;

// A section of events as it is to be; what cannot be read is written anew, as if it were empty.
void add_events(const cases::Section* section, EventKind kind, const std::vector<EventLine>& actual,
                bool all, SectionBodies& to) {
  if (section == nullptr) return;
  const auto expected = read_event_lines(*section, kind);
  to[section] = events_of_interest(expected ? *expected : std::vector<EventLine>(), actual, all);
}

}  // namespace

std::string updated(const RuleTestFile& file, std::string_view text,
                    std::span<const RuleTestOutcome> outcomes) {
  SectionBodies bodies;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    const RuleTest& test = file.tests[i];
    add_events(test.transitions, EventKind::transition, outcomes[i].transitions, file.all, bodies);
    add_events(test.actions, EventKind::action, outcomes[i].actions, file.all, bodies);
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
