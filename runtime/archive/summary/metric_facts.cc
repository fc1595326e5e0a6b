// metric_facts(): of metadata, and of what the records were counted to have.
#include <algorithm>
#include <map>

#include "runtime/archive/summary/summary.h"

namespace pmjit {

namespace {

// Of the cluster that a metric is in: labels.h.
constexpr uint32_t cluster_ident(PmId pmid) { return pmid & ~uint32_t{0x3ff}; }

class ArchiveFacts {
 public:
  ArchiveFacts(const Archives& archives, const ArchiveSummary& summary)
      : metadata_(archives.metadata()), summary_(summary) {
    out_.given = archives[0].name();
    out_.name = archives[0].host();
    out_.timezone = archives.label().timezone;
    out_.in_detail = true;
    add_labels(LabelType::context, kContextIdent, out_.labels);
  }

  HostSummary of(const std::vector<std::string>& names) {
    std::map<std::string_view, PmId> metrics;
    for (const std::string& name : names) {
      const auto leaves = metadata_.names.leaves(name);
      if (!leaves) continue;
      for (const NameSpace::Leaf& leaf : *leaves) metrics.emplace(leaf.name, leaf.pmid);
    }
    for (const auto& [name, pmid] : metrics) out_.metrics.push_back(metric(name, pmid));
    add_domains();
    return std::move(out_);
  }

 private:
  void add_labels(LabelType type, uint32_t ident, std::vector<std::string>& to) const {
    const LabelSet* const set = metadata_.labels.find(type, ident, kNoInstance, kStampMax);
    if (set != nullptr && !set->json.empty()) to.emplace_back(set->json);
  }

  std::string text(TextKind kind, TextOf of, uint32_t ident) const {
    return std::string(metadata_.texts.find(kind, of, ident).value_or(""));
  }

  MetricFacts metric(std::string_view name, PmId pmid) const {
    MetricFacts out{.name = std::string(name), .pmid = pmid};
    if (const Desc* const desc = metadata_.desc(pmid)) out.desc = *desc;
    out.one_line = text(TextKind::one_line, TextOf::metric, pmid);
    out.help = text(TextKind::help, TextOf::metric, pmid);
    out.labels = out_.labels;
    add_labels(LabelType::domain, domain_of(pmid), out.labels);
    if (out.desc && out.desc->indom != kNullId) {
      add_labels(LabelType::indom, out.desc->indom, out.labels);
    }
    add_labels(LabelType::cluster, cluster_ident(pmid), out.labels);
    add_labels(LabelType::item, pmid, out.labels);
    out.recorded = recorded(pmid);
    return out;
  }

  RecordedFacts recorded(PmId pmid) const {
    const auto found = std::ranges::find(summary_.metrics, pmid, &MetricSummary::pmid);
    if (found == summary_.metrics.end()) return {};
    RecordedFacts out{.records = found->records, .values = found->values, .errors = found->errors};
    const auto place = static_cast<uint32_t>(found - summary_.metrics.begin());
    const auto group = std::ranges::find_if(summary_.groups, [&](const GroupSummary& each) {
      return each.interval && std::ranges::find(each.metrics, place) != each.metrics.end();
    });  // the largest is the first
    if (group != summary_.groups.end()) out.interval = group->interval;
    return out;
  }

  void add_domains() {
    for (auto& [indom, names] : names_by_domain(out_.metrics)) {
      DomainFacts facts{.indom = indom, .metrics = std::move(names)};
      if (const Domain* const domain = metadata_.domain(indom)) facts.instances = domain->all();
      facts.one_line = text(TextKind::one_line, TextOf::indom, indom);
      out_.domains.push_back(std::move(facts));
    }
  }

  const Metadata& metadata_;
  const ArchiveSummary& summary_;
  HostSummary out_;
};

}  // namespace

bool has_metric(const Archives& archives, const std::string& name) {
  const auto leaves = archives.metadata().names.leaves(name);
  return leaves && !leaves->empty();
}

HostSummary metric_facts(const Archives& archives, const std::vector<std::string>& names,
                         const ArchiveSummary& summary) {
  return ArchiveFacts(archives, summary).of(names);
}

}  // namespace pmjit
