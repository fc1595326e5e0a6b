// A host's summary for people: a head of few lines and short lists, or a paragraph per metric.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "runtime/model/pm_codes.h"
#include "runtime/report/host_info/host_report.h"
#include "runtime/report/text/grid.h"
#include "runtime/report/text/human_text.h"

namespace pmjit {

namespace {

constexpr size_t kHostLines = 12, kNamesListed = 12;

std::string counted(uint64_t number, std::string_view one) {
  return fmt::format("{} {}{}", number, one, number == 1 ? "" : "s");
}

// As many names as a line may have room for.
template <class List, class Name>
std::string listed(const List& list, Name name) {
  std::string out;
  for (size_t i = 0; i < std::min(list.size(), kNamesListed); ++i) {
    out += (i > 0 ? ", " : "") + std::string(name(list[i]));
  }
  return list.size() > kNamesListed ? out + ", …" : out;
}

std::string recorded_text(const RecordedFacts& recorded) {
  if (recorded.records == 0) return "never";
  std::string out = counted(recorded.records, "time");
  if (recorded.interval) out += ", every " + human_duration(*recorded.interval);
  out += ", " + counted(recorded.values, "value");
  return recorded.errors == 0 ? out : out + ", " + counted(recorded.errors, "error");
}

class HostText {
 public:
  HostText(const HostSummary& summary, const HostReportOptions& options)
      : summary_(summary),
        zone_(options.zone),
        width_(terminal_width(options.width)),
        paint_(options.paint),
        whole_(options.whole),
        several_(options.several) {}

  std::string text() {
    if (summary_.in_detail) {
      if (several_) field("host", summary_.given);
      for (const MetricFacts& metric : summary_.metrics) put_metric(metric);
      return std::move(out_);
    }
    put_head();
    put_agents();
    put_names();
    put_domains();
    return std::move(out_);
  }

 private:
  [[nodiscard]] size_t shown(size_t all) const { return whole_ ? all : std::min(all, kHostLines); }
  void line(std::string_view text) { out_ += fit(text, width_) + "\n"; }
  void field(std::string_view name, std::string_view text) {
    if (!text.empty()) line(fmt::format("{:<9} {}", name, text));
  }
  void put_grid(std::string_view title, const Grid& grid, size_t all) {
    out_ += "\n" + paint_.as_heading(title) + "\n" + grid.text(width_, paint_);
    if (const size_t more = all - shown(all); more > 0) {
      out_ += fmt::format("… and {} more: -v has them all\n", more);
    }
  }

  void put_head() {
    field("host", summary_.name);
    if (summary_.given != summary_.name) field("asked", summary_.given);
    field("collector", summary_.version.empty() ? "" : "version " + summary_.version);
    field("time", summary_.time ? fmt::format("{}, time zone {}", iso_local(*summary_.time, zone_),
                                              summary_.timezone.empty() ? "?" : summary_.timezone)
                                : "");
    field("labels", joined_labels(summary_.labels));
    uint64_t instances = 0;
    for (const DomainFacts& domain : summary_.domains) instances += domain.instances.size();
    field("metrics", fmt::format("{}; {} in {}", counted(summary_.metrics.size(), "metric"),
                                 counted(instances, "instance"),
                                 counted(summary_.domains.size(), "instance domain")));
  }

  void put_agents() {
    if (summary_.agents.empty()) return;
    Grid grid({{.text = "agent", .shrinks = true},
               {.text = "domain", .right = true},
               {.text = "metrics", .right = true},
               {.text = "state"}});
    for (size_t i = 0; i < shown(summary_.agents.size()); ++i) {
      const AgentFacts& agent = summary_.agents[i];
      std::string state = !agent.status        ? ""
                          : *agent.status == 0 ? "runs"
                                               : fmt::format("status {}", *agent.status);
      grid.add({agent.name.empty() ? "?" : agent.name, fmt::format("{}", agent.domain),
                fmt::format("{}", agent.metrics), std::move(state)});
    }
    put_grid("agents", grid, summary_.agents.size());
  }

  // What is below the root, the largest first.
  void put_names() {
    std::map<std::string, std::vector<std::string>> below;
    for (const MetricFacts& metric : summary_.metrics) {
      const size_t dot = metric.name.find('.');
      below[metric.name.substr(0, dot)].push_back(metric.name);
    }
    if (below.empty()) return;
    std::vector<std::pair<std::string, std::vector<std::string>>> all(below.begin(), below.end());
    std::ranges::sort(all, [](const auto& a, const auto& b) {
      return a.second.size() != b.second.size() ? a.second.size() > b.second.size()
                                                : a.first < b.first;
    });
    Grid grid({{.text = "names below"},
               {.text = "metrics", .right = true},
               {.text = "", .shrinks = true}});
    for (size_t i = 0; i < shown(all.size()); ++i) {
      grid.add({all[i].first, fmt::format("{}", all[i].second.size()),
                listed(all[i].second, [](const std::string& name) { return name; })});
    }
    put_grid("metrics", grid, all.size());
  }

  void put_domains() {
    if (summary_.domains.empty()) return;
    Grid grid({{.text = "domain"},
               {.text = "instances", .right = true},
               {.text = "metrics", .right = true},
               {.text = "", .shrinks = true}});
    for (size_t i = 0; i < shown(summary_.domains.size()); ++i) {
      const DomainFacts& domain = summary_.domains[i];
      grid.add({indom_text(domain.indom),
                domain.status == 0 ? fmt::format("{}", domain.instances.size()) : "?",
                fmt::format("{}", domain.metrics.size()),
                listed(domain.metrics, [](const std::string& name) { return name; })});
    }
    put_grid("instance domains", grid, summary_.domains.size());
  }

  void put_metric(const MetricFacts& metric) {
    if (!out_.empty()) out_ += "\n";
    out_ += paint_.as_heading(fit(metric.name, width_)) + "\n";
    const auto said = [&](std::string_view name, std::string_view text) {
      if (!text.empty()) line(fmt::format("  {:<9} {}", name, text));
    };
    said("what", metric.one_line);
    if (!metric.desc) return said("error", pm_error_text(metric.status));
    const Desc& desc = *metric.desc;
    const std::string units = units_text(desc.units);
    said("type", fmt::format("{} {}{}", value_type_text(desc.pm_type),
                             semantics_text(desc.semantics), units.empty() ? "" : ", " + units));
    said("id", pmid_text(metric.pmid));
    if (metric.recorded) said("recorded", recorded_text(*metric.recorded));
    put_instances(desc.indom);
    said("labels", joined_labels(metric.labels));
    put_help(metric);
  }

  void put_instances(InDomId indom) {
    const auto found = std::ranges::find(summary_.domains, indom, &DomainFacts::indom);
    if (found == summary_.domains.end()) return;
    std::string text = fmt::format("{}: ", indom_text(indom));
    if (found->status != 0) {
      text += pm_error_text(found->status);
    } else {
      text += counted(found->instances.size(), "instance") + " ";
      text += listed(found->instances, [](const auto& instance) { return instance.name; });
    }
    line(fmt::format("  {:<9} {}", "domain", text));
  }

  // Lines as the host has them; the first one may repeat the short text.
  void put_help(const MetricFacts& metric) {
    if (metric.help == metric.one_line) return;
    std::string_view left = metric.help;
    while (!left.empty()) {
      const size_t end = std::min(left.find('\n'), left.size());
      line(fmt::format("  {}", left.substr(0, end)));
      left.remove_prefix(std::min(end + 1, left.size()));
    }
  }

  const HostSummary& summary_;
  Zone zone_;
  size_t width_;
  Paint paint_;
  bool whole_, several_;
  std::string out_;
};

}  // namespace

std::string host_text(const HostSummary& summary, const HostReportOptions& options) {
  return HostText(summary, options).text();
}

}  // namespace pmjit
