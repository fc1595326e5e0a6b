// A descriptor as pmPrintDesc prints it, for pminfo -d and pmdumplog -d: two lines,
//
//     Data Type: 32-bit int  InDom: 29.1 0x7400001
//     Semantics: instant  Units: none
//
// or one, where the metric is not supported. Source: spec pmapi.md §7, tools.md §2.6.
#pragma once

#include <string>

#include "runtime/model/desc.h"

namespace pmjit {

void append_desc(std::string& out, const Desc& desc);  // every line with its indent and newline

// The fields of it, for those who print them elsewhere.
std::string desc_type_text(int pm_type);               // "64-bit int", "??? (77)"
std::string desc_semantics_text(Semantics semantics);  // "counter", "??? (2)"
std::string desc_units_text(Units units);              // "Kbyte / sec", "none"

}  // namespace pmjit
