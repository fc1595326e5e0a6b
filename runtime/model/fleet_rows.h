// FleetRows: what several hosts answer, as one wave: of each metric one row, with a segment per
// host. A host without an answer keeps the lanes that it had; they are unknown, and say why.
//
//   FleetRows rows({web1, web2}, {{.elem = Elem::u64, .singular = false}}, rosters);
//   rows.start(due);
//   rows.answer(web1, {.stamp = its_own, .columns = one_row_per_metric});
//   rows.fail(web2, pm_err::E_IPC);              // or nothing: it is kHostDown
//   rows.make(wave, true);
//
// So a rate of the host is unknown at its first answer after a loss, as after an error code in a
// recording, and known at the second (spec dialects.md §4.2, §13.4, row 130). An instance that came
// meanwhile is new.
#pragma once

#include <vector>

#include "runtime/model/feed.h"

namespace pmjit {

struct FleetMetric {
  Elem elem = Elem::f64;
  bool singular = false;  // it has no instance domain
};

struct HostAnswer {
  Stamp stamp;                  // the host's own
  std::vector<Column> columns;  // of each metric one row
};

class FleetRows {
 public:
  // `hosts` ascend. `rosters` outlives it; rosters of answers are ids in it, of one host each.
  FleetRows(std::vector<HostId> hosts, std::vector<FleetMetric> metrics, Rosters& rosters);

  // The next time: nobody has answered.
  void start(Stamp due);
  // The last one counts.
  void answer(HostId host, HostAnswer answer);
  void fail(HostId host, int32_t status);
  // Has every host answered, or failed?
  [[nodiscard]] bool complete() const;
  // All that is there. May be called again for the same time, when there is more.
  void make(Wave& wave, bool last);
  void keep_rosters(Rosters& rosters) const;

 private:
  struct HostState {
    HostId host_id;
    bool settled = false;  // has answered, or failed
    int32_t status = kHostDown;
    HostAnswer answer{};
    std::vector<RosterId> roster_ids{};  // of each metric, when it was known last
  };
  HostState& state_of(HostId host);
  [[nodiscard]] Segment append(size_t metric, HostState& host, Column& column) const;

  std::vector<FleetMetric> metrics_;
  Rosters& rosters_;
  std::vector<HostState> hosts_;
  Stamp due_;
};

}  // namespace pmjit
