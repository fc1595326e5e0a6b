#include "runtime/archive/recording/later_volume.h"

#include <array>
#include <cerrno>

namespace pmjit {

namespace {

// What is wrong with the file. Our own limits are not: what they keep from us is there.
bool is_passed_over(const Error& error) {
  if (error.fault() == Fault::limit || error.fault() == Fault::unsupported) return false;
  switch (error.pm_code()) {
    case pm_err::E_LABEL:
    case pm_err::E_FEATURE:
    case pm_err::E_LOGREC:
    case -ENOENT:
    case -EISDIR:
    case -EACCES: return true;
    default: return false;
  }
}

// The reference believes the version's byte before it looks at the rest of a label, and reads the
// volumes that follow by it: in vain.
bool says_other_version(const VolumeFile& from, Version version) {
  std::array<std::byte, 8> head{};
  std::shared_ptr<const File> file = from.file;
  if (file == nullptr) file = from.store->open(from.path).value_or(nullptr);
  if (file == nullptr || file->read(0, head).value_or(0) < head.size()) return false;
  return head.back() != static_cast<std::byte>(version);
}

Error other_version(const std::string& path) {
  return Error(Fault::format, "label is of another version than that of the first volume")
      .at("file", path)
      .pm_code(pm_err::E_LOGREC)
      .help("take the file out of the folder to read the rest");
}

}  // namespace

Result<std::optional<Volume>> enter_volume(const Archive& archive, size_t i, BadVolumes bad) {
  const VolumeFile& from = archive.volumes()[i];
  const Version version = archive.label().version;
  const bool pass_over = bad == BadVolumes::pass_over;
  auto volume = Volume::open(from, pass_over ? nullptr : &archive.label());
  if (volume && volume->label().version == version) return *std::move(volume);
  // A writer that died while it changed volumes leaves an empty file: nothing was lost.
  if (!volume && volume.error().pm_code() == pm_err::E_NODATA) return std::nullopt;
  if (!pass_over) return std::unexpected(volume.error());
  // One that opens is of another version.
  if (volume || says_other_version(from, version)) {
    if (i + 1 == archive.volumes().size()) return std::nullopt;
    return fail(other_version(from.path));
  }
  if (is_passed_over(volume.error())) return std::nullopt;
  return std::unexpected(volume.error());
}

}  // namespace pmjit
