// The name space of -n and -N in place of the archive's. Source: spec pmapi.md §6.1, §20.1.
#pragma once

#include <cstdint>

#include "runtime/archive/recording/archives.h"
#include "runtime/cmd/options.h"

namespace pmjit {

// Which of its names count: pminfo has only those of metrics that the archive describes.
enum class LocalNames : uint8_t { all, described };

// Without -n and -N nothing changes.
void use_local_names(const Options& options, LocalNames which, Archives& archives);

}  // namespace pmjit
