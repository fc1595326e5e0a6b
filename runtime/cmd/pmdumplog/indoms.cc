// Instance domains, as they are stored (-I) and as they follow from that (-i). Source: spec
// tools.md §2.10, §2.11.
#include "runtime/archive/reader/hash_order.h"
#include "runtime/cmd/pmdumplog/dump.h"

namespace pmjit {

namespace {

void dump_instance(const NamedInstance& instance, ToolOutput& out) {
  out.print("{} or \"{}\"\n", instance.id, instance.name);
}

}  // namespace

void dump_disk_indoms(Dump& dump) {
  ToolOutput& out = dump.out;
  out << "\nInstance Domains on-disk ...\n";
  std::vector<NamedInstance> instances;
  for (const IndomRecord& record : dump.metadata().indom_records) {
    out.print("{} InDom: {} {}{} instances\n", dump.stamps(record.stamp), indom_text(record.indom),
              record.delta ? "delta " : "", record.count);
    (void)list_stored(record, instances);  // the archive was not opened if this record was bad
    for (const NamedInstance& instance : instances) {
      if (instance.gone) {
        out.print("   del {}\n", instance.id);
      } else {
        out << (record.delta ? "   add " : "   ");
        dump_instance(instance, out);
      }
    }
  }
}

void dump_indoms(Dump& dump) {
  ToolOutput& out = dump.out;
  out << "\nInstance Domains in the Log ...\n";
  for (const InDomId indom : hash_order(dump.metadata().indoms)) {
    out.print("InDom: {}\n", indom_text(indom));
    for (SetWalk walk(*dump.metadata().domain(indom)); walk.next();) {
      out.print("{} {} instances\n", dump.stamps(walk.stamp()), walk.instances().size());
      for (const NamedInstance& instance : walk.instances()) {
        out << "   ";
        dump_instance(instance, out);
      }
    }
  }
}

}  // namespace pmjit
