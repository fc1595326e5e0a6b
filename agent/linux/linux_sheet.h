// LinuxSheet: a file of /proc as rows and columns. LinuxPlace: which of its numbers a metric is.
// Both are tables: linux_sources.def has the files, linux_metrics.def the places.
//
//   LinuxSheet sheet(source_of(LinuxSourceId::stat), "cpu 10 20 30\ncpu0 5 10 15\n");
//   sheet.cell("cpu", 1)                                  "10"
//   auto place = parse_place("cpu.1*10-cpu.2");           column 1 of row `cpu`, tenfold, less …
//   whole_at(sheet, place, "")                            80
//
// place   = sum {";" sum}            one for each instance of a fixed domain
// sum     = term {("+" | "-") term}
// term    = row "." column ["*" N | "/" N]
// row     = the name of the row, "@" for that of the instance, nothing where the file has one row
// column  = a number, from 1 behind the row's name, or a name where columns have names
//
// What is not there has no value: no row, no such column, no number. A sum never falls below 0.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pmjit {

enum class SheetShape : uint8_t { words, pairs, blocks };

enum class LinuxSourceId : uint8_t {
#define SOURCE(name, path, shape, skip, key, separators) name,
#include "agent/linux/linux_sources.def"
#undef SOURCE
};

struct LinuxSource {
  std::string_view name, path;
  SheetShape shape;
  int skip, key;
  std::string_view separators;
};
[[nodiscard]] std::span<const LinuxSource> linux_sources();
[[nodiscard]] const LinuxSource& source_of(LinuxSourceId id);

class LinuxSheet {
 public:
  LinuxSheet(const LinuxSource& source, std::string text);

  // Their names, in the order of the file; empty where the file has one row.
  [[nodiscard]] const std::vector<std::string_view>& rows() const { return names_; }
  // Behind the name of row `index`. Of rows that share a name, cell() has the first.
  [[nodiscard]] std::span<const std::string_view> cells_of(size_t index) const {
    return rows_[index].cells;
  }
  [[nodiscard]] std::optional<std::string_view> cell(std::string_view row, size_t column) const;
  [[nodiscard]] std::optional<std::string_view> cell(std::string_view row,
                                                     std::string_view column) const;

 private:
  struct SheetRow {
    std::vector<std::string_view> columns;  // their names, if they have any
    std::vector<std::string_view> cells;
  };
  void read_line(const LinuxSource& source, std::string_view line);
  void read_block_line(std::string_view line);
  SheetRow& add_row(std::string_view name);

  std::unique_ptr<std::string> text_;               // what all views are into, wherever we move
  std::vector<std::unique_ptr<std::string>> made_;  // names of blocks
  std::vector<std::string_view> names_;
  std::vector<SheetRow> rows_;
  std::unordered_map<std::string_view, size_t> by_name_;
};

struct PlaceTerm {
  bool minus = false, of_instance = false;
  std::string row, column_name;
  size_t column = 0;  // 0: it has a name
  uint64_t times = 1, over = 1;
};
using PlaceSum = std::vector<PlaceTerm>;

// A place that does not parse is a bug of the table.
[[nodiscard]] std::vector<PlaceSum> parse_place(std::string_view text);
[[nodiscard]] std::optional<uint64_t> whole_at(const LinuxSheet& sheet, const PlaceSum& sum,
                                               std::string_view instance);
[[nodiscard]] std::optional<double> number_at(const LinuxSheet& sheet, const PlaceSum& sum,
                                              std::string_view instance);
[[nodiscard]] std::optional<std::string_view> text_at(const LinuxSheet& sheet, const PlaceSum& sum,
                                                      std::string_view instance);

// All of a text, or nothing. −1 is 2^64 − 1, as in metrics without a sign.
[[nodiscard]] std::optional<uint64_t> whole_number(std::string_view text);

}  // namespace pmjit
