// What is checked of the words in an expression while it is parsed: tags, units, patterns. Each
// answers with libpcp's message, or with nothing. Source: spec derived-metrics.md §4, §5.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "compiler/ast/ast.h"
#include "compiler/ast/dialect.h"
#include "runtime/model/desc.h"

namespace pmjit::pcp {

// Units beyond space, time and count are of 7.2.0.
[[nodiscard]] ExtraUnits extra_units_of(Dialect dialect);

[[nodiscard]] std::string wrong_units(std::string_view units, Dialect dialect);
[[nodiscard]] std::string wrong_pattern(const std::string& pattern);
[[nodiscard]] std::string wrong_tag(const Spec& spec, Dialect dialect);
// Of a constant with a fraction: an integer type.
[[nodiscard]] std::string wrong_real(std::span<const Spec> specs);

// The values of tags that are not wrong.
[[nodiscard]] std::optional<int> type_of_tag(std::string_view value);
[[nodiscard]] std::optional<Semantics> semantics_of_tag(std::string_view value);
[[nodiscard]] std::optional<InDomId> indom_of_tag(std::string_view value);
[[nodiscard]] Units units_of_tag(std::string_view value, Dialect dialect);

}  // namespace pmjit::pcp
