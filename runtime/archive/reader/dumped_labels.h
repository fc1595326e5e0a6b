// The labels of an archive in the order in which pmdumplog prints them, without those that only
// repeat what the record before them said. Source: spec tools.md §2.8.
#pragma once

#include <vector>

#include "runtime/archive/reader/labels.h"

namespace pmjit {

struct DumpedLabels {
  Stamp stamp{};
  bool new_stamp = false;  // the first of its stamp: the stamp is printed before it
  LabelType type = LabelType::context;
  uint32_t ident = kContextIdent;
  std::vector<const LabelSet*> sets{};  // at least one; they belong to the ArchiveLabels
};

[[nodiscard]] std::vector<DumpedLabels> label_dump(const ArchiveLabels& labels);

}  // namespace pmjit
