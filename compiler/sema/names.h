// Names of instances: full name, else a unique first word, else an error (spec dialects.md row 79).
#pragma once

#include <string>
#include <string_view>

#include "runtime/model/catalog.h"

namespace pmjit {

struct InstanceMatch {
  enum class How : uint8_t { found, none, several, longer_than_first_word };
  How how = How::none;
  std::string name;  // found: the full name; else one that the compatible dialects take
};
InstanceMatch match_instance(const Catalog& catalog, InDomId domain, std::string_view wanted);

}  // namespace pmjit
