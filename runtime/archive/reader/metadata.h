// Metadata: everything a .meta file says, checked as a whole when the archive is opened: a metadata
// record that cannot be right refuses the archive (spec archives.md §6, §9).
//
//   auto metadata = read_metadata(file, label.version, ExtraUnits::known);
//   metadata->names.find("disk.dev.read");  metadata->descs.at(pmid);
//   if (const Domain* domain = metadata->domain(desc.indom)) domain->name(instance, now);
//
// Names, instance names, label and help texts are views into the file: it must outlive this.
#pragma once

#include <unordered_map>
#include <vector>

#include "runtime/archive/format/damage.h"
#include "runtime/archive/format/stamp_io.h"
#include "runtime/archive/reader/domain.h"
#include "runtime/archive/reader/help_texts.h"
#include "runtime/archive/reader/indom_record.h"
#include "runtime/archive/reader/labels.h"
#include "runtime/archive/reader/name_space.h"
#include "runtime/base/bytes.h"
#include "runtime/model/desc.h"

namespace pmjit {

struct Metadata {
  NameSpace names;
  std::unordered_map<PmId, Desc> descs;
  std::unordered_map<InDomId, Domain> domains;
  ArchiveLabels labels;
  Texts texts;
  // In the order of their first appearance; of domains, with at least one instance. hash_order()
  // makes of them the order in which the real tools list.
  std::vector<PmId> pmids;
  std::vector<InDomId> indoms;
  // Every one as it is stored, in the order of the file, empty ones too.
  std::vector<IndomRecord> indom_records;

  // Null: not described here; no set of instances was ever recorded.
  [[nodiscard]] const Desc* desc(PmId pmid) const;
  [[nodiscard]] const Domain* domain(InDomId indom) const;
};

// `file` is the whole .meta file, its label included (and already checked).
[[nodiscard]] OrDamage<Metadata> read_metadata(Bytes file, Version version, ExtraUnits extra_units);

// The PM_ERR_LOGCHANGE… of two descriptions of one metric; 0: they agree.
[[nodiscard]] int desc_conflict(const Desc& a, const Desc& b);

}  // namespace pmjit
