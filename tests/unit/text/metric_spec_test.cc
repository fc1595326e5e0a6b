#include "runtime/text/metric_spec.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/model/vectors.h"

namespace pmjit {
namespace {

TEST(MetricSpec, ReadsAsTheReference) {
  const auto rows = read_vectors("metricspec.tsv");
  Tally tally("metricspec.tsv", rows.size());
  for (const VectorRow& row : rows) {
    const MetricSource given{.kind = static_cast<SourceKind>(std::stoi(row[1])), .source = row[2]};
    const auto spec = parse_metric_spec(row[0], given);
    const std::string wanted = fmt::format("{}", fmt::join(row.begin() + 3, row.end(), "|"));
    if (!spec) {
      tally.judge(
          fmt::format("{}|||||{}|{}", status_text(spec.error().pm_code()), "", spec.error().what()),
          wanted, row);
      continue;
    }
    std::string instances;
    for (const std::string& name : spec->instances) instances += "<" + name + ">";
    tally.judge(fmt::format("0|{}|{}|{}|{}|{}|", static_cast<int>(spec->from.kind),
                            spec->from.source, spec->metric, spec->instances.size(), instances),
                wanted, row);
  }
}

TEST(MetricSpec, MarksCountWhereTheEndIsLookedFor) {
  const auto names = [](std::string_view text) {
    const auto spec = parse_metric_spec(text, {});
    return spec ? fmt::format("{}", fmt::join(spec->instances, "|")) : spec.error().what();
  };
  EXPECT_EQ(names("m[a\"]\"]"), "a\"]\"");      // a mark within a name protects a bracket
  EXPECT_EQ(names("m[a\"b c\"]"), "a\"b|c\"");  // and does not join names
  EXPECT_EQ(names("m[,a]"), "|a");
  EXPECT_EQ(names("m[a,]"), "a");
}

}  // namespace
}  // namespace pmjit
