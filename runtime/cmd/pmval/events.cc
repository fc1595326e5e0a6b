#include "runtime/cmd/pmval/followed_metric.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/model/event_array.h"
#include "runtime/model/pm_codes.h"
#include "runtime/text/print_value.h"
#include "runtime/text/zone.h"

namespace pmjit {

namespace {

// Aggregates are never taken for numbers or texts here.
void put_hex(std::string& out, Bytes bytes) {
  out += '[';
  for (const std::byte byte : bytes) {
    fmt::format_to(std::back_inserter(out), "{:02x}", static_cast<unsigned>(byte));
  }
  out += ']';
}

void put_parameter(std::string& out, const EventParameter& parameter, Context& context,
                   Zone& zone) {
  const auto names = context.names(parameter.pmid);
  const auto desc = context.describe(parameter.pmid);
  if (!names) {
    fmt::format_to(std::back_inserter(out), "\t{}: pmNameID: {}\n", pmid_text(parameter.pmid),
                   pm_error_text(pm_err::E_PMID));
    return;
  }
  fmt::format_to(std::back_inserter(out), "    {} ", names->front());
  const int type = desc ? desc->pm_type : parameter.type;
  if (type == pm_type::aggregate || type == pm_type::aggregate_static) {
    put_hex(out, parameter.value.block);
  } else {
    append_value(out, parameter.format, type, parameter.value, {.zone = zone});
  }
  out += '\n';
}

void put_record(std::string& out, size_t number, const EventRecord& record, Context& context,
                Fraction fraction, Zone& zone) {
  out += "  ";
  put_time_of_day(out, record.stamp, fraction, zone);
  fmt::format_to(std::back_inserter(out), " --- event record [{}]", number);
  if (record.flags != 0) {
    fmt::format_to(std::back_inserter(out), " flags {:#x} ({})", record.flags,
                   event_flags_text(record.flags));
  }
  out += " ---\n";
  if ((record.flags & kEventMissed) != 0) {
    fmt::format_to(std::back_inserter(out), "    ==> {} missed event records\n", record.missed);
  }
  if (record.flags == 0 && record.parameters.empty()) out += "    ==> No parameters\n";
  for (const EventParameter& parameter : record.parameters) {
    put_parameter(out, parameter, context, zone);
  }
}

}  // namespace

void put_events(std::string& out, const ValSeries& series, Context& context, const FetchedSet& set,
                Zone& zone) {
  const int type = series.desc.pm_type;
  const Fraction fraction = type == pm_type::highres_event ? Fraction::nano : Fraction::milli;
  for (const Value& value : set.values) {
    const auto column =
        std::ranges::find(series.columns, value.instance, &ValSeries::Column::instance);
    if (!series.singular() && column == series.columns.end()) continue;
    out += series.name;
    if (!series.singular()) {
      fmt::format_to(
          std::back_inserter(out), "[{}]",
          column == series.columns.end() ? std::to_string(value.instance) : column->name);
    }
    const auto records = unpack_events(set.format, value, type);
    if (!records) {
      fmt::format_to(std::back_inserter(out), ": {}\n", pm_error_text(records.error()));
      continue;
    }
    fmt::format_to(std::back_inserter(out), ": {} event records\n", records->size());
    for (size_t i = 0; i < records->size(); ++i) {
      put_record(out, i, (*records)[i], context, fraction, zone);
    }
  }
}

}  // namespace pmjit
