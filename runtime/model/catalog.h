// Catalog: names to metadata. The compiler asks it and nothing else of a source.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/model/desc.h"
#include "runtime/model/stamp.h"

namespace pmjit {

class Catalog {
 public:
  virtual ~Catalog() = default;

  // Fault::not_found (PM_ERR_NAME) if there is no such leaf.
  [[nodiscard]] virtual Result<Desc> describe(std::string_view metric) const = 0;
  // Every leaf below `prefix` ("" for all) in name order; `prefix` itself if it is a leaf.
  [[nodiscard]] virtual std::vector<std::string> leaves(std::string_view prefix) const = 0;
  // The name of an instance as of a time; none if the domain or the instance is unknown then.
  [[nodiscard]] virtual std::optional<std::string> instance_name(InDomId indom, int32_t instance,
                                                                 Stamp when) const = 0;
  // Of an instance that has a value: where values are held on after it has left, the name it had.
  [[nodiscard]] virtual std::optional<std::string> held_name(InDomId indom, int32_t instance,
                                                             Stamp when) const {
    return instance_name(indom, instance, when);
  }
  // Equal numbers for two times: the same instances with the same names, and between them, too.
  // kAskAgain: not known.
  static constexpr uint64_t kAskAgain = UINT64_MAX;
  [[nodiscard]] virtual uint64_t domain_epoch(InDomId /*indom*/, Stamp /*when*/) const {
    return kAskAgain;
  }
  // The instances that may have another name at `to` than at `from`, which is not after it,
  // ascending; none: it may be any of them.
  [[nodiscard]] virtual std::optional<std::vector<int32_t>> changed_between(InDomId /*indom*/,
                                                                            Stamp /*from*/,
                                                                            Stamp /*to*/) const {
    return std::nullopt;
  }
  // Every instance the domain ever had: identifier and newest name, ascending by identifier.
  struct Instance {
    int32_t id;
    std::string name;
  };
  [[nodiscard]] virtual std::vector<Instance> instances(InDomId indom) const = 0;
  // Those of equivalent domains that may stand beside them in results, likewise.
  [[nodiscard]] virtual std::vector<Instance> guests(InDomId /*indom*/) const { return {}; }
  // Of several hosts, each of which has identifiers of its own: the domain of the names that
  // `indom` and its like on the other hosts have. Of one host: the domain itself.
  [[nodiscard]] virtual InDomId domain_of_all_hosts(InDomId indom) const { return indom; }
  // Every name that an instance of it ever had, in no order; newest ones where no others are kept.
  [[nodiscard]] virtual std::vector<std::string> names_ever(InDomId indom) const;
};

// Names of `catalog` that look like `wanted`, best first, at most limits::kNearNamesMax.
std::vector<std::string> near_names(const Catalog& catalog, std::string_view wanted);

// CatalogOver: a catalog that says in its own way some of what another says, and the rest as it
// does.
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

// Instance domains that are declared equivalent: metrics over them may meet (6.0.4 and later).
// Source: spec derived-metrics.md §10 check 11, §18.
//
//   const auto domains = EquivalentDomains::read("60.1 250.*\n");
//   domains.equivalent(a, b)
class EquivalentDomains {
 public:
  // The text of an indom.conf: on a line domains of one kind, D.S or D.*; `#` begins a comment.
  // What is no domain is passed over.
  [[nodiscard]] static EquivalentDomains read(std::string_view text);

  // A line has both.
  [[nodiscard]] bool equivalent(InDomId a, InDomId b) const;

 private:
  struct Word {
    uint32_t domain = 0;
    std::optional<uint32_t> serial;  // none: all of the domain
  };
  using Line = std::vector<Word>;
  [[nodiscard]] static std::optional<Word> word_of(std::string_view text);
  [[nodiscard]] static bool has(const Line& line, InDomId indom);

  std::vector<Line> lines_;
};

}  // namespace pmjit
