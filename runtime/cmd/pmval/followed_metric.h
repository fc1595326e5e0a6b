// What pmval follows: one metric of an archive, some of its instances, and how its values are to be
// reported. Source: spec pmapi.md §24.2.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/archive/reader/metadata.h"
#include "runtime/client/context.h"
#include "runtime/cmd/output.h"
#include "runtime/model/value.h"
#include "runtime/text/metric_spec.h"
#include "runtime/text/zone.h"

namespace pmjit {

struct ValRequest {
  std::optional<int> digits;  // -f
  std::optional<int> width;   // -w
  std::vector<std::string> instances;
  bool raw = false;                     // -r: counters as they are
  bool records = false;                 // -U: as they were recorded
  bool delay = false;                   // -d: an interval passes between two samples
  int stamp_detail = 0;                 // -X, -XX
  std::optional<std::string> filter{};  // -x
  bool live = false;                    // values of now have no times beside them
};

struct ValSeries {
  std::string name;
  Desc desc;
  bool rate = false;      // a counter, to be converted
  double time_scale = 1;  // of the metric's units of time in a second
  Units rate_units{};
  struct Column {
    int32_t instance;
    std::string name;
  };
  std::vector<Column> columns;  // ascending by instance; of a singular metric none
  bool chosen = false;          // some instances, by name

  [[nodiscard]] bool singular() const { return desc.indom == kNullId; }
};

// `metadata`: of the archive, for names that its instances ever had; null: a host, which has those
// of now. None: the messages say why.
[[nodiscard]] std::optional<ValSeries> find_series(Context& context, const Metadata* metadata,
                                                   const MetricSpec& spec,
                                                   const ValRequest& request, Messages& messages);

// Stores the text of -x as the value of each instance. False: the messages say why not.
[[nodiscard]] bool store_filter(Context& context, const ValSeries& series, const std::string& text,
                                Messages& messages);

// The names in the argument of -i: apart by blanks and commas, in either kind of quotes.
[[nodiscard]] std::vector<std::string> split_instances(std::string_view text);

// Event records as pmval prints them. Source: spec pmapi.md §24.2.
void put_events(std::string& out, const ValSeries& series, Context& context, const FetchedSet& set,
                Zone& zone);

}  // namespace pmjit
