// InterruptTable: /proc/interrupts and /proc/softirqs, which have a row of each kind of interrupt
// and a column of each processor that works:
//
//              CPU0  CPU2
//    24:          1     0  IO-APIC   5-edge   ACPI:Ged
//   LOC:    2744236   980  Local timer interrupts
//   ERR:          0
//
//   const InterruptTable table(sheet);             // which outlives it
//   table.processors()                             {0, 2}
//   table.rows()[1]                                LOC, {2744236, 980}, "Local timer interrupts"
//
// ERR and MIS count for the whole machine and are no rows.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/linux/linux_sheet.h"

namespace pmjit {

struct InterruptRow {
  std::string_view name;
  std::vector<uint64_t> counts;  // of processors(), or of the first of them
  std::string what;              // words behind the numbers, with one blank between them
};

class InterruptTable {
 public:
  explicit InterruptTable(const LinuxSheet& sheet);

  [[nodiscard]] std::span<const uint32_t> processors() const { return processors_; }
  [[nodiscard]] std::span<const InterruptRow> rows() const { return rows_; }
  // Null: there is none of this name.
  [[nodiscard]] const InterruptRow* find(std::string_view name) const;

 private:
  void add_row(std::string_view name, std::span<const std::string_view> cells);

  std::vector<uint32_t> processors_;
  std::vector<InterruptRow> rows_;
};

// "LOC::cpu2", as PCP's agent has it.
[[nodiscard]] std::string interrupt_on_cpu(std::string_view kind, uint32_t processor);
// Back again; no processor where the text has none.
struct InterruptPlace {
  std::string_view kind, processor;
};
[[nodiscard]] InterruptPlace interrupt_place(std::string_view instance);

}  // namespace pmjit
