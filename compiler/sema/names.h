// Names of instances: full name, else a unique first word, else an error (spec dialects.md row 79).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "runtime/model/catalog.h"

namespace pmjit {

struct InstanceMatch {
  enum class How : uint8_t { found, none, several, longer_than_first_word };
  How how = How::none;
  std::string name;  // found: the full name; else one that the compatible dialects take
};
// `domains`: one, or several that meet.
InstanceMatch match_instance(const Catalog& catalog, std::span<const InDomId> domains,
                             std::string_view wanted);

// disk.dev.read.vda: "write disk.dev.read[vda]", if that metric has that instance; else "".
[[nodiscard]] std::string instance_meant(const std::string& name, const Catalog& catalog);

}  // namespace pmjit
