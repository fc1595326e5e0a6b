// PreparedAnswers: results of fetches as bytes that are kept, and changed in place for the next
// host and time. The collector core encodes the first answer to each request; its layout tells
// where the stamp, the instances and the values stand. All hosts share it: whatever depends on the
// host is written each time.
//
//   PreparedAnswer* prepared = answers.find(request, last);      // a FETCH or HIGHRES_FETCH
//   if (prepared == nullptr) answers.learn(request, result);     // which the core has encoded
//   else send(prepared->at(moment, stamp));
//
// For requests whose profile leaves no instance out: the caller sees to that.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/wire/codec.h"
#include "tests/sim/sim_metrics.h"

namespace pmjit::test {

class PreparedAnswer {
 public:
  // None: `result` is no result, or has sets that are not of these metrics.
  [[nodiscard]] static std::optional<PreparedAnswer> of(Bytes result,
                                                        std::span<const SimMetric> metrics);
  // The bytes for this host and time, until the next call.
  [[nodiscard]] Bytes at(const SimMoment& moment, Stamp stamp);

 private:
  // Where the values of one metric stand: offsets in the PDU.
  struct PlacedSet {
    const SimMetric* metric;
    uint32_t count;
    uint32_t pairs;           // {instance, value or block} × count
    uint32_t values, stride;  // the first value, and from one to the next
    bool wide;                // values have 8 bytes, not 4
  };
  [[nodiscard]] bool place(const wire::ResultSets& sets, std::span<const SimMetric> metrics);
  void put_values(const PlacedSet& set, const SimMoment& moment);
  void put_stamp(Stamp stamp);

  std::vector<std::byte> bytes_;
  std::vector<PlacedSet> sets_;
  bool highres_ = false;
};

class PreparedAnswers {
 public:
  explicit PreparedAnswers(std::span<const SimMetric> metrics) : metrics_(metrics) {}

  struct Known {
    std::string key;  // what is asked for
    PreparedAnswer answer;
  };
  // Null: it is not known. `last`: what the same connection asked for before, or null.
  [[nodiscard]] Known* find(Bytes request, Known* last);
  // Requests beyond a bound, and results that cannot be prepared, are not kept.
  void learn(Bytes request, Bytes result);

 private:
  std::span<const SimMetric> metrics_;
  std::unordered_map<std::string, std::unique_ptr<Known>> known_;
};

}  // namespace pmjit::test
