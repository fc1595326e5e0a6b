// Instance domains, as they are stored (-I) and as they follow from that (-i). Source: spec
// tools.md §2.10, §2.11.

#include "runtime/archive/reader/hash_order.h"
#include "runtime/cmd/pmdumplog/dump.h"
#include "runtime/cmd/pmdumplog/record_printer.h"
#include "runtime/text/print_value.h"

namespace pmjit {

namespace {

void dump_instance(const NamedInstance& instance, ToolOutput& out) {
  out.print("{} or \"{}\"\n", instance.id, instance.name);
}

// Metric labels. Source: spec tools.md §2.8.
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

// Help texts. Source: spec tools.md §2.9.
void dump_texts_of(const Texts& texts, TextOf of, uint32_t ident, const std::string& title,
                   ToolOutput& out) {
  if (const auto text = texts.find(TextKind::one_line, of, ident)) {
    out.print("{} [{}]\n", title, *text);
  }
  if (const auto text = texts.find(TextKind::help, of, ident)) {
    out.print("{}\n{}\n", title, *text);
  }
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

// Descriptors in the order of the reference's hash table. Source: spec tools.md §2.6, §2.7.
void dump_descs(Dump& dump) {
  const Metadata& metadata = dump.metadata();
  dump.out << "\nDescriptions for Metrics in the Log ...\n";
  for (const PmId pmid : hash_order(metadata.pmids)) {
    std::string text =
        fmt::format("PMID: {} ({})\n", pmid_text(pmid), names_of(metadata, pmid, "<noname>"));
    append_desc(text, *metadata.desc(pmid));
    dump.out << text;
  }
}

void dump_label_sets(Dump& dump) {
  dump.out << "\nMetric Labels in the Log ...\n";
  for (const DumpedLabels& labels : label_dump(dump.metadata().labels)) {
    if (labels.new_stamp) dump.out << dump.stamps(labels.stamp) << '\n';
    for (const LabelSet* set : labels.sets) dump_set(labels, *set, dump.out);
  }
}

void dump_texts(Dump& dump) {
  const Texts& texts = dump.metadata().texts;
  dump.out << "\nMetric Help Text in the Log ...\n";
  for (const uint32_t pmid : texts.idents(TextOf::metric)) {
    dump_texts_of(texts, TextOf::metric, pmid, "PMID: " + pmid_text(pmid), dump.out);
  }
  for (const uint32_t indom : texts.idents(TextOf::indom)) {
    dump_texts_of(texts, TextOf::indom, indom, "InDom: " + indom_text(indom), dump.out);
  }
}

}  // namespace pmjit
