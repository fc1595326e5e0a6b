// Label sets of several levels as one JSON object: nested objects become names with points, a later
// set's label replaces an earlier one's, labels are sorted by name. As pmMergeLabels has it.
// Source: spec pmapi.md §19.
//
//   merge_labels({context_json, indom_json, item_json})  →  {"agent":"linux","hostname":"h"}
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>

namespace pmjit {

// "" for nothing but empty sets. Not JSON, or a name that is none: a negative errno.
[[nodiscard]] std::expected<std::string, int> merge_labels(std::span<const std::string_view> sets);

}  // namespace pmjit
