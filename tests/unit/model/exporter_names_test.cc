// Names of Prometheus' node_exporter.
#include "runtime/model/exporter_names.h"

#include <gtest/gtest.h>

namespace pmjit {
namespace {

TEST(ExporterNames, AreKnownWhole) {
  EXPECT_EQ(name_in_pcp("node_load5"), "kernel.all.load");
  EXPECT_EQ(name_in_pcp("node_disk_written_bytes_total"), "disk.dev.write_bytes");
  EXPECT_EQ(name_in_pcp("node_load"), "");
  EXPECT_EQ(name_in_pcp(""), "");
}

}  // namespace
}  // namespace pmjit
