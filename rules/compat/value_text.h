// Values as pmie prints them. Source: spec rules-language.md §14.
#pragma once

#include <ctime>
#include <string>

#include "rules/compat/evaluator.h"

namespace pmjit::pmie {

// `Www Mmm dd hh:mm:ss yyyy`: ctime() without its line feed.
[[nodiscard]] std::string time_text(const std::tm& local);
// Sample k of an element; `?` where there is none.
void put_value(std::string& out, const PmieEvaluator& at, uint32_t node, size_t element, int32_t k);
// All samples of an element, newest first, with blanks between.
void put_samples(std::string& out, const PmieEvaluator& at, uint32_t node, size_t element);
// -v: everything, with blanks between.
void put_plain(std::string& out, const PmieEvaluator& at, uint32_t node);

}  // namespace pmjit::pmie
