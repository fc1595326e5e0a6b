// Event records as pmval prints them. Source: spec pmapi.md §24.2.
#pragma once

#include <string>

#include "runtime/archive/reader/metadata.h"
#include "runtime/cmd/pmval/followed_metric.h"
#include "runtime/model/value.h"
#include "runtime/text/zone.h"

namespace pmjit {

void put_events(std::string& out, const ValSeries& series, const Metadata& metadata,
                const FetchedSet& set, Zone& zone);

}  // namespace pmjit
