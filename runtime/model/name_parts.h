// Metrics whose names have a part that somebody takes for a name: `cpu` of kernel.all.cpu.user.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pmjit {

class Catalog;

// Of `cpu` the names above metrics that end in it, kernel.all.cpu and kernel.percpu.cpu; of `disk.`
// and `disk.*` the name alone. At most limits::kNearNamesMax, in name order.
[[nodiscard]] std::vector<std::string> names_with_part(const Catalog& catalog,
                                                       std::string_view wanted);

}  // namespace pmjit
