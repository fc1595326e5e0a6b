// A name space file (PMNS): names of metrics and their identifiers, by groups of names that share a
// parent. Source: spec pmapi.md §6.2, §6.3.
//
//   const NameSpaceFile file = read_name_space("my.pmns", SameMetric::allowed);
//   if (file.code != 0) std::cerr << file.messages;
//   for (const auto& [name, pmid] : file.leaves) …       as they stand there, children in their
//   order
#pragma once

#include <string>
#include <vector>

#include "runtime/model/desc.h"
#include "runtime/pmns/preprocessor.h"

namespace pmjit {

struct NamedMetric {
  std::string name;  // in full
  PmId pmid;         // domain 511, its own domain as cluster, item 0: the root of a dynamic subtree
};

struct NameSpaceFile {
  std::vector<NamedMetric> leaves{};  // in the order of a traversal
  int code = 0;                       // PM_ERR_PMNS, or -errno: it cannot be opened
  std::string preprocessing{};        // what the pre-processor said, a program of its own in PCP
  std::string messages{};
};

enum class SameMetric : bool { refused, allowed };  // two names of one metric

// By $PCP_ALT_CPP in place of the pre-processor, where that is set.
[[nodiscard]] NameSpaceFile read_name_space(const std::string& path, SameMetric same);
// What pre-processing made of the file at `path`.
[[nodiscard]] NameSpaceFile parse_name_space(const Preprocessed& made, const std::string& path,
                                             SameMetric same);

}  // namespace pmjit
