// SharedIntervals: the intervals of operands that are logged together, once for all of them. A
// logger writes the same few sets of metrics again and again, so most operands have the same
// updates from the first on: they are of one class. A record that carries a part of a class splits
// it, and each part goes on with the history of both.
//
//   SharedIntervals intervals(operands, source_of, sources);
//   intervals.update(carried, stamp);      // operands of a record, ascending
//   intervals.of(operand).limit();
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/exec/intervals.h"

namespace pmjit {

class SharedIntervals {
 public:
  // `source_of` each operand; empty: there is one source.
  SharedIntervals(size_t operands, const std::vector<uint32_t>& source_of, uint32_t sources);

  void start_segment(uint32_t source);
  void update(std::span<const uint32_t> carried, Stamp stamp);
  [[nodiscard]] const Intervals& of(uint32_t operand) const {
    return classes_[class_of_[operand]].intervals;
  }
  // The shortest interval that is known of any operand.
  [[nodiscard]] std::optional<Nanos> shortest() const;

 private:
  struct Class {
    uint32_t source = 0, operands = 0;
    Intervals intervals{};
  };
  // Operands of records, and the classes that these are.
  struct Pattern {
    std::vector<uint32_t> operands, classes;
  };

  [[nodiscard]] const Pattern& pattern_of(std::span<const uint32_t> carried);
  void split(std::span<const uint32_t> carried);

  std::vector<uint32_t> class_of_;
  std::vector<Class> classes_;
  std::vector<Pattern> patterns_;
  std::vector<uint32_t> carried_of_;  // each class, how many; then the class that these become
  size_t next_ = 0;                   // pattern to go when there are too many
};

}  // namespace pmjit
