// How two runs' alerts differ, as text.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "rules/event_writers/alerts.h"

namespace pmjit {

struct DiffInput {
  std::vector<std::string> only_before, only_after;  // rules that one side alone has
  std::vector<AlertDiff> diffs;
};

struct DiffFormat {
  std::string_view name, what;
  std::string (*make)(const DiffInput& input, Zone& zone);
};
[[nodiscard]] std::span<const DiffFormat> diff_formats();
[[nodiscard]] const DiffFormat* find_diff_format(std::string_view name);

}  // namespace pmjit
