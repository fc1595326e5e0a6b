// Names that only rules have: variables of time, `$hour` and the like, and metrics with their host
// (`disk.dev.read :'web2'` is web2:disk.dev.read). The variables are columns beside those of a
// feed: at every time that the feed has.
//
//   const ClockNames names(catalog, feeds);        // describe("$hour"), and all of the catalog's
//   auto feed = open_with_clock(open, wanted_by(program), zone);
#pragma once

#include "runtime/model/catalog.h"
#include "runtime/model/feed.h"
#include "runtime/text/zone.h"

namespace pmjit::strict {

class ClockNames final : public CatalogOver {
 public:
  // `recorded`: of `feeds`, or of one of its hosts. Both outlive it.
  ClockNames(const Catalog& recorded, const Feeds& feeds) : CatalogOver(recorded), feeds_(feeds) {}

  [[nodiscard]] Result<Desc> describe(std::string_view metric) const override;

 private:
  const Feeds& feeds_;
};

// `open` opens the feed of the metrics among them, be it none: that one has the times alone.
[[nodiscard]] Result<std::unique_ptr<Feed>> open_with_clock(const OpenFeed& open,
                                                            std::vector<WantedMetric> wanted,
                                                            const Zone& zone);

}  // namespace pmjit::strict
