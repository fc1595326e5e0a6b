// What the series of a chart are called: the part of their names that a panel's series have in
// common, for its title, and the rest of each, for the legend.
//
//   const SeriesName name = series_name(info);   // rate(disk.dev.read): disk.dev.read, a rate
//   name.parent()                                // disk.dev
//   const PanelNames names = panel_names({…});   // title disk.dev; rests read, write
//
// The head of a chart says that rates are rates, and so rate(…) around a metric is left out.
//
// PanelNotes: what is said below a panel, or below a group of small ones. A sentence that holds for
// several results is said once, with their names.
//
//   notes.add("read", "14 of 55 values are unknown: a gap in the recording");
//   notes.add("write", "14 of 55 values are unknown: a gap in the recording");
//   notes.lines(2)    // "each: 14 of 55 …"; of more results "read, write: 14 of 55 …"
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/model/results.h"
#include "runtime/report/plot/chart_series.h"

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

class PanelNotes {
 public:
  void add(std::string_view name, std::string text);
  // Infinite values, which are `where`; those that are no numbers; those that are unknown.
  void add_values(std::string_view name, const Gathered& from, std::string_view where,
                  std::span<const std::string> unknown);
  // `results`: how many there are that notes could be of.
  [[nodiscard]] std::vector<std::string> lines(size_t results) const;

 private:
  struct Note {
    std::string text;
    std::vector<std::string> names;
  };
  std::vector<Note> notes_;
};

}  // namespace pmjit
