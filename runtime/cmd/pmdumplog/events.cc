// Event arrays: a paragraph a value. Source: spec tools.md §2.14.
#include "runtime/cmd/pmdumplog/record_printer.h"
#include "runtime/model/event_array.h"
#include "runtime/model/pm_codes.h"
#include "runtime/text/print_value.h"

namespace pmjit {

namespace {

// "5 (and 7 missed) event records"; the missed ones' own records count too.
std::string count_text(const std::vector<EventRecord>& records) {
  if (records.empty()) return "No event records";
  int64_t missed = 0;
  for (const EventRecord& record : records) missed += record.missed;
  std::string out = std::to_string(records.size());
  if (missed > 0) out += fmt::format(" (and {} missed)", missed);
  const bool one = static_cast<int64_t>(records.size()) + missed == 1;
  return out + (one ? " event record" : " event records");
}

void print_parameter(const EventParameter& parameter, const Metadata& metadata, Zone& zone,
                     ToolOutput& out) {
  const Desc* desc = metadata.desc(parameter.pmid);
  const std::string names = names_of(metadata, parameter.pmid, "");
  std::string text = "        ";
  if (names.empty()) {
    text += fmt::format("PMID: {}:", pmid_text(parameter.pmid));
  } else {
    text += fmt::format("{} ({}):", pmid_text(parameter.pmid), names);
  }
  if (desc == nullptr) {
    text += " pmLookupDesc: " + pm_error_text(pm_err::E_PMID_LOG);
  } else {
    text += " value ";
    append_value(text, parameter.format, desc->pm_type, parameter.value, {.zone = zone});
  }
  out << text << '\n';
}

void print_record(const EventRecord& record, const Metadata& metadata, Zone& zone,
                  ToolOutput& out) {
  if (record.flags != 0) {
    out.print(" flags {:#x} ({}) ---\n", record.flags, event_flags_text(record.flags));
  } else {
    out << " ---\n";
    if (record.parameters.empty()) out << "\t          No parameters\n";
  }
  if ((record.flags & kEventMissed) != 0) {
    out.print("        ==> {} missed event records\n", record.missed);
  }
  for (const EventParameter& parameter : record.parameters) {
    print_parameter(parameter, metadata, zone, out);
  }
}

}  // namespace

void RecordPrinter::print_events(const ReplayRecord& record, const RecordLayout& layout,
                                 const ValueSet& set, const MetricText& metric) {
  ToolOutput& out = dump_.out;
  take_set(record.head, layout, set, arena_, fetched_, [](int32_t) { return true; });
  for (const Value& value : fetched_.values) {
    out << metric.head_of(value.instance, record.stamp);
    const auto records = unpack_events(fetched_.format, value, metric.type());
    if (!records) {  // the rest of the array cannot be trusted
      out << '\n';
      continue;
    }
    out << count_text(*records) << '\n';
    for (size_t i = 0; i < records->size(); ++i) {
      const Stamp stamp = (*records)[i].stamp;
      const bool fine = metric.type() == pm_type::highres_event;
      out.print("        --- event record [{}] timestamp {}", i,
                fine ? time_of_day(stamp, Fraction::nano, dump_.stamps.zone())
                     : dump_.stamps.of_event(stamp));
      print_record((*records)[i], dump_.metadata(), dump_.stamps.zone(), out);
    }
  }
}

}  // namespace pmjit
