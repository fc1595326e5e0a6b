#include "rules/cmd/left_out.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <utility>

namespace pmjit {

namespace {

constexpr size_t kNamesMax = 3;  // of metrics, that the line has

std::string names_text(const std::vector<std::string>& names) {
  const size_t shown = names.size() <= kNamesMax + 1 ? names.size() : kNamesMax;
  const std::vector<std::string> first(names.begin(),
                                       names.begin() + static_cast<ptrdiff_t>(shown));
  const std::string out = fmt::format("{}", fmt::join(first, ", "));
  return shown == names.size() ? out : fmt::format("{} and {} others", out, names.size() - shown);
}

bool waits(const pmie::RuleProgram& program, uint32_t statement) {
  const uint32_t root = program.statements[statement].root;
  for (uint32_t i = program.nodes[root].first; i <= root; ++i) {
    const uint32_t fetch = program.nodes[i].fetch;
    if (fetch != pmie::kNone && program.fetches[fetch].waits()) return true;
  }
  return false;
}

}  // namespace

void LeftOutRules::read(const pmie::RuleProgram& program, const pmie::ReadStatement& statement) {
  auto absent = std::exchange(absent_, {});
  // A comment at the end of a file makes a statement, too.
  const bool is_empty = statement.tokens.front().kind == parse::RuleToken::END;
  if (statement.defines || is_empty) return;
  ++read_;
  if (absent.empty()) {
    if (statement.mistaken && !statement.installed) mistaken_.insert(statement.name);
    return;
  }
  Rule& rule = rules_.emplace_back(statement.name, std::move(absent));
  if (rule.name.empty()) rule.name = "a rule without a name";
  if (statement.installed) rule.statement = static_cast<uint32_t>(program.statements.size() - 1);
}

std::vector<std::string> LeftOutRules::take_joined(const pmie::RuleProgram& program) {
  std::vector<std::string> out;
  std::erase_if(rules_, [&](const Rule& rule) {
    if (!rule.statement || waits(program, *rule.statement)) return false;
    out.push_back(rule.name);
    return true;
  });
  return out;
}

void LeftOutRules::absent(const pmie::AbsentInstance& instance) {
  constexpr size_t kListedMax = 6;
  const auto shown = std::span(instance.there).first(std::min(kListedMax, instance.there.size()));
  Absent& absent =
      absent_.emplace_back(fmt::format("{}[{}]", instance.metric, instance.name), instance.host);
  if (shown.empty()) return;
  absent.there = fmt::format("; it has {}{}", fmt::join(shown, ", "),
                             shown.size() < instance.there.size() ? ", …" : "");
}

std::vector<std::string> LeftOutRules::metrics() const {
  std::vector<std::string> out;
  for (const Rule& rule : rules_) {
    for (const Absent& absent : rule.absent) {
      if (std::ranges::find(out, absent.metric) == out.end()) out.push_back(absent.metric);
    }
  }
  return out;
}

std::string LeftOutRules::text(bool each) const {
  std::vector<std::string> hosts;
  for (const Rule& rule : rules_) {
    for (const Absent& absent : rule.absent) {
      if (std::ranges::find(hosts, absent.host) == hosts.end()) hosts.push_back(absent.host);
    }
  }
  const std::vector<std::string> missing = metrics();
  std::string out = fmt::format("{} of {} {} left out: {} {} no {}", rules_.size(), read_,
                                read_ == 1 ? "rule" : "rules", fmt::join(hosts, ", "),
                                hosts.size() == 1 ? "has" : "have", names_text(missing));
  if (rules_.size() == 1) out += rules_.front().absent.front().there;
  if (!each) return out + (rules_.size() == 1 ? "" : " (-v lists them)");
  for (const Rule& rule : rules_) out += fmt::format("\n  {}: {}", rule.name, why(rule.name));
  return out;
}

std::string LeftOutRules::why(const std::string& rule) const {
  const auto found = std::ranges::find(rules_, rule, &Rule::name);
  if (found == rules_.end()) return {};
  const Absent& first = found->absent.front();
  return fmt::format("{} has no {}{}", first.host, first.metric, first.there);
}

}  // namespace pmjit
