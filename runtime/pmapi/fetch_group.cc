#include "runtime/pmapi/fetch_group.h"

#include <algorithm>

#include "runtime/pmapi/internal.h"

using namespace pmjit;

namespace {

// Where the status of a metric as a whole goes. DISCRETE values stay until there are others.
int status_of(const GroupValues* now) {
  if (now == nullptr) return PM_ERR_VALUE;
  return now->status < 0 ? now->status : 0;
}

class ItemOutput final : public GroupOutput {
 public:
  ItemOutput(const GroupMetric& metric, int instance, pmAtomValue* out, int* status)
      : metric_(metric), instance_(instance), out_(out), status_(status) {}

  [[nodiscard]] bool stays() const override { return metric_.desc.sem == PM_SEM_DISCRETE; }
  void reset() override { put_no_value(metric_.otype, out_); }
  void fail(int code) override { say(code); }
  void take(__pmFetchGroup& group) override {
    const GroupValues* const now = group.latest->find(metric_.desc.pmid);
    if (const int code = status_of(now)) return say(code);
    // A discrete metric keeps its status as it keeps its value.
    if (now->values.empty() && metric_.desc.sem == PM_SEM_DISCRETE) return;
    const pmValue* const value = now->find(instance_);
    if (value == nullptr) return say(PM_ERR_VALUE);
    pmAtomValue made{.ull = 0};
    const int code = group_value(group, metric_, *now, *value, made);
    if (code < 0) return say(code);
    if (out_ != nullptr) *out_ = made;
    say(0);
  }

 private:
  void say(int code) {
    if (status_ != nullptr) *status_ = code;
  }

  GroupMetric metric_;
  int instance_;
  pmAtomValue* out_;
  int* status_;
};

// The columns that a program has for several values.
struct Columns {
  int* codes = nullptr;
  char** names = nullptr;
  struct timespec* times = nullptr;
  pmAtomValue* values = nullptr;
  int* statuses = nullptr;
  unsigned room = 0;
  unsigned* count = nullptr;
  int* status = nullptr;

  // But for the instances: these stay as they are.
  void reset(int otype) const {
    for (unsigned i = 0; i < room; ++i) {
      if (names != nullptr) names[i] = nullptr;
      if (times != nullptr) times[i] = {};
      if (values != nullptr) put_no_value(otype, &values[i]);
      if (statuses != nullptr) statuses[i] = PM_ERR_VALUE;
    }
    if (count != nullptr) *count = 0;
  }
  void say(int code) const {
    if (status != nullptr) *status = code;
  }
};

__pmFetchGroup::Names listed(pmInDom indom) {
  int* instances = nullptr;
  char** names = nullptr;
  const int count = pmGetInDom(indom, &instances, &names);
  __pmFetchGroup::Names out;
  for (int i = 0; i < count; ++i) out.try_emplace(instances[i], names[i]);
  if (count > 0) std::free(instances), std::free(names);
  return out;
}

class IndomOutput final : public GroupOutput {
 public:
  IndomOutput(const GroupMetric& metric, const Columns& out) : metric_(metric), out_(out) {}

  [[nodiscard]] bool stays() const override { return metric_.desc.sem == PM_SEM_DISCRETE; }
  void reset() override { out_.reset(metric_.otype); }
  void fail(int code) override { out_.say(code); }
  void take(__pmFetchGroup& group) override {
    const GroupValues* const now = group.latest->find(metric_.desc.pmid);
    if (const int code = status_of(now)) return out_.say(code);
    // libpcp leaves the status of a DISCRETE metric as it was until there are values.
    if (now->values.empty() && stays()) return;
    if (now->values.size() > out_.room) return out_.say(PM_ERR_TOOBIG);
    std::vector<pmValue> values = now->values;
    std::ranges::stable_sort(values, {}, &pmValue::inst);
    know_names(group, values);
    for (unsigned i = 0; i < values.size(); ++i) put(group, *now, values[i], i);
    if (out_.count != nullptr) *out_.count = static_cast<unsigned>(values.size());
    out_.say(0);
  }

 private:
  void put(__pmFetchGroup& group, const GroupValues& now, const pmValue& value, unsigned at) {
    if (out_.codes != nullptr) out_.codes[at] = value.inst;
    if (out_.names != nullptr) out_.names[at] = name_of(group, value.inst);
    pmAtomValue made{.ull = 0};
    const int code = group_value(group, metric_, now, value, made);
    if (code < 0) put_no_value(metric_.otype, &made);
    if (out_.values != nullptr) out_.values[at] = made;
    if (out_.statuses != nullptr) out_.statuses[at] = code;
  }

  char* name_of(__pmFetchGroup& group, int instance) const {
    if (metric_.desc.indom == PM_INDOM_NULL) return nullptr;
    auto& names = group.names[metric_.desc.indom];
    const auto known = names.find(instance);
    return known == names.end() ? nullptr : known->second.data();
  }
  // All instances are listed again where one is unknown.
  void know_names(__pmFetchGroup& group, const std::vector<pmValue>& values) const {
    const pmInDom indom = metric_.desc.indom;
    if (out_.names == nullptr || indom == PM_INDOM_NULL) return;
    const auto known = group.names.find(indom);
    if (known != group.names.end()) {
      const auto is_known = [&](const pmValue& value) {
        return known->second.contains(value.inst);
      };
      if (std::ranges::all_of(values, is_known)) return;
      group.names_before.push_back(std::move(known->second));
    }
    group.names[indom] = listed(indom);
  }

  GroupMetric metric_;
  Columns out_;
};

class EventOutput final : public GroupOutput {
 public:
  EventOutput(const pmDesc& event, int instance, const GroupMetric& field, const Columns& out)
      : event_(event), instance_(instance), field_(field), out_(out) {}

  void reset() override { out_.reset(field_.otype); }
  void fail(int code) override { out_.say(code); }
  void take(__pmFetchGroup& group) override {
    const GroupValues* const now = group.latest->find(event_.pmid);
    if (const int code = status_of(now)) return out_.say(code);
    const pmValue* const value = now->find(instance_);
    if (value == nullptr) return out_.say(PM_ERR_VALUE);
    pmValueSet set{.pmid = event_.pmid, .numval = 1, .valfmt = now->valfmt, .vlist = {*value}};
    if (event_.type == PM_TYPE_HIGHRES_EVENT) {
      pmHighResResult** records = nullptr;
      const int count = pmUnpackHighResEventRecords(&set, 0, &records);
      take_records(group, count, records);
      pmFreeHighResEventResult(records);
    } else {
      pmResult** records = nullptr;
      const int count = pmUnpackEventRecords(&set, 0, &records);
      take_records(group, count, records);
      pmFreeEventResult(records);
    }
  }

 private:
  template <class Record>
  void take_records(__pmFetchGroup& group, int count, Record* const* records) {
    if (count < 0) return out_.say(count);
    unsigned found = 0;
    for (int i = 0; i < count; ++i) {
      for (int k = 0; k < records[i]->numpmid; ++k) {
        const pmValueSet& set = *records[i]->vset[k];
        if (set.pmid != field_.desc.pmid || set.numval < 1) continue;
        if (found < out_.room) put(group, *records[i], set, found);
        ++found;
      }
    }
    if (found > out_.room) {
      out_.reset(field_.otype);
      return out_.say(PM_ERR_TOOBIG);
    }
    if (out_.count != nullptr) *out_.count = found;
    out_.say(0);
  }
  template <class Record>
  void put(__pmFetchGroup& group, const Record& record, const pmValueSet& set, unsigned at) {
    if (out_.times != nullptr) put_time(stamp_of(record.timestamp), out_.times[at]);
    pmAtomValue made{.ull = 0};
    const int code = converted_value(group, field_, set.valfmt, set.vlist[0], made);
    if (code < 0) put_no_value(field_.otype, &made);
    if (out_.values != nullptr) out_.values[at] = made;
    if (out_.statuses != nullptr) out_.statuses[at] = code;
  }

  pmDesc event_;
  int instance_;
  GroupMetric field_;
  Columns out_;
};

template <class Time>
class TimeOutput final : public GroupOutput {
 public:
  explicit TimeOutput(Time* out) : out_(out) {}
  void reset() override {
    if (out_ != nullptr) *out_ = {};
  }
  void let_go() override {}
  void fail(int) override {
    if (out_ != nullptr) put_time(stamp_now(), *out_);
  }
  void take(__pmFetchGroup& group) override {
    if (out_ != nullptr) put_time(stamp_of(group.latest->when), *out_);
  }

 private:
  Time* out_;
};

// The metric of a name, and what its values become. Its types are checked behind its instance.
int find_metric(const char* name, pmDesc& out) {
  pmID pmid = PM_ID_NULL;
  const int code = pmLookupName(1, &name, &pmid);
  return code < 0 ? code : pmLookupDesc(pmid, &out);
}

// The instance of a name, which a metric has to have exactly where it has instances.
int find_instance(const pmDesc& desc, const char* name, int& out) {
  if ((desc.indom == PM_INDOM_NULL) != (name == nullptr)) return PM_ERR_INDOM;
  out = static_cast<int>(PM_IN_NULL);
  if (name == nullptr) return 0;
  const auto context = the_library().find(current_handle());
  const bool archive = context != nullptr && context->archive() != nullptr;
  const int found =
      archive ? pmLookupInDomArchive(desc.indom, name) : pmLookupInDom(desc.indom, name);
  if (found < 0) return found;
  out = found;
  return pmAddProfile(desc.indom, 1, &out);
}

// What has not been found in archives is looked for at their end by libpcp, which then comes back:
// the last record is fetched once more.
int not_found(int code) {
  const auto current = Working::current();
  if (!current) return code;
  if (ArchiveContext* const archive = (*current)->archive()) {
    ReplayContext& replay = archive->replay();
    replay.set_mode(replay.mode(), std::nullopt, replay.step());
  }
  return code;
}

// A metric and one of its instances.
int find_item(const char* name, const char* instance, pmDesc& desc, int& id) {
  int code = find_metric(name, desc);
  if (code >= 0) code = find_instance(desc, instance, id);
  return code < 0 ? not_found(code) : 0;
}

template <class Time>
int add_time(__pmFetchGroup& group, Time* out) {
  group.outputs.push_back(std::make_unique<TimeOutput<Time>>(out));
  group.outputs.back()->reset();
  return 0;
}

int check_conversion(const char* scale, int otype, GroupMetric& metric) {
  if (!is_group_type(metric.desc.type) || !is_group_type(otype)) return PM_ERR_TYPE;
  const auto conversion = GroupConversion::of(metric.desc, scale);
  if (!conversion) return conversion.error();
  metric.otype = otype;
  metric.conversion = *conversion;
  return 0;
}

// Group calls make its context current, and leave it so.
template <class Call>
int with_group(pmFG group, Call&& call) {
  return at_c_border([&] {
    if (!the_library().has_group(group)) return -EINVAL;
    const int code = pmUseContext(group->handle);
    return code < 0 ? code : call(*group);
  });
}

// The texts of what stays are needed still.
void reset_moving(const __pmFetchGroup& group) {
  for (const auto& output : group.outputs) {
    if (!output->stays()) output->reset();
  }
}

int fetch_all(__pmFetchGroup& group) {
  pmHighResResult* result = nullptr;
  const int code =
      pmFetchHighRes(static_cast<int>(group.pmids.size()), group.pmids.data(), &result);
  if (code < 0) {
    reset_moving(group);
    for (const auto& output : group.outputs) output->fail(PM_ERR_VALUE);
    return code;
  }
  for (const auto& output : group.outputs) output->reset();
  group.texts.clear();
  group.names_before.clear();
  auto latest = std::make_unique<GroupFetch>();
  latest->take(result);
  if (group.latest != nullptr) latest->keep(*group.latest, group.discrete);
  group.previous = std::exchange(group.latest, std::move(latest));
  for (const auto& output : group.outputs) output->take(group);
  return code;
}

}  // namespace

void __pmFetchGroup::want(const pmDesc& desc) {
  if (std::ranges::find(pmids, desc.pmid) == pmids.end()) pmids.push_back(desc.pmid);
  if (desc.sem == PM_SEM_DISCRETE) discrete.insert(desc.pmid);
}

void __pmFetchGroup::forget_all() {
  for (const auto& output : outputs) output->let_go();
  outputs.clear();
  pmids.clear();
  discrete.clear();
  previous.reset();
  latest.reset();
  texts.clear();
  names.clear();
  names_before.clear();
}

int pmCreateFetchGroup(pmFG* out, int type, const char* name) {
  if (out == nullptr) return -EINVAL;
  *out = nullptr;
  return at_c_border([&] {
    auto group = std::make_unique<__pmFetchGroup>();
    group->handle = pmNewContext(type, name);
    if (group->handle < 0) return group->handle;
    group->wraps = std::getenv("PCP_COUNTER_WRAP") != nullptr;
    const int code = pmDelProfile(PM_INDOM_NULL, 0, nullptr);
    if (code < 0) return code;
    the_library().add_group(group.get());
    *out = group.release();
    return 0;
  });
}

int pmGetFetchGroupContext(pmFG group) {
  return at_c_border([&] { return the_library().has_group(group) ? group->handle : -EINVAL; });
}

int pmExtendFetchGroup_item(pmFG group, const char* name, const char* instance, const char* scale,
                            pmAtomValue* out, int otype, int* status) {
  if (name == nullptr) return -EINVAL;
  return with_group(group, [&](__pmFetchGroup& of) {
    GroupMetric metric;
    int id = 0;
    int code = find_item(name, instance, metric.desc, id);
    if (code < 0) return code;
    code = check_conversion(scale, otype, metric);
    if (code < 0) return code;
    of.want(metric.desc);
    of.outputs.push_back(std::make_unique<ItemOutput>(metric, id, out, status));
    of.outputs.back()->reset();
    return 0;
  });
}

int pmExtendFetchGroup_indom(pmFG group, const char* name, const char* scale, int codes[],
                             char* names[], pmAtomValue values[], int otype, int statuses[],
                             unsigned int room, unsigned int* count, int* status) {
  if (name == nullptr) return -EINVAL;
  return with_group(group, [&](__pmFetchGroup& of) {
    GroupMetric metric;
    int code = find_metric(name, metric.desc);
    if (code < 0) return code;
    code = check_conversion(scale, otype, metric);
    if (code < 0) return code;
    if (metric.desc.indom != PM_INDOM_NULL) {
      code = pmAddProfile(metric.desc.indom, 0, nullptr);
      if (code < 0) return code;
    }
    of.want(metric.desc);
    of.outputs.push_back(std::make_unique<IndomOutput>(metric, Columns{.codes = codes,
                                                                       .names = names,
                                                                       .values = values,
                                                                       .statuses = statuses,
                                                                       .room = room,
                                                                       .count = count,
                                                                       .status = status}));
    of.outputs.back()->reset();
    return 0;
  });
}

int pmExtendFetchGroup_event(pmFG group, const char* name, const char* instance, const char* field,
                             const char* scale, struct timespec times[], pmAtomValue values[],
                             int otype, int statuses[], unsigned int room, unsigned int* count,
                             int* status) {
  if (name == nullptr) return -EINVAL;
  return with_group(group, [&](__pmFetchGroup& of) {
    pmDesc event{};
    int id = 0;
    int code = find_item(name, instance, event, id);
    if (code < 0) return code;
    if (field == nullptr) return -EINVAL;
    GroupMetric metric;
    int none = 0;
    code = find_item(field, nullptr, metric.desc, none);
    if (code < 0) return code;
    if (event.type != PM_TYPE_EVENT && event.type != PM_TYPE_HIGHRES_EVENT) return PM_ERR_TYPE;
    // Values of records are as they are, whatever the metric is elsewhere.
    code = check_conversion(scale == nullptr ? "instant" : scale, otype, metric);
    if (code < 0) return code;
    if (metric.conversion.rate) return PM_ERR_CONV;
    of.want(event);
    of.outputs.push_back(std::make_unique<EventOutput>(event, id, metric,
                                                       Columns{.times = times,
                                                               .values = values,
                                                               .statuses = statuses,
                                                               .room = room,
                                                               .count = count,
                                                               .status = status}));
    of.outputs.back()->reset();
    return 0;
  });
}

int pmExtendFetchGroup_timeval(pmFG group, struct timeval* out) {
  return with_group(group, [&](__pmFetchGroup& of) { return add_time(of, out); });
}
int pmExtendFetchGroup_timestamp(pmFG group, struct timeval* out) {
  return pmExtendFetchGroup_timeval(group, out);
}
int pmExtendFetchGroup_timespec(pmFG group, struct timespec* out) {
  return with_group(group, [&](__pmFetchGroup& of) { return add_time(of, out); });
}

int pmFetchGroup(pmFG group) {
  return at_c_border([&] {
    if (!the_library().has_group(group)) return -EINVAL;
    const int code = pmUseContext(group->handle);
    if (code >= 0) return fetch_all(*group);
    reset_moving(*group);
    return code;
  });
}

int pmClearFetchGroup(pmFG group) {
  return at_c_border([&] {
    if (!the_library().has_group(group)) return -EINVAL;
    group->forget_all();
    const int code = pmUseContext(group->handle);
    return code < 0 ? code : pmDelProfile(PM_INDOM_NULL, 0, nullptr);
  });
}

// Also where the program has destroyed the context itself.
int pmDestroyFetchGroup(pmFG group) {
  return at_c_border([&] {
    if (!the_library().has_group(group)) return -EINVAL;
    group->forget_all();
    the_library().remove_group(group);
    pmDestroyContext(group->handle);
    delete group;
    return 0;
  });
}
