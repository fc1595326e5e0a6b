// Reads a table of tests/golden/pmapi: rows of fields, escapes undone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/model/units.h"

namespace pmjit {

using VectorRow = std::vector<std::string>;
std::vector<VectorRow> read_vectors(std::string_view file);  // without the header line
Units units_of_fields(std::string_view text);                // "1,0,0,2,0,0"
std::string status_text(int code);        // as the tables write it: "0", "PM_ERR_CONV", "-ERANGE"
int type_of_text(std::string_view text);  // a PM_TYPE_* as the tables write it, name or number

// Judges the rows of a table and says "FILE: N of M" at its end, so that a row that nobody judged
// shows.
class Tally {
 public:
  Tally(std::string_view file, size_t rows) : file_(file), rows_(rows) {}
  ~Tally();
  Tally(const Tally&) = delete;
  Tally& operator=(const Tally&) = delete;

  void judge(std::string_view got, std::string_view wanted, const VectorRow& row);
  void except(const VectorRow& row, std::string_view why);  // a row that cannot be met; it is named

 private:
  std::string file_;
  size_t rows_, good_ = 0, excepted_ = 0;
};

}  // namespace pmjit
