#include "rules/compat/common_rules.h"

#include <algorithm>
#include <utility>

namespace pmjit::pmie {

namespace {

// Between two looks at metrics that are not there, at most.
constexpr std::chrono::nanoseconds kPauseMost = std::chrono::seconds(30);
// Of readings that brought questions, and of rules that nobody has any more.
constexpr size_t kOutcomesKept = 64;

class Listener final : public RuleReader::Messages {
 public:
  void put(std::string_view text) override { said.push_back({.text = std::string(text)}); }
  void log(std::string_view severity, std::string_view text) override {
    said.push_back({.severity = std::string(severity), .text = std::string(text)});
  }
  void absent(const AbsentMetric& metric) override {
    said.push_back({.text = metric.text, .absent = metric.name});
  }
  std::vector<ReaderMessage> said;
};

bool waits(const RuleProgram& program) {
  return std::ranges::any_of(program.fetches, &Fetch::waits);
}

bool any_open(const HostSources& sources) {
  for (uint32_t i = 0; i < sources.size(); ++i) {
    if (!sources.known(i).open.empty()) return true;
  }
  return false;
}

std::shared_ptr<const EvaluationPlan> plan_of(const RuleProgram& program) {
  return plan_evaluation(program, task_numbers(program), Proving::on, Acting::handed_over);
}

void replace_all(std::string& text, const std::string& old, const std::string& by) {
  if (old.empty()) return;
  for (size_t at = text.find(old); at != text.npos; at = text.find(old, at + by.size())) {
    text.replace(at, old.size(), by);
  }
}

}  // namespace

// ---- CommonRules

BoundRules::Said CommonRules::keep(HostAnswers answers) {
  const size_t hash = answers.hash();
  auto [at, end] = answers_.equal_range(hash);
  while (at != end) {
    const auto known = at->second.lock();
    if (known == nullptr) {
      at = answers_.erase(at);
      continue;
    }
    if (known->same_as(answers)) return known;
    ++at;
  }
  auto out = std::make_shared<const HostAnswers>(std::move(answers));
  answers_.emplace(hash, out);
  return out;
}

void CommonRules::forget_unused() {
  if (outcomes_.size() < kOutcomesKept) return;
  std::erase_if(outcomes_, [](const auto& one) { return one.second.rules.expired(); });
}

Result<std::shared_ptr<BoundRules>> CommonRules::read(HostSources& sources) {
  ++readings_;
  Listener heard;
  RuleReader reader(sources, heard, options_);
  for (const CommonRuleFile& file : files_) {
    if (auto done = reader.read(file.text, file.name); !done) return fail(done.error());
  }
  names_hosts_ = names_hosts_ || sources.size() > 1;
  if (any_open(sources)) return nullptr;
  auto out = std::make_shared<BoundRules>();
  out->program = reader.program();
  out->plan = plan_of(out->program);
  out->waits = waits(out->program);
  out->title = sources.title(0);
  out->said = std::move(heard.said);
  return out;
}

Result<std::shared_ptr<const BoundRules>> CommonRules::bind(HostSources& sources) {
  const BoundRules::Said& said = sources.known(0).answers;
  if (const auto known = outcomes_.find(said.get()); !names_hosts_ && known != outcomes_.end()) {
    if (auto rules = known->second.rules.lock()) return rules;
    if (!known->second.open.empty()) {
      sources.set_open(0, known->second.open);
      return nullptr;
    }
  }
  auto rules = read(sources);
  if (!rules) return fail(rules.error());
  if (!names_hosts_) {
    forget_unused();
    outcomes_[said.get()] = {.of = said, .rules = *rules, .open = sources.known(0).open};
  }
  return *std::move(rules);
}

std::optional<CommonRules::Change> CommonRules::bind_again(const BoundRules& from,
                                                           HostSources& sources) {
  const BoundRules::Said& said = sources.known(0).answers;
  const std::pair key(said.get(), sources.has_moved(0));
  if (const auto known = from.next.find(key); !names_hosts_ && known != from.next.end()) {
    if (known->second.changed.empty()) return std::nullopt;
    if (auto rules = known->second.rules.lock()) {
      return Change{.rules = std::move(rules), .nodes = known->second.changed};
    }
  }
  ++readings_;
  auto rules = std::make_shared<BoundRules>();
  rules->program = from.program;
  std::vector<uint32_t> changed = bind_waiting(rules->program, sources);
  if (any_open(sources)) {
    // Not all of what it needs is known yet: what has been found is found again then.
    return std::nullopt;
  }
  if (!changed.empty()) {
    rules->plan = plan_of(rules->program);
    rules->waits = waits(rules->program);
  }
  if (!names_hosts_) {
    std::erase_if(from.next, [](const auto& one) {
      return !one.second.changed.empty() && one.second.rules.expired();
    });
    if (from.next.size() < kOutcomesKept) {
      from.next[key] = {.of = said, .rules = rules, .changed = changed};
    }
  }
  if (changed.empty()) return std::nullopt;
  return Change{.rules = std::move(rules), .nodes = std::move(changed)};
}

// ---- HostBinding

void HostBinding::begin() {
  sources_.set_known(0, shared_.keep({}));
  asked_.resize(1);
}

void HostBinding::ask(uint32_t source, HostQuestions questions) {
  Asked& of = asked_[source];
  of.questions.add(questions);
  of.epoch = sources_.epoch(source);
  sources_.ask(source, std::move(questions));
}

// True: it has answered. `any`: something has come, if only that it does not answer.
bool HostBinding::take_asked(uint32_t source, bool& any) {
  auto answer = sources_.take_asked(source);
  if (!answer) return false;
  any = true;
  if (!*answer) return false;
  Asked& of = asked_[source];
  of.epoch = sources_.epoch(source);  // the one that it has answered in
  HostAnswers all = of.said != nullptr ? *of.said : HostAnswers();
  all.add(**std::move(answer));
  of.said = shared_.keep(std::move(all));
  of.questions = {};  // they are in what it said
  return true;
}

Result<bool> HostBinding::advance() {
  for (;;) {
    bool is_asking = false;
    for (uint32_t i = 0; i < asked_.size(); ++i) {
      bool any = false;
      const bool answered = take_asked(i, any);
      if (any) sources_.set_known(i, answered ? asked_[i].said : nullptr);
      is_asking = is_asking || sources_.is_asking(i);
    }
    if (is_asking) return false;
    auto rules = shared_.bind(sources_);
    if (!rules) return fail(rules.error());
    if (*rules != nullptr) {
      rules_ = *std::move(rules);
      return true;
    }
    asked_.resize(sources_.size());
    for (uint32_t i = 0; i < asked_.size(); ++i) {
      if (auto open = sources_.take_open(i); !open.empty()) ask(i, std::move(open));
    }
  }
}

Result<void> HostBinding::give_up() {
  for (;;) {
    const auto done = advance();
    if (!done) return fail(done.error());
    if (*done) return {};
    // Their answers are taken when they come.
    for (uint32_t i = 0; i < asked_.size(); ++i) {
      if (!sources_.is_asking(i)) continue;
      sources_.note_silence(i);
      sources_.set_known(i, nullptr);
    }
    auto rules = shared_.bind(sources_);
    if (!rules) return fail(rules.error());
    rules_ = *std::move(rules);
    if (rules_ != nullptr) return {};
  }
}

std::vector<uint32_t> HostBinding::take_changes() {
  bool has_news = false;
  for (uint32_t i = 0; i < asked_.size(); ++i) {
    if (auto moved = sources_.take_moved(i)) {
      asked_[i].said = shared_.keep(*std::move(moved));
      sources_.set_known(i, asked_[i].said);
      has_news = true;
    }
    bool any = false;
    if (!take_asked(i, any) || asked_[i].said == sources_.known(i).answers) continue;
    sources_.set_known(i, asked_[i].said);
    asked_[i].pause = {};
    has_news = true;
  }
  if (!has_news) return {};
  auto change = shared_.bind_again(*rules_, sources_);
  if (!change) return {};
  before_ = std::exchange(rules_, std::move(change->rules));
  return std::move(change->nodes);
}

// A text is wanted whatever it was told before; of a list of instances one may have come.
HostQuestions HostBinding::questions_that_wait(uint32_t source) const {
  HostQuestions out;
  const HostAnswers& said = *asked_[source].said;
  for (const auto& [name, pmid] : said.pmids) {
    if (!pmid) out.names.insert(name);
  }
  for (const auto& [pmid, desc] : said.descs) {
    if (!desc) out.metrics.insert(pmid);
  }
  for (const auto& [domain, all] : said.instances) {
    if (!all) out.domains.insert(domain);
  }
  for (const Fetch& fetch : rules_->program.fetches) {
    const bool is_here = std::ranges::any_of(fetch.hosts, [&](const HostMetric& metric) {
      return metric.waiting && metric.source == source;
    });
    if (!is_here) continue;
    out.names.insert(fetch.name);  // and with it its domain
  }
  return out;
}

void HostBinding::look_again(std::chrono::nanoseconds interval, Instant now) {
  if (!rules_->waits) return;
  for (uint32_t i = 0; i < asked_.size(); ++i) {
    const bool is_away = sources_.known(i).answers == nullptr;
    if (sources_.is_asking(i)) {
      if (is_away) sources_.note_silence(i);
      continue;
    }
    if (auto open = sources_.take_open(i); !open.empty()) {
      ask(i, std::move(open));
      continue;
    }
    Asked& of = asked_[i];
    const bool is_due = is_away || of.epoch != sources_.epoch(i) || now >= of.next;
    if (!is_due) continue;
    of.pause = of.pause.count() == 0 ? interval : std::min(2 * of.pause, kPauseMost);
    of.next = now + of.pause;
    ask(i, of.said == nullptr ? of.questions : questions_that_wait(i));
  }
}

std::vector<ReaderMessage> HostBinding::messages() const {
  std::vector<ReaderMessage> out = rules_->said;
  const std::string own = sources_.title(0);
  for (ReaderMessage& one : out) replace_all(one.text, rules_->title, own);
  return out;
}

}  // namespace pmjit::pmie
