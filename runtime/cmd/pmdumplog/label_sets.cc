// Metric labels. Source: spec tools.md §2.8.
#include "runtime/archive/reader/dumped_labels.h"
#include "runtime/cmd/pmdumplog/dump.h"

namespace pmjit {

namespace {

struct LabelTypeName {
  LabelType type;
  std::string_view name;
};
// Also the names of flag bits, in this order of precedence.
constexpr LabelTypeName kTypeNames[] = {
    {LabelType::context, "context"}, {LabelType::domain, "domain"},
    {LabelType::indom, "indom"},     {LabelType::cluster, "cluster"},
    {LabelType::item, "pmid"},       {LabelType::instances, "instances"},
};

std::string whose(const DumpedLabels& labels, const LabelSet& set) {
  switch (labels.type) {
    case LabelType::context: return "Context";
    case LabelType::domain: return fmt::format("Domain {}", labels.ident);
    case LabelType::cluster:
      return fmt::format("Cluster {}.{}", labels.ident >> 22 & 0x1ff, labels.ident >> 10 & 0xfff);
    case LabelType::item: return fmt::format("PMID {}", pmid_text(labels.ident));
    case LabelType::indom: return fmt::format("InDom {}", indom_text(labels.ident));
    case LabelType::instances:
      return fmt::format("InDom {}[{}]", indom_text(labels.ident),
                         static_cast<uint32_t>(set.instance));
  }
  return {};
}

std::string source_of(uint8_t flags) {
  std::string out = "?";
  for (const LabelTypeName& name : kTypeNames) {
    if ((flags & static_cast<uint32_t>(name.type)) != 0) {
      out = name.name;
      break;
    }
  }
  if ((flags & kLabelCompound) != 0) out += ",compound";
  if ((flags & kLabelOptional) != 0) out += ",optional";
  return out;
}

void dump_set(const DumpedLabels& labels, const LabelSet& set, ToolOutput& out) {
  out.print("    {} labels ({} bytes): {}\n", whose(labels, set), set.json.size(), set.json);
  for (size_t i = 0; i < set.size(); ++i) {
    const LabelEntry entry = set.entry(i);
    out.print("        [{}] name({},{}) : value({},{}) [{}]\n", i, entry.name_offset,
              entry.name_length, entry.value_offset, entry.value_length, source_of(entry.flags));
  }
}

}  // namespace

void dump_label_sets(Dump& dump) {
  dump.out << "\nMetric Labels in the Log ...\n";
  for (const DumpedLabels& labels : label_dump(dump.metadata().labels)) {
    if (labels.new_stamp) dump.out << dump.stamps(labels.stamp) << '\n';
    for (const LabelSet* set : labels.sets) dump_set(labels, *set, dump.out);
  }
}

}  // namespace pmjit
