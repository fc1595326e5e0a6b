// Help texts. Source: spec tools.md §2.9.
#include "runtime/cmd/pmdumplog/dump.h"

namespace pmjit {

namespace {

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
