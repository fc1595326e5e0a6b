// Label sets of several levels as one JSON object, as pmMergeLabelSets makes it: of several labels
// of one name that of the last set counts, and labels come in the order of their names. Source:
// spec pmapi.md §19.
//
//   merge_label_sets({context, domain, indom, cluster, item})  →  {"agent":"linux","hostname":"h"}
//
// Null stands for a level without labels. "" if there are none at all.
#pragma once

#include <array>
#include <span>
#include <string>

#include "runtime/archive/reader/labels.h"

namespace pmjit {

[[nodiscard]] std::string merge_label_sets(std::span<const LabelSet* const> sets);

// What stands for the labels of a context where an archive has no records of them at all:
// {"hostname":"HOST"}. set() is a view into this.
class HostnameLabel {
 public:
  explicit HostnameLabel(std::string_view host);
  [[nodiscard]] LabelSet set() const;

 private:
  std::string json_;
  std::array<std::byte, 8> entry_{};
};

}  // namespace pmjit
