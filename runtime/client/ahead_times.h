// AheadTimes: what the next fetches of a context bring, which is there before anybody fetches it:
// each metric is a column over these times. A fetch does not depend on what is computed from it, so
// it can come first.
//
//   while (ahead.load()) { ahead.column(i).rows[ahead.place()] …; ahead.pass(1); }
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "runtime/model/column.h"
#include "runtime/model/stamp.h"
#include "runtime/model/value.h"

namespace pmjit {

class Profile;

class AheadTimes {
 public:
  virtual ~AheadTimes() = default;

  // Are the values of the next time there? False: nothing more comes.
  [[nodiscard]] virtual bool load() = 0;
  // After load(): the next time is row place() of times() rows of every column.
  [[nodiscard]] virtual size_t place() const = 0;
  [[nodiscard]] virtual size_t times() const = 0;
  // As interpolation has the time of a row.
  [[nodiscard]] virtual Stamp time(size_t row) const = 0;
  [[nodiscard]] virtual const Column& column(size_t metric) const = 0;
  // Of a row of that metric, in the order in which a fetch delivers them.
  [[nodiscard]] virtual std::span<const int32_t> instances(size_t metric, const Row& row) const = 0;
  // What a fetch of columns (Fetched::in_columns) has of a metric; its values live until the next
  // load().
  virtual void take(size_t metric, size_t row, const Profile& profile, FetchedSet& out) = 0;
  // So many times have been fetched.
  virtual void pass(size_t times) = 0;
  // From now on the context names instances as if that row had been fetched last; none: as it
  // stands.
  virtual void look_at(std::optional<size_t> row) = 0;
};

}  // namespace pmjit
