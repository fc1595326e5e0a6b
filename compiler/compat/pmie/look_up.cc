#include "compiler/compat/pmie/statement_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "compiler/compat/pmie/words.h"
#include "runtime/model/pm_codes.h"

namespace pmjit::pmie {
namespace {

// Exact, or, where either has a blank, the words before the first blank.
bool same_instance(std::string_view written, std::string_view name) {
  if (written == name) return true;
  const size_t a = written.find(' '), b = name.find(' ');
  if (a == written.npos && b == name.npos) return false;
  return written.substr(0, a) == name.substr(0, b);
}

class LookUp {
 public:
  LookUp(const WrittenFetch& written, RuleMetrics& metrics, DomainLists& lists,
         RuleReader::Messages& messages, const std::string& program)
      : written_(written),
        metrics_(metrics),
        lists_(lists),
        messages_(messages),
        program_(program) {}

  Result<std::optional<BoundFetch>> run() {
    BoundFetch bound;
    Fetch& fetch = bound.fetch;
    fetch.name = written_.name;
    fetch.hosts_written = !written_.hosts.empty();
    fetch.instances_listed = !written_.instances.empty();
    set_samples(written_, fetch);
    const std::vector<std::string> hosts =
        fetch.hosts_written ? written_.hosts : std::vector<std::string>{""};
    bool whole = true;
    for (const std::string& host : hosts) {
      const auto source = metrics_.source(host);
      if (!source) return fail(source.error());
      auto metric = whole ? one_host(*source) : std::nullopt;
      if (!metric && whole && may_come_) metric = waiting(*source);
      whole = metric.has_value();
      if (whole) fetch.hosts.push_back(std::move(*metric));
    }
    if (!whole) return std::nullopt;
    bound.shape.hosts = static_cast<int32_t>(hosts.size());
    bound.shape.insts = known_elements(fetch);
    return bound;
  }

  std::optional<HostMetric> one_host(uint32_t source) {
    may_come_ = metrics_.is_live();
    if (metrics_.is_down(source)) return std::nullopt;
    const auto pmid = metrics_.look_up(source, written_.name);
    if (!pmid) {
      say(source, "not in namespace for", "pmLookupName", pmid.error());
      return std::nullopt;
    }
    const auto desc = metrics_.describe(source, *pmid);
    if (!desc) {
      say(source, "not currently available from", "pmLookupDesc", desc.error());
      return std::nullopt;
    }
    if (desc->pm_type > pm_type::string) {
      may_come_ = false;
      messages_.put(fmt::format("{}: metric {} has inappropriate type\n", program_, written_.name));
      return std::nullopt;
    }
    HostMetric metric{
        .source = source, .pmid = *pmid, .desc = *desc, .scale = canonical_factor(desc->units)};
    return add_instances(metric) ? std::optional(std::move(metric)) : std::nullopt;
  }

  // Nothing is known of it but which instances are wanted.
  HostMetric waiting(uint32_t source) {
    HostMetric out{.source = source,
                   .desc = {.pm_type = pm_type::f64, .semantics = Semantics::instant},
                   .waiting = true};
    if (written_.instances.empty()) return out;
    InstanceList list;
    for (const std::string& name : written_.instances) list.instances.push_back({-1, name});
    out.list = std::make_shared<const InstanceList>(std::move(list));
    return out;
  }

 private:
  // Of a host that went while it was asked, that it went is enough.
  void say(uint32_t source, std::string_view what, std::string_view call, int error) {
    if (metrics_.is_down(source)) return;
    absent(source, fmt::format("{}: metric {} {} {}\n{} failed: {}\n", program_, written_.name,
                               what, metrics_.title(source), call, pm_error_text(error)));
  }

  void absent(uint32_t source, std::string text) {
    messages_.absent(
        {.name = written_.name, .host = metrics_.host(source), .text = std::move(text)});
  }

  bool add_instances(HostMetric& metric) {
    const bool listed = !written_.instances.empty();
    if (metric.desc.indom == kNullId) {
      if (listed) {
        may_come_ = false;
        messages_.put(fmt::format("{}: metric {} has no instances\n", program_, written_.name));
      }
      return !listed;
    }
    const auto all = all_of(metric.source, metric.desc.indom);
    if (!all) {
      say_no_instances(metric.source, all.error());
      return false;
    }
    if (!listed) {
      metric.list = *all;
      return true;
    }
    InstanceList list;
    bool whole = true;
    for (const std::string& wanted : written_.instances) {
      whole &= add_listed(metric, **all, wanted, list);
    }
    metric.list = std::make_shared<const InstanceList>(std::move(list));
    return whole;
  }

  void say_no_instances(uint32_t source, int error) {
    if (metrics_.is_down(source)) return;
    const std::string title = metrics_.title(source);
    absent(source,
           metrics_.is_live()
               ? fmt::format("Instance domain for metric {} from {} not (currently) available\n"
                             "pmGetIndom failed: {}\n",
                             written_.name, title, pm_error_text(error))
               : fmt::format("Metric {} from {} - instance domain not available in archive\n"
                             "pmGetInDomArchive failed: {}\n",
                             written_.name, title, pm_error_text(error)));
  }

  OrPmError<std::shared_ptr<const InstanceList>> all_of(uint32_t source, InDomId domain) {
    const auto known = lists_.find({source, domain});
    if (known != lists_.end()) return known->second;
    const auto all = metrics_.instances(source, domain);
    if (!all) return pm_fail(all.error());
    InstanceList list;
    for (const Catalog::Instance& i : *all) list.instances.push_back({i.id, i.name});
    list.by_id.resize(all->size());
    std::iota(list.by_id.begin(), list.by_id.end(), 0U);
    std::ranges::sort(list.by_id, {}, [&](uint32_t i) { return list.instances[i].id; });
    std::vector<std::string> names;
    for (const uint32_t i : list.by_id) names.push_back(list.instances[i].name);
    list.names_by_id = std::make_shared<const std::vector<std::string>>(std::move(names));
    return lists_[{source, domain}] = std::make_shared<const InstanceList>(std::move(list));
  }

  bool add_listed(const HostMetric& metric, const InstanceList& all, const std::string& wanted,
                  InstanceList& to) {
    const auto found = std::ranges::find_if(
        all.instances, [&](const auto& instance) { return same_instance(wanted, instance.name); });
    if (found == all.instances.end()) {
      AbsentInstance absent{
          .metric = written_.name,
          .name = wanted,
          .host = metrics_.host(metric.source),
          .text = fmt::format("metric {} from {} does not (currently) have instance \"{}\"",
                              written_.name, metrics_.title(metric.source), wanted)};
      for (const auto& instance : all.instances) absent.there.push_back(instance.name);
      messages_.absent_instance(absent);
      return false;
    }
    to.instances.push_back({found->id, wanted});  // as written: so it is shown
    return true;
  }

  const WrittenFetch& written_;
  RuleMetrics& metrics_;
  DomainLists& lists_;
  RuleReader::Messages& messages_;
  const std::string& program_;
  bool may_come_ = false;  // what one_host() did not find
};

class Unheard final : public RuleReader::Messages {
 public:
  void put(std::string_view) override {}
  void log(std::string_view, std::string_view) override {}
};

}  // namespace

void set_samples(const WrittenFetch& written, Fetch& fetch) {
  if (written.samples.empty()) return;
  const auto whole = [](double sample) {
    return static_cast<int32_t>(std::clamp(sample, 0.0, 1e6));
  };
  fetch.first_sample = whole(written.samples.front());
  fetch.last_sample = whole(written.samples.back());
  if (fetch.first_sample > fetch.last_sample) std::swap(fetch.first_sample, fetch.last_sample);
  fetch.held = fetch.last_sample + 1;
}

Result<std::optional<BoundFetch>> look_up(const WrittenFetch& written, RuleMetrics& metrics,
                                          DomainLists& lists, RuleReader::Messages& messages,
                                          const std::string& program) {
  return LookUp(written, metrics, lists, messages, program).run();
}

int32_t known_elements(const Fetch& fetch) {
  int32_t out = PmieShape::kNoAxis;
  for (const HostMetric& metric : fetch.hosts) {
    if (metric.waiting) continue;
    const bool singular = metric.desc.indom == kNullId;
    out = std::max(out, 0) + (singular ? 1 : static_cast<int32_t>(metric.instances().size()));
  }
  return out;
}

namespace {

bool same_metric(const HostMetric& one, const HostMetric& other) {
  const auto same = [](const HostMetric::Instance& a, const HostMetric::Instance& b) {
    return a.id == b.id && a.name == b.name;
  };
  return one.pmid == other.pmid && one.desc.pm_type == other.desc.pm_type &&
         one.desc.semantics == other.desc.semantics && one.desc.units == other.desc.units &&
         one.desc.indom == other.desc.indom &&
         std::ranges::equal(one.instances(), other.instances(), same);
}

}  // namespace

// One that has moved and is not there waits, like one that was not there when it was read.
bool look_up_again(Fetch& fetch, RuleMetrics& metrics, DomainLists& lists) {
  bool found = false;
  for (HostMetric& metric : fetch.hosts) {
    if (!metric.waiting && !metrics.has_moved(metric.source)) continue;
    WrittenFetch written{.name = fetch.name};
    if (fetch.instances_listed) {
      for (const HostMetric::Instance& i : metric.instances()) written.instances.push_back(i.name);
    }
    Unheard nobody;
    const std::string program;
    LookUp again(written, metrics, lists, nobody, program);
    auto there = again.one_host(metric.source);
    if (!there && metric.waiting) continue;
    if (there && !metric.waiting && same_metric(metric, *there)) continue;
    metric = there ? *std::move(there) : again.waiting(metric.source);
    found = true;
  }
  return found;
}

}  // namespace pmjit::pmie
