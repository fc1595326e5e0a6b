#include "runtime/cmd/pmval/followed_metric.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

constexpr double kTimesInSecond[] = {1e9, 1e6, 1e3, 1, 1 / 60.0, 1 / 3600.0};  // by scale

// A rate has one time dimension less, and its time is seconds where it had none.
void set_rate(ValSeries& series) {
  series.rate = true;
  series.rate_units = series.desc.units;
  if (series.rate_units.dim_time == 0) {
    series.rate_units.scale_time = kTimeScaleSec;
  } else if (series.rate_units.scale_time < std::size(kTimesInSecond)) {
    series.time_scale = kTimesInSecond[series.rate_units.scale_time];
  }
  --series.rate_units.dim_time;
}

// The instances of a domain: of an archive all that there ever were.
class ValInstances {
 public:
  ValInstances(Context& context, const Metadata* metadata, InDomId indom)
      : context_(context),
        recorded_(metadata != nullptr),
        domain_(recorded_ ? metadata->domain(indom) : nullptr),
        indom_(indom) {}

  [[nodiscard]] OrPmError<std::vector<ValSeries::Column>> all() const {
    std::vector<ValSeries::Column> out;
    if (recorded_ && domain_ == nullptr) return pm_fail(pm_err::E_INDOM_LOG);
    if (recorded_) {
      for (const NamedInstance& instance : domain_->instances_ever()) {
        out.push_back({instance.id, std::string(instance.name)});
      }
      return out;
    }
    const auto found = context_.instances(indom_);
    if (!found) return pm_fail(found.error());
    for (const Context::Instance& instance : *found) out.push_back({instance.id, instance.name});
    return out;
  }
  [[nodiscard]] std::optional<int32_t> find(const std::string& name) const {
    if (!recorded_) {
      const auto found = context_.instance_id(indom_, name);
      return found ? std::optional<int32_t>(*found) : std::nullopt;
    }
    if (domain_ == nullptr) return std::nullopt;
    const auto found = domain_->id_ever(name);
    return found ? std::optional<int32_t>(*found) : std::nullopt;
  }

 private:
  Context& context_;
  bool recorded_;
  const Domain* domain_;
  InDomId indom_;
};

bool choose_instances(const ValInstances& instances, const std::vector<std::string>& names,
                      ValSeries& series, Messages& messages) {
  for (const std::string& name : names) {
    const auto id = instances.find(name);
    if (!id) {
      messages.complain(fmt::format("instance {} not available", name));
      return false;
    }
    series.columns.push_back({*id, name});
  }
  series.chosen = true;
  return true;
}

}  // namespace

std::optional<ValSeries> find_series(Context& context, const Metadata* metadata,
                                     const MetricSpec& spec, const ValRequest& request,
                                     Messages& messages) {
  const auto pmid = context.look_up(spec.metric);
  if (!pmid) {
    messages.complain(
        fmt::format("pmLookupName({}): {}", spec.metric, pm_error_text(pmid.error())));
    return std::nullopt;
  }
  const auto desc = context.describe(*pmid);
  if (!desc) {
    messages.complain(fmt::format("pmLookupDesc: {}", pm_error_text(desc.error())));
    return std::nullopt;
  }
  ValSeries series{.name = spec.metric, .desc = *desc};
  if (desc->semantics == Semantics::counter && !request.raw) set_rate(series);
  if (series.singular()) {
    // Only those of the operand are a mistake; -i is not looked at.
    if (spec.instances.empty()) return series;
    messages.complain(fmt::format("{}: singular metrics do not have instances", series.name));
    return std::nullopt;
  }
  const auto& names = request.instances.empty() ? spec.instances : request.instances;
  const ValInstances instances(context, metadata, desc->indom);
  if (!names.empty()) {
    if (!choose_instances(instances, names, series, messages)) return std::nullopt;
  } else {
    auto all = instances.all();
    if (!all) {
      messages.complain(
          fmt::format("pmGetInDom({}): {}", indom_text(desc->indom), pm_error_text(all.error())));
      return std::nullopt;
    }
    series.columns = *std::move(all);
  }
  std::ranges::stable_sort(series.columns, {}, &ValSeries::Column::instance);
  return series;
}

std::vector<std::string> split_instances(std::string_view text) {
  std::vector<std::string> out;
  constexpr std::string_view kBetween = " \t\n,";
  size_t at = 0;
  while ((at = text.find_first_not_of(kBetween, at)) != std::string_view::npos) {
    size_t end = 0;
    if (text[at] == '"' || text[at] == '\'') {
      end = std::min(text.find(text[at], at + 1), text.size());
      ++at;
    } else {
      end = std::min(text.find_first_of(kBetween, at), text.size());
    }
    out.emplace_back(text.substr(at, end - at));
    at = std::min(end + 1, text.size());
  }
  return out;
}

}  // namespace pmjit
