// MetNames: a source's catalog with the names that come to a domain where others meet it.
//
//   MetNames names(source.catalog(), *program);
//   names.guest("sdz", 60.1)             →  2147483645, where 60.1 has never had an sdz
//   names.instance_name(60.1, 2147483645, when)  →  "sdz"
//
// Instances of equivalent domains meet by name (spec dialects.md §4.3). A name that a domain does
// not have is a guest there: its identifier is among the last that there are, in the order of
// names, and says nothing but the name. So it is the same in all domains that meet, in every block
// and every thread, and whatever else is evaluated the order among guests stays; names of guests
// do not change.
#pragma once

#include <string>
#include <vector>

#include "runtime/model/catalog.h"
#include "runtime/program/program.h"

namespace pmjit {

class MetNames final : public CatalogOver {
 public:
  // `recorded` outlives it.
  MetNames(const Catalog& recorded, const Program& program);

  [[nodiscard]] std::optional<std::string> instance_name(InDomId indom, int32_t instance,
                                                         Stamp when) const override {
    const std::string* guest = guest_name(indom, instance);
    return guest != nullptr ? *guest : under().instance_name(indom, instance, when);
  }
  [[nodiscard]] std::optional<std::string> held_name(InDomId indom, int32_t instance,
                                                     Stamp when) const override {
    const std::string* guest = guest_name(indom, instance);
    return guest != nullptr ? *guest : under().held_name(indom, instance, when);
  }
  [[nodiscard]] std::vector<Instance> guests(InDomId indom) const override;

  // The identifier of a name as a guest of the domain; none: nobody ever bore it.
  [[nodiscard]] std::optional<int32_t> guest(std::string_view name, InDomId indom) const;
  [[nodiscard]] bool is_guest(InDomId indom, int32_t instance) const {
    return guest_name(indom, instance) != nullptr;
  }

 private:
  // Domains that meet, one with the other or by others in between.
  struct Circle {
    std::vector<InDomId> domains{};
    std::vector<std::string> names{};  // ascending
    int32_t first = 0;                 // the identifier of the first of them
  };
  void join(InDomId a, InDomId b);
  void name_guests(Circle& circle) const;
  [[nodiscard]] const Circle* circle_of(InDomId indom) const;
  // Null: it is the domain's own.
  [[nodiscard]] const std::string* guest_name(InDomId indom, int32_t instance) const;

  std::vector<Circle> circles_;
};

}  // namespace pmjit
