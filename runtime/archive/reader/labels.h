// ArchiveLabels: the label records of an archive, kept as they are stored, and the look-up of what
// applies at a time.
//
//   const LabelSet* set = labels.find(LabelType::item, pmid, kNoInstance, now);
//   if (set != nullptr) use(set->json);
//
// A record says everything about its (type, identifier) from its stamp on. JSON texts are views
// into the metadata file. Source: spec archives.md §6.4, §11.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/base/bytes.h"
#include "runtime/model/stamp.h"

namespace pmjit {

enum class LabelType : uint32_t {  // PM_LABEL_*
  context = 1,
  domain = 2,
  indom = 4,
  cluster = 8,
  item = 16,
  instances = 32
};
inline constexpr uint32_t kLabelCompound = 64, kLabelOptional = 128;  // of LabelEntry::flags
inline constexpr int32_t kNoInstance = -1;
inline constexpr uint32_t kContextIdent = UINT32_MAX;

struct LabelEntry {  // where one label stands in the JSON text; strings include their quotes
  uint16_t name_offset;
  uint8_t name_length;
  uint8_t flags;
  uint16_t value_offset, value_length;
};

struct LabelSet {
  int32_t instance = kNoInstance;
  int32_t count = 0;  // of labels; negative: the PM_ERR number that was recorded instead
  std::string_view json{};
  Bytes entries{};  // as stored

  [[nodiscard]] size_t size() const { return count > 0 ? static_cast<size_t>(count) : 0; }
  [[nodiscard]] LabelEntry entry(size_t i) const;
  // What an entry points at, as far as the text goes.
  [[nodiscard]] std::string_view name(const LabelEntry& entry) const;
  [[nodiscard]] std::string_view value(const LabelEntry& entry) const;
};

struct LabelRecord {
  Stamp stamp{};
  LabelType type = LabelType::context;
  uint32_t ident = kContextIdent;
  uint32_t first_set = 0, sets = 0;  // in ArchiveLabels
};

class ArchiveLabels {
 public:
  void add(Stamp stamp, LabelType type, uint32_t ident, std::span<const LabelSet> sets);
  void merge(const ArchiveLabels& other);

  // In the order in which they were added.
  [[nodiscard]] std::span<const LabelRecord> records() const { return records_; }
  // Whoever has records, in the order of their first.
  struct Owner {
    LabelType type;
    uint32_t ident;
  };
  [[nodiscard]] std::span<const Owner> owners() const { return owners_; }
  [[nodiscard]] std::span<const LabelSet> sets(const LabelRecord& record) const;
  // Indices into records() of one (type, identifier), oldest first; of equal stamps the one that
  // was added first is the newest.
  [[nodiscard]] std::span<const uint32_t> history(LabelType type, uint32_t ident) const;

  // The newest record at or before `when`, as it is stored; null: there is none.
  [[nodiscard]] const LabelRecord* newest(LabelType type, uint32_t ident, Stamp when) const;

  // What the PMAPI delivers for a time. It leaves out of a record every set that says what the
  // record before it said, passes over records of which nothing is left, and takes what is left of
  // the newest at or before `when` for all there is: unchanged instances lose their labels.
  [[nodiscard]] std::vector<const LabelSet*> delivered(LabelType type, uint32_t ident,
                                                       Stamp when) const;
  // One of them: the labels of an instance, or with kNoInstance those of other types. Null: none.
  [[nodiscard]] const LabelSet* find(LabelType type, uint32_t ident, int32_t instance,
                                     Stamp when) const;
  // What is left of one record of a history().
  [[nodiscard]] std::vector<const LabelSet*> left_of(std::span<const uint32_t> history,
                                                     size_t number) const;

 private:
  static uint64_t key(LabelType type, uint32_t ident) {
    return uint64_t{static_cast<uint32_t>(type)} << 32 | ident;
  }
  // How many records of a history are not later.
  [[nodiscard]] size_t until(std::span<const uint32_t> history, Stamp when) const;

  std::vector<LabelRecord> records_;
  std::vector<LabelSet> sets_;
  std::vector<Owner> owners_;
  std::unordered_map<uint64_t, std::vector<uint32_t>> histories_;
};

// Label sets of several levels as one JSON object, as pmMergeLabelSets makes it: of several labels
// of one name that of the last set counts, and labels come in the order of their names. Source:
// spec pmapi.md §19.
//
//   merge_label_sets({context, domain, indom, cluster, item})  →  {"agent":"linux","hostname":"h"}
//
// Null stands for a level without labels. "" if there are none at all.
[[nodiscard]] std::string merge_label_sets(std::span<const LabelSet* const> sets);

// What stands for the labels of a context where an archive has no records of them at all:
// {"hostname":"HOST"}. set() is a view into this.
class HostnameLabel {
 public:
  explicit HostnameLabel(std::string_view host);
  [[nodiscard]] LabelSet set() const;

 private:
  std::string json_;
  std::array<std::byte, 8> entry_{};
};

}  // namespace pmjit
