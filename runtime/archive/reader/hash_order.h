// The order in which PCP 6.0.3 lists what it keeps in a chained hash table: descriptors by PMID and
// instance domains by their identifier. Source: spec tools.md §2.7.
//
//   for (const PmId pmid : hash_order(metadata.pmids)) print(metadata.descs.at(pmid));
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/archive/reader/labels.h"

namespace pmjit {

// `keys` in the order in which they were entered, each once.
[[nodiscard]] std::vector<uint32_t> hash_order(std::span<const uint32_t> keys);

// The labels of an archive in the order in which pmdumplog prints them, without those that only
// repeat what the record before them said. Source: spec tools.md §2.8.
struct DumpedLabels {
  Stamp stamp{};
  bool new_stamp = false;  // the first of its stamp: the stamp is printed before it
  LabelType type = LabelType::context;
  uint32_t ident = kContextIdent;
  std::vector<const LabelSet*> sets{};  // at least one; they belong to the ArchiveLabels
};

[[nodiscard]] std::vector<DumpedLabels> label_dump(const ArchiveLabels& labels);

}  // namespace pmjit
