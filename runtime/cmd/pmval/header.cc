#include "runtime/cmd/pmval/header.h"

#include <fmt/format.h>

#include "runtime/model/pm_type.h"
#include "runtime/text/time_text.h"

namespace pmjit {

namespace {

std::string semantics_line(const ValSeries& series) {
  switch (series.desc.semantics) {
    case Semantics::counter:
      return std::string("cumulative counter") + (series.rate ? " (converting to rate)" : "");
    case Semantics::instant: return "instantaneous value";
    case Semantics::discrete: return "discrete instantaneous value";
  }
  return "unknown";
}

std::string units_line(const ValSeries& series) {
  std::string text = units_text(series.desc.units);
  if (text.empty()) text = "none";
  if (!series.rate) return text;
  const std::string rate = units_text(series.rate_units);
  return fmt::format("{} (converting to {})", text, rate.empty() ? "time utilization" : rate);
}

}  // namespace

std::string val_header(const ValSeries& series, const ValRequest& request, const ValPlan& plan,
                       const std::string& archive, const std::string& host, Zone& zone) {
  const bool events = is_event_type(series.desc.pm_type);
  std::string out;
  if (!events) out += fmt::format("metric:    {}\n", series.name);
  out += fmt::format("archive:   {}\nhost:      {}\nstart:     {}", archive, host,
                     pm_ctime(plan.start.sec, zone));
  if (plan.end.sec != kStampMax.sec) out += "end:       " + pm_ctime(plan.end.sec, zone);
  if (!events) {
    out +=
        fmt::format("semantics: {}\nunits:     {}\n", semantics_line(series), units_line(series));
  }
  out += plan.samples ? fmt::format("samples:   {}\n", *plan.samples) : "samples:   all\n";
  const bool grid = !request.records && !events;
  if (grid && plan.samples.value_or(1) > 1) {
    out += fmt::format("interval:  {:.2f} sec\n", to_real(plan.interval));
  }
  return out;
}

}  // namespace pmjit
