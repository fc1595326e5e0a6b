// Metadata: everything a .meta file says, checked as a whole when the archive is opened: a metadata
// record that cannot be right refuses the archive (spec archives.md §6, §9).
//
//   auto metadata = read_metadata(file, label.version, ExtraUnits::known);
//   metadata->names.find("disk.dev.read");  metadata->descs.at(pmid);
//   if (const Domain* domain = metadata->domain(desc.indom)) domain->name(instance, now);
//
// Names, instance names, label and help texts are views into the file: it must outlive this.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/archive/format/label.h"
#include "runtime/archive/reader/domain.h"
#include "runtime/archive/reader/labels.h"
#include "runtime/archive/reader/metadata_records.h"
#include "runtime/archive/reader/name_space.h"
#include "runtime/base/bytes.h"
#include "runtime/model/catalog.h"
#include "runtime/model/desc.h"

namespace pmjit {

// Texts: one-line and long help texts of metrics and instance domains. They have no time: of
// several texts of one kind for one identifier the last in the file counts.
//
//   texts.look_up(TextKind::help, TextOf::metric, pmid)  →  the text, or PM_ERR_TEXT …
//
// Texts are views into the metadata file. Source: spec archives.md §6.5, §11; tools.md §2.9.
enum class TextOf : uint32_t { metric = 4, indom = 8 };  // PM_TEXT_PMID, PM_TEXT_INDOM

class Texts {
 public:
  void add(TextKind kind, TextOf of, uint32_t ident, std::string_view text);
  // Every text of `newer` replaces ours.
  void merge(const Texts& newer);

  // This kind and no other.
  [[nodiscard]] std::optional<std::string_view> find(TextKind kind, TextOf of,
                                                     uint32_t ident) const;
  // The same. PM_ERR_TEXT: there is none; PM_ERR_NOTHOST: there is none of the kind for anything.
  [[nodiscard]] OrPmCode<std::string_view> look_up_alone(TextKind kind, TextOf of,
                                                         uint32_t ident) const;
  // As pmLookupText and pmLookupInDomText have it: the one-line text where a long one is absent or
  // empty.
  [[nodiscard]] OrPmCode<std::string_view> look_up(TextKind kind, TextOf of, uint32_t ident) const;
  // Whoever has a text of any kind, ascending.
  [[nodiscard]] std::vector<uint32_t> idents(TextOf of) const;

 private:
  using Key = std::pair<uint32_t, uint32_t>;  // identifier, kind
  [[nodiscard]] const std::map<Key, std::string_view>& of(TextOf of) const {
    return of == TextOf::metric ? metrics_ : indoms_;
  }
  std::map<Key, std::string_view> metrics_, indoms_;
};

// `payload` starts behind the type word.
[[nodiscard]] OrDamage<void> read_text_record(Bytes payload, Texts& out);

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

// MetadataCatalog: the metadata of an archive, or of several that are read as one, as the compiler
// asks for them. Both what it is made of and the name (for messages) outlive it.
class MetadataCatalog final : public Catalog {
 public:
  MetadataCatalog(const Metadata& metadata, const std::string& name)
      : metadata_(metadata), name_(name) {}

  [[nodiscard]] Result<Desc> describe(std::string_view metric) const override;
  [[nodiscard]] std::vector<std::string> leaves(std::string_view prefix) const override;
  [[nodiscard]] std::optional<std::string> instance_name(InDomId indom, int32_t instance,
                                                         Stamp when) const override;
  [[nodiscard]] uint64_t domain_epoch(InDomId indom, Stamp when) const override;
  [[nodiscard]] std::optional<std::vector<int32_t>> changed_between(InDomId indom, Stamp from,
                                                                    Stamp to) const override;
  [[nodiscard]] std::vector<std::string> names_ever(InDomId indom) const override;
  [[nodiscard]] std::vector<Instance> instances(InDomId indom) const override;

 private:
  const Metadata& metadata_;
  const std::string& name_;
};

// The metadata of several archives that are read as one. Source: spec archives.md §10.

// A metric that two archives describe differently, so that they cannot be read as one.
struct DescConflict {
  PmId pmid = kNullId;
  int pm_code = 0;  // PM_ERR_LOGCHANGE…
};
// The first of `b`; none: they go together.
[[nodiscard]] std::optional<DescConflict> find_desc_conflict(const Metadata& a, const Metadata& b);

// Adds what `from` has to `into`, in the order in which the archives were named. Of two metrics
// with one name the first keeps it; sets of instances and labels count from their own time on;
// texts of `from` replace. There is no conflict, and both files must outlive `into`.
void merge_metadata(Metadata& into, const Metadata& from);

}  // namespace pmjit
