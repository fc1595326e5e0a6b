#include "runtime/cmd/local_names.h"

#include <ranges>
#include <utility>

namespace pmjit {

void use_local_names(const Options& options, LocalNames which, Archives& archives) {
  if (!options.name_space) return;
  NameSpace names;
  // The newest child is listed first.
  for (const NamedMetric& leaf : options.name_space->leaves | std::views::reverse) {
    if (which == LocalNames::described && archives.metadata().desc(leaf.pmid) == nullptr) continue;
    names.add(leaf.name, leaf.pmid);
  }
  archives.use_names(std::move(names), options.name_space);
}

}  // namespace pmjit
