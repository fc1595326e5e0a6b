// Archive: one recorded PCP archive, V2 or V3, of one or several volumes, as a Recording.
//
//   auto archive = Archive::open("/var/log/pcp/pmlogger/host/20240101");
//   if (!archive) return fail(archive.error());
//   auto cursor = (*archive)->open({.metrics = {desc.pmid}}, rosters);
//
// Opening checks labels and all metadata; records are checked when they are read. What opens is
// immutable and may be shared by threads; a cursor belongs to one and must not outlive its archive.
// Source: spec archives.md §1–§9, §11.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/archive/format/label.h"
#include "runtime/archive/reader/index.h"
#include "runtime/archive/reader/metadata.h"
#include "runtime/archive/reader/volume.h"
#include "runtime/base/file.h"
#include "runtime/model/recording.h"

namespace pmjit {

struct ArchiveOptions {
  Features features = Features::known;
  ExtraUnits extra_units = ExtraUnits::known;
  // A temporal index that is damaged is a warning, and is not used. PCP's tools refuse the archive.
  bool without_bad_index = false;
};

struct ArchiveFiles {
  std::string name{};  // base name, for messages
  std::unique_ptr<File> meta{};
  std::unique_ptr<File> index{};      // null: there is none
  std::vector<VolumeFile> volumes{};  // ascending by number, at least one
  ArchiveOptions options{};
};

class Archive final : public Recording {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Archive>> open(const std::string& name,
                                                             const ArchiveOptions& options = {});
  [[nodiscard]] static Result<std::unique_ptr<Archive>> open(ArchiveFiles files);

  [[nodiscard]] const Catalog& catalog() const override { return catalog_; }
  [[nodiscard]] std::string host() const override { return label_.host; }
  [[nodiscard]] std::string timezone() const override { return label_.timezone; }
  [[nodiscard]] Stamp start() const override { return label_.start; }
  [[nodiscard]] Stamp end() const override { return end_; }
  [[nodiscard]] uint64_t bytes() const override;
  // Volumes that are missing, and what is lost with them (reader/index.h); an index that is not
  // used.
  [[nodiscard]] std::vector<std::string> warnings() const override { return warnings_; }
  // Fault::not_found (PM_ERR_PMID_LOG) for a metric that is not described here; Fault::unsupported
  // for event records; Fault::usage for a metric asked for twice. The first record beyond `plan.to`
  // ends the cursor: archives are written in order of time, and what follows may be gigabytes, or
  // damaged.
  [[nodiscard]] Result<std::unique_ptr<Cursor>> open(const FetchPlan& plan,
                                                     Rosters& rosters) const override;
  [[nodiscard]] Result<std::unique_ptr<Pieces>> open_pieces(const FetchPlan& plan) const override;

  [[nodiscard]] const Label& label() const { return label_; }
  [[nodiscard]] const Metadata& metadata() const { return metadata_; }
  [[nodiscard]] const std::string& name() const { return files_.name; }
  [[nodiscard]] const std::vector<VolumeFile>& volumes() const { return files_.volumes; }
  [[nodiscard]] uint64_t meta_bytes() const { return meta_bytes_.size(); }
  // As stored; empty where there is no index.
  [[nodiscard]] const std::vector<IndexEntry>& index() const { return index_; }
  // The stamp of the last whole record, looked for anew: the archive may have grown since it was
  // opened. PM_ERR_LOGREC: there is none.
  [[nodiscard]] Result<Stamp> last_record() const;

 private:
  explicit Archive(ArchiveFiles files) : files_(std::move(files)) {}
  [[nodiscard]] Result<void> load();
  [[nodiscard]] Result<void> load_index();

  ArchiveFiles files_;
  Label label_;
  Buffer meta_bytes_;  // what metadata_ has views into
  Metadata metadata_;
  MetadataCatalog catalog_{metadata_, files_.name};
  std::vector<IndexEntry> index_;
  std::vector<std::string> warnings_;
  Stamp end_ = kStampMax;
};

}  // namespace pmjit
