#include "agent/linux/linux_agent.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "agent/linux/linux_interrupts.h"
#include "runtime/base/result.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

// The units of linux_metrics.def, by the names that it has for them.
namespace linux_units {
constexpr Units none{}, count{.dim_count = 1}, byte{.dim_space = 1},
    kbyte{.dim_space = 1, .scale_space = 1}, mbyte{.dim_space = 1, .scale_space = 2},
    microsec{.dim_time = 1, .scale_time = 1}, millisec{.dim_time = 1, .scale_time = 2},
    sec{.dim_time = 1, .scale_time = kTimeScaleSec},
    count_per_sec{.dim_time = -1, .dim_count = 1, .scale_time = kTimeScaleSec},
    byte_per_sec{.dim_space = 1, .dim_time = -1, .scale_time = kTimeScaleSec},
    mbyte_per_sec{.dim_space = 1, .dim_time = -1, .scale_space = 2, .scale_time = kTimeScaleSec},
    per_microsec{.dim_time = -1, .scale_time = 1};
}  // namespace linux_units

const LinuxDomainRow* row_of_domain(LinuxDomain domain) {
  const auto rows = linux_domains();
  const auto found = std::ranges::find(rows, domain, &LinuxDomainRow::domain);
  return found == rows.end() ? nullptr : &*found;
}

const LinuxDomainRow* row_of_indom(InDomId indom) {
  const auto rows = linux_domains();
  const auto found = std::ranges::find_if(rows, [&](const LinuxDomainRow& row) {
    return make_indom(LinuxAgent::kDomain, row.serial) == indom;
  });
  return found == rows.end() ? nullptr : &*found;
}

InDomId indom_of(LinuxDomain domain) {
  const LinuxDomainRow* const row = row_of_domain(domain);
  return row == nullptr ? kNullId : make_indom(LinuxAgent::kDomain, row->serial);
}

AgentInDom indom_row(const LinuxDomainRow& row) {
  AgentInDom out{.id = make_indom(LinuxAgent::kDomain, row.serial), .text = std::string(row.text)};
  if (!row.device_type.empty()) out.labels = {{"device_type", std::string(row.device_type)}};
  if (!row.per.empty()) out.labels.push_back({"indom_name", json_string(row.per)});
  return out;
}

// One row of the table, before it is a metric.
struct LinuxMetricRow {
  std::string_view name;
  uint32_t cluster, item;
  int type;
  LinuxDomain domain;
  Semantics semantics;
  Units units;
  LinuxSourceId source;
  std::string_view place, text;
};

constexpr LinuxMetricRow kRows[] = {
#define METRIC(name, cluster, item, type, instances, semantics, units, source, place, text) \
  {name,                                                                                    \
   cluster,                                                                                 \
   item,                                                                                    \
   pm_type::type,                                                                           \
   LinuxDomain::instances,                                                                  \
   Semantics::semantics,                                                                    \
   linux_units::units,                                                                      \
   LinuxSourceId::source,                                                                   \
   place,                                                                                   \
   text},
#include "agent/linux/linux_metrics.def"
#undef METRIC
};

std::string help_of(const LinuxMetricRow& row) {
  if (row.source == LinuxSourceId::computed) return fmt::format("{}.", row.text);
  return fmt::format("{}.\nSource: {}, {}", row.text, source_of(row.source).path, row.place);
}

// Sums over processors have no instances that could say so.
std::vector<AgentLabel> labels_of(const LinuxMetricRow& row) {
  if (!row.name.starts_with("kernel.all.cpu.")) return {};
  return {{"device_type", json_string("cpu")}};
}

AgentMetric metric_of(const LinuxMetricRow& row) {
  return {.name = std::string(row.name),
          .desc = {.pmid = make_pmid(LinuxAgent::kDomain, row.cluster, row.item),
                   .pm_type = row.type,
                   .indom = indom_of(row.domain),
                   .semantics = row.semantics,
                   .units = row.units},
          .text = std::string(row.text),
          .help = help_of(row),
          .labels = labels_of(row)};
}

// False: it is not there, or is no number.
bool add_cell(const LinuxSheet& sheet, const PlaceSum& place, const AgentInstance& instance,
              AgentValues& out) {
  switch (out.desc().pm_type) {
    case pm_type::string: {
      const auto text = text_at(sheet, place, instance.name);
      if (text) out.add_text(instance.id, *text);
      return text.has_value();
    }
    case pm_type::f32:
    case pm_type::f64: {
      const auto number = number_at(sheet, place, instance.name);
      if (number) out.add_number(instance.id, *number);
      return number.has_value();
    }
    default: {
      const auto whole = whole_at(sheet, place, instance.name);
      if (whole) out.add_whole(instance.id, *whole);
      return whole.has_value();
    }
  }
}

}  // namespace

LinuxAgent::LinuxAgent(std::string root, MountRooms::Ask ask, std::chrono::milliseconds patience)
    : machine_(std::move(root), std::move(ask), patience) {
  for (const LinuxDomainRow& row : linux_domains()) indoms_.push_back(indom_row(row));
  add_metrics();
}

void LinuxAgent::add_metrics() {
  for (const LinuxMetricRow& row : kRows) {
    MetricPlan plan{.source = row.source, .domain = row.domain};
    if (row.source == LinuxSourceId::computed) {
      plan.computation = computation_of(row.place);
    } else {
      plan.places = parse_place(row.place);
    }
    metrics_.push_back(metric_of(row));
    plans_.push_back(std::move(plan));
  }
}

OrPmError<std::vector<AgentInstance>> LinuxAgent::instances(InDomId indom, const AgentAsker&) {
  const LinuxDomainRow* const row = row_of_indom(indom);
  if (row == nullptr) return pm_fail(pm_err::E_INDOM);
  machine_.begin();
  return machine_.instances(row->domain);
}

std::vector<std::vector<AgentLabel>> LinuxAgent::instance_labels(
    InDomId indom, std::span<const AgentInstance> instances) {
  std::vector<std::vector<AgentLabel>> out(instances.size());
  const LinuxDomainRow* const row = row_of_indom(indom);
  if (row == nullptr || row->label.empty()) return out;
  // As the instances have just been found: the file is not read again.
  const bool has_text = row->domain == LinuxDomain::irq || row->domain == LinuxDomain::irq_cpu;
  const LinuxSheet* const sheet = has_text ? machine_.sheet(LinuxSourceId::interrupts) : nullptr;
  std::optional<InterruptTable> table;
  if (sheet != nullptr) table.emplace(*sheet);
  for (size_t i = 0; i < out.size(); ++i) {
    const InterruptPlace place = interrupt_place(instances[i].name);
    if (row->domain == LinuxDomain::cpu) {
      out[i] = {{std::string(row->label), fmt::format("{}", instances[i].id)}};
      continue;
    }
    if (!place.processor.empty()) out[i] = {{"cpu", std::string(place.processor)}};
    out[i].push_back({std::string(row->label), json_string(place.kind)});
    const InterruptRow* const interrupt = table ? table->find(place.kind) : nullptr;
    if (interrupt != nullptr) out[i].push_back({"irqtext", json_string(interrupt->what)});
  }
  return out;
}

void LinuxAgent::fetch(std::span<const uint32_t> which, const AgentAsker&,
                       std::span<AgentValues* const> out) {
  machine_.begin();
  for (size_t i = 0; i < which.size(); ++i) fill(plans_[which[i]], *out[i]);
}

void LinuxAgent::fill(const MetricPlan& plan, AgentValues& out) {
  if (plan.computation != nullptr) return plan.computation(machine_, plan.domain, out);
  if (plan.places.size() > 1) return fill_fixed(plan, out);
  if (plan.domain == LinuxDomain::all_disks) return fill_sum(plan, out);
  if (plan.domain != LinuxDomain::none) return fill_instances(plan, out);
  const LinuxSheet* const sheet = machine_.sheet(plan.source);
  if (sheet == nullptr) return out.fail(pm_err::E_APPVERSION);
  (void)add_cell(*sheet, plan.places.front(), {.id = kSingular, .name = ""}, out);
}

void LinuxAgent::fill_instances(const MetricPlan& plan, AgentValues& out) {
  const bool of_each = source_of(plan.source).path.find('@') != std::string_view::npos;
  for (const AgentInstance& instance : machine_.instances(plan.domain)) {
    const LinuxSheet* const sheet =
        machine_.sheet(plan.source, of_each ? std::string_view(instance.name) : std::string_view());
    if (sheet != nullptr) {
      (void)add_cell(*sheet, plan.places.front(), instance, out);
    } else if (!of_each) {
      return out.fail(pm_err::E_APPVERSION);
    }
  }
}

void LinuxAgent::fill_sum(const MetricPlan& plan, AgentValues& out) {
  const LinuxSheet* const sheet = machine_.sheet(plan.source);
  if (sheet == nullptr) return out.fail(pm_err::E_APPVERSION);
  uint64_t sum = 0;
  for (const AgentInstance& disk : machine_.instances(LinuxDomain::disk)) {
    sum += whole_at(*sheet, plan.places.front(), disk.name).value_or(0);
  }
  out.add_whole(kSingular, sum);
}

void LinuxAgent::fill_fixed(const MetricPlan& plan, AgentValues& out) {
  const LinuxSheet* const sheet = machine_.sheet(plan.source);
  if (sheet == nullptr) return out.fail(pm_err::E_APPVERSION);
  const std::vector<AgentInstance>& instances = machine_.instances(plan.domain);
  check(instances.size() == plan.places.size(), "linux: a place for each instance");
  for (size_t i = 0; i < instances.size(); ++i) {
    (void)add_cell(*sheet, plan.places[i], instances[i], out);
  }
}

}  // namespace pmjit
