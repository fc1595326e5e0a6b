// Rules of pmie in both meanings over an archive: when do they differ first? A rule is given to
// strict alone, with the macros before it; where strict refuses it as it stands, with what it needs
// for the same meaning (compiler/differences/rules/rewriting.h).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/compat/pmie/settings.h"
#include "rules/check/rule_check.h"
#include "rules/check/truths.h"
#include "rules/compat/sources.h"
#include "runtime/model/feed.h"
#include "runtime/text/zone.h"

namespace pmjit {

struct Meaning {
  std::string rule;
  std::optional<FirstDifference> difference{};  // none, and no `refused`: none in this archive
  std::string rewritten{};                      // what strict was given; empty: the text itself
  std::string refused{};                        // why strict does not take it, in a line
};

struct MeaningsInput {
  const RuleCheck& check;
  pmie::ArchiveSources& sources;
  // Of the default source, where strict runs; and when both run.
  const Feeds& strict_feeds;
  Stamp start, end;
  Zone& zone;
  pmie::Settings settings;
  std::span<const SourceText> definitions;  // of derived metrics
  double delta = 10;
  std::function<bool()> stop;
};

// Of the rules that differences were told of.
[[nodiscard]] Result<std::vector<Meaning>> compare_meanings(const MeaningsInput& input);
[[nodiscard]] std::string meanings_text(const std::vector<Meaning>& meanings, Zone& zone);

}  // namespace pmjit
