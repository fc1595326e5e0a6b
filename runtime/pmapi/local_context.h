// LocalContext: metrics of agents inside this process (PM_CONTEXT_LOCAL). Names are those that are
// loaded; what is below the root of a dynamic subtree, its agent says. Source: spec pmapi.md §9.4.
//
//   if (const int code = open_local_agents(); code < 0) return pm_fail(code);
//   LocalContext context(library.loaded_names, handle);
//   context.fetch(metrics, profile, fetched);          calls of agents, in this thread
//
// One thread has all contexts of this kind (LocalAgents::usable_here()).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/client/local_module.h"
#include "runtime/model/fetched_values.h"
#include "runtime/pmapi/library.h"
#include "runtime/pmapi/local_agents.h"

namespace pmjit {

// Leaves at or below a name, by children of children; what has none is a leaf. The code of the
// first question that fails, behind the leaves that were found before; 0: none failed.
template <class Children, class Found>
int walk_names(std::string_view name, Children&& children, Found&& found) {
  std::vector<std::string> left{std::string(name)};  // the next one is the last
  while (!left.empty()) {
    const std::string next = std::move(left.back());
    left.pop_back();
    const OrPmError<std::vector<Context::Child>> below = children(next);
    if (!below) return below.error();
    if (below->empty()) found(next);
    for (auto child = below->rbegin(); child != below->rend(); ++child) {
      left.push_back(next.empty() ? child->name : next + "." + child->name);
    }
  }
  return 0;
}

// Opens the agents that are not open. PM_ERR_NYI: a container is asked for; PM_ERR_THREAD, -errno.
[[nodiscard]] int open_local_agents();

class LocalContext : public LocalSource {
 public:
  LocalContext(const LoadedNames& loaded, int handle);
  LocalContext(const LocalContext&) = delete;
  LocalContext& operator=(const LocalContext&) = delete;
  ~LocalContext() override;

  // Whether the one line stands in for a help text that is missing, from now on.
  void let_one_line_stand_in(bool does) { one_line_stands_in_ = does; }
  // How many sets, for pmFreeLabelSets(), or a code.
  [[nodiscard]] int label_sets(LabelLevel level, uint32_t ident, pmLabelSet** out);
  [[nodiscard]] OrPmError<std::vector<HostLabels>> labels(LabelLevel level,
                                                          uint32_t ident) override;

  [[nodiscard]] std::vector<OrPmError<PmId>> look_up_names(
      std::span<const std::string_view> names) override;
  [[nodiscard]] OrPmError<std::vector<std::string>> names(PmId pmid) override;
  [[nodiscard]] OrPmError<std::vector<Child>> children(std::string_view name) override;
  [[nodiscard]] OrPmError<std::vector<Leaf>> leaves(std::string_view name) override;
  [[nodiscard]] std::vector<OrPmError<Desc>> describe_metrics(
      std::span<const PmId> metrics) override;
  [[nodiscard]] OrPmError<std::string> metric_text(TextKind kind, PmId pmid) override;
  [[nodiscard]] OrPmError<std::string> indom_text(TextKind kind, InDomId indom) override;
  [[nodiscard]] OrPmError<std::vector<Instance>> instances(InDomId indom) override;
  [[nodiscard]] OrPmError<int32_t> instance_id(InDomId indom, std::string_view name) override;
  [[nodiscard]] OrPmError<std::string> instance_name(InDomId indom, int32_t instance) override;
  [[nodiscard]] OrPmError<std::vector<Instance>> instances_ever(InDomId indom) override {
    return instances(indom);
  }
  [[nodiscard]] Result<void> fetch(std::span<const PmId> metrics, const Profile& profile,
                                   Fetched& out) override;
  [[nodiscard]] Result<void> fetch_stamp(Fetched& out) override;
  [[nodiscard]] int unknown_metric_status() const override { return pm_err::E_PMID; }
  [[nodiscard]] OrPmError<void> store(std::span<const FetchedSet> sets) override;

 private:
  [[nodiscard]] OrPmError<LocalAgent*> asked(unsigned domain) const {
    return local_agents().asked(domain, handle_);
  }
  [[nodiscard]] OrPmError<LocalAgent*> agent_above(std::string_view name);
  [[nodiscard]] OrPmError<PmId> look_up_one(std::string_view name);
  [[nodiscard]] OrPmError<std::string> text(unsigned ident, unsigned domain, unsigned what,
                                            TextKind kind) const;
  void tell_profile(LocalAgent& agent, const Profile& profile);
  void fetch_of_agent(LocalAgent& agent, std::span<const size_t> places,
                      std::span<const PmId> metrics, Fetched& out);
  void keep_blocks(FetchedSet& set);

  NamesInFront loaded_;  // without a source
  int handle_;
  bool one_line_stands_in_ = true;
  std::shared_ptr<LocalProfile> profile_;  // of the last fetch
  Arena arena_;                            // of the values of the last fetch
};

}  // namespace pmjit
