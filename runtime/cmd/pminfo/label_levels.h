// LabelLevels: the labels of a metric and its instances, level by level, as pminfo keeps them: a
// level is looked up, as of the context's time, when its owner is another one than before, and
// holds until then, whatever the time; that of the context is looked up once. Those of clusters it
// leaves out. Source: spec pmapi.md
// §19, §24.1, and what PCP 6.0.3 prints.
//
//   LabelLevels levels(context);
//   levels.move_to(desc);
//   print(levels.metric(Optional::with));
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "runtime/archive/reader/merge_label_sets.h"
#include "runtime/cmd/archive_session.h"

namespace pmjit {

enum class Optional : uint8_t { with, without };  // labels that say they are optional

class LabelLevels {
 public:
  explicit LabelLevels(const ArchiveSession& context);

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
  [[nodiscard]] const std::vector<const LabelSet*>& instances() const { return instances_; }

 private:
  struct Level {
    std::optional<uint32_t> ident{};
    const LabelSet* set = nullptr;
  };
  void look_up(Level& level, LabelType type, uint32_t ident) const;
  void look_up_context();
  void look_up_indom(InDomId indom);
  [[nodiscard]] std::vector<const LabelSet*> levels() const;

  const ArchiveSession& context_;
  HostnameLabel hostname_;
  LabelSet hostname_set_;
  Level of_context_, of_domain_, of_indom_, of_item_;
  std::vector<const LabelSet*> instances_;  // of the domain of of_indom_
  bool has_indom_ = false, has_metric_ = false;
};

}  // namespace pmjit
