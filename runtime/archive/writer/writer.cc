#include "runtime/archive/writer.h"

#include <algorithm>

#include "runtime/archive/writer/encode.h"
#include "runtime/base/check.h"

namespace pmjit {

namespace {

// A volume that has grown by this much gets an index entry (spec §19.1).
constexpr uint64_t kIndexEvery = 100'000;
constexpr ArchivePart kMeta{kMetaVolume}, kIndex{kIndexVolume};

using Set = std::vector<Catalog::Instance>;

std::vector<ListedInstance> listed(const Set& set) {
  std::vector<ListedInstance> out;
  for (const auto& instance : set) out.push_back({instance.id, instance.name});
  return out;
}

struct Changes {
  std::vector<ListedInstance> list{};  // came or gone
  bool renamed = false;                // an instance that stays has another name
};

Changes changes_between(const Set& before, const Set& now) {
  Changes out;
  auto old = before.begin();
  const auto gone = [&] { out.list.push_back({.id = (old++)->id}); };
  for (const auto& instance : now) {
    while (old != before.end() && old->id < instance.id) gone();
    if (old == before.end() || old->id != instance.id) {
      out.list.push_back({instance.id, instance.name});
    } else {
      out.renamed = out.renamed || old->name != instance.name;
      ++old;
    }
  }
  while (old != before.end()) gone();
  return out;
}

}  // namespace

ArchiveWriter::ArchiveWriter(ArchiveWriterOptions options, ArchiveOutput& output)
    : options_(std::move(options)), output_(output) {
  start_file(kIndex);
  start_file(kMeta);
  start_file(volume());
}

void ArchiveWriter::add_metric(const std::string& name, const Desc& desc) {
  descs_.insert_or_assign(desc.pmid, desc);
  append(kMeta, encode_desc(name, desc));
}

void ArchiveWriter::set_instances(InDomId indom, std::vector<Catalog::Instance> instances,
                                  Stamp stamp) {
  std::ranges::sort(instances, {}, &Catalog::Instance::id);
  const auto known = domains_.find(indom);
  Changes changes;
  if (known != domains_.end()) {
    changes = changes_between(known->second, instances);
    if (changes.list.empty() && !changes.renamed) return;
  }
  // A delta cannot say that an instance has another name.
  const bool as_delta = options_.version == Version::v3 && !changes.list.empty() &&
                        !changes.renamed && changes.list.size() < instances.size();
  append(kMeta, as_delta ? encode_indom_delta(stamp, indom, changes.list)
                         : encode_indom(options_.version, stamp, indom, listed(instances)));
  domains_[indom] = std::move(instances);
  wants_index_ = true;
}

void ArchiveWriter::put(Stamp stamp, std::span<const WrittenSet> sets) {
  append_record(stamp, encode_result(options_.version, stamp, sets, descs_));
}

void ArchiveWriter::mark(Stamp stamp) {
  append_record(stamp, encode_mark(options_.version, stamp));
}

void ArchiveWriter::new_volume() {
  ++volume_;
  start_file(volume());
  wants_index_ = true;
}

Result<void> ArchiveWriter::close() {
  if (last_stamp_) append_index(*last_stamp_, meta_bytes_, last_record_);
  if (failure_) return fail(*failure_);
  return {};
}

void ArchiveWriter::start_file(ArchivePart part) {
  if (failure_) return;
  if (auto created = output_.create(part); !created) {
    failure_ = created.error();
    return;
  }
  if (part == volume()) volume_bytes_ = indexed_until_ = 0;
  append(part, encode_label(options_, part.number));
  if (part == kMeta) indom_offset_ = meta_bytes_;
}

void ArchiveWriter::append(ArchivePart part, Bytes bytes) {
  if (failure_) return;
  if (auto done = output_.append(part, bytes); !done) {
    failure_ = done.error();
    return;
  }
  if (part == kMeta) meta_bytes_ += bytes.size();
  if (part == volume()) volume_bytes_ += bytes.size();
}

void ArchiveWriter::append_record(Stamp stamp, Bytes record) {
  check(!last_stamp_ || stamp >= *last_stamp_, "writer: stamps do not go backwards");
  last_record_ = volume_bytes_;
  append(volume(), record);
  if (wants_index_ || last_record_ - indexed_until_ >= kIndexEvery) {
    append_index(stamp, indom_offset_, last_record_);
    indexed_until_ = last_record_;
    wants_index_ = false;
  }
  indom_offset_ = meta_bytes_;
  last_stamp_ = stamp;
}

void ArchiveWriter::append_index(Stamp stamp, uint64_t meta_offset, uint64_t data_offset) {
  if (last_indexed_ == stamp) return;  // the first entry for a stamp is the right one
  append(kIndex, encode_index_entry(options_.version, stamp, volume_, meta_offset, data_offset));
  last_indexed_ = stamp;
}

}  // namespace pmjit
