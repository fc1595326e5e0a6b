// Descriptors in the order of the reference's hash table. Source: spec tools.md §2.6, §2.7.
#include "runtime/archive/reader/hash_order.h"
#include "runtime/cmd/pmdumplog/dump.h"
#include "runtime/cmd/pmdumplog/names.h"
#include "runtime/text/desc_text.h"

namespace pmjit {

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

}  // namespace pmjit
