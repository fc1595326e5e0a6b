// merge_labels against the table of the real library.
#include "runtime/text/print_value.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "tests/unit/model/vectors.h"

namespace pmjit {
namespace {

// Two rows show a fault of the reference, which we do not have (spec pmapi.md §19).
std::string_view fault_of(const VectorRow& row) {
  if (row[1].find("[ ") != std::string::npos) return "it loses blanks in arrays, and more";
  if (row[1] == R"({"a":{"b":1}})" && row[2] == R"({"a":{"b":2}})") {
    return "it keeps both of two nested labels of one name";
  }
  return {};
}

TEST(MergeLabels, AsTheTableHasIt) {
  const auto rows = read_vectors("mergelabels.tsv");
  Tally tally("mergelabels.tsv", rows.size());
  for (const VectorRow& row : rows) {
    if (const std::string_view fault = fault_of(row); !fault.empty()) {
      tally.except(row, fault);
      continue;
    }
    std::vector<std::string_view> sets;
    for (int i = 0; i < std::stoi(row[0]); ++i) {
      const std::string& set = row[static_cast<size_t>(i) + 1];
      sets.push_back(set == "(null)" ? std::string_view() : std::string_view(set));
    }
    const auto merged = merge_labels(sets);
    std::string got = merged ? std::to_string(merged->size()) + " " + *merged
                             : (merged.error() == -EINVAL ? "-EINVAL " : "? ");
    // The C interface wants room for four bytes more than it uses.
    if (merged && merged->size() + 3 >= std::stoul(row[4])) got = "-E2BIG ";
    tally.judge(got, row[5] + " " + row[6], row);
  }
}

TEST(MergeLabels, OfNestedLabelsTheLaterCounts) {
  const std::string_view sets[] = {R"({"a":{"b":1}})", R"({"a":{"b":[ 1, {"c" : 2} ]}})"};
  EXPECT_EQ(merge_labels(sets), R"({"a.b":[1,{"c":2}]})");
}

TEST(MergeLabels, DeepNestingIsRefused) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "{\"a\":";
  const std::string_view sets[] = {deep};
  EXPECT_FALSE(merge_labels(sets).has_value());
}

}  // namespace
}  // namespace pmjit
