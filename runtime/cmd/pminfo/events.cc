// Event records, each with its parameters.
#include <fmt/ranges.h>

#include "runtime/cmd/pminfo/report.h"
#include "runtime/model/event_array.h"
#include "runtime/model/pm_type.h"
#include "runtime/text/print_value.h"
#include "runtime/text/time_text.h"

namespace pmjit {

namespace {

void put_parameter(const EventParameter& parameter, ArchiveSession& context, ToolOutput& out) {
  std::string names;
  if (const auto known = context.metrics().names(parameter.pmid)) {
    names = fmt::format("{}", fmt::join(*known, " or "));
  }
  if (names.empty()) {
    out.print("\tPMID: {}\n", pmid_text(parameter.pmid));
  } else {
    out.print("    {} ({})\n", names, pmid_text(parameter.pmid));
  }
  const auto desc = context.metrics().describe(parameter.pmid);
  if (!desc) {
    out.print("\tpmLookupDesc: {}\n", pm_error_text(desc.error()));
    return;
  }
  std::string text = "        value ";
  append_value(text, parameter.format, desc->pm_type, parameter.value, {.zone = context.zone()});
  out << text << '\n';
}

}  // namespace

void InfoReport::put_events(const Desc& desc, const FetchedSet& set, const Value& value) {
  const auto records = unpack_events(set.format, value, desc.pm_type);
  if (!records) return;
  const Fraction fraction =
      desc.pm_type == pm_type::highres_event ? Fraction::nano : Fraction::milli;
  for (size_t i = 0; i < records->size(); ++i) {
    const EventRecord& record = (*records)[i];
    out_.print("    --- event record [{}] timestamp {}", i,
               time_of_day(record.stamp, fraction, context_.zone()));
    if (record.flags != 0) {
      out_.print(" flags {:#x} ({}) ---\n", record.flags, event_flags_text(record.flags));
    } else {
      out_ << " ---\n";
      if (record.parameters.empty()) out_ << "\tNo parameters\n";
    }
    if ((record.flags & kEventMissed) != 0) {
      out_.print("        ==> {} missed event records\n", record.missed);
    }
    for (const EventParameter& parameter : record.parameters) {
      put_parameter(parameter, context_, out_);
    }
  }
}

}  // namespace pmjit
