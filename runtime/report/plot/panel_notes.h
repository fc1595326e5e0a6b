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

#include "runtime/report/plot/chart_series.h"

namespace pmjit {

class PanelNotes {
 public:
  void add(std::string_view name, std::string text);
  // Infinite values, which are `where`; those that are no numbers; those that are unknown.
  void add_values(std::string_view name, const Gathered& from, std::string_view where,
                  const std::vector<std::string>& unknown);
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
