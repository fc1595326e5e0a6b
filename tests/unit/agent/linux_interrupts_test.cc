// Tables of interrupts.
#include "agent/linux/linux_interrupts.h"

#include <gtest/gtest.h>

namespace pmjit {
namespace {

LinuxSheet interrupts(std::string text) {
  return {source_of(LinuxSourceId::interrupts), std::move(text)};
}

TEST(InterruptTable, HasARowOfEachKindAndAColumnOfEachProcessor) {
  const LinuxSheet sheet = interrupts(
      "           CPU0       CPU2       \n"
      " 24:          1          7  IO-APIC   5-edge      ACPI:Ged\n"
      "LOC:    2744236    2980495   Local timer interrupts\n"
      "ERR:          3\nMIS:          4\n");
  const InterruptTable table(sheet);
  EXPECT_EQ(std::vector(table.processors().begin(), table.processors().end()),
            (std::vector<uint32_t>{0, 2}));
  ASSERT_EQ(table.rows().size(), 2u);
  EXPECT_EQ(table.rows()[0].name, "24");
  EXPECT_EQ(table.rows()[0].counts, (std::vector<uint64_t>{1, 7}));
  EXPECT_EQ(table.rows()[0].what, "IO-APIC 5-edge ACPI:Ged");
  EXPECT_EQ(table.find("LOC")->counts, (std::vector<uint64_t>{2'744'236, 2'980'495}));
  EXPECT_EQ(table.find("ERR"), nullptr);
  EXPECT_EQ(sheet.cell("MIS:", 1), "4");
}

TEST(InterruptTable, WhatIsMissingIsNotThere) {
  const LinuxSheet nothing = interrupts("");
  EXPECT_TRUE(InterruptTable(nothing).rows().empty());
  const LinuxSheet headless = interrupts("24: 1 2 text\n");
  EXPECT_TRUE(InterruptTable(headless).rows()[0].counts.empty());
  const LinuxSheet ragged = interrupts("CPU0 CPU1 CPU2\n24: 5 of 7\nIPI0:\n");
  const InterruptTable table(ragged);
  EXPECT_EQ(table.find("24")->counts, std::vector<uint64_t>{5});
  EXPECT_EQ(table.find("24")->what, "of 7");
  EXPECT_TRUE(table.find("IPI0")->counts.empty());
}

TEST(InterruptTable, InstancesAreKindsOnProcessors) {
  EXPECT_EQ(interrupt_on_cpu("LOC", 12), "LOC::cpu12");
  EXPECT_EQ(interrupt_place("LOC::cpu12").kind, "LOC");
  EXPECT_EQ(interrupt_place("LOC::cpu12").processor, "12");
  EXPECT_EQ(interrupt_place("LOC").kind, "LOC");
  EXPECT_TRUE(interrupt_place("LOC").processor.empty());
}

}  // namespace
}  // namespace pmjit
