#include "runtime/report/find_named.h"
#include "runtime/report/sweep/sweep.h"

namespace pmjit {

namespace {
constexpr SweepFormat kFormats[] = {
    {"table", make_sweep_table},
    {"csv", make_sweep_csv},
    {"json", make_sweep_json},
};
}

std::span<const SweepFormat> sweep_formats() { return kFormats; }

const SweepFormat* find_sweep_format(std::string_view name) {
  return find_named(sweep_formats(), name);
}

}  // namespace pmjit
