#include "runtime/wire/pdu.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

namespace pmjit::wire {

namespace {

constexpr PduRow kRows[] = {
#define PDU(name, text, code, message, routes, feature) \
  {PduType::name, text, routes, Feature::feature},
#include "runtime/wire/pdu.def"
#undef PDU
};

struct FeatureRow {
  Feature feature;
  std::string_view text;
  bool wish;
};
constexpr FeatureRow kFeatures[] = {
#define FEATURE(name, bit, text, wish) {Feature::name, text, wish != 0},
#include "runtime/wire/features.def"
#undef FEATURE
};

constexpr uint16_t kNamedBits = (1u << std::size(kFeatures)) - 1;

}  // namespace

FeatureSet unwelcome_wishes(FeatureSet wishes) {
  uint16_t bits = wishes.bits();
  for (const FeatureRow& row : kFeatures) {
    if (row.wish) bits = static_cast<uint16_t>(bits & ~FeatureSet{row.feature}.bits());
  }
  return FeatureSet::of_bits(bits);
}

std::string features_text(FeatureSet features) {
  std::string out;
  const auto add = [&](std::string_view text) { out.append(out.empty() ? "" : "|").append(text); };
  for (const FeatureRow& row : kFeatures) {
    if (features.has(row.feature)) add(row.text);
  }
  const auto rest = static_cast<uint16_t>(features.bits() & ~kNamedBits);
  if (rest != 0) add(fmt::format("{:#x}", rest));
  return out;
}

std::span<const PduRow> pdu_rows() { return kRows; }

const PduRow* find_pdu(uint32_t code) {
  const auto* found = std::ranges::find(kRows, static_cast<PduType>(code), &PduRow::type);
  return found == std::end(kRows) ? nullptr : found;
}

std::string pdu_name(uint32_t code) {
  const PduRow* row = find_pdu(code);
  return row != nullptr ? std::string(row->text) : fmt::format("of type {:#x}", code);
}

}  // namespace pmjit::wire
