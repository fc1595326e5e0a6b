// Interpolation: the values of metrics at any time, from the observations around it: the literal
// algorithm of spec archives.md §14.4, quirks and all, over a RecordReader. Which observations are
// around a time is always PCP's answer; what is between them may be exact instead (dialects.md,
// rows 137 and 157).
//
//   Interpolation at(archives, reader);
//   at.reposition(stamp);
//   at.fetch(stamp, forward, metrics, profile, out);    then on in steps, in the same direction
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/archive/recording/archives_source.h"
#include "runtime/archive/recording/marks.h"
#include "runtime/archive/recording/records.h"
#include "runtime/client/archive_context/counter_value.h"
#include "runtime/client/archive_context/interp_state.h"
#include "runtime/model/desc.h"

namespace pmjit {

// ReadAhead: what searches forward that read on to a mark or to the end of the data have told. When
// an instance is gone the algorithm reads that far to find that it is not observed again; with this
// the next search for one that is gone goes on where that one ended, and each record is read once.
//
//   ahead.begin();                              a search forward begins
//   ahead.met(behind, t, beyond);               each record and mark that it meets, until
//   ahead.stopped(before, metrics);             it meets a mark or the end
//   if (ahead.covers(reader.position(), metrics)) ...      what follows up to ahead.end() is known
//
// It knows nothing once stamps did not rise strictly, or a context has jumped: then what was found
// first need not be what is nearest. Source: spec archives.md §14.4.
class ReadAhead {
 public:
  void begin() { from_.reset(); }
  // `behind`: the position behind it; `t`: its time; `beyond`: is that behind the fetch's?
  void met(const RecordPosition& behind, double t, bool beyond);
  // `before`: the position before the mark or the end; `metrics`: how many are followed.
  void stopped(const RecordPosition& before, size_t metrics);
  // For good: a context that jumps, or goes backward.
  void give_up() { given_up_ = true; }

  // Has the search come so far that what it meets is told of later?
  [[nodiscard]] bool following() const { return from_.has_value() && !given_up_; }
  // Of the record that was met last.
  [[nodiscard]] double time() const { return time_; }
  // Was all met between `position` and end(), with at least these metrics followed?
  [[nodiscard]] bool covers(const RecordPosition& position, size_t metrics) const;
  [[nodiscard]] const RecordPosition& end() const { return known_->end; }

 private:
  struct Known {
    RecordPosition from, end;
    size_t metrics;
  };

  std::optional<RecordPosition> from_, farthest_;
  std::optional<Known> known_;
  double time_ = 0, latest_ = 0;  // of the last record, and of the one at farthest_
  bool given_up_ = false;
};

// AskedBounds: the times that may be asked for: those of the recording, and a millisecond beside
// it.
class AskedBounds {
 public:
  explicit AskedBounds(const Archives& archives) : archives_(archives) {}

  // PM_ERR_EOL outside. `t`: seconds since the recording's start. A growing archive may allow more
  // later.
  [[nodiscard]] Result<void> check(double t);

 private:
  const Archives& archives_;
  double end_ = 0;  // as last looked at; nobody has before the first fetch behind the start
};

class Interpolation {
 public:
  Interpolation(const Archives& archives, RecordReader& reader)
      : archives_(archives), reader_(reader), state_(archives) {}

  void set_between(Between between, Marks* marks) {
    exact_ = between == Between::exact;
    marks_ = marks;
  }
  // The next fetch finds its place by the index.
  void reposition(Stamp when);
  // PM_ERR_EOL outside the recording. Blocks of the values live until the next fetch.
  [[nodiscard]] Result<void> fetch(Stamp when, bool forward, std::span<const PmId> metrics,
                                   const Profile& profile, Fetched& out);

 private:
  enum class Walk : uint8_t { settle, forward, backward };

  [[nodiscard]] Result<void> find_place(Stamp when, double t, bool forward);
  void gather(std::span<const PmId> metrics, const Profile& profile);
  // All that follows works on the fetch at t_.
  [[nodiscard]] Result<void> roll();
  [[nodiscard]] Result<void> lower_bounds(bool& rolled);
  [[nodiscard]] Result<void> upper_bounds(bool& rolled);
  template <class Before, class Key>
  void order_list(Before before, Key key);
  void begin_list();
  void give_up(InstanceTrack& track, Bound& bound);
  [[nodiscard]] Result<bool> step_ahead();
  [[nodiscard]] bool nothing_ahead() const;
  // interp_update.cc: what a record says of the tracks.
  [[nodiscard]] Result<void> update(Walk walk, bool search);
  void update_mark(double t, Walk walk, bool search);
  [[nodiscard]] Result<void> update_set(MetricTrack& metric, const ValueSet& set, double t,
                                        Walk walk, bool search);
  void note_ahead(InstanceTrack& track, double t) const;
  [[nodiscard]] bool concerns(const InstanceTrack& track, double t) const;
  void separate(MetricTrack& metric);
  void observe(InstanceTrack& track, double t, Observed value, Walk walk, bool search);
  // interp_decide.cc: what the tracks say of t_.
  void decide(MetricTrack& metric, const Profile& profile, FetchedSet& out);
  void decide_alike(MetricTrack& metric, FetchedSet& out);
  void decide_blocks(MetricTrack& metric, const Profile& profile, FetchedSet& out);
  void decide_numbers(MetricTrack& metric, const Profile& profile, FetchedSet& out);
  [[nodiscard]] bool has_value(const MetricTrack& metric, const InstanceTrack& track) const;
  [[nodiscard]] int32_t count_of_no_numbers(const MetricTrack& metric,
                                            const Profile& profile) const;
  [[nodiscard]] const Bound& in_force(const MetricTrack& metric, const InstanceTrack& track) const;
  [[nodiscard]] uint64_t number(const MetricTrack& metric, const InstanceTrack& track) const;
  [[nodiscard]] uint64_t exact_number(const MetricTrack& metric, const InstanceTrack& track) const;
  [[nodiscard]] bool recorded_now(const InstanceTrack& track) const;
  [[nodiscard]] bool interrupted(const Bound& from, double until, int32_t nsec) const;
  [[nodiscard]] Nanos since_start(double t, int32_t nsec) const;
  [[nodiscard]] Stamp stamp_of(double t, int32_t nsec) const;

  const Archives& archives_;
  RecordReader& reader_;
  InterpState state_;
  AskedBounds bounds_{archives_};
  Arena arena_;
  const bool wrap_ = counters_wrap();
  bool exact_ = false;
  Marks* marks_ = nullptr;  // that exact values do not reach over
  ReadAhead ahead_;
  bool lost_ = true;     // the place has to be found by the index
  bool placed_ = false;  // it was, once
  double t_ = 0;
  int32_t nsec_ = 0;  // of the stamp that t_ is
  bool forward_ = true, seen_mark_ = false;
  bool in_columns_ = false;  // can whoever fetches read them?
  std::vector<MetricTrack*> metrics_;
  std::vector<InstanceTrack*> wanted_, list_;
  std::vector<uint64_t> observed_;  // numbers of the set at hand
  std::vector<uint32_t> words_;
  size_t at_ = 0;      // of wanted_
  size_t no_end_ = 0;  // how many of list_ have no known end; they stand first
  size_t head_ = 0;    // the first of list_ whose end was not reached
  size_t done_ = 0;    // how many of list_ were found
};

}  // namespace pmjit
