#include "runtime/text/dimension_text.h"

#include <array>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace pmjit {

namespace {

struct DimensionRow {
  int space, time, count;
  std::string_view text, unit;
};
// One dimension or a quotient of two has a word of its own.
constexpr auto kDimensionRows = std::to_array<DimensionRow>({
    {0, 0, 0, "a plain number", ""},
    {1, 0, 0, "a size", "Mbyte"},
    {0, 1, 0, "a time", "sec"},
    {0, 0, 1, "a count", "count"},
    {1, -1, 0, "a size per time", "Mbyte/sec"},
    {0, -1, 1, "a count per time", "count/sec"},
    {0, -1, 0, "a rate", ""},
});

const DimensionRow* row_of(const Units& units) {
  if (!units.extra.none()) return nullptr;
  for (const DimensionRow& row : kDimensionRows) {
    if (row.space == units.dim_space && row.time == units.dim_time &&
        row.count == units.dim_count) {
      return &row;
    }
  }
  return nullptr;
}

}  // namespace

std::string dimension_text(const Units& units) {
  if (const DimensionRow* const row = row_of(units)) return std::string(row->text);
  const std::string text = units_text(units);
  return text.starts_with('/') ? "in 1 " + text : "in " + text;
}

std::string usual_unit(const Units& units, const Units& written) {
  constexpr std::string_view kUsual = "Mbyte",
                             kOfScale[] = {"byte", "Kbyte", "Mbyte", "Gbyte", "Tbyte"};
  const DimensionRow* const row = row_of(units);
  if (row == nullptr) return {};
  std::string out(row->unit);
  const bool keeps_scale = written.dim_space != 0 && written.scale_space < std::size(kOfScale);
  if (keeps_scale && out.starts_with(kUsual)) {
    out.replace(0, kUsual.size(), kOfScale[written.scale_space]);
  }
  return out;
}

}  // namespace pmjit
