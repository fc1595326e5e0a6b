// Rules that are never or always true over an archive, for their thresholds are percentages where
// the values are shares, or the other way round: 90 for a share of CPU time. Notes say what the
// values were. A healthy archive fires nothing, so no other threshold is doubted, and an archive is
// only replayed where there is one to doubt.
//
//   const auto seen = watch_pmie({.check = check, .sources = sources, …});
//   add_far_notes(*seen, archive, files);
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "rules/check/conditions.h"
#include "rules/check/meanings.h"

namespace pmjit {

// Of a comparison, what its value was.
struct SeenValues {
  double least = std::numeric_limits<double>::infinity();
  double greatest = -std::numeric_limits<double>::infinity();
  void add(double value);
};

struct SeenComparison {
  Condition of;
  SeenValues values{};
  std::string units{};  // in which they are
};

struct SeenRule {
  std::string name;
  size_t file = 0;  // of the files that were checked
  const SourceText* source = nullptr;
  Span span{};             // of the rule, in bytes of the source
  size_t yes = 0, no = 0;  // evaluations
  std::vector<SeenComparison> comparisons{};
};

// Of the rules of pmie that do something. A failure: the archive cannot be read.
[[nodiscard]] Result<std::vector<SeenRule>> watch_pmie(const MeaningsInput& input);
// Of strict rules that fit the archive; `options` says when.
[[nodiscard]] std::vector<SeenRule> watch_strict(const strict::RuleSet& set, const Feeds& feeds,
                                                 const strict::TaskOptions& options,
                                                 const std::function<void(double)>& progress);

// Not of rules that a warning is about. `archive`: as messages call it.
void add_far_notes(std::span<const SeenRule> rules, const std::string& archive,
                   std::span<CheckedFile> files);

}  // namespace pmjit
