// pmPrintValue: a value as pminfo, pmprobe, pmval and pmdumplog print it. It is called for every
// value of an archive, so it appends to a text that the caller reuses. Source: spec pmapi.md §16.6.
//
//   std::string line;
//   append_value(line, set.format, desc.pm_type, set.values[0], {.zone = zone});
#pragma once

#include <expected>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "runtime/model/desc.h"
#include "runtime/model/value.h"
#include "runtime/text/zone.h"

namespace pmjit {

struct ValuePrinting {
  int min_width =
      1;             // shorter ones get blanks on the left; negative: numbers get them on the right
  const Zone& zone;  // for the times in an event array
};

void append_value(std::string& out, ValueFormat format, int type, const Value& value,
                  const ValuePrinting& how);

// "[2 event records timestamps 00:01:40.123...00:02:30.000]", the text for an event array.
void append_event_summary(std::string& out, const Value& value, bool highres, const Zone& zone);

// A descriptor as pmPrintDesc prints it, for pminfo -d and pmdumplog -d: two lines,
//
//     Data Type: 32-bit int  InDom: 29.1 0x7400001
//     Semantics: instant  Units: none
//
// or one, where the metric is not supported. Source: spec pmapi.md §7, tools.md §2.6.
void append_desc(std::string& out, const Desc& desc);  // every line with its indent and newline

// The fields of it, for those who print them elsewhere.
std::string desc_type_text(int pm_type);               // "64-bit int", "??? (77)"
std::string desc_semantics_text(Semantics semantics);  // "counter", "??? (2)"
std::string desc_units_text(Units units);              // "Kbyte / sec", "none"

// Label sets of several levels as one JSON object: nested objects become names with points, a later
// set's label replaces an earlier one's, labels are sorted by name. As pmMergeLabels has it.
// Source: spec pmapi.md §19.
//
//   merge_labels({context_json, indom_json, item_json})  →  {"agent":"linux","hostname":"h"}

// The labels of one set, as text; none: it is no JSON object, or cannot be one of labels.
using FlatLabels = std::map<std::string, std::string, std::less<>>;
[[nodiscard]] std::optional<FlatLabels> flat_labels(std::string_view json);

// "" for nothing but empty sets. Not JSON, or a name that is none: a negative errno.
[[nodiscard]] std::expected<std::string, int> merge_labels(std::span<const std::string_view> sets);

}  // namespace pmjit
