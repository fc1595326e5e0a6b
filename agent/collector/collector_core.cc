#include "agent/collector/collector_core.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/base/limits.h"
#include "runtime/base/result.h"
#include "runtime/model/fetched_values.h"
#include "runtime/wire/codec.h"
#include "runtime/wire/result_encoder.h"

namespace pmjit {

namespace {

// Bits of TEXT_REQ's kind: what is asked about.
constexpr uint32_t kTextOfMetric = 4, kTextOfInDom = 8;
// The machine's labels are kept for so many times as long as it took to read them. A reading takes
// as long as a hundred fetches.
constexpr int kLabelsKept = 10;

Stamp stamp_of(WallTime when) {
  const auto since = when.time_since_epoch();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
  return {.sec = seconds.count(), .nsec = static_cast<int32_t>((since - seconds).count())};
}

// Which instances a client wants; null: all.
AgentValues::Keeps kept_by(const wire::ProfileMessage& profile, InDomId indom) {
  const auto found = std::ranges::find(profile.domains, indom, &wire::DomainProfile::indom);
  if (found != profile.domains.end()) {
    return [&domain = *found](int32_t instance) {
      return std::ranges::binary_search(domain.instances, instance) == domain.excludes;
    };
  }
  if (!profile.excludes) return nullptr;
  return [](int32_t) { return false; };
}

StoredItem stored_item(const wire::ResultSets& sets, const ValueSet& set, uint32_t i) {
  const std::byte* pair = sets.head.bytes.data() + set.pairs + size_t{i} * 8;
  StoredItem out{.instance = static_cast<int32_t>(load_be<uint32_t>(pair))};
  if (set.in_place) {
    out.type = pm_type::u32;
    out.bits = load_be<uint32_t>(pair + 4);
    return out;
  }
  const StoredBlock block = stored_block(sets.head, sets.layout, set, i);
  out.type = block.type;
  if (block.data.size() == 8) out.bits = load_be<uint64_t>(block.data.data());
  if (block.data.size() == 4) out.bits = load_be<uint32_t>(block.data.data());
  const std::string_view text(reinterpret_cast<const char*>(block.data.data()), block.data.size());
  out.text = text.substr(0, text.find('\0'));
  return out;
}

// Where one agent of another process gave all of the result that a client wants; else null.
AgentCallPtr only_answer(const CollectorFetch& request, const FetchCalls& calls) {
  if (calls.size() != 1) return nullptr;
  const AgentCallPtr& call = calls.begin()->second;
  if (call->code != 0 || call->metrics != request.pmids.size()) return nullptr;
  const auto& result = std::get<wire::ResultMessage>(call->answer.body);
  const bool fits = result.sets.head.bytes.size() <= limits::kUnreadBytesMax;
  return fits ? call : nullptr;
}

// The value sets that agents of other processes gave, one after the other.
class RemoteSets {
 public:
  explicit RemoteSets(const FetchCalls& calls) : calls_(calls) {
    const auto late = [](const auto& one) { return one.second->late; };
    several_late_ = std::ranges::count_if(calls, late) > 1;
  }
  // False: that metric's agent is none of them.
  bool add(PmId pmid, wire::ResultEncoder& encoder) {
    const auto found = calls_.find(domain_of(pmid));
    if (found == calls_.end()) return false;
    const AgentCall& call = *found->second;
    if (call.code == AgentCall::kNoValues) {
      encoder.add(pmid, 0);
    } else if (call.code < 0) {
      // As pmcd has it where it has waited for several.
      const bool round_over = call.late && several_late_;
      encoder.add(pmid, round_over ? int{pm_err::E_NOAGENT} : call.code);
    } else {
      encoder.add(std::get<wire::ResultMessage>(call.answer.body).sets, next_[found->first]++);
    }
    return true;
  }

 private:
  const FetchCalls& calls_;
  std::map<uint32_t, size_t> next_;
  bool several_late_ = false;
};

}  // namespace

CollectorCore::CollectorCore(const Clock& clock, std::vector<Agent*> agents, CollectorState& state)
    : clock_(&clock), agents_(std::move(agents)), state_(&state), trace_(clock, state) {
  shares_.resize(agents_.size());
  for (uint32_t at = 0; at < agents_.size(); ++at) {
    Agent* const agent = agents_[at];
    check(agent_of(agent->domain() << 22) == agent, "collector: two agents of one domain");
    state_->agents.push_back({.domain = agent->domain(), .name = std::string(agent->name())});
    for (uint32_t i = 0; i < agent->metrics().size(); ++i) {
      const AgentMetric& metric = agent->metrics()[i];
      check(metrics_.emplace(metric.desc.pmid, KnownMetric{at, i}).second &&
                domain_of(metric.desc.pmid) == agent->domain(),
            "collector: a metric that is there already");
    }
  }
  state_->knows_containers = knows_containers();
  set_names({});
}

void CollectorCore::set_names(std::span<const NameSpaceTree::NamedLeaf> leaves) {
  auto names = std::make_unique<NameSpaceTree>();
  for (const auto& [name, pmid] : leaves) (void)names->add(name, pmid);
  for (const Agent* const agent : agents_) {
    for (const AgentMetric& metric : agent->metrics()) {
      const bool added = names->add(metric.name, metric.desc.pmid);
      check(added || !leaves.empty(), "collector: a metric that is there already");
    }
  }
  names_ = std::move(names);
}

// ---- agents that are processes

void CollectorCore::set_remotes(std::vector<RemoteAgent*> remotes,
                                std::vector<CollectorAgentFacts> facts) {
  remotes_.clear();
  for (RemoteAgent* const agent : remotes) remotes_.emplace(agent->domain(), agent);
  order_.clear();
  for (const CollectorAgentFacts& one : facts) order_.push_back(one.domain);
  std::ranges::sort(facts, {}, &CollectorAgentFacts::domain);
  state_->agents = std::move(facts);
  for (AgentShare& share : shares_) share.was_ready = true;  // as all facts say
  state_->knows_containers = knows_containers();
}

RemoteAgent* CollectorCore::remote_of(uint32_t domain) const {
  const auto found = remotes_.find(domain);
  return found == remotes_.end() ? nullptr : found->second;
}

std::vector<std::pair<uint32_t, std::string>> CollectorCore::agents_of_ours() const {
  std::vector<std::pair<uint32_t, std::string>> out;
  for (const Agent* const agent : agents_) out.emplace_back(agent->domain(), agent->name());
  return out;
}

CollectorAgentFacts* CollectorCore::facts_of(uint32_t domain) {
  const auto found = std::ranges::find(state_->agents, domain, &CollectorAgentFacts::domain);
  return found == state_->agents.end() ? nullptr : &*found;
}

void CollectorCore::client_is_known(const AgentAsker& asker) {
  known_.insert_or_assign(asker.client, asker);
  if (const auto facts = state_->clients.find(asker.client); facts != state_->clients.end()) {
    facts->second.container = asker.container;
  }
  for (const auto& [domain, agent] : remotes_) agent->introduce(asker);
}

void CollectorCore::look_at_container(uint32_t client) {
  const auto known = known_.find(client);
  const auto facts = state_->clients.find(client);
  if (known == known_.end() || facts == state_->clients.end()) return;
  if (known->second.container == facts->second.container) return;
  known->second.container = facts->second.container;
  for (const auto& [domain, agent] : remotes_) agent->introduce(known->second);
}

void CollectorCore::set_logins(Logins* logins) {
  logins_ = logins;
  state_->takes_logins = logins != nullptr;
}

bool CollectorCore::knows_containers() const {
  return std::ranges::all_of(agents_, [&](const Agent* agent) {
    return agent->knows_containers() || remotes_.contains(agent->domain());
  });
}

void CollectorCore::introduce_clients_to(RemoteAgent& agent) {
  for (const auto& [client, asker] : known_) agent.introduce(asker);
}

Agent* CollectorCore::agent_of(uint32_t id) const {
  if (remotes_.contains(domain_of(id))) return nullptr;
  const auto found = std::ranges::find(agents_, domain_of(id), &Agent::domain);
  return found == agents_.end() ? nullptr : *found;
}

const AgentInDom* CollectorCore::indom_row(InDomId indom) const {
  const Agent* const agent = agent_of(indom);
  if (agent == nullptr) return nullptr;
  const auto rows = agent->indoms();
  const auto found = std::ranges::find(rows, indom, &AgentInDom::id);
  return found == rows.end() ? nullptr : &*found;
}

OrPmError<Desc> CollectorCore::describe(PmId pmid) const {
  const auto found = metrics_.find(pmid);
  if (found == metrics_.end()) return pm_fail(pm_err::E_PMID);
  return row_of(found->second).desc;
}

OrPmError<std::vector<std::string_view>> CollectorCore::names_of(PmId pmid) const {
  auto names = names_->names_of(pmid);
  if (!names.empty()) return names;
  return pm_fail(agent_of(pmid) == nullptr ? pm_err::E_NOAGENT : pm_err::E_PMID);
}

OrPmError<std::vector<AgentInstance>> CollectorCore::instances(InDomId indom,
                                                               const AgentAsker& asker) {
  if (indom_row(indom) == nullptr) return pm_fail(pm_err::E_INDOM);
  return agent_of(indom)->instances(indom, asker);
}

std::optional<std::chrono::milliseconds> CollectorCore::begin_instances(InDomId indom,
                                                                        const AgentAsker& asker) {
  if (indom_row(indom) == nullptr) return {};
  Agent* const agent = agent_of(indom);
  if (!agent->begin_instances(indom, asker)) return {};
  return agent->patience();
}

OrPmError<std::string_view> CollectorCore::text(const wire::TextRequest& request) const {
  const bool of_metric = (request.kind & kTextOfMetric) != 0;
  const bool of_indom = (request.kind & kTextOfInDom) != 0;
  const bool of_something = of_metric || of_indom;
  if (!of_something || agent_of(request.ident) == nullptr) return pm_fail(pm_err::E_PMID);
  const bool one_line = (request.kind & static_cast<uint32_t>(TextKind::one_line)) != 0;
  std::string_view out;
  if (!of_metric) {
    const AgentInDom* const row = indom_row(request.ident);
    if (row != nullptr) out = row->text;
  } else if (const auto found = metrics_.find(request.ident); found != metrics_.end()) {
    const AgentMetric& metric = row_of(found->second);
    out = one_line ? metric.text : metric.help;
  }
  if (out.empty()) return pm_fail(pm_err::E_TEXT);
  return out;
}

const MachineLabels& CollectorCore::machine_labels() {
  const Instant now = clock_->now();
  if (!machine_labels_ || now >= machine_labels_until_) {
    machine_labels_ = read_machine_labels(*state_);
    const Instant end = clock_->now();
    machine_labels_until_ = end + kLabelsKept * (end - now);
  }
  return *machine_labels_;
}

void CollectorCore::read_labels() {
  machine_labels_.reset();
  const auto labels = file_labels(state_->label_folder);
  const std::string text = labels.empty() ? "" : labels_json(labels);
  if (std::exchange(state_->labels, text) != text) raise(wire::kLabelsChanged);
}

int CollectorCore::labels(const wire::LabelRequest& request, const AgentAsker& asker,
                          LabelSheets& sheets) {
  switch (static_cast<AgentLabelLevel>(request.type)) {
    case AgentLabelLevel::context:
      sheets.add(kSingular, AgentLabelLevel::context,
                 context_labels(asker, *state_, machine_labels()));
      return 0;
    case AgentLabelLevel::domain: {
      const Agent* const agent = request.ident > 510 ? nullptr : agent_of(request.ident << 22);
      if (agent == nullptr) return pm_err::E_NOAGENT;
      sheets.add(kSingular, AgentLabelLevel::domain, {{"agent", json_string(agent->name())}});
      return 0;
    }
    case AgentLabelLevel::cluster: return agent_of(request.ident) == nullptr ? pm_err::E_PMID : 0;
    case AgentLabelLevel::item: {
      if (agent_of(request.ident) == nullptr) return pm_err::E_PMID;
      const auto found = metrics_.find(request.ident);
      if (found == metrics_.end()) return 0;
      const AgentMetric& metric = row_of(found->second);
      if (!metric.labels.empty()) sheets.add(kSingular, AgentLabelLevel::item, metric.labels);
      return 0;
    }
    case AgentLabelLevel::indom:
    case AgentLabelLevel::instances: {
      Agent* const agent = agent_of(request.ident);
      return agent == nullptr ? pm_err::E_INDOM : add_labels(request, *agent, asker, sheets);
    }
  }
  return pm_err::E_TYPE;
}

int CollectorCore::add_labels(const wire::LabelRequest& request, Agent& agent,
                              const AgentAsker& asker, LabelSheets& sheets) {
  const AgentInDom* const row = indom_row(request.ident);
  if (row == nullptr) return 0;
  if (request.type == static_cast<uint32_t>(AgentLabelLevel::indom)) {
    if (!row->labels.empty()) sheets.add(kSingular, AgentLabelLevel::indom, row->labels);
    return 0;
  }
  const auto instances = agent.instances(request.ident, asker);
  if (!instances) return instances.error();
  const auto labels = agent.instance_labels(request.ident, *instances);
  for (size_t i = 0; i < labels.size(); ++i) {
    sheets.add((*instances)[i].id, AgentLabelLevel::instances, labels[i]);
  }
  return 0;
}

AgentValues& CollectorCore::next_column(const Desc& desc) {
  if (columns_used_ == columns_.size()) columns_.push_back(std::make_unique<AgentValues>());
  AgentValues& out = *columns_[columns_used_++];
  out.start(desc);
  return out;
}

void CollectorCore::look_at_agents() {
  for (size_t i = 0; i < agents_.size(); ++i) {
    const bool ready = agents_[i]->ready();
    if (std::exchange(shares_[i].was_ready, ready) == ready) continue;
    CollectorAgentFacts* const facts = facts_of(agents_[i]->domain());
    if (facts == nullptr || remotes_.contains(facts->domain)) continue;
    facts->ready = ready;
    raise(ready ? wire::kAgentAdded : wire::kAgentDropped);
  }
}

void CollectorCore::plan(CollectorFetch& request) {
  request.planned = ++plans_;
  columns_used_ = 0;
  for (AgentShare& share : shares_) {
    share.which.clear();
    share.columns.clear();
  }
  for (const PmId pmid : request.pmids) {
    const auto found = metrics_.find(pmid);
    if (found == metrics_.end() || remotes_.contains(domain_of(pmid))) continue;
    KnownMetric& known = found->second;
    if (std::exchange(known.plan, plans_) == plans_) continue;  // it is asked for twice
    AgentValues& column = next_column(row_of(known).desc);
    known.column = &column;
    shares_[known.agent].which.push_back(known.which);
    shares_[known.agent].columns.push_back(&column);
  }
}

std::optional<std::chrono::milliseconds> CollectorCore::begin_fetch(CollectorFetch& request) {
  plan(request);
  std::optional<std::chrono::milliseconds> out;
  for (size_t i = 0; i < agents_.size(); ++i) {
    if (shares_[i].which.empty() || !agents_[i]->begin_fetch(shares_[i].which, request.asker))
      continue;
    out = std::max(out.value_or(agents_[i]->patience()), agents_[i]->patience());
  }
  return out;
}

bool CollectorCore::fetches(const AgentAsker& asker) const {
  return std::ranges::any_of(agents_, [&](const Agent* agent) { return agent->fetches(asker); });
}

void CollectorCore::when_fetched(const std::function<void()>& call) {
  for (Agent* const agent : agents_) agent->when_fetched(call);
}

FetchCalls CollectorCore::ask_remotes(const CollectorFetch& request) {
  FetchCalls out;
  if (remotes_.empty()) return out;
  std::map<uint32_t, wire::FetchRequest> asked;
  for (const PmId pmid : request.pmids) {
    if (!remotes_.contains(domain_of(pmid))) continue;
    wire::FetchRequest& share = asked[domain_of(pmid)];
    share.context = request.context;
    share.pmids.push_back(pmid);
  }
  for (auto& [domain, share] : asked) {
    out.emplace(domain, remotes_.at(domain)->ask({.client = request.asker.client,
                                                  .slot = request.asker.slot,
                                                  .request = std::move(share),
                                                  .wanted = wire::PduType::result,
                                                  .profile = request.profile->sent}));
  }
  return out;
}

AnswerTail CollectorCore::fetch(CollectorFetch& request, const FetchCalls& calls, ByteWriter& out) {
  if (request.planned != plans_) plan(request);  // others have fetched meanwhile
  look_at_agents();                              // the agent `pmcd` says of each whether it answers
  for (size_t i = 0; i < agents_.size(); ++i) {
    if (shares_[i].which.empty()) continue;
    agents_[i]->fetch(shares_[i].which, request.asker, shares_[i].columns);
    raise(agents_[i]->take_changes());
  }
  look_at_agents();
  if (const uint32_t changes = take_changes(request.asker.client); changes != 0) {
    count_sent(request.asker, wire::PduType::error);
    wire::encode({.body = wire::ErrorMessage{.code = static_cast<int32_t>(changes)}}, out);
  }
  const auto type = request.highres ? wire::PduType::highres_result : wire::PduType::result;
  // All agents have answered: this is the time of the result.
  const auto time = wire::result_time(type, stamp_of(clock_->wall()));
  if (const AgentCallPtr whole = only_answer(request, calls)) {
    const auto& result = std::get<wire::ResultMessage>(whole->answer.body);
    if (const auto rest = wire::copy_head(result, type, 0, time, out)) {
      count_sent(request.asker, type);
      return {.call = whole, .bytes = *rest};
    }
  }
  wire::ResultEncoder& encoder = request.highres ? highres_encoder_ : encoder_;
  encoder.begin(time);
  RemoteSets of_remotes(calls);
  for (const PmId pmid : request.pmids) {
    if (!of_remotes.add(pmid, encoder)) add_own(request, pmid, encoder);
    if (encoder.bytes() <= limits::kUnreadBytesMax) continue;
    send_too_big(request.asker, out);
    return {};
  }
  count_sent(request.asker, type);
  encoder.finish(0, out);
  return {};
}

void CollectorCore::add_own(const CollectorFetch& request, PmId pmid,
                            wire::ResultEncoder& encoder) {
  const auto found = metrics_.find(pmid);
  if (found == metrics_.end() || found->second.plan != request.planned) {
    return encoder.add(pmid, agent_of(pmid) == nullptr ? pm_err::E_NOAGENT : pm_err::E_PMID);
  }
  const AgentValues& column = *found->second.column;
  const auto keeps = kept_by(request.profile->message, column.desc().indom);
  if (column.status() < 0 || format_of(column.desc()) != ValueFormat::in_place) {
    column.give(set_, keeps);
    return encoder.add(set_);
  }
  const size_t count = column.count(keeps);
  if (count == 0) return encoder.add(pmid, 0);
  column.give_words(encoder.add_words(pmid, count), keeps);
}

void CollectorCore::count_sent(const AgentAsker& asker, wire::PduType type) {
  state_->out.count(static_cast<uint32_t>(type));
  trace_.sent(asker.client, static_cast<uint32_t>(type));
}

// Metrics may be asked for any number of times, so a request of 64 KB could ask for this.
void CollectorCore::send_too_big(const AgentAsker& asker, ByteWriter& out) {
  count_sent(asker, wire::PduType::error);
  wire::encode({.body = wire::ErrorMessage{.code = pm_err::E_TOOBIG}}, out);
}

int CollectorCore::store_set(const wire::ResultSets& sets, size_t which, const AgentAsker& asker) {
  const ValueSet& set = sets.layout.sets[which];
  const Agent* const agent = agent_of(set.pmid);
  if (agent == nullptr) return pm_err::E_NOAGENT;
  const auto known = metrics_.find(set.pmid);
  if (known == metrics_.end()) return agent->store_refusal();
  std::vector<StoredItem> items;
  for (uint32_t i = 0; set.count > 0 && i < static_cast<uint32_t>(set.count); ++i) {
    items.push_back(stored_item(sets, set, i));
  }
  return owner_of(known->second).store(known->second.which, items, asker);
}

FetchCalls CollectorCore::ask_to_store(const wire::ResultSets& sets, const AgentAsker& asker) {
  std::map<uint32_t, wire::ResultEncoder> asked;
  for (size_t i = 0; i < sets.size(); ++i) {
    const uint32_t domain = domain_of(sets.layout.sets[i].pmid);
    if (!remotes_.contains(domain)) continue;
    asked.try_emplace(domain, wire::PduType::result, wire::ResultTime{}).first->second.add(sets, i);
  }
  FetchCalls out;
  for (auto& [domain, encoder] : asked) {
    AgentRequest request{.client = asker.client, .slot = asker.slot};
    encoder.finish(asker.slot, request.encoded);
    out.emplace(domain, remotes_.at(domain)->ask(request));
  }
  return out;
}

CollectorCore::StoreOutcome CollectorCore::store_here(const wire::ResultSets& sets,
                                                      const AgentAsker& asker) {
  StoreOutcome out;
  for (size_t i = 0; i < sets.size(); ++i) {
    const uint32_t domain = domain_of(sets.layout.sets[i].pmid);
    if (remotes_.contains(domain)) continue;
    const int code = store_set(sets, i, asker);
    if (code < 0) out.codes.insert_or_assign(domain, code);
    out.without_agent = out.without_agent || code == pm_err::E_NOAGENT;
  }
  for (const CollectorAgentFacts& facts : state_->agents) {
    if (RemoteAgent* const agent = remote_of(facts.domain)) agent->fenced = facts.fenced;
  }
  look_at_container(asker.client);
  return out;
}

// A metric without an agent fails the whole store, and yet the others are stored, as pmcd has it.
int CollectorCore::store_code(const StoreOutcome& here, const FetchCalls& calls) const {
  bool without_agent = here.without_agent;
  int out = 0;
  for (const auto& [domain, call] : calls) {
    without_agent = without_agent || call->code == pm_err::E_NOAGENT;
    if (call->code < 0) out = call->code;
  }
  if (without_agent) return pm_err::E_NOAGENT;
  for (const auto& [domain, code] : here.codes) out = code;
  for (const uint32_t domain : order_) {
    if (const auto code = here.codes.find(domain); code != here.codes.end()) out = code->second;
    const auto call = calls.find(domain);
    if (call != calls.end() && call->second->code < 0) out = call->second->code;
  }
  return out;
}

std::vector<std::string> CollectorCore::take_notes() {
  std::vector<std::string> out;
  for (Agent* const agent : agents_) {
    for (const std::string& note : agent->take_notes()) {
      out.push_back(fmt::format("agent {}: {}", agent->name(), note));
    }
  }
  return out;
}

uint32_t CollectorCore::take_changes(uint32_t client) {
  const auto found = changes_.find(client);
  return found == changes_.end() ? 0 : std::exchange(found->second, 0);
}

void CollectorCore::raise(uint32_t changes) {
  if (changes == 0) return;
  for (auto& [client, bits] : changes_) bits |= changes;
}

void CollectorCore::client_came(uint32_t client) {
  changes_.emplace(client, 0);
  state_->clients[client] = {.since = clock_->wall()};
}

void CollectorCore::client_went(const AgentAsker& asker) {
  for (Agent* const agent : agents_) agent->forget(asker);
  for (const auto& [domain, agent] : remotes_) agent->forget(asker.client, asker.slot);
  known_.erase(asker.client);
  changes_.erase(asker.client);
  state_->clients.erase(asker.client);
}

}  // namespace pmjit
