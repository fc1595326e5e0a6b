// HostCatalog: what a compiler asks of a source, answered by a host. Names and descriptors come
// from a HostContext; names of instances from what the feed of the host has learnt (HostInstances),
// so that nothing waits for the network while expressions are evaluated.
//
//   HostCatalog catalog(context);
//   auto program = compile(texts, catalog, options);
//
// It remembers the name of each metric that it has described: after a reconnection the feed looks
// these names up again.
#pragma once

#include <string>
#include <unordered_map>

#include "runtime/client/host_context.h"
#include "runtime/client/host_instances.h"

namespace pmjit {

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
  // Asks the host, if it has not said yet.
  [[nodiscard]] std::vector<Instance> instances(InDomId indom) const override;
  [[nodiscard]] std::vector<std::string> names_ever(InDomId indom) const override;

  struct Described {
    std::string name;
    Desc desc;
    uint64_t epoch = 0;  // HostClient::epoch() when it was described
  };
  // Null: it was not described.
  [[nodiscard]] const Described* described(PmId pmid) const;
  [[nodiscard]] HostInstances& watched() const { return instances_; }

 private:
  void learn(InDomId indom) const;

  HostContext& context_;
  mutable HostInstances instances_;
  mutable std::unordered_map<PmId, Described> described_;
};

}  // namespace pmjit
