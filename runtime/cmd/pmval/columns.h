// The columns of pmval: labels, and the values of one sample below them. Source: spec pmapi.md
// §24.2.
#pragma once

#include <optional>
#include <string>

#include "runtime/base/result.h"
#include "runtime/client/archive_context/counter_value.h"
#include "runtime/cmd/pmval/followed_metric.h"
#include "runtime/model/value.h"
#include "runtime/text/interval.h"
#include "runtime/text/window.h"
#include "runtime/text/zone.h"

namespace pmjit {

class ValColumns {
 public:
  ValColumns(const ValSeries& series, const ValRequest& request);

  [[nodiscard]] int width() const { return width_; }
  // The heading, and full names where one does not fit; nothing for a singular metric.
  void put_labels(std::string& out);
  // The time, and what follows it.
  void put_stamp(std::string& out, Stamp stamp, Zone& zone) const;
  // Are there instances without a column?
  [[nodiscard]] bool has_unknown(const FetchedSet& set);
  // A failure: a value is stored in a way that does not fit the metric; nothing is put behind it.
  [[nodiscard]] Result<void> put_values(std::string& out, const FetchedSet& set, Zone& zone);
  // Of counters: the numbers of a set, for the next set's rates.
  void read_numbers(const FetchedSet& set);
  // Per second, between the two sets that were read last, `seconds` apart.
  [[nodiscard]] Result<void> put_rates(std::string& out, double seconds) const;

 private:
  // What a column shows in one set, as a number.
  struct Reading {
    double number = 0;
    int code = 0;  // negative: why there is a value and no number
    bool there = false;
  };

  [[nodiscard]] Result<void> put_value(std::string& out, const FetchedSet& set, const Value& value,
                                       Zone& zone) const;
  [[nodiscard]] bool is_unknown(const Value& value) const;
  void put_unknown(std::string& out, const FetchedSet& set, Zone& zone) const;
  void put_number(std::string& out, double number) const;
  void put_missing(std::string& out) const;
  [[nodiscard]] const Value* find(const FetchedSet& set, size_t column);
  [[nodiscard]] Reading reading_of(const FetchedSet& set, const Value* value) const;

  const ValSeries& series_;
  const ValRequest& request_;
  int width_;
  bool told_full_names_ = false;
  const bool wrap_ = counters_wrap();
  std::vector<size_t> usual_;          // where in a value set each column's value was last
  std::vector<Reading> before_, now_;  // by column
};

// What pmval says before the first value. Source: spec pmapi.md §24.2.
struct ValPlan {
  Stamp start, end;  // the window; the first sample is at the start
  NanoTime interval{1, 0};
  std::optional<int> samples;  // none: until the end
};

[[nodiscard]] std::string val_header(const ValSeries& series, const ValRequest& request,
                                     const ValPlan& plan, const std::string& archive,
                                     const std::string& host, Zone& zone);

}  // namespace pmjit
