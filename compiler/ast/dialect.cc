#include "compiler/ast/dialect.h"

#include <iterator>

namespace pmjit {

namespace {

constexpr std::string_view kNames[] = {"pcp6", "pcp7", "strict"};

}  // namespace

std::string_view dialect_text(Dialect dialect) { return kNames[static_cast<size_t>(dialect)]; }

std::optional<Dialect> dialect_from_text(std::string_view text) {
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (kNames[i] == text) return static_cast<Dialect>(i);
  }
  return std::nullopt;
}

}  // namespace pmjit
