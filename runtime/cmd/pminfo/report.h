// InfoReport: what pminfo prints about one metric or one instance domain after another. Source:
// spec pmapi.md §24.1.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/cmd/archive_session.h"
#include "runtime/cmd/pminfo/label_levels.h"

namespace pmjit {

struct InfoRequest {
  bool desc = false, full_indom = false, pmid = false, full_pmid = false, series = false;
  bool labels = false, one_line = false, help = false, verify = false;
  bool values = false, all_values = false, events = false;

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
  InfoReport(const InfoRequest& request, ArchiveSession& context, ToolOutput& out)
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
  // events.cc
  void put_events(const Desc& desc, const FetchedSet& set, const Value& value);

  // The instances of a domain, looked up when it is another domain than before.
  [[nodiscard]] bool load_instances(InDomId indom);
  [[nodiscard]] const Context::Instance* find_instance(int32_t id) const;

  const InfoRequest& request_;
  ArchiveSession& context_;
  ToolOutput& out_;
  LabelLevels levels_;
  InDomId indom_ = kNullId;  // whose the instances are
  OrPmError<std::vector<Context::Instance>> instances_{};
};

}  // namespace pmjit
