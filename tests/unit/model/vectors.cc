#include "tests/unit/model/vectors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <iostream>
#include <sstream>

namespace pmjit {

namespace {

std::string unescaped(std::string_view field) {
  std::string out;
  for (size_t i = 0; i < field.size(); ++i) {
    if (field[i] != '\\' || i + 1 == field.size()) {
      out += field[i];
      continue;
    }
    const char c = field[++i];
    if (c == 'x' && i + 2 < field.size()) {
      out += static_cast<char>(std::stoi(std::string(field.substr(i + 1, 2)), nullptr, 16));
      i += 2;
    } else {
      out += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
    }
  }
  return out;
}

}  // namespace

std::vector<VectorRow> read_vectors(std::string_view file) {
  std::ifstream in(std::string(PMJIT_GOLDEN "/pmapi/").append(file));
  std::vector<VectorRow> rows;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    if (line.starts_with("# ")) continue;  // a remark
    VectorRow& row = rows.emplace_back();
    size_t at = 0;
    while (true) {
      const size_t tab = line.find('\t', at);
      row.push_back(unescaped(std::string_view(line).substr(at, tab - at)));
      if (tab == line.npos) break;
      at = tab + 1;
    }
  }
  return rows;
}

Units units_of_fields(std::string_view text) {
  std::array<int, 6> field{};
  const char* at = text.data();
  for (int& value : field) {
    at = std::from_chars(at, text.data() + text.size(), value).ptr;
    if (at < text.data() + text.size()) ++at;
  }
  return {.dim_space = static_cast<int8_t>(field[0]),
          .dim_time = static_cast<int8_t>(field[1]),
          .dim_count = static_cast<int8_t>(field[2]),
          .scale_space = static_cast<uint8_t>(field[3]),
          .scale_time = static_cast<uint8_t>(field[4]),
          .scale_count = static_cast<int8_t>(field[5])};
}

std::string status_text(int code) {
  if (code == -ERANGE) return "-ERANGE";
  switch (code) {
#define PM_ERROR(name, number, text) \
  case number: return "PM_ERR_" #name;
#include "runtime/model/pm_errors.def"
#undef PM_ERROR
    default: return std::to_string(code);
  }
}

int type_of_text(std::string_view text) {
#define PM_TYPE(name, number, type_text, title) \
  if (text == type_text) return number;
#include "runtime/model/pm_types.def"
#undef PM_TYPE
  return std::stoi(std::string(text));
}

Tally::~Tally() {
  std::cout << file_ << ": " << good_ << " of " << rows_ << "\n";
  EXPECT_EQ(good_ + excepted_, rows_) << file_;
}

void Tally::except(const VectorRow& row, std::string_view why) {
  std::cout << file_ << ": not " << row[0] << ": " << why << "\n";
  ++excepted_;
}

void Tally::judge(std::string_view got, std::string_view wanted, const VectorRow& row) {
  EXPECT_EQ(got, wanted) << file_ << ": " << fmt::format("{}", fmt::join(row, " | "));
  good_ += got == wanted ? 1 : 0;
}

}  // namespace pmjit
