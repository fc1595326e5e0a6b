#include "runtime/exec/guest_names.h"

#include <algorithm>
#include <limits>

#include "runtime/base/result.h"

namespace pmjit {

MetNames::MetNames(const Catalog& recorded, const Program& program) : CatalogOver(recorded) {
  for (const Step& step : program.steps) {
    if (step.kind == StepKind::meet) join(step.domain, program.slots[step.out].domain);
  }
  for (Circle& circle : circles_) name_guests(circle);
}

void MetNames::join(InDomId a, InDomId b) {
  Circle joined{.domains = {a, b}};
  std::erase_if(circles_, [&](const Circle& circle) {
    const bool touched = std::ranges::find(circle.domains, a) != circle.domains.end() ||
                         std::ranges::find(circle.domains, b) != circle.domains.end();
    if (touched) {
      joined.domains.insert(joined.domains.end(), circle.domains.begin(), circle.domains.end());
    }
    return touched;
  });
  std::ranges::sort(joined.domains);
  const auto repeated = std::ranges::unique(joined.domains);
  joined.domains.erase(repeated.begin(), repeated.end());
  circles_.push_back(std::move(joined));
}

// The last identifiers below which no domain has one of its own among them.
void MetNames::name_guests(Circle& circle) const {
  std::vector<int32_t> taken;
  for (const InDomId domain : circle.domains) {
    for (std::string& name : under().names_ever(domain)) circle.names.push_back(std::move(name));
    for (const Instance& instance : under().instances(domain)) taken.push_back(instance.id);
  }
  std::ranges::sort(circle.names);
  const auto repeated = std::ranges::unique(circle.names);
  circle.names.erase(repeated.begin(), repeated.end());
  std::ranges::sort(taken, std::greater<>());
  int64_t last = std::numeric_limits<int32_t>::max();
  const auto names = static_cast<int64_t>(circle.names.size());
  for (const int32_t instance : taken) {
    if (last - instance >= names) break;
    last = std::min(last, int64_t{instance} - 1);
  }
  check(last - names >= kElsewhere, "there are more identifiers than names");
  circle.first = static_cast<int32_t>(last - names + 1);
}

const MetNames::Circle* MetNames::circle_of(InDomId indom) const {
  for (const Circle& circle : circles_) {
    if (std::ranges::binary_search(circle.domains, indom)) return &circle;
  }
  return nullptr;
}

const std::string* MetNames::guest_name(InDomId indom, int32_t instance) const {
  const Circle* circle = circle_of(indom);
  if (circle == nullptr) return nullptr;
  const int64_t index = int64_t{instance} - circle->first;
  if (index < 0 || index >= static_cast<int64_t>(circle->names.size())) return nullptr;
  return &circle->names[static_cast<size_t>(index)];
}

std::vector<Catalog::Instance> MetNames::guests(InDomId indom) const {
  std::vector<Instance> out;
  const Circle* circle = circle_of(indom);
  if (circle == nullptr) return out;
  for (size_t i = 0; i < circle->names.size(); ++i) {
    out.push_back({.id = circle->first + static_cast<int32_t>(i), .name = circle->names[i]});
  }
  return out;
}

std::optional<int32_t> MetNames::guest(std::string_view name, InDomId indom) const {
  const Circle* circle = circle_of(indom);
  if (circle == nullptr) return std::nullopt;
  const auto found = std::ranges::lower_bound(circle->names, name);
  if (found == circle->names.end() || *found != name) return std::nullopt;
  return circle->first + static_cast<int32_t>(found - circle->names.begin());
}

}  // namespace pmjit
