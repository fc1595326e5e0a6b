// A fetch group: metrics of a context of its own, and the variables of the program that their
// values go to. Source: spec pmapi.md §18. Private to fetch_group*.cc.
//
//   pmFetchGroup: fetch all metrics once → GroupFetch → each output takes its part
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "runtime/pmapi/convert.h"
#include "runtime/pmapi/open_context.h"

namespace pmjit {

// What becomes of a value on its way out.
struct GroupConversion {
  bool rate = false;              // per second, from two fetches
  double per_second = 1;          // of a rate: its time in the metric's own unit
  std::optional<pmUnits> from{};  // none: no units are changed
  pmUnits to{};
  double multiplier = 1;

  // PM_ERR_CONV: the text names no units that this metric's can become.
  [[nodiscard]] static OrPmError<GroupConversion> of(const pmDesc& desc, const char* scale);
};

// The values of a metric in a fetch, by instance; the last one counts.
struct GroupValues {
  int valfmt = PM_VAL_INSITU;
  int status = 0;  // below 0: why there are none
  std::vector<pmValue> values{};
  std::shared_ptr<pmHighResResult> of{};  // what their blocks stand in
  [[nodiscard]] const pmValue* find(int instance) const;
};

struct GroupFetch {
  struct timespec when{};
  std::unordered_map<pmID, GroupValues> metrics{};

  void take(pmHighResResult* fetched);
  // What discrete metrics had before, where there is nothing new.
  void keep(const GroupFetch& before, const std::unordered_set<pmID>& discrete);
  [[nodiscard]] const GroupValues* find(pmID pmid) const;
};

class GroupOutput;

}  // namespace pmjit

// What the handle of C points at.
struct __pmFetchGroup {
  int handle = PM_ERR_NOCONTEXT;
  bool wraps = false;  // $PCP_COUNTER_WRAP
  std::vector<pmID> pmids{};
  std::unordered_set<pmID> discrete{};
  std::vector<std::unique_ptr<pmjit::GroupOutput>> outputs{};
  std::unique_ptr<pmjit::GroupFetch> previous{}, latest{};
  std::deque<std::string> texts{};  // that outputs point at until the next fetch
  // Of instances, as their domain listed them when one was unknown last; what outputs point at of
  // lists before that goes with the next fetch.
  using Names = std::unordered_map<int, std::string>;
  std::unordered_map<pmInDom, Names> names{};
  std::vector<Names> names_before{};

  void want(const pmDesc& desc);
  void forget_all();
  [[nodiscard]] char* keep(std::string text) { return texts.emplace_back(std::move(text)).data(); }
};

namespace pmjit {

class GroupOutput {
 public:
  GroupOutput() = default;
  GroupOutput(const GroupOutput&) = delete;
  GroupOutput& operator=(const GroupOutput&) = delete;
  virtual ~GroupOutput() = default;
  virtual void reset() = 0;           // as if there were no values
  virtual void let_go() { reset(); }  // the group has it no more
  // Values of discrete metrics stay where a fetch fails.
  [[nodiscard]] virtual bool stays() const { return false; }
  virtual void take(__pmFetchGroup& group) = 0;
  virtual void fail(int code) = 0;  // the fetch has failed
};

// Of what it is an output, and how.
struct GroupMetric {
  pmDesc desc{};
  int otype = PM_TYPE_DOUBLE;
  GroupConversion conversion{};
};

// The value of a metric's instance as the caller wants it. The status of it.
[[nodiscard]] int group_value(__pmFetchGroup& group, const GroupMetric& metric,
                              const GroupValues& now, const pmValue& value, pmAtomValue& out);
// The same of a value on its own: of an event's parameter.
[[nodiscard]] int converted_value(__pmFetchGroup& group, const GroupMetric& metric, int valfmt,
                                  const pmValue& value, pmAtomValue& out);
void put_no_value(int otype, pmAtomValue* out);
[[nodiscard]] bool is_group_type(int type);

}  // namespace pmjit
