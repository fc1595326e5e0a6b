// Variables of time, `$hour` and the like, as columns beside those of a feed: at every time that
// the feed has.
//
//   const ClockNames names(catalog);               // describe("$hour"), and all of the catalog's
//   auto feed = open_with_clock(open, wanted_by(program), zone);
#pragma once

#include "runtime/model/catalog.h"
#include "runtime/model/feed.h"
#include "runtime/text/zone.h"

namespace pmjit::strict {

class ClockNames final : public CatalogOver {
 public:
  // `recorded` outlives it.
  explicit ClockNames(const Catalog& recorded) : CatalogOver(recorded) {}

  [[nodiscard]] Result<Desc> describe(std::string_view metric) const override;
};

// `open` opens the feed of the metrics among them, be it none: that one has the times alone.
[[nodiscard]] Result<std::unique_ptr<Feed>> open_with_clock(const OpenFeed& open,
                                                            std::vector<WantedMetric> wanted,
                                                            const Zone& zone);

}  // namespace pmjit::strict
