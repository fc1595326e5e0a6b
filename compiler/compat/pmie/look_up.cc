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
      whole = metric.has_value();
      if (whole) fetch.hosts.push_back(std::move(*metric));
    }
    if (!whole) return std::nullopt;
    bound.shape.hosts = static_cast<int32_t>(hosts.size());
    bound.shape.insts = 0;
    for (const HostMetric& metric : fetch.hosts)
      bound.shape.insts +=
          metric.desc.indom == kNullId ? 1 : static_cast<int32_t>(metric.instances().size());
    return bound;
  }

 private:
  void say(uint32_t source, std::string_view what, std::string_view call, int error) {
    messages_.put(fmt::format("{}: metric {} {} {}\n{} failed: {}\n", program_, written_.name, what,
                              metrics_.title(source), call, pm_error_text(error)));
  }

  std::optional<HostMetric> one_host(uint32_t source) {
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
      messages_.put(fmt::format("{}: metric {} has inappropriate type\n", program_, written_.name));
      return std::nullopt;
    }
    HostMetric metric{
        .source = source, .pmid = *pmid, .desc = *desc, .scale = canonical_factor(desc->units)};
    return add_instances(metric) ? std::optional(std::move(metric)) : std::nullopt;
  }

  bool add_instances(HostMetric& metric) {
    const bool listed = !written_.instances.empty();
    if (metric.desc.indom == kNullId) {
      if (listed)
        messages_.put(fmt::format("{}: metric {} has no instances\n", program_, written_.name));
      return !listed;
    }
    const auto all = all_of(metric.source, metric.desc.indom);
    if (!all) {
      messages_.put(
          fmt::format("Metric {} from {} - instance domain not available in archive\n"
                      "pmGetInDomArchive failed: {}\n",
                      written_.name, metrics_.title(metric.source), pm_error_text(all.error())));
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
    return lists_[{source, domain}] = std::make_shared<const InstanceList>(std::move(list));
  }

  bool add_listed(const HostMetric& metric, const InstanceList& all, const std::string& wanted,
                  InstanceList& to) {
    const auto found = std::ranges::find_if(
        all.instances, [&](const auto& instance) { return same_instance(wanted, instance.name); });
    if (found == all.instances.end()) {
      messages_.log("Error", fmt::format("metric {} from {} does not (currently) have instance "
                                         "\"{}\"",
                                         written_.name, metrics_.title(metric.source), wanted));
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

}  // namespace pmjit::pmie
