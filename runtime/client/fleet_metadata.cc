// HostFleet: what is asked of all hosts at once when a fleet is opened, and before something is
// compiled for it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <utility>

#include "runtime/client/fleet_answers.h"
#include "runtime/client/host_fleet.h"

namespace pmjit {

namespace {

constexpr auto kStopUnseen = std::chrono::milliseconds(50);

// A catalog among those of several hosts: what it is asked for the others will be asked for, too.
class AskingTogether final : public CatalogOver {
 public:
  AskingTogether(const HostFleet& fleet, const HostCatalog& own)
      : CatalogOver(own), fleet_(fleet) {}

  [[nodiscard]] Result<Desc> describe(std::string_view metric) const override {
    const std::string name(metric);
    fleet_.expect({&name, 1});
    return CatalogOver::describe(metric);
  }
  [[nodiscard]] std::vector<std::string> leaves(std::string_view prefix) const override {
    fleet_.expect_leaves(prefix);
    std::vector<std::string> out = CatalogOver::leaves(prefix);
    if (!prefix.empty()) fleet_.expect(out);
    return out;
  }

 private:
  const HostFleet& fleet_;
};

Async<Result<std::vector<Context::Leaf>>> ask_leaves(HostClient& client, std::string_view prefix) {
  auto waiting = client.lease();
  const Result<ConnectionLease> lease = co_await waiting;
  if (!lease) co_return fail(lease.error());
  auto asking = request_leaves(lease->connection(), prefix);
  const Result<OrPmError<std::vector<std::string>>> found = co_await asking;
  if (!found) co_return fail(found.error());
  std::vector<Context::Leaf> out;
  if (!*found) co_return out;
  const std::vector<std::string_view> names((*found)->begin(), (*found)->end());
  auto identifying = request_ids(lease->connection(), names);
  const Result<std::vector<OrPmError<PmId>>> ids = co_await identifying;
  if (!ids) co_return fail(ids.error());
  for (size_t i = 0; i < names.size(); ++i) {
    out.push_back({.name = (**found)[i], .pmid = (*ids)[i].value_or(kNullId)});
  }
  co_return out;
}

}  // namespace

// One that greets, and then hangs or lies, is not there either: it costs one time-out. Where all
// have names, it is enough that one of them answers.
void HostFleet::meet_members() {
  const bool all_named =
      std::ranges::none_of(members_, [](const auto& member) { return member->name.empty(); });
  for (const auto& member : members_) {
    if (!all_named || member->away) continue;
    member->timezone = member->context.text_value("pmcd.timezone");
    member->away = member->context.why();
    if (!member->away) return;
  }
  if (all_named) return;
  const std::string wanted[] = {"pmcd.timezone", "pmcd.hostname"};
  expect(wanted);
  std::vector<FleetMember*> asked;
  for (const auto& member : members_) {
    if (!member->away) member->away = member->context.why();
    if (!member->away) asked.push_back(member.get());
  }
  fetch_text(wanted[0], asked);
  for (FleetMember* const member : asked) {
    member->timezone = member->context.text_value(wanted[0]);
    member->away = member->context.why();
  }
}

void HostFleet::fetch_text(std::string_view metric, std::span<FleetMember* const> members) const {
  for (FleetMember* const member : members) member->context.begin_text_value(metric);
  run_until([&] {
    return std::ranges::all_of(members, [](FleetMember* one) { return one->context.settled(); });
  });
}

// Collectors of one machine call themselves the same, and so does a host that is named in two ways.
void HostFleet::name_members() {
  std::vector<FleetMember*> asked;
  for (const auto& member : members_) {
    if (member->name.empty() && !member->away) asked.push_back(member.get());
  }
  fetch_text("pmcd.hostname", asked);
  std::map<std::string, std::vector<FleetMember*>> by_name;
  for (const auto& member : members_) {
    if (!member->name.empty()) continue;
    const HostSpec& spec = member->client.spec();
    member->name = member->away ? spec.text : member->context.host_name();
    by_name[member->name].push_back(member.get());
  }
  for (const auto& [name, same] : by_name) {
    if (same.size() == 1) continue;
    std::vector<std::string> given;
    for (FleetMember* const member : same) {
      member->name = member->client.spec().text;
      given.push_back(member->name);
    }
    notes_.push_back(fmt::format(
        "{} are all {}: results name them as you did. If they are one collector, name it once",
        fmt::join(given, ", "), name));
  }
}

void HostFleet::run_until(const std::function<bool()>& done) const {
  const HostClient& any = members_.front()->client;
  while (!done() && !(any.settings().stop && any.settings().stop())) {
    (void)any.network().run_some(any.network().now() + kStopUnseen);
  }
}

void HostFleet::expect(std::span<const std::string> metrics) const {
  std::vector<uint32_t> hosts;
  for (uint32_t host = 0; host < members_.size(); ++host) hosts.push_back(host);
  expect(metrics, hosts);
}

void HostFleet::expect(std::span<const std::string> metrics, uint32_t host) const {
  expect(metrics, {&host, 1});
}

bool HostFleet::may_expect(uint32_t host) const {
  const FleetMember& member = *members_[host];
  if (member.away || member.context.why() || member.context.answers_from() != nullptr) return false;
  Expected& expected = expected_[host];
  if (expected.epoch != member.client.epoch()) expected = {.epoch = member.client.epoch()};
  return true;
}

void HostFleet::expect(std::span<const std::string> metrics,
                       std::span<const uint32_t> hosts) const {
  std::optional<FleetAnswers> answers;
  for (const uint32_t host : hosts) {
    if (!may_expect(host)) continue;
    HostQuestions questions;
    for (const std::string& metric : metrics) {
      if (expected_[host].metrics.insert(metric).second) questions.names.insert(metric);
    }
    if (questions.empty()) continue;
    if (!answers) answers.emplace(members_);
    answers->ask(host, std::move(questions));
  }
  if (!answers) return;
  run_until([&] { return answers->settled(); });
  for (const uint32_t host : hosts) {
    FleetMember& member = *members_[host];
    if (answers->why(host)) member.context.learn(fail(*answers->why(host)));
    const HostAnswers* const said = answers->said(host);
    if (said == nullptr) continue;
    member.context.learn(*said);
    member.feeds.catalog().learn(*said);
  }
}

// Where it fails the catalog asks again, and says why.
void HostFleet::expect_leaves(std::string_view prefix) const {
  std::vector<FleetMember*> asked;
  std::deque<Async<Result<std::vector<Context::Leaf>>>> work;
  for (uint32_t host = 0; host < members_.size(); ++host) {
    FleetMember& member = *members_[host];
    if (!may_expect(host) || !expected_[host].leaves.emplace(prefix).second) continue;
    asked.push_back(&member);
    work.push_back(ask_leaves(member.client, prefix));
    work.back().start();
  }
  run_until([&] { return std::ranges::all_of(work, [](const auto& one) { return one.done(); }); });
  for (size_t i = 0; i < asked.size(); ++i) {
    if (!work[i].done()) continue;
    auto found = work[i].take();
    if (found) asked[i]->context.learn_leaves(std::string(prefix), *std::move(found));
  }
}

// The first one that is there lends to the others.
void HostFleet::join() {
  const FleetMember& first = lender();
  auto all = std::make_shared<std::vector<const HostCatalog*>>();
  std::vector<HostsCatalog::Part> parts;
  for (const auto& member : members_) {
    if (member.get() != &first) member->feeds.borrow_from(first.feeds.catalog());
    all->push_back(&member->feeds.catalog());
    asking_together_.push_back(std::make_unique<AskingTogether>(*this, member->feeds.catalog()));
    parts.push_back({.name = member->name, .catalog = asking_together_.back().get()});
  }
  for (const auto& member : members_) member->feeds.lend_agents(all);
  hosts_.emplace(std::move(parts), true);
}

}  // namespace pmjit
