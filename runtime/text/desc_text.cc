#include "runtime/text/desc_text.h"

#include <fmt/format.h>

#include <iterator>

#include "runtime/model/pm_type.h"

namespace pmjit {

std::string desc_type_text(int pm_type) {
  const std::string_view title = pm_type_title(pm_type);
  return title.empty() ? fmt::format("??? ({})", pm_type) : std::string(title);
}

std::string desc_semantics_text(Semantics semantics) {
  const std::string_view text = semantics_text(semantics);
  return text == "???" ? fmt::format("??? ({})", static_cast<int>(semantics)) : std::string(text);
}

std::string desc_units_text(Units units) {
  std::string text = units_text(units);
  return text.empty() ? "none" : text;
}

void append_desc(std::string& out, const Desc& desc) {
  out += "    Data Type: ";
  if (desc.pm_type == pm_type::nosupport) {
    out += "Not Supported\n";
    return;
  }
  fmt::format_to(std::back_inserter(out), "{}  InDom: {} {:#x}\n    Semantics: {}  Units: {}\n",
                 desc_type_text(desc.pm_type), indom_text(desc.indom), desc.indom,
                 desc_semantics_text(desc.semantics), desc_units_text(desc.units));
}

}  // namespace pmjit
