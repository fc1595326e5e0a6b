#include "compiler/compat/definitions/literals.h"

#include <fmt/format.h>
#include <strings.h>

#include "compiler/ast/words.h"
#include "runtime/model/pm_type.h"
#include "runtime/model/units.h"
#include "runtime/text/parse_units.h"

namespace pmjit::pcp {

namespace {

struct TypeWord {
  const char* text;
  int type;
};
constexpr TypeWord kTypes[] = {{"32", pm_type::i32},    {"U32", pm_type::u32},
                               {"64", pm_type::i64},    {"U64", pm_type::u64},
                               {"FLOAT", pm_type::f32}, {"DOUBLE", pm_type::f64}};
struct SemanticsWord {
  const char* text;
  Semantics semantics;
};
constexpr SemanticsWord kSemantics[] = {{"counter", Semantics::counter},
                                        {"instant", Semantics::instant},
                                        {"discrete", Semantics::discrete}};

// Cases do not count in them.
template <class Words>
auto* find_word(const Words& words, std::string_view value) {
  const std::string text(value);
  for (const auto& word : words) {
    if (strcasecmp(word.text, text.c_str()) == 0) return &word;
  }
  return static_cast<decltype(&words[0])>(nullptr);
}

}  // namespace

ExtraUnits extra_units_of(Dialect dialect) {
  return dialect == Dialect::pcp6 ? ExtraUnits::ignored : ExtraUnits::known;
}

std::string wrong_units(std::string_view units, Dialect dialect) {
  const auto parsed = parse_units(units, extra_units_of(dialect));
  return parsed ? "" : fmt::format("Illegal units: '{}'", parsed.error().what());
}

std::string wrong_pattern(const std::string& pattern) {
  const std::string error = pattern_error(pattern);
  return error.empty() ? "" : fmt::format("bad regular expression: '{}'", error);
}

namespace {

// libpcp has room for so many bytes of such a message.
std::string cut(std::string message) {
  constexpr size_t kMessageMax = 255;
  if (message.size() > kMessageMax) message.resize(kMessageMax);
  return message;
}

}  // namespace

std::string wrong_tag(const Spec& spec, Dialect dialect) {
  const std::string_view value = spec.value;
  if (spec.tag == "units") return wrong_units(value, dialect);
  if (spec.tag == "type" && !type_of_tag(value)) {
    return cut(fmt::format("Unrecognized value for type '{}'", value));
  }
  if (spec.tag == "semantics" && !semantics_of_tag(value)) {
    return cut(fmt::format("Unrecognized value for semantics '{}'", value));
  }
  if (spec.tag == "indom" && !indom_of_tag(value)) {
    return cut(fmt::format("Illegal indom: '{}'", value));
  }
  return {};
}

std::string wrong_real(std::span<const Spec> specs) {
  std::optional<int> type;
  for (const Spec& spec : specs) {
    if (spec.tag == "type") type = type_of_tag(spec.value);
  }
  if (!type || *type == pm_type::f32 || *type == pm_type::f64) return {};
  return fmt::format("Incompatible floating point constant and type '{}'", pm_type_text(*type));
}

std::optional<int> type_of_tag(std::string_view value) {
  const auto* word = find_word(kTypes, value);
  return word == nullptr ? std::nullopt : std::optional(word->type);
}

std::optional<Semantics> semantics_of_tag(std::string_view value) {
  const auto* word = find_word(kSemantics, value);
  return word == nullptr ? std::nullopt : std::optional(word->semantics);
}

// `null`, or D.S.
std::optional<InDomId> indom_of_tag(std::string_view value) {
  if (strcasecmp(std::string(value).c_str(), "null") == 0) return kNullId;
  return indom_from_text(value);
}

Units units_of_tag(std::string_view value, Dialect dialect) {
  const auto parsed = parse_units(value, extra_units_of(dialect));
  return parsed ? parsed->units : Units{};
}

}  // namespace pmjit::pcp
