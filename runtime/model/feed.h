// Feed: rows that arrive, a wave at a time, and an end that nobody has to know beforehand. An
// archive in groups or on a grid, a fleet of hosts and the memory of a test look the same from
// here.
//
//   Wave wave;
//   ResultBlock results;
//   for (;;) {
//     const auto next = feed.next(wave);                      // never waits for time to pass
//     if (!next || *next == Feed::Next::end) break;
//     if (*next == Feed::Next::wave) evaluator.step(wave, results);
//     if (*next == Feed::Next::nothing_yet) …                 // ask again at feed.due(), or before
//   }
//
// A wave from an archive may have thousands of rows, one from live hosts has one. Today each
// operand of the product's feeds is of one host (of several hosts each has its own), and each wave
// is the last of its time. Rows of several hosts side by side (Segment, FleetRows) and waves that
// are not the last are evaluated too; until many hosts are followed at once only tests make them.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/model/column.h"
#include "runtime/model/recording.h"
#include "runtime/model/results.h"
#include "runtime/model/roster.h"

namespace pmjit {

// How old an observation may get before it is stale. Unlimited while L is undefined, and for
// discrete metrics.
struct AgeLimit {
  bool limited = false;
  Nanos interval = 0;  // L; 0: undefined
  // Exactly: 2·age > 5·L.
  [[nodiscard]] bool exceeded_by(Nanos age) const { return limited && 2 * age > 5 * interval; }
  // Is what follows an observation by `age` of the same tick? Exactly: 4·age < L.
  [[nodiscard]] bool within_tick(Nanos age) const {
    return interval > 0 && age <= (interval - 1) / 4;
  }
  friend bool operator==(const AgeLimit&, const AgeLimit&) = default;
};

// One evaluation: a group of records, or a time that was due.
struct Group {
  Stamp t;               // the evaluation time; of a group of records that of its last
  uint64_t segment = 0;  // counts marks: nothing crosses from one segment to the next
};

// Where operands are of several sources, marks interrupt those of their own source alone.
struct SourceSegments {
  std::vector<uint32_t> source_of;  // of each operand; empty: there is one source
  uint32_t sources = 1;
  std::vector<uint64_t> of_group;  // groups × sources; Group::segment is their sum
};

// What became of one metric of one host.
struct Segment {
  HostId host_id;
  RosterId roster_id;  // of its lanes; of a host that has not answered the roster it had before
  uint32_t first_lane = 0, lanes = 0;
  int32_t status = kKnown;  // else no lane has a value: kHostDown, kNoValue, or a PM_ERR_*
  Stamp stamp{};            // the host's own
};

// One metric in a wave. column.rows[i].record is the group; limits[i] the age limit of that row;
// of a discrete metric it has L alone. Of metrics that are logged together the first has the
// limits: the rows of the others are of the same groups, stamps and limits.
struct Observations {
  Column column;
  std::vector<AgeLimit> limits;
  uint32_t like = kNoIndex;       // of the others: that first one
  std::vector<Segment> segments;  // of the one row, where there are several hosts
};

// Memory goes from the source to the wave and on to the results, and back the same way. By members:
// std::swap() moves each of them three times, and that is done seven times a column and block.
inline void swap_columns(Column& one, Column& other) {
  std::swap(one.elem, other.elem);
  std::swap(one.rows, other.rows);
  one.values = std::move(other.values);  // exchanges them
  std::swap(one.count, other.count);
  one.valid.swap(other.valid);
  std::swap(one.dictionary, other.dictionary);
}

struct MissingHost {
  HostId host_id;
  int32_t status = kHostDown;  // or the PM_ERR_* that it answered with
};

struct Wave {
  // Of many hosts side by side: whose row each group is, each once, in the order in which they
  // came. Then every operand has one row per group, and history is that of the same host. Empty:
  // groups are times of one source, or of sources with operands of their own (by_source).
  std::vector<HostId> hosts{};
  // Are the groups what was recorded? Then several may be of one tick of a metric; times that were
  // due are ticks of their own.
  bool recorded = false;
  std::vector<Group> groups;
  std::vector<Observations> operands;  // one per metric of the plan
  SourceSegments by_source;
  // Hosts without an answer, ascending; in a wave that is not the last they may still come.
  std::vector<MissingHost> missing;
  // False: more of the same time may come. The next wave has it again, with what is here, and only
  // the last becomes history.
  bool last = true;
  bool late = false;  // the next time was due when it came; so far only tests look

  [[nodiscard]] const std::vector<AgeLimit>& limits_of(uint32_t operand) const {
    const uint32_t like = operands[operand].like;
    return operands[like == kNoIndex ? operand : like].limits;
  }
  // Of an operand's source at a group.
  [[nodiscard]] uint64_t segment_of(uint32_t operand, uint32_t group) const {
    if (by_source.source_of.empty()) return groups[group].segment;
    return by_source.of_group[group * by_source.sources + by_source.source_of[operand]];
  }
};

struct FeedStats {
  uint64_t bytes = 0, records = 0, values = 0;
  uint64_t alike = 0;    // records that were copied (Block::alike)
  uint64_t skipped = 0;  // times that were due, and nobody asked
  double source_s = 0;
};

class Feed {
 public:
  enum class Next : uint8_t { wave, nothing_yet, end };

  virtual ~Feed() = default;
  // Fills `wave`, whose memory it gave or was given back. An error comes after every wave before
  // the damage.
  [[nodiscard]] virtual Result<Next> next(Wave& wave) = 0;
  // After nothing_yet: next() has something to say then, if nothing arrives before.
  [[nodiscard]] virtual Stamp due() const { return kStampMin; }
  // Those of rows that are not in a wave yet, and of hosts that may come back.
  virtual void keep_rosters(Rosters& rosters) const = 0;
  [[nodiscard]] virtual FeedStats stats() const { return {}; }
  [[nodiscard]] virtual double done() const { return 0; }  // 0 … 1, where there is an end
  // What has happened since the last call, as Warnings::take() has it.
  [[nodiscard]] virtual std::vector<std::string> take_warnings() { return {}; }
};

// Opens a feed of metrics: operand i of every wave is metric i. Rosters are those of the caller.
using OpenFeed = std::function<Result<std::unique_ptr<Feed>>(std::vector<WantedMetric>)>;

// When rows are wanted: at the origin, and every step from there.
struct FeedTimes {
  Stamp origin;
  Nanos step = 0;         // above zero
  Stamp end = kStampMax;  // no time behind it; kStampMax: as long as rows come
  uint32_t rows_max = 0;  // rows per wave at most; 0: as the feed likes
};

class HostsCatalog;
class RecordedFeeds;

// What gives feeds at the times that somebody wants: archives on a grid, a fleet, a test.
class Feeds {
 public:
  virtual ~Feeds() = default;
  [[nodiscard]] virtual const Catalog& catalog() const = 0;
  [[nodiscard]] virtual std::string host() const = 0;  // of several the first
  // Where there are several hosts: what catalog() is. Null: there is one.
  [[nodiscard]] virtual const HostsCatalog* hosts() const { return nullptr; }
  // Where waves have rows of many hosts: what each of them has, by HostId (EvaluationOptions).
  [[nodiscard]] virtual std::vector<const Catalog*> row_catalogs() const { return {}; }
  // Both outlive the feed.
  [[nodiscard]] virtual Result<std::unique_ptr<Feed>> open(std::vector<WantedMetric> metrics,
                                                           const FeedTimes& times,
                                                           Rosters& rosters) const = 0;
  // Null: rows arrive, and nobody knows more than that.
  [[nodiscard]] virtual const RecordedFeeds* recorded() const { return nullptr; }
};

// A part of the times of a recording.
struct FeedPart {
  FeedTimes times;
  bool goes_on = false;  // others go before: it fails where a metric has no value at its first time
  std::span<const Stamp> marks{};  // as RecordedFeeds::marks() gives them
};

// Where the end is known and a feed can begin anywhere, so that threads can share the times.
class RecordedFeeds : public Feeds {
 public:
  [[nodiscard]] const RecordedFeeds* recorded() const final { return this; }
  [[nodiscard]] virtual Stamp end() const = 0;
  // Instances that a domain had at a time, at most.
  [[nodiscard]] virtual uint64_t largest_set(InDomId domain) const = 0;
  // All interruptions. Fails where the recording is damaged.
  [[nodiscard]] virtual Result<std::vector<Stamp>> marks() const = 0;
  [[nodiscard]] virtual Result<std::unique_ptr<Feed>> open_part(std::vector<WantedMetric> metrics,
                                                                const FeedPart& part,
                                                                Rosters& rosters) const = 0;
};

// FleetRows, of tests so far: what several hosts answer, as one wave: of each metric one row, with
// a segment per host. A host without an answer keeps the lanes that it had; they are unknown, and
// say why.
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
