// Values, series and labels of single instances. Their names are those that the domain had when
// pminfo last came to it from another domain, even where a value is from another time.

#include <fmt/ranges.h>

#include <algorithm>

#include "runtime/cmd/pminfo/report.h"
#include "runtime/model/event_array.h"
#include "runtime/model/pm_codes.h"
#include "runtime/text/print_value.h"
#include "runtime/text/zone.h"

namespace pmjit {

namespace {

// Event records, each with its parameters.
void put_parameter(const EventParameter& parameter, MetricSession& context, ToolOutput& out) {
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

bool InfoReport::load_instances(InDomId indom) {
  if (indom_ != indom) {
    indom_ = indom;
    instances_ = context_.metrics().instances(indom);
    // A host has an order of its own, in which they are listed.
    by_id_.clear();
    if (instances_) {
      if (!context_.live()) std::ranges::stable_sort(*instances_, {}, &Context::Instance::id);
      for (const Context::Instance& instance : *instances_) by_id_.push_back(&instance);
      std::ranges::stable_sort(by_id_, {}, &Context::Instance::id);
    }
  }
  return instances_.has_value();
}

const Context::Instance* InfoReport::find_instance(int32_t id) const {
  if (!instances_) return nullptr;
  const auto found = std::ranges::lower_bound(by_id_, id, {}, &Context::Instance::id);
  return found == by_id_.end() || (*found)->id != id ? nullptr : *found;
}

void InfoReport::put_values(const Desc& desc, const FetchedSet& set) {
  if (set.count < 0) {
    out_.print("Error: {}\n", pm_error_text(set.count));
  } else if (set.count == 0) {
    out_ << "No value(s) available!\n";
  }
  for (const Value& value : set.values) put_value(desc, set, value);
}

void InfoReport::put_value(const Desc& desc, const FetchedSet& set, const Value& value) {
  if (desc.indom != kNullId) {
    (void)load_instances(desc.indom);
    if (const Context::Instance* instance = find_instance(value.instance)) {
      out_.print("    inst [{} or \"{}\"]", value.instance, instance->name);
    } else if (request_.all_values) {
      out_.print("    inst [{} \"DISAPPEARED\"]\n", value.instance);
      return;
    } else {
      out_.print("pmNameIndom: indom={} inst={}: {}\n    inst [{}]", indom_text(desc.indom),
                 value.instance, pm_error_text(pm_err::E_INST), value.instance);
    }
  } else {
    out_ << "   ";
  }
  std::string text = " value ";
  append_value(text, set.format, desc.pm_type, value, {.zone = context_.zone()});
  out_ << text << '\n';
  if (request_.events && is_event_type(desc.pm_type)) put_events(desc, set, value);
}

// Instances with labels of their own, or all there are.
void InfoReport::put_instances(const Desc& desc) {
  if (desc.indom == kNullId) return;
  (void)load_instances(desc.indom);
  levels_.move_to_instances(desc.indom);
  struct Listed {
    int32_t id;
    std::optional<std::string_view> name{};
    const LabelSet* labels = nullptr;
  };
  std::vector<Listed> listed;
  for (const LabelSet* set : levels_.instances()) {
    listed.push_back({.id = set->instance, .labels = set});
    if (const Context::Instance* known = find_instance(set->instance))
      listed.back().name = known->name;
  }
  if (listed.empty() && instances_) {
    for (const Context::Instance& instance : *instances_) {
      listed.push_back({.id = instance.id, .name = instance.name});
    }
  }
  const auto put_each = [&](std::string_view what, auto text_of) {
    for (const Listed& instance : listed) {
      out_.print("    inst [{} or \"{}\"] {} {}\n", instance.id,
                 instance.name.value_or("DISAPPEARED"), what, text_of(instance));
    }
  };
  if (request_.series) {
    put_each("series", [&](const Listed& instance) {
      return sha1_hex(fmt::format(R"({{"series":"instance","name":"{}","labels":{}}})",
                                  instance.name.value_or("???"),
                                  levels_.instance_series(instance.labels)));
    });
  }
  if (request_.labels) {
    put_each("labels", [&](const Listed& instance) { return levels_.instance(instance.labels); });
  }
}

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
