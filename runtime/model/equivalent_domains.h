// Instance domains that are declared equivalent: metrics over them may meet (6.0.4 and later).
// Source: spec derived-metrics.md §10 check 11, §18.
//
//   const auto domains = EquivalentDomains::read("60.1 250.*\n");
//   domains.equivalent(a, b)
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "runtime/model/desc.h"

namespace pmjit {

class EquivalentDomains {
 public:
  // The text of an indom.conf: on a line domains of one kind, D.S or D.*; `#` begins a comment.
  // What is no domain is passed over.
  [[nodiscard]] static EquivalentDomains read(std::string_view text);

  // A line has both.
  [[nodiscard]] bool equivalent(InDomId a, InDomId b) const;

 private:
  struct Word {
    uint32_t domain = 0;
    std::optional<uint32_t> serial;  // none: all of the domain
  };
  using Line = std::vector<Word>;
  [[nodiscard]] static std::optional<Word> word_of(std::string_view text);
  [[nodiscard]] static bool has(const Line& line, InDomId indom);

  std::vector<Line> lines_;
};

}  // namespace pmjit
