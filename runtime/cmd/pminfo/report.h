// InfoReport: what pminfo prints about one metric or one instance domain after another. Source:
// spec pmapi.md §24.1.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/archive/reader/labels.h"
#include "runtime/cmd/session.h"

namespace pmjit {

// LabelLevels: the labels of a metric and its instances, level by level, as pminfo keeps them: a
// level is looked up, as of the context's time, when its owner is another one than before, and
// holds until then, whatever the time; that of the context is looked up once. Those of clusters it
// leaves out. Source: spec pmapi.md
// §19, §24.1, and what PCP 6.0.3 prints.
//
//   LabelLevels levels(context);
//   levels.move_to(desc);
//   print(levels.metric(Optional::with));
enum class Optional : uint8_t { with, without };  // labels that say they are optional

class LabelLevels {
 public:
  explicit LabelLevels(MetricSession& context);

  void move_to(const Desc& desc);
  void move_to(InDomId indom);  // leaves out what only metrics have
  // From a metric to its instances: their agent is that of the domain, for a derived metric
  // another.
  void move_to_instances(InDomId indom);

  // One JSON object; "" for no labels at all.
  [[nodiscard]] std::string source(Optional optional) const;
  [[nodiscard]] std::string metric(Optional optional) const;
  // `own`: the instance's own labels; null: it has none.
  [[nodiscard]] std::string instance(const LabelSet* own) const;
  // The same for its series, which is that of all metrics with the domain: without the metric's.
  [[nodiscard]] std::string instance_series(const LabelSet* own) const;
  // Instances that have labels of their own.
  [[nodiscard]] const std::vector<const LabelSet*>& instances();

 private:
  struct Level {
    std::optional<uint32_t> ident{};
    const LabelSet* set = nullptr;
  };
  void look_up(Level& level, LabelType type, uint32_t ident) { look_up(level, type, ident, ident); }
  // The reference asks a host for the labels of a cluster with a metric that is in it.
  void look_up(Level& level, LabelType type, uint32_t ident, uint32_t asked);
  void look_up_context();
  void look_up_indom(InDomId indom);
  [[nodiscard]] std::vector<const LabelSet*> levels() const;

  MetricSession& context_;
  HostnameLabel hostname_;
  LabelSet hostname_set_;
  Level of_context_, of_domain_, of_indom_, of_cluster_, of_item_;
  std::vector<const LabelSet*> instances_;  // of the domain of of_indom_
  bool has_indom_ = false, has_metric_ = false, has_instances_ = false;
};

struct InfoRequest {
  bool desc = false, full_indom = false, pmid = false, full_pmid = false, series = false;
  bool labels = false, one_line = false, help = false, verify = false;
  bool values = false, all_values = false, events = false;
  int batch = 128;  // metrics that are fetched together, of hosts only

  // -l too: labels are those of the time of the first value.
  [[nodiscard]] bool fetches() const { return values || labels || verify; }
  // Else a metric without a descriptor is listed like any other.
  [[nodiscard]] bool needs_desc() const { return desc || fetches() || series; }
  // Metrics take more than a line each.
  [[nodiscard]] bool apart() const { return desc || values || labels || help; }
  [[nodiscard]] bool lists_labels() const { return labels || series; }
};

class InfoReport {
 public:
  InfoReport(const InfoRequest& request, MetricSession& context, ToolOutput& out)
      : request_(request), context_(context), out_(out), levels_(context) {}

  void metric(const Context::Leaf& metric);
  void indom(InDomId indom);

 private:
  void verify(std::string_view name, const Desc& desc, const FetchedSet& set);
  void put_pmid(PmId pmid);
  void put_one_line(const OrPmError<std::string>& text, bool own_line);
  void put_help(const OrPmError<std::string>& text);
  void put_desc(const Desc& desc);
  void put_series(std::string_view name, const Desc& desc);
  void put_labels();
  void put_values(const Desc& desc, const FetchedSet& set);
  void put_value(const Desc& desc, const FetchedSet& set, const Value& value);
  void put_instances(const Desc& desc);
  // instances.cc
  void put_events(const Desc& desc, const FetchedSet& set, const Value& value);

  // The instances of a domain, looked up when it is another domain than before.
  [[nodiscard]] bool load_instances(InDomId indom);
  [[nodiscard]] const Context::Instance* find_instance(int32_t id) const;

  const InfoRequest& request_;
  MetricSession& context_;
  ToolOutput& out_;
  LabelLevels levels_;
  InDomId indom_ = kNullId;  // whose the instances are
  OrPmError<std::vector<Context::Instance>> instances_{};
  std::vector<const Context::Instance*> by_id_{};
};

// SHA-1, for series identifiers: a name, nothing that has to keep anybody out. Source: FIPS 180-4.

// 40 lower-case hexadecimal digits.
[[nodiscard]] std::string sha1_hex(std::string_view text);

}  // namespace pmjit
