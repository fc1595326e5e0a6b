// The value lines of -v, -V and -W. Source: spec rules-language.md §14.
#pragma once

#include <string>

#include "rules/compat/bindings.h"

namespace pmjit::pmie {

enum class Verbose : uint8_t { off, plain, annotated, satisfying, applet };

class ValueReport {
 public:
  // Names of sources, by their numbers; they outlive it.
  ValueReport(Verbose verbose, const std::vector<std::string>& hosts)
      : verbose_(verbose), hosts_(hosts) {}

  // What follows the name of the statement and its time, without a line feed.
  void put(std::string& out, const PmieEvaluator& at, uint32_t root) const;

 private:
  void put_annotated(std::string& out, const PmieEvaluator& at, uint32_t node) const;
  void put_satisfying(std::string& out, const PmieEvaluator& at, uint32_t root) const;
  void put_place(std::string& out, const PmieEvaluator& at, uint32_t node, size_t element) const;

  Verbose verbose_;
  const std::vector<std::string>& hosts_;
};

}  // namespace pmjit::pmie
