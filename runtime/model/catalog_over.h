// CatalogOver: a catalog that says in its own way some of what another says, and the rest as it
// does.
#pragma once

#include "runtime/model/catalog.h"

namespace pmjit {

class CatalogOver : public Catalog {
 public:
  [[nodiscard]] Result<Desc> describe(std::string_view metric) const override {
    return under_.describe(metric);
  }
  [[nodiscard]] std::vector<std::string> leaves(std::string_view prefix) const override {
    return under_.leaves(prefix);
  }
  [[nodiscard]] std::optional<std::string> instance_name(InDomId indom, int32_t instance,
                                                         Stamp when) const override {
    return under_.instance_name(indom, instance, when);
  }
  [[nodiscard]] std::optional<std::string> held_name(InDomId indom, int32_t instance,
                                                     Stamp when) const override {
    return under_.held_name(indom, instance, when);
  }
  [[nodiscard]] uint64_t domain_epoch(InDomId indom, Stamp when) const override {
    return under_.domain_epoch(indom, when);
  }
  [[nodiscard]] std::optional<std::vector<int32_t>> changed_between(InDomId indom, Stamp from,
                                                                    Stamp to) const override {
    return under_.changed_between(indom, from, to);
  }
  [[nodiscard]] std::vector<Instance> instances(InDomId indom) const override {
    return under_.instances(indom);
  }
  [[nodiscard]] std::vector<Instance> guests(InDomId indom) const override {
    return under_.guests(indom);
  }
  [[nodiscard]] InDomId domain_of_all_hosts(InDomId indom) const override {
    return under_.domain_of_all_hosts(indom);
  }
  [[nodiscard]] std::vector<std::string> names_ever(InDomId indom) const override {
    return under_.names_ever(indom);
  }

 protected:
  // `under` outlives it.
  explicit CatalogOver(const Catalog& under) : under_(under) {}
  [[nodiscard]] const Catalog& under() const { return under_; }

 private:
  const Catalog& under_;
};

}  // namespace pmjit
