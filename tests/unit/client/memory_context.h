// MemoryContext: a PMAPI context made by hand, for tests of what stands over contexts.
//
//   MemoryContext context;
//   context.add("disk.read", {.pm_type = pm_type::u32, .indom = kDisks});
//   context.set_instances(kDisks, {{.id = 0, .name = "sda"}});
//   context.answer({.stamp = {.sec = 10}, .sets = {…}});       what the next fetch brings
//   context.fail_next(pm_err::E_TIMEOUT);                      the one behind it
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/client/context.h"

namespace pmjit::test {

class MemoryContext : public Context {
 public:
  // Its identifier, from 5000 on.
  PmId add(std::string name, Desc desc);
  void set_instances(InDomId indom, std::vector<Instance> instances);
  // Of domains that have none of their own.
  void set_instances_elsewhere(std::vector<Instance> instances);

  void answer(Fetched fetched) { answers_.push_back({.fetched = std::move(fetched)}); }
  void fail_next(int code) { answers_.push_back({.code = code}); }
  // What look-ups say from now on; 0: the truth.
  void break_names(int code) { names_broken_ = code; }
  // As a host does.
  void list_leaves_at_once() { at_once_ = true; }
  bool lists_leaves_at_once() const override { return at_once_; }
  // The metrics of each fetch, in order.
  [[nodiscard]] const std::vector<std::vector<PmId>>& asked() const { return asked_; }
  [[nodiscard]] const std::vector<FetchedSet>& stored() const { return stored_; }

  std::vector<OrPmError<PmId>> look_up_names(std::span<const std::string_view> names) override;
  OrPmError<std::vector<std::string>> names(PmId pmid) override;
  OrPmError<std::vector<Child>> children(std::string_view name) override;
  OrPmError<std::vector<Leaf>> leaves(std::string_view name) override;
  std::vector<OrPmError<Desc>> describe_metrics(std::span<const PmId> metrics) override;
  OrPmError<std::string> metric_text(TextKind kind, PmId pmid) override;
  OrPmError<std::string> indom_text(TextKind kind, InDomId indom) override;
  OrPmError<std::vector<Instance>> instances(InDomId indom) override;
  OrPmError<int32_t> instance_id(InDomId indom, std::string_view name) override;
  OrPmError<std::string> instance_name(InDomId indom, int32_t instance) override;
  OrPmError<std::vector<Instance>> instances_ever(InDomId indom) override {
    return instances(indom);
  }
  // PM_ERR_TIMEOUT: no answer is left.
  Result<void> fetch(std::span<const PmId> metrics, const Profile& profile, Fetched& out) override;
  Result<void> fetch_stamp(Fetched& out) override;
  int unknown_metric_status() const override { return pm_err::E_NOAGENT; }
  OrPmError<void> store(std::span<const FetchedSet> sets) override;

 private:
  bool at_once_ = false;
  struct Metric {
    std::string name;
    Desc desc;
  };
  struct Answer {
    Fetched fetched{};
    int code = 0;
  };
  [[nodiscard]] const Metric* find(PmId pmid) const;
  [[nodiscard]] Result<Fetched> next(std::span<const PmId> metrics);

  std::vector<Metric> metrics_;
  std::map<InDomId, std::vector<Instance>> domains_;
  std::optional<std::vector<Instance>> elsewhere_;
  std::deque<Answer> answers_;
  int names_broken_ = 0;
  std::vector<std::vector<PmId>> asked_;
  std::vector<FetchedSet> stored_;
};

}  // namespace pmjit::test
