// HostCatalog: what a compiler asks of a source, answered by a host. Names and descriptors come
// from a HostContext; names of instances from what the feed of the host has learnt (HostInstances),
// so that nothing waits for the network while expressions are evaluated.
//
//   HostCatalog catalog(context);
//   auto program = compile(texts, catalog, options);
//
// It remembers the name of each metric that it has described: after a reconnection the feed looks
// these names up again.
//
// Among several hosts one that cannot be reached borrows: its metrics are taken to be those of
// another host, until it is there and the feed looks them up. So does one whose agent is not
// running: it knows the names of the agent's metrics, and nobody describes them. And so does one
// that has not answered where all were asked ahead (FleetAnswers::Catalogs): it keeps what it has
// described before.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/client/host_context.h"
#include "runtime/client/host_instances.h"

namespace pmjit {

// Does the host say that an agent of its own is not running, or not ready?
// So does one that gives a metric an identifier, and does not know that.
[[nodiscard]] bool lacks_agent(int code);
// Why a host does not describe a metric, and how to look.
struct NotDescribed {
  const std::string& host;
  std::string_view metric;
  int code;
  bool lacks_agent;
};
[[nodiscard]] Error not_described(const NotDescribed& what);

class HostCatalog final : public Catalog {
 public:
  // `context` outlives it.
  explicit HostCatalog(HostContext& context) : context_(context) {}

  [[nodiscard]] Result<Desc> describe(std::string_view metric) const override;
  [[nodiscard]] std::vector<std::string> leaves(std::string_view prefix) const override;
  [[nodiscard]] std::optional<std::string> instance_name(InDomId indom, int32_t instance,
                                                         Stamp when) const override {
    return instances_.name(indom, instance, when);
  }
  [[nodiscard]] uint64_t domain_epoch(InDomId indom, Stamp when) const override {
    return instances_.epoch(indom, when);
  }
  // Asks the host, if it has not said yet. A host that borrows has those of the other one until it
  // has told its own.
  [[nodiscard]] std::vector<Instance> instances(InDomId indom) const override;
  [[nodiscard]] std::vector<std::string> names_ever(InDomId indom) const override;

  struct Described {
    std::string name;
    Desc desc;
    uint64_t epoch = 0;  // HostClient::epoch() when it was described
  };
  // Another host to ask in place of this one from when this one cannot be reached; `lender`
  // outlives it.
  void borrow_from(const Catalog& lender) { lender_ = &lender; }
  // All hosts, of which another may have an agent that this one lacks; they outlive it.
  using AllHosts = std::shared_ptr<const std::vector<const HostCatalog*>>;
  void lend_agents(AllHosts all) { all_ = std::move(all); }
  [[nodiscard]] bool borrows() const { return borrows_; }
  // From now on instances are what the feed learns.
  void stop_asking() const { asks_ = false; }

  // Every name that describe() was asked for, whether it is there or not.
  [[nodiscard]] const std::set<std::string, std::less<>>& asked() const { return asked_; }
  // Those of them that it did not describe the last time.
  [[nodiscard]] const std::set<std::string, std::less<>>& missing() const { return missing_; }
  // Instances that the host has told somebody else; its context learns the rest itself.
  void learn(const HostAnswers& said) const;
  // Null: it was not described.
  [[nodiscard]] const Described* described(PmId pmid) const;
  [[nodiscard]] HostInstances& watched() const { return instances_; }

 private:
  void learn(InDomId indom) const;
  // Shall the other host be asked? So it is, once this one could not be reached.
  [[nodiscard]] bool must_borrow() const;
  [[nodiscard]] Result<Desc> own_or_lent(std::string_view metric) const;
  [[nodiscard]] Result<Desc> borrowed(std::string_view metric) const;
  [[nodiscard]] OrPmError<Desc> own(std::string_view metric) const;
  // Hosts were asked ahead, and this one has not said whether it has it.
  [[nodiscard]] bool has_not_said(std::string_view metric) const;
  // The last time; null: never.
  [[nodiscard]] const Described* described_as(std::string_view metric) const;
  // Does the collector say that the agent of this metric runs?
  [[nodiscard]] bool agent_runs(std::string_view metric) const;
  // As another host describes it.
  [[nodiscard]] std::optional<Desc> lent(std::string_view metric) const;

  HostContext& context_;
  const Catalog* lender_ = nullptr;
  AllHosts all_;  // null: there is no other
  mutable std::unordered_map<InDomId, const HostCatalog*> lent_domains_;
  mutable std::optional<std::vector<uint32_t>> running_;  // agents, by domain; none: not asked yet
  mutable bool borrows_ = false, asks_ = true;
  mutable HostInstances instances_;
  mutable std::unordered_map<PmId, Described> described_;
  mutable std::set<std::string, std::less<>> asked_, missing_;
};

}  // namespace pmjit
