#include "rules/strict/fleet_bodies.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "compiler/strict_rules/tree.h"
#include "runtime/exec/evaluator.h"

namespace pmjit::strict {

namespace {

// Sets of hosts that are told apart. Each is compiled for; who differs from all of these is taken
// for one of the first set, and metrics that it has not have error rows.
constexpr size_t kBodiesMax = 50;
// Hosts that a note names.
constexpr size_t kHostsNamed = 3;

using RuleNumbers = std::set<size_t>;  // of RuleSet::rules

class BodyCompiler {
 public:
  BodyCompiler(const RuleSet& set, const HostFleet& fleet, const TaskOptions& options)
      : set_(set), fleet_(fleet), options_(options) {
    for (size_t i = 0; i < set_.rules.size(); ++i) {
      if (!looks_beyond_host(set_.rules[i])) own_.insert(i);
    }
    for (const TaskRules& task : tasks_of(set_, taker(own_))) {
      for (const ParsedRoot& root : task.roots) asts_.push_back(root.ast);
    }
  }

  FleetBodies run() {
    std::vector<uint32_t> rest;
    for (uint32_t i = 0; i < fleet_.members().size(); ++i) rest.push_back(i);
    while (!own_.empty() && !rest.empty() && out_.errors.empty()) {
      const auto lender = std::ranges::find_if(rest, [&](uint32_t host) { return is_there(host); });
      if (lender == rest.end() && out_.bodies.empty()) {
        out_.errors = "no host can be asked for metrics\n";
        break;
      }
      // Whoever is away is taken to be like the first ones.
      const bool are_more = lender != rest.end() && out_.bodies.size() < kBodiesMax;
      if (!are_more) {
        take(out_.bodies.front(), rest);
        break;
      }
      compile_for(*lender, rest);
    }
    if (out_.errors.empty() && !options_.leaves_out) refuse_lost();
    for (FleetBody& body : out_.bodies) make_batches(body);
    tell_without();
    return std::move(out_);
  }

 private:
  // Rules may be compiled again while they run: what counts is the last time, then.
  [[nodiscard]] bool is_there(uint32_t host) const {
    const FleetMember& member = *fleet_.members()[host];
    const KnownAhead* const ahead = member.context.answers_from();
    if (ahead != nullptr) return ahead->answers != nullptr;
    return member.feeds.health().ended() ? !member.feeds.why_down() : !member.away;
  }
  // Compiles for the lender, and moves those who agree with it from `rest` to its body.
  void compile_for(uint32_t lender, std::vector<uint32_t>& rest) {
    FleetBody body;
    lenders_.push_back(lender);
    fleet_.expect(metrics_in(asts_), lender);
    const HostRows there(fleet_, lender, {lender}, {});
    RuleNumbers lacking;
    if (!compile(there, own_, body)) {
      lacking = lacking_alone(there);
      if (!out_.errors.empty()) return;
      RuleNumbers left;
      std::ranges::set_difference(own_, lacking, std::inserter(left, left.end()));
      body.tasks.clear();
      if (!compile(there, left, body)) {
        out_.errors = last_errors_;
        return;
      }
    }
    for (const size_t rule : own_) {
      if (!lacking.contains(rule)) somewhere_.insert(rule);
    }
    std::vector<uint32_t> agreeing = agreeing_hosts(fleet_, lender, rest);
    std::erase_if(rest, [&](uint32_t host) { return std::ranges::binary_search(agreeing, host); });
    for (const size_t rule : lacking) {
      without_[rule].insert(agreeing.begin(), agreeing.end());
    }
    const auto& missing = fleet_.members()[lender]->feeds.catalog().missing();
    for (const uint32_t host : agreeing) {
      if (!lacking.empty()) out_.absent.emplace(host, missing);
    }
    take(body, agreeing);
    out_.bodies.push_back(std::move(body));
  }

  static void take(FleetBody& body, const std::vector<uint32_t>& hosts) {
    body.hosts.insert(body.hosts.end(), hosts.begin(), hosts.end());
  }

  // False: last_errors_ says why.
  bool compile(const HostRows& there, const RuleNumbers& rules, FleetBody& body) {
    last_errors_.clear();
    only_lacks_ = true;
    for (TaskRules& task : tasks_of(set_, taker(rules))) {
      const auto compiled = Task::compile(set_, task, there, options_);
      if (!compiled) {
        last_errors_ += compiled.error().text();
        only_lacks_ = only_lacks_ && compiled.error().fault() == Fault::not_found;
        continue;
      }
      if (const auto refused = refuses_rows_of_hosts(*(*compiled)->made.program)) {
        last_errors_ += refused->text() + "\n";
        only_lacks_ = false;
        continue;
      }
      body.tasks.push_back({.rules = std::move(task), .compiled = *compiled});
    }
    return last_errors_.empty();
  }

  // Rules that lack a metric there, each compiled by itself; any other mistake is the user's.
  RuleNumbers lacking_alone(const HostRows& there) {
    RuleNumbers out;
    for (const size_t rule : own_) {
      FleetBody alone;
      if (compile(there, {rule}, alone)) continue;
      if (only_lacks_) {
        out.insert(rule);
        lack_of_.try_emplace(rule, last_errors_);
      } else {
        out_.errors += last_errors_;
      }
    }
    return out;
  }

  TakesRule taker(const RuleNumbers& rules) const {
    return [this, &rules](const SetRule& rule) {
      return rules.contains(static_cast<size_t>(&rule - set_.rules.data()));
    };
  }

  // What no host has.
  void refuse_lost() {
    for (const size_t rule : own_) {
      if (!somewhere_.contains(rule)) out_.errors += lack_of_.at(rule);
    }
  }

  void make_batches(FleetBody& body) {
    const auto body_index = static_cast<size_t>(&body - out_.bodies.data());
    for (RowBatch& batch : in_batches(fleet_, body.hosts)) {
      body.batches.push_back(std::make_unique<HostRows>(fleet_, lenders_[body_index],
                                                        std::move(batch.hosts), batch.place));
    }
  }

  void tell_without() {
    for (const auto& [rule, hosts] : without_) {
      for (const uint32_t host : hosts) out_.lacking.push_back({.rule = rule, .host = host});
      std::vector<std::string_view> named;
      for (const uint32_t host : hosts) {
        if (named.size() < kHostsNamed) named.push_back(fleet_.members()[host]->name);
      }
      const std::string more =
          hosts.size() > kHostsNamed ? fmt::format(" and {} more", hosts.size() - kHostsNamed) : "";
      out_.notes.push_back(fmt::format("{} does not run on {}{}: a metric is missing",
                                       set_.rules[rule].rule.name, fmt::join(named, ", "), more));
      if (!somewhere_.contains(rule)) out_.notes.back() += "\n" + lack_of_.at(rule);
    }
  }

  const RuleSet& set_;
  const HostFleet& fleet_;
  const TaskOptions& options_;
  RuleNumbers own_, somewhere_;
  std::vector<const Ast*> asts_;                  // of their conditions and bindings
  std::vector<uint32_t> lenders_;                 // of each body
  std::map<size_t, std::string> lack_of_;         // of a rule: why it did not compile first
  std::map<size_t, std::set<uint32_t>> without_;  // of a rule: hosts
  std::string last_errors_;
  bool only_lacks_ = true;
  FleetBodies out_;
};

}  // namespace

FleetBodies compile_bodies(const RuleSet& set, const HostFleet& fleet, const TaskOptions& options) {
  return BodyCompiler(set, fleet, options).run();
}

}  // namespace pmjit::strict
