// HostContext: a collector as one kind of PMAPI context. Each call sends its requests and waits for
// the answers, until the deadline of the settings. Source: spec pmapi.md §6 to §10,
// wire-protocol.md §13.
//
//   const auto network = make_network(clock);
//   HostClient client(*network, *parse_host_spec("web1"), settings);
//   HostContext context(client);
//   if (auto there = context.connect(); !there) return complain(there.error());
//   const auto pmid = context.look_up("kernel.all.load");
//   DerivedContext with_derived(std::make_unique<HostContext>(client), derived);
//
// Names and descriptors are asked for once per connection: a new connection, and a fetch that says
// that agents or names have changed, forgets them. A lost connection fails the call at hand; the
// next call connects again, unless the delay of HostClient is not over. A call that fails so has
// the code of the loss; why() has its words.
//
// One that answers from what is known ahead never waits. Only begin_fetch() asks then, and for the
// names of instances that have come.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "runtime/archive/reader/name_space.h"
#include "runtime/client/context.h"
#include "runtime/client/context_fetches.h"
#include "runtime/client/followed_metrics.h"
#include "runtime/client/host_answers.h"
#include "runtime/client/host_client.h"
#include "runtime/client/requests.h"
#include "runtime/model/fetched_values.h"

namespace pmjit {

// What to do where a host answers PM_ERR_PERMISSION.
inline constexpr std::string_view kAccessHelp =
    "its access rules refuse this client: see [access] in its pmcd.conf";

class HostContext final : public Context {
 public:
  // `client` outlives it. Others may use it, too: requests take turns.
  explicit HostContext(HostClient& client) : client_(client) {}

  // Names are these, and no others: it is not asked for any.
  void use_names(std::shared_ptr<const NameSpace> names) { names_ = std::move(names); }
  // Identifiers of metrics stay what they are when the collector is restarted with others. Contexts
  // of one host have the same `metrics`. Before the first call; not with use_names().
  void follow(std::shared_ptr<FollowedMetrics> metrics) { followed_ = std::move(metrics); }
  // From now on what is known of names, descriptors and domains is there at once, and nothing else:
  // that is open. `known` outlives it.
  void answer_from(KnownAhead& known) { ahead_ = &known; }
  // From now on the host is asked again.
  void ask_again() { ahead_ = nullptr; }
  // Null: the host is asked.
  [[nodiscard]] const KnownAhead* answers_from() const { return ahead_; }
  // What the host has said to somebody else in this epoch, or why it did not: it is not asked for
  // that again. Not with follow().
  void learn(const Result<HostAnswers>& said);
  // The same of leaves().
  void learn_leaves(std::string name, std::vector<Leaf> found) {
    leaves_.insert_or_assign(std::move(name), std::move(found));
  }
  // Descriptors of these metrics: they are asked for again, for an agent may change its own and
  // tell nobody.
  void forget_descriptors(std::span<const PmId> metrics) {
    for (const PmId pmid : metrics) descs_.erase(pmid);
  }
  // Connects now, or says why not: otherwise the first call does.
  [[nodiscard]] Result<void> connect();
  // The same, for several hosts at once: the caller runs the network, and then says what came.
  [[nodiscard]] Async<Result<bool>> connecting();
  void connected(const Result<bool>& done);
  [[nodiscard]] HostClient& client() const { return client_; }
  // From then on calls have no answer any more, except fetches that have begun. Null: each has its
  // time-out. It outlives this.
  void give_up_at(const Instant* limit) { limit_ = limit; }
  // Fetches that begin while `tick` says which time they are of share the host's answer with other
  // users (shared_fetch.h). Only where it answers from what is known. It outlives this.
  void share_at(const std::optional<FetchTick>& tick) { tick_ = &tick; }
  // Of the last call that failed because the host could not be reached; none: all is well.
  [[nodiscard]] const std::optional<Error>& why() const { return why_; }
  // wire::StateChange bits of fetches since the last call.
  [[nodiscard]] uint32_t take_changes() { return std::exchange(changes_, 0); }
  // What the host calls itself (pmcd.hostname), else the name in the specification, and of this
  // machine its own. Source: spec wire-protocol.md §13.4.
  [[nodiscard]] std::string host_name();
  // What the collector says of its agents, by their domains; 0: it runs. Empty: it does not say.
  struct AgentState {
    uint32_t domain;
    int32_t status;
  };
  [[nodiscard]] std::vector<AgentState> agent_states();
  // The value of a metric that is one text; empty: there is none.
  [[nodiscard]] std::string text_value(std::string_view metric);
  // Begins to ask for it; once it has settled, text_value() takes it.
  void begin_text_value(std::string_view metric);
  [[nodiscard]] OrPmError<std::vector<HostLabels>> labels(LabelLevel level, uint32_t ident);

  [[nodiscard]] std::vector<OrPmError<PmId>> look_up_names(
      std::span<const std::string_view> names) override;
  [[nodiscard]] OrPmError<std::vector<std::string>> names(PmId pmid) override;
  [[nodiscard]] OrPmError<std::vector<Child>> children(std::string_view name) override;
  [[nodiscard]] OrPmError<std::vector<Leaf>> leaves(std::string_view name) override;
  [[nodiscard]] bool lists_leaves_at_once() const override { return names_ == nullptr; }
  [[nodiscard]] std::vector<OrPmError<Desc>> describe_metrics(
      std::span<const PmId> metrics) override;
  [[nodiscard]] OrPmError<std::string> metric_text(TextKind kind, PmId pmid) override;
  [[nodiscard]] OrPmError<std::string> indom_text(TextKind kind, InDomId indom) override;
  [[nodiscard]] OrPmError<std::vector<Instance>> instances(InDomId indom) override;
  [[nodiscard]] OrPmError<int32_t> instance_id(InDomId indom, std::string_view name) override;
  // Those of instances() before, where it is among them.
  [[nodiscard]] OrPmError<std::string> instance_name(InDomId indom, int32_t instance) override;
  // A host knows those that it has now.
  [[nodiscard]] OrPmError<std::vector<Instance>> instances_ever(InDomId indom) override {
    return instances(indom);
  }
  [[nodiscard]] Result<void> fetch(std::span<const PmId> metrics, const Profile& profile,
                                   Fetched& out) override;
  // Of no metrics: the values of the last fetch are forgotten, for many contexts need not keep
  // them.
  void begin_fetch(std::span<const PmId> metrics, const Profile& profile) override;
  [[nodiscard]] bool settled() override;
  // Nothing is asked: it is the time of this machine.
  [[nodiscard]] Result<void> fetch_stamp(Fetched& out) override;
  [[nodiscard]] int unknown_metric_status() const override;
  [[nodiscard]] OrPmError<void> store(std::span<const FetchedSet> sets) override;

 private:
  // A fetch that has begun. Of another call than the last begin_fetch(): its answer is thrown away.
  struct FetchUnderWay {
    std::vector<PmId> metrics;
    Profile profile;
    std::optional<FetchTick> tick{};  // that others may share it at
    std::vector<std::byte> bytes{};
    FollowedFetch sent{};
    std::optional<Async<Result<FetchAnswer>>> work{};
    std::optional<Result<FetchAnswer>>
        answer{};  // of `work`, where it was looked at before fetch()
  };
  // Where nothing waits: of instances in the answer that have no name here.
  void ask_for_names();
  [[nodiscard]] std::set<InDomId> domains_to_name(Bytes pdu);
  [[nodiscard]] bool knows(std::span<const Instance> first, InDomId domain, size_t place,
                           int32_t instance) const;
  // Those that were there when the host was asked ahead.
  [[nodiscard]] std::span<const Instance> known_ahead(InDomId domain) const;
  [[nodiscard]] Async<Result<bool>> learn_names(std::set<InDomId> domains);
  void start(std::unique_ptr<FetchUnderWay> fetch);
  [[nodiscard]] Async<Result<FetchAnswer>> fetching(FetchCall call, FollowedFetch& sent,
                                                    const std::optional<FetchTick>& tick = {});
  [[nodiscard]] Error no_answer() const;
  [[nodiscard]] Result<void> take_answer(const Result<FetchAnswer>& answer,
                                         std::span<const PmId> metrics, const Profile& profile,
                                         Fetched& out);
  // Runs the network until it is there. An error is kept for why().
  template <class T>
  [[nodiscard]] Result<T> wait_for(Async<Result<T>> answer);
  [[nodiscard]] bool must_stop();
  // A call over the connection; the code of a loss is an error like the collector's own.
  template <class T, class Ask>
  [[nodiscard]] OrPmError<T> ask(Ask ask);
  [[nodiscard]] OrPmError<std::string> text(TextKind kind, TextOfWhat of, uint32_t ident);
  void forget_old();  // what was learnt in an earlier epoch
  void place_followed(std::span<const PmId> metrics, std::vector<FetchedSet>& sets) const;
  static void choose(std::span<const PmId> metrics, std::vector<FetchedSet>& sets);
  [[nodiscard]] Result<void> take_result(const FetchAnswer& answer, std::span<const PmId> metrics,
                                         const Profile& profile, Fetched& out);
  void match_sets(const wire::ResultSets& sets, std::span<const PmId> metrics, Fetched& out);
  void choose_sets(const wire::ResultSets& sets, std::span<const PmId> metrics,
                   const Profile& profile, Fetched& out);

  HostClient& client_;
  const Instant* limit_ = nullptr;
  std::optional<Instant> stop_seen_;           // ClientSettings::stop said so
  std::shared_ptr<const NameSpace> names_;     // null: the host's own
  std::shared_ptr<FollowedMetrics> followed_;  // null: none is
  uint64_t epoch_ = 0;                         // of what is kept
  // What is not there is asked for again each time, unless it was learnt.
  std::unordered_map<std::string, OrPmError<PmId>> pmids_;
  std::unordered_map<PmId, OrPmError<Desc>> descs_;
  std::unordered_map<std::string, std::vector<Leaf>> leaves_;  // that were learnt
  std::unordered_map<InDomId, std::unordered_map<int32_t, std::string>> instance_names_;
  KnownAhead* ahead_ = nullptr;                                        // null: the host is asked
  std::unordered_map<InDomId, std::unordered_set<int32_t>> nameless_;  // the host was asked
  std::optional<Async<Result<bool>>> naming_;
  std::optional<std::string> host_name_;
  std::optional<Error> why_;
  uint32_t changes_ = 0;
  const std::optional<FetchTick>* tick_ = nullptr;  // null: it shares no answers
  std::unique_ptr<TickUser> user_;                  // null: it has not yet
  std::vector<std::byte> result_;
  FollowedFetch sent_;  // for it
  Arena arena_;
  std::unique_ptr<FetchUnderWay> under_way_, next_;  // next: begun when the other one has ended
};

}  // namespace pmjit
