// GridLists: the instances of recorded rows as interpolation sees them: where each stands in its
// results, and since and until when there are values of it. What is known of a list of instances is
// worked out once for all metrics of the domain.
//
//   GridDomain domain = GridDomain::of(archives, indom);
//   GridLists lists(&domain);
//   lists.of(rosters, row.roster_id)->order
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "runtime/archive/recording/archives_source.h"
#include "runtime/model/roster.h"

namespace pmjit {

inline constexpr double kAlways = std::numeric_limits<double>::infinity();

struct GridDomain {
  struct Instance {
    uint32_t rank = 0;  // in results
    // Of large domains, in seconds since the start of the recording.
    double birth = -kAlways, death = kAlways;
  };
  std::unordered_map<int32_t, Instance> instances;

  [[nodiscard]] static GridDomain of(const Archives& archives, InDomId indom);
};

// One list of instances. Loggers write values of processes that are gone before their names are
// asked for: what the domain never had is passed over, as interpolation does.
struct GridList {
  std::vector<int32_t> instances;  // as recorded
  std::vector<uint32_t> order;     // of results: the lanes in a row; of the domain's alone
  std::vector<uint32_t> ranks;     // of these, ascending
  double birth = -kAlways, death = kAlways;  // of the last that came, of the first that goes
  bool in_order = true;                      // results have them all, as they were recorded
  bool sound = true;                         // each stands once, and one is of the domain
};

class GridLists {
 public:
  // Null: of singular metrics. `domain` outlives it.
  explicit GridLists(const GridDomain* domain) : domain_(domain) {}

  [[nodiscard]] const GridDomain* domain() const { return domain_; }
  // One list has one object, as long as somebody has it.
  [[nodiscard]] std::shared_ptr<const GridList> of(const Rosters& rosters, RosterId roster_id);

 private:
  [[nodiscard]] GridList make(std::span<const int32_t> instances) const;

  const GridDomain* domain_;
  std::unordered_map<uint64_t, std::shared_ptr<const GridList>> known_;
  size_t size_ = 0;  // instances of all that are known
};

}  // namespace pmjit
