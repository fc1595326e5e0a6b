#include "runtime/client/host_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "runtime/base/near.h"
#include "runtime/client/host_catalog.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

class HostSurvey {
 public:
  HostSurvey(HostContext& context, const std::vector<std::string>& names)
      : context_(context), names_(names) {}

  Result<HostSummary> run() {
    ask_host();
    if (auto found = ask_metrics(); !found) return fail(found.error());
    ask_domains();
    if (!names_.empty()) ask_details();
    ask_agents();
    if (context_.why()) return fail(*context_.why());
    return std::move(out_);
  }

 private:
  void ask_host() {
    out_.given = context_.client().spec().text;
    out_.in_detail = !names_.empty();
    out_.name = context_.host_name();
    out_.version = context_.text_value("pmcd.version");
    out_.timezone = context_.text_value("pmcd.timezone");
    const auto pmid = context_.look_up("pmcd.version");
    Fetched fetched;
    if (pmid && context_.fetch(std::array{*pmid}, Profile(), fetched)) out_.time = fetched.stamp;
    add_labels(LabelLevel::context, kNullId, out_.labels);
  }

  void add_labels(LabelLevel level, uint32_t ident, std::vector<std::string>& to) {
    const auto found = context_.labels(level, ident);
    if (!found) return;
    for (const HostLabels& labels : *found) {
      if (!labels.json.empty()) to.push_back(labels.json);
    }
  }

  Result<void> ask_metrics() {
    std::map<std::string, PmId> leaves;
    const std::vector<std::string> everything = {""};
    for (const std::string& name : names_.empty() ? everything : names_) {
      const auto below = context_.leaves(name);
      if (!below && context_.why()) return fail(*context_.why());
      if (!below && below.error() != pm_err::E_NAME) {
        Error why(Fault::io,
                  fmt::format("it does not list its metrics: {}", pm_error_text(below.error())));
        why = std::move(why).at("host", out_.given).pm_code(below.error());
        if (below.error() == pm_err::E_PERMISSION)
          why = std::move(why).help(std::string(kAccessHelp));
        return fail(std::move(why));
      }
      if (name.empty() && (!below || below->empty())) {
        return fail(Error(Fault::not_found, "the host has no metrics")
                        .at("host", out_.given)
                        .help("are its agents running? the log of its collector says"));
      }
      if (!below || below->empty()) return fail(no_metric(name));
      for (const Context::Leaf& leaf : *below) leaves.emplace(leaf.name, leaf.pmid);
    }
    std::vector<PmId> pmids;
    for (const auto& [name, pmid] : leaves) {
      out_.metrics.push_back({.name = name, .pmid = pmid});
      pmids.push_back(pmid);
    }
    const auto descs = context_.describe_metrics(pmids);
    for (size_t i = 0; i < descs.size(); ++i) {
      MetricFacts& metric = out_.metrics[i];
      if (descs[i]) metric.desc = *descs[i];
      if (!descs[i]) metric.status = descs[i].error();
    }
    return {};
  }

  [[nodiscard]] Error no_metric(const std::string& name) const {
    const HostCatalog catalog(context_);
    const std::string metric = name.substr(0, name.find('['));
    std::string what = "the host has no such metric";
    std::string help = near_names_text(near_names(catalog, metric));
    if (metric != name && catalog.describe(metric)) {
      what = "info shows a metric with all its instances";
      help = fmt::format("pmjit info -h {1} {0} lists them; pmjit eval -h {1} '{2}' prints values",
                         metric, out_.given, name);
    }
    if (help.empty()) help = "without a name pmjit info shows what there is";
    return Error(Fault::not_found, std::move(what))
        .at("metric", name)
        .at("host", out_.given)
        .help(std::move(help));
  }

  void ask_domains() {
    for (auto& [indom, names] : names_by_domain(out_.metrics)) {
      if (context_.why()) return;
      DomainFacts& domain =
          out_.domains.emplace_back(DomainFacts{.indom = indom, .metrics = std::move(names)});
      auto instances = context_.instances(indom);
      if (instances) domain.instances = *std::move(instances);
      if (!instances) domain.status = instances.error();
      if (out_.in_detail) {
        domain.one_line = context_.indom_text(TextKind::one_line, indom).value_or("");
      }
    }
  }

  void ask_details() {
    for (MetricFacts& metric : out_.metrics) {
      if (context_.why()) return;
      metric.one_line = context_.metric_text(TextKind::one_line, metric.pmid).value_or("");
      metric.help = context_.metric_text(TextKind::help, metric.pmid).value_or("");
      metric.labels = out_.labels;
      add_labels(LabelLevel::domain, domain_of(metric.pmid), metric.labels);
      if (metric.desc && metric.desc->indom != kNullId) {
        add_labels(LabelLevel::indom, metric.desc->indom, metric.labels);
      }
      add_labels(LabelLevel::cluster, metric.pmid, metric.labels);
      add_labels(LabelLevel::item, metric.pmid, metric.labels);
    }
  }

  void ask_agents() {
    std::map<uint32_t, AgentFacts> agents;
    for (const MetricFacts& metric : out_.metrics) {
      AgentFacts& agent = agents[domain_of(metric.pmid)];
      agent.domain = domain_of(metric.pmid);
      ++agent.metrics;
    }
    ask_states(agents);
    for (auto& [domain, agent] : agents) {
      if (agent.metrics > 0 || !out_.in_detail) out_.agents.push_back(std::move(agent));
    }
  }

  void ask_states(std::map<uint32_t, AgentFacts>& agents) {
    const auto desc = context_.describe(context_.look_up("pmcd.agent.status").value_or(kNullId));
    if (!desc) return;
    for (const HostContext::AgentState& state : context_.agent_states()) {
      AgentFacts& agent = agents[state.domain];
      agent.domain = state.domain;
      agent.name =
          context_.instance_name(desc->indom, static_cast<int32_t>(state.domain)).value_or("");
      agent.status = state.status;
    }
  }

  HostContext& context_;
  const std::vector<std::string>& names_;
  HostSummary out_;
};

}  // namespace

Result<HostSummary> summarize_host(HostContext& context, const std::vector<std::string>& names) {
  return HostSurvey(context, names).run();
}

}  // namespace pmjit
