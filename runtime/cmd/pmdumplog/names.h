// The names of a metric as pmdumplog joins them: "disk.read or disk.dev.read".
#pragma once

#include <string>
#include <string_view>

#include "runtime/archive/reader/metadata.h"

namespace pmjit {

inline std::string names_of(const Metadata& metadata, PmId pmid, std::string_view nameless) {
  std::string out;
  for (const std::string_view name : metadata.names.names(pmid)) {
    if (!out.empty()) out += " or ";
    out += name;
  }
  return out.empty() ? std::string(nameless) : out;
}

}  // namespace pmjit
