#include "runtime/report/find_named.h"
#include "runtime/report/writer.h"

namespace pmjit {

namespace {
constexpr Format kFormats[] = {
    {"table", "for people: one line per metric and instance, with units and a picture over time",
     make_table_writer, Format::Reasons::on_request, /*at_end=*/true},
    {"columns",
     "for people: one line per time, one column per metric and instance, as vmstat and pmrep have "
     "it; "
     "counters as rates unless --raw",
     make_columns_writer},
    {.name = "report",
     .what = "for people: the lines of the report of -p, which has it without -o",
     .make = make_report_writer,
     .laid_out = true},
    {"csv",
     "time,host,metric,instance,value: one row per value, ISO 8601 UTC times, absent values left "
     "out",
     make_csv_writer},
    {"csv-wide",
     "one row per time, one column per metric and instance that the archive ever had, or the host "
     "at the start: "
     "time,metric[instance],...; absent values empty",
     make_csv_wide_writer},
    {"json",
     "JSON lines: metadata first, then one object per value; unknown values are null, with the "
     "reason",
     make_json_writer, Format::Reasons::always},
    {"arrow",
     "Arrow IPC stream, binary: the rows of csv in columns time, host, metric, instance, value, "
     "with "
     "types; units and semantics in the fields' metadata",
     make_arrow_writer, Format::Reasons::never, /*at_end=*/false, /*binary=*/true},
    {"none", "evaluates and prints nothing (for --stats)", make_none_writer},
};
}

std::span<const Format> formats() { return kFormats; }

const Format* find_format(std::string_view name) { return find_named(formats(), name); }

}  // namespace pmjit
