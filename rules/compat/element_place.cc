#include "rules/compat/element_place.h"

namespace pmjit::pmie {

std::optional<ElementPlace> place_of(const PmieEvaluator& at, uint32_t metrics, size_t element) {
  if (metrics == kNone) return std::nullopt;
  const FetchState& state = at.fetched(metrics);
  for (uint32_t h = 0; h < state.hosts.size(); ++h) {
    const HostState& host = state.hosts[h];
    const size_t count = host.ids.size();
    if (element < count) {
      const bool named = element < host.names.size();
      return ElementPlace{h, named ? &host.names[element] : nullptr};
    }
    element -= count;
  }
  return std::nullopt;
}

}  // namespace pmjit::pmie
