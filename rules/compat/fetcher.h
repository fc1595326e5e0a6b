// Fetcher: the metrics of one task: at each of its times one fetch of every source, interpolated,
// and from that the values of each fetch node: canonical units, counters as rates. Source: spec
// rules-language.md §6, §17.
//
//   Fetcher fetcher(program, statements, sources, start, step);
//   fetcher.fetch(when);                        PM_ERR_LOGREC: the run ends
//   fetcher.read(node, evaluator);              as PmieEvaluator::World::read
//
// Live it may ask all sources at once, ask(), and fetch() then takes what has come.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "rules/compat/evaluator.h"
#include "rules/compat/fetched_times.h"
#include "rules/compat/sources.h"
#include "runtime/client/archive_context/counter_value.h"

namespace pmjit::pmie {

class Fetcher {
 public:
  Fetcher(const RuleProgram& program, const std::vector<uint32_t>& roots, RuleSources& sources,
          Stamp start, ReplayStep step);

  // Live, where metrics of the program that waited are there now: what is fetched for it.
  void bind(const RuleProgram& program, const std::vector<uint32_t>& roots);
  // Live: is something out of reach that these statements are about?
  [[nodiscard]] bool waits() const { return waits_; }
  // Every source at the next time, which is `when`, in seconds.
  [[nodiscard]] Result<void> fetch(double when);
  // Live: every source is asked, and fetch() will not wait.
  void ask();
  // Since ask(): a source that did answer last time, and one that did not, are still to answer.
  struct Pending {
    bool any = false, answering = false;
  };
  [[nodiscard]] Pending pending() const;
  [[nodiscard]] bool read(uint32_t node, PmieEvaluator& at) const;
  // What was fetched is not read any more, before the next fetch.
  void release();

  // In place of fetch(), over archives, many times at once. How many of the next times can be read
  // so, at most as many as these; 0: none, now.
  [[nodiscard]] size_t load_ahead(size_t most);
  // After it: can it be done at all, of these metrics? Nobody knows at the first try.
  [[nodiscard]] bool goes_ahead() const { return tries_ahead_ <= 1 || went_ahead_; }
  // read() is of this one of them from now on.
  void use_ahead(size_t time);
  // All of a fetch at so many of them; none: it has other elements, or none, at some.
  [[nodiscard]] std::optional<FetchedTimes> times_of(const Fetch& fetch, FetchState& state,
                                                     size_t times) const;
  // fetch() goes on behind so many of them.
  void pass_ahead(size_t times);
  [[nodiscard]] bool wraps() const { return wraps_; }
  // Called for each instance without a name, when it comes.
  using Unnamed = std::function<void(const std::string& metric, uint32_t source)>;
  void on_unnamed(Unnamed unnamed) { unnamed_ = std::move(unnamed); }

 private:
  struct Member {
    uint32_t source = 0;
    std::unique_ptr<Context> context;
    std::vector<PmId> metrics;
    std::vector<std::string> names{};         // of them
    std::unordered_map<PmId, size_t> places;  // in `metrics`
    Profile profile;
    Fetched fetched;
    bool there = false;  // did the last fetch bring anything?
    // Of times that were fetched ahead: which sets are of the one that is used.
    AheadTimes* ahead = nullptr;
    std::vector<double> ahead_stamps{};  // of these times
    std::vector<uint64_t> taken{};
  };

  void add_fetch(const Fetch& fetch);
  void note_metrics(const Member& from);
  void restrict_profiles(const RuleProgram& program, const std::vector<uint32_t>& fetches);
  [[nodiscard]] Member* find_member(uint32_t source) const;  // null: there is none
  Member& member(uint32_t source);
  void take_ahead(Member& from, size_t metric) const;
  void tell_unnamed(const Fetch& fetch, FetchState& state) const;
  [[nodiscard]] const FetchedSet* find(const HostMetric& metric, double& stamp,
                                       Context*& asked) const;

  RuleSources& sources_;
  Stamp start_;
  ReplayStep step_;
  Unnamed unnamed_;
  const bool wraps_ = counters_wrap();
  bool waits_ = false;
  std::set<uint32_t> waiting_{};         // sources of metrics that wait
  mutable std::vector<Member> members_;  // sets of times ahead are taken when somebody reads them
  uint32_t tries_ahead_ = 0;
  bool went_ahead_ = false;
  std::optional<size_t> used_{};  // the time ahead that is read
  uint64_t uses_ = 0;
};

}  // namespace pmjit::pmie
