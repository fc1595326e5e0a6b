// HostSources: live hosts as sources of rules: the default host, and those that rules name, which
// are connected to when they are named. A host that is out of reach is a source all the same: what
// is asked of it waits, and it is connected to again whenever something is wanted of it, not more
// often than the delays of its client allow. Source: spec rules-language.md §16.
//
//   HostSources sources(*network, settings, derived, {.tell = [&](const HostChange& change) { …
//   }}); sources.add_default("web1"); RuleReader reader(sources, messages, options);
#pragma once

#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "rules/compat/sources.h"
#include "runtime/archive/reader/name_space.h"
#include "runtime/client/host_answers.h"
#include "runtime/client/host_client.h"
#include "runtime/client/host_context.h"
#include "runtime/client/host_fetcher.h"
#include "runtime/client/host_spec.h"

namespace pmjit::pmie {

// What becomes of a host, each time that it changes.
struct HostChange {
  enum class What : uint8_t { unreachable, lost, back };  // the first: it was never reached
  What what = What::unreachable;
  const std::string& host;        // as it calls itself, if that is known
  const std::string& connection;  // as it was named
  const Error* why = nullptr;     // null: it is back
  // What is wrong with `connection`, as PCP's library prints it; empty: nothing is.
  const std::string& bad_name;
};

// A metric that rules read has no values any more, for another reason than its host's; or has them
// again.
struct MetricChange {
  const std::string& host;        // as HostChange has it
  const std::string& connection;  // likewise
  const std::string& metric;
  int32_t status;  // PM_ERR_*; 0: it is there again
};

struct HostSourcesOptions {
  std::function<void(const HostChange&)> tell;
  std::function<void(const MetricChange&)> tell_metric{};  // none: nobody wants to know
  // What cannot be read as a host: an error of the rules; else a host that is never reached.
  bool refuse_bad_names = true;
  std::shared_ptr<const NameSpace> names{};  // in place of the hosts' own
  // Metrics are looked up again when a collector was restarted. pmie does not do that.
  bool follow_metrics = false;
  // It never waits: metadata are what is known ahead, and the caller has them asked for.
  bool asks_ahead = false;
};

class HostSources final : public RuleSources {
 public:
  // `network` outlives it.
  HostSources(Network& network, ClientSettings settings, DerivedMetrics& derived,
              HostSourcesOptions options)
      : RuleSources(derived),
        network_(network),
        settings_(std::move(settings)),
        options_(std::move(options)) {}

  // What rules mean that name no host. It is connected to when something is asked of it.
  void add_default(const std::string& name);
  // One that others use as well, and that calls itself `host`. `client` outlives this.
  void add_default(HostClient& client, const std::string& host);

  [[nodiscard]] Result<uint32_t> source(std::string_view host) override;
  [[nodiscard]] std::string title(uint32_t source) const override;
  [[nodiscard]] bool is_live() const override { return true; }
  [[nodiscard]] bool is_down(uint32_t source) override {
    return options_.asks_ahead ? members_[source].ahead->answers == nullptr : !reach(source);
  }
  void note_fetch(uint32_t source, double when, const Result<void>& fetched) override;
  void note_wait(uint32_t source, double when) override;
  void note_metric(uint32_t source, PmId pmid, const std::string& name, int32_t status) override;
  [[nodiscard]] bool answers(uint32_t source) const override {
    return members_[source].state != State::down;
  }
  [[nodiscard]] bool has_moved(uint32_t source) const override { return members_[source].moved; }
  [[nodiscard]] bool any_moved() override;
  void settle_moved() override;
  [[nodiscard]] bool never_waits() const override { return options_.asks_ahead; }
  void set_tick(double due, double delta) override;
  void set_patience(double seconds) override;
  // At how many times it was asked, and had no answer.
  [[nodiscard]] const HostTally& tally(uint32_t source) const { return members_[source].tally; }
  [[nodiscard]] std::unique_ptr<Context> open_context(uint32_t source, Stamp start,
                                                      ReplayStep step) override;

  // Where it asks ahead, of each source: what is known, and what somebody would like to know.
  [[nodiscard]] const KnownAhead& known(uint32_t source) const { return *members_[source].ahead; }
  [[nodiscard]] HostQuestions take_open(uint32_t source) {
    return std::exchange(members_[source].ahead->open, {});
  }
  void set_open(uint32_t source, HostQuestions open) {
    members_[source].ahead->open = std::move(open);
  }
  // What it says, where its metrics are not what they were; from then on it has moved, until
  // settle_moved().
  [[nodiscard]] std::optional<HostAnswers> take_moved(uint32_t source);
  // Null: the host is out of reach, and metrics of it wait.
  void set_known(uint32_t source, std::shared_ptr<const HostAnswers> answers);
  // One question at a time; the network works meanwhile, in other hands.
  void ask(uint32_t source, HostQuestions questions);
  [[nodiscard]] bool is_asking(uint32_t source) const {
    return members_[source].asking.has_value();
  }
  // What has come; none: nothing yet.
  [[nodiscard]] std::optional<Result<HostAnswers>> take_asked(uint32_t source);
  // It did not say anything while a time went by.
  void note_silence(uint32_t source);
  // As HostClient has it: what was known in an earlier one may be wrong.
  [[nodiscard]] uint64_t epoch(uint32_t source) const { return members_[source].client->epoch(); }

  // Of the default host: a metric that is one text; an error says why it cannot be asked.
  [[nodiscard]] Result<std::string> text_of(std::string_view metric);

 private:
  enum class State : uint8_t { not_asked, up, down };
  struct Member {
    std::unique_ptr<HostClient> own{};  // null: somebody else's
    HostClient* client = nullptr;
    std::optional<Async<Result<bool>>> attempt{};  // to connect, which goes on
    std::shared_ptr<FollowedMetrics> followed{};   // null: none is
    std::unique_ptr<KnownAhead> ahead = std::make_unique<KnownAhead>();
    std::optional<Async<Result<HostAnswers>>> asking{};
    std::unique_ptr<Context> context{};  // for metadata
    std::string bad_name{};
    State state = State::not_asked;
    bool was_up = false;
    HostTally tally{};
    double counted = -HUGE_VAL;       // the newest time of it
    std::unordered_set<PmId> gone{};  // metrics without values
    bool moved = false;
  };

  [[nodiscard]] Result<uint32_t> add_named(const std::string& name);
  void add(Member member, const std::string& host, const std::string& connection);
  // Connects if there is no connection.
  [[nodiscard]] bool reach(uint32_t source);
  // None: there is no answer yet.
  [[nodiscard]] std::optional<Result<bool>> connect(Member& member);
  [[nodiscard]] bool stops() const { return settings_.stop && settings_.stop(); }
  static void count(Member& member, double when, bool answered);
  void set_state(uint32_t source, const Error* why);  // null: it is there
  [[nodiscard]] Error with_host(uint32_t source, Error why) const;
  [[nodiscard]] std::unique_ptr<HostContext> host_context(uint32_t source) const;
  [[nodiscard]] std::unique_ptr<Context>& metadata(uint32_t source) override {
    return members_[source].context;
  }
  [[nodiscard]] std::unique_ptr<Context> bare_context(uint32_t source) override {
    return host_context(source);
  }

  Network& network_;
  const ClientSettings settings_;
  const HostSourcesOptions options_;
  std::chrono::nanoseconds patience_ = kNoTimeLimit;
  Instant limit_ = Instant::max();  // when it ends; contexts know where it is
  std::optional<FetchTick> tick_;   // of set_tick(); likewise
  std::vector<Member> members_;
};

}  // namespace pmjit::pmie
