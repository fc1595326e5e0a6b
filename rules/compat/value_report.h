// The value lines of -v, -V and -W. Source: spec rules-language.md §14.
#pragma once

#include <ctime>
#include <string>

#include "rules/compat/bindings.h"
#include "rules/compat/evaluator.h"

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

// Values as pmie prints them. Source: spec rules-language.md §14.

// `Www Mmm dd hh:mm:ss yyyy`: ctime() without its line feed.
[[nodiscard]] std::string time_text(const std::tm& local);
// Sample k of an element; `?` where there is none.
void put_value(std::string& out, const PmieEvaluator& at, uint32_t node, size_t element, int32_t k);
// All samples of an element, newest first, with blanks between.
void put_samples(std::string& out, const PmieEvaluator& at, uint32_t node, size_t element);
// -v: everything, with blanks between.
void put_plain(std::string& out, const PmieEvaluator& at, uint32_t node);

}  // namespace pmjit::pmie
