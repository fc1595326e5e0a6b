#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runtime/archive/format/label.h"
#include "runtime/archive/writer.h"
#include "runtime/archive/writer/encode.h"
#include "runtime/base/result.h"

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

std::string path_of(const std::string& base, ArchivePart part) {
  if (part.number == kMetaVolume) return base + ".meta";
  if (part.number == kIndexVolume) return base + ".index";
  return fmt::format("{}.{}", base, part.number);
}

std::unexpected<Error> os_failure(const char* what, const std::string& path, int error) {
  return fail(Error(Fault::io, fmt::format("{}: {}", what, std::strerror(error)))
                  .at("file", path)
                  .pm_code(-error));
}

class FileOutput final : public ArchiveOutput {
 public:
  explicit FileOutput(std::string base) : base_(std::move(base)) {}
  ~FileOutput() override {
    for (const auto& [part, fd] : files_) ::close(fd);
  }

  Result<void> create(ArchivePart part) override {
    const std::string path = path_of(base_, part);
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0664);
    if (fd < 0) return os_failure("cannot create", path, errno);
    files_[part] = fd;
    return {};
  }

  Result<void> append(ArchivePart part, Bytes bytes) override {
    const int fd = files_.at(part);
    while (!bytes.empty()) {
      const ssize_t written = ::write(fd, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return os_failure("cannot write", path_of(base_, part), errno);
      bytes = bytes.subspan(static_cast<size_t>(written));
    }
    return {};
  }

 private:
  std::string base_;
  std::map<ArchivePart, int> files_;
};

class MemoryOutput final : public ArchiveOutput {
 public:
  explicit MemoryOutput(ArchiveParts& parts) : parts_(parts) {}
  Result<void> create(ArchivePart part) override {
    parts_[part].clear();
    return {};
  }
  Result<void> append(ArchivePart part, Bytes bytes) override {
    auto& all = parts_[part];
    all.insert(all.end(), bytes.begin(), bytes.end());
    return {};
  }

 private:
  ArchiveParts& parts_;
};

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

std::unique_ptr<ArchiveOutput> file_output(std::string base) {
  return std::make_unique<FileOutput>(std::move(base));
}

std::unique_ptr<ArchiveOutput> memory_output(ArchiveParts& parts) {
  return std::make_unique<MemoryOutput>(parts);
}

}  // namespace pmjit
