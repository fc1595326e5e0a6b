// What PDUs there are: their types, which way each goes, and which feature it needs. The closed set
// stands in pdu.def, that of the features in features.def. Source: spec wire-protocol.md §2, §3.3.
//
//   const PduRow* row = find_pdu(0x7003);          // row->text is "FETCH"
//   const FeatureSet offered = hello.features;
//   if (offered.has(Feature::highres)) …
//
// Order of reading: this, messages.h (what a PDU carries), codec.h (bytes to messages and back).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace pmjit::wire {

enum class PduType : uint32_t {
#define PDU(name, text, code, message, routes, feature) name = code,
#include "runtime/wire/pdu.def"
#undef PDU
};

// Bits of the hello ("I offer") and of CREDS ("I want"); the value is the bit's number.
enum class Feature : uint8_t {
#define FEATURE(name, bit, text, wish) name = bit,
#include "runtime/wire/features.def"
#undef FEATURE
  none = 0xff,
};

class FeatureSet {
 public:
  constexpr FeatureSet() = default;
  constexpr FeatureSet(std::initializer_list<Feature> features) {
    for (const Feature feature : features) bits_ = static_cast<uint16_t>(bits_ | bit(feature));
  }
  static constexpr FeatureSet of_bits(uint16_t bits) {
    FeatureSet out;
    out.bits_ = bits;
    return out;
  }
  [[nodiscard]] constexpr bool has(Feature feature) const {
    return feature == Feature::none || (bits_ & bit(feature)) != 0;
  }
  [[nodiscard]] constexpr uint16_t bits() const { return bits_; }
  [[nodiscard]] constexpr FeatureSet with(Feature feature) const {
    return of_bits(static_cast<uint16_t>(bits_ | bit(feature)));
  }
  friend constexpr bool operator==(FeatureSet, FeatureSet) = default;

 private:
  static constexpr uint16_t bit(Feature feature) {
    return static_cast<uint16_t>(1u << static_cast<unsigned>(feature));
  }
  uint16_t bits_ = 0;
};

// What a plain collector of ours offers, and all that a client of ours makes use of.
inline constexpr FeatureSet kPlainFeatures{Feature::labels, Feature::highres, Feature::descs};
// Bits that a client may not ask for in CREDS: pmcd answers them with an error.
[[nodiscard]] FeatureSet unwelcome_wishes(FeatureSet wishes);
[[nodiscard]] std::string features_text(FeatureSet features);  // "AUTH|LABELS", "" for none

inline constexpr char kPaddingByte = '~';  // what real encoders put behind texts and blocks

// Who sends to whom; the value is the letter that stands in pdu.def.
enum class Route : char {
  client_to_collector = 'c',
  collector_to_client = 's',
  collector_to_agent = 'r',
  agent_to_collector = 'a',
  logger_control = 'l',  // pmlc and pmlogger, in both directions
};

// What the two sides have agreed on: PDUs that do not fit in are refused. Agents do not see
// features of the hello, so theirs are kPlainFeatures.
struct Channel {
  Route route = Route::collector_to_client;
  FeatureSet features = kPlainFeatures;
};

struct PduRow {
  PduType type;
  std::string_view text;    // as the specification names it
  std::string_view routes;  // letters of Route
  Feature feature;

  [[nodiscard]] bool goes(Route route) const {
    return routes.find(static_cast<char>(route)) != std::string_view::npos;
  }
};

// Every row of pdu.def, in its order, which is that of PduBody's alternatives.
[[nodiscard]] std::span<const PduRow> pdu_rows();
[[nodiscard]] const PduRow* find_pdu(uint32_t code);  // null: no such PDU
[[nodiscard]] std::string pdu_name(uint32_t code);    // "FETCH", "of type 0x7018"

}  // namespace pmjit::wire
