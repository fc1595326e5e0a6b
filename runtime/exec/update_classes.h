// UpdateClasses: operands that are logged together, and what is known of all of them at once. A
// logger writes the same few sets of metrics again and again, so most operands have the same
// updates. Those of a class have rows in the same records of the block at hand, are of one source,
// and have the same intervals; whatever is said of one of them is said of the class.
//
//   UpdateClasses classes(discrete, source_of);
//   classes.regroup(block, true);                 // before its records are looked at
//   classes.update(of, stamp);                    // a record that carries class `of`
//   classes[of].intervals.limit();
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "runtime/base/ids.h"
#include "runtime/exec/intervals.h"
#include "runtime/model/column.h"

namespace pmjit {

class UpdateClasses {
 public:
  struct Class {
    std::vector<uint32_t> operands{};  // ascending; never empty
    uint32_t source = 0;
    bool discrete = false;
    uint32_t was = 0;       // the class before regroup() that its operands come from
    Intervals intervals{};  // of the segment
    [[nodiscard]] uint32_t first() const { return operands.front(); }
  };

  // `discrete` and `source_of` of each operand; no sources: there is one.
  UpdateClasses(const std::vector<bool>& discrete, const std::vector<uint32_t>& source_of);

  // Classes as the columns of `block` have them: those that they do not carry as a whole are split.
  // `merge`: those that have become alike are joined, so that a record that lacked some metrics
  // does not tell for ever.
  void regroup(const Block& block, bool merge);

  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(classes_.size()); }
  [[nodiscard]] const Class& operator[](uint32_t of) const { return classes_[of]; }
  [[nodiscard]] uint32_t of_operand(uint32_t operand) const { return class_of_[operand]; }

  void start_segment(uint32_t source);
  void update(uint32_t of, Stamp stamp) { classes_[of].intervals.update(stamp); }
  // The shortest interval that is known of any operand.
  [[nodiscard]] std::optional<Nanos> shortest() const;

 private:
  void find_times(const Block& block);
  [[nodiscard]] uint32_t class_for(uint32_t operand, bool merge);

  std::vector<Class> classes_, before_;
  std::vector<uint32_t> class_of_;
  // Of each operand: its list of records, by the first operand that has the same.
  std::vector<uint32_t> times_of_;
  std::unordered_multimap<uint64_t, uint32_t> firsts_;  // by a hash of their list
  std::unordered_map<uint64_t, uint32_t> parts_;        // classes, by the one before and the list
  std::unordered_multimap<uint32_t, uint32_t> made_;    // all of them, by the list
};

}  // namespace pmjit
