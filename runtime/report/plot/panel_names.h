// What the series of a chart are called: the part of their names that a panel's series have in
// common, for its title, and the rest of each, for the legend.
//
//   const SeriesName name = series_name(info);   // rate(disk.dev.read): disk.dev.read, a rate
//   name.parent()                                // disk.dev
//   const PanelNames names = panel_names({…});   // title disk.dev; rests read, write
//
// The head of a chart says that rates are rates, and so rate(…) around a metric is left out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/model/results.h"

namespace pmjit {

struct SeriesName {
  std::string host;      // empty: there is one
  std::string name;      // of the metric, or the expression as written
  bool is_rate = false;  // rate() of that metric
  bool is_plain = true;  // a metric's name: parts with dots between them

  // Of a.b.c a.b: what belongs together. Empty: a name of one part, or no plain one.
  [[nodiscard]] std::string_view parent() const;
  // The last part; of what is no plain name all.
  [[nodiscard]] std::string_view leaf() const;
  // web1:disk.dev.read
  [[nodiscard]] std::string with_host() const;
};
[[nodiscard]] SeriesName series_name(const ResultInfo& info);

struct PanelNames {
  std::string title;
  std::vector<std::string> rests;  // of each; empty: the title says it all
};
// Of names that are drawn together: they have a parent in common, or there is one of them.
[[nodiscard]] PanelNames panel_names(const std::vector<SeriesName>& names);

}  // namespace pmjit
