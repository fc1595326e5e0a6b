// CommonRules: rules of pmie over many hosts, read once for all hosts that say the same of their
// metrics. What was read is never changed: a host whose metrics come later gets other rules, which
// it may share again. HostBinding: the rules of one host. Nothing here waits for a host.
//
//   CommonRules rules({{.text = text, .name = "web.pmie"}}, options);
//   HostBinding binding(rules, sources);           // of HostSources that ask ahead; a host each
//   binding.begin();
//   while (!*binding.advance()) …                  // the network works; or give_up() in between
//   RuleRun run(binding.program(), …, {.bind_waiting = [&] { return binding.take_changes(); }, …
//   binding.look_again(…);                         // behind each RuleRun::ask()
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/compat/pmie/rule_reader.h"
#include "rules/compat/host_sources.h"
#include "rules/compat/run.h"

namespace pmjit::pmie {

struct CommonRuleFile {
  std::string text, name;
};

// What the reader of rules said: as RuleReader::Messages.
struct ReaderMessage {
  std::string severity{};  // of log(); empty: put()
  std::string text{};
  std::string absent{};  // the metric, where it is about one that is not there
};

// Rules as they are on hosts that agree.
struct BoundRules {
  using Said = std::shared_ptr<const HostAnswers>;
  // What they become where a host says something else; that host's nodes that are others then.
  struct Next {
    Said of{};  // kept, so that no other answers have its place
    std::weak_ptr<const BoundRules> rules{};
    std::vector<uint32_t> changed{};  // none: nothing has come
  };

  RuleProgram program{};
  std::shared_ptr<const EvaluationPlan> plan{};
  bool waits = false;   // metrics of it do
  std::string title{};  // of the default host of who read them; `said` names it
  std::vector<ReaderMessage> said{};
  mutable std::map<std::pair<const HostAnswers*, bool>, Next> next{};  // and: has it moved?
};

class CommonRules {
 public:
  CommonRules(std::vector<CommonRuleFile> files, ReaderOptions options)
      : files_(std::move(files)), options_(std::move(options)) {}

  // As the host's metrics are known by now. Null: something is open (HostSources::take_open). A
  // failure is one of the rules.
  [[nodiscard]] Result<std::shared_ptr<const BoundRules>> bind(HostSources& sources);
  struct Change {
    std::shared_ptr<const BoundRules> rules;
    std::vector<uint32_t> nodes;
  };
  // Where more is known of metrics that wait. None: nothing has changed.
  [[nodiscard]] std::optional<Change> bind_again(const BoundRules& from, HostSources& sources);
  // Equal answers are kept once: this returns the kept ones.
  [[nodiscard]] BoundRules::Said keep(HostAnswers answers);
  // How many times rules were read, or bound again.
  [[nodiscard]] uint64_t readings() const { return readings_; }

 private:
  struct Outcome {
    BoundRules::Said of{};  // likewise kept
    std::weak_ptr<const BoundRules> rules{};
    HostQuestions open{};
  };
  [[nodiscard]] Result<std::shared_ptr<BoundRules>> read(HostSources& sources);
  void forget_unused();

  const std::vector<CommonRuleFile> files_;
  const ReaderOptions options_;
  // Where rules name hosts, what they are depends on more than the default host: nothing is shared.
  bool names_hosts_ = false;
  uint64_t readings_ = 0;
  std::map<const HostAnswers*, Outcome> outcomes_;
  std::unordered_multimap<size_t, std::weak_ptr<const HostAnswers>> answers_;  // by hash
};

class HostBinding {
 public:
  // Both outlive it.
  HostBinding(CommonRules& shared, HostSources& sources) : shared_(shared), sources_(sources) {}

  void begin();
  // Takes what has come. True: its rules are there.
  [[nodiscard]] Result<bool> advance();
  // Who has not answered until now is out of reach; then the rules are there.
  [[nodiscard]] Result<void> give_up();
  [[nodiscard]] const BoundRules& rules() const { return *rules_; }
  // The same, for a run.
  [[nodiscard]] RunProgram program() const { return {&rules_->program, rules_->plan}; }
  // As RuleReader::bind_waiting(): of what has come.
  [[nodiscard]] std::vector<uint32_t> take_changes();
  // Asks again for what waits, where it is time: at once where agents have come and where the host
  // was out of reach; else after pauses that grow from `interval` on.
  void look_again(std::chrono::nanoseconds interval, Instant now);
  // What was said when they were read, as of this host.
  [[nodiscard]] std::vector<ReaderMessage> messages() const;

 private:
  struct Asked {
    BoundRules::Said said{};    // all of it, until now; null: nothing
    HostQuestions questions{};  // that were asked, ever
    uint64_t epoch = 0;         // when it was asked last
    Instant next{};             // when it is asked again, if nothing happens before
    std::chrono::nanoseconds pause{};
  };
  [[nodiscard]] bool take_asked(uint32_t source, bool& any);
  void ask(uint32_t source, HostQuestions questions);
  [[nodiscard]] HostQuestions questions_that_wait(uint32_t source) const;

  CommonRules& shared_;
  HostSources& sources_;
  std::vector<Asked> asked_;  // of each source
  std::shared_ptr<const BoundRules> rules_;
  std::shared_ptr<const BoundRules> before_;  // until its users have gone on
};

}  // namespace pmjit::pmie
