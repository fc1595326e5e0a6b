#include "runtime/archive/reader/volume.h"

#include "runtime/archive/reader/record.h"

namespace pmjit {

namespace {

std::optional<RecordHead> sound_record(const Result<Bytes>& bytes, Version version,
                                       RecordLayout& scratch) {
  if (!bytes) return std::nullopt;
  const auto head = read_record_head(*bytes, version);
  if (!head || !read_value_sets(*head, scratch) || !place_blocks(*head, scratch)) {
    return std::nullopt;
  }
  return *head;
}

}  // namespace

Result<Volume> Volume::open(const VolumeFile& from, const Label* first) {
  std::shared_ptr<const File> file = from.file;
  if (file == nullptr) {
    auto opened = from.store->open(from.path);
    if (!opened) return std::unexpected(opened.error());
    file = *std::move(opened);
  }
  Volume volume(std::move(file));
  auto bytes = volume.window_.at(0, label_bytes(Version::v3));
  if (!bytes) return fail(bytes.error().at("file", from.path));
  auto label = read_label(*bytes, from.number, from.features);
  if (!label) {
    // Behind the first volume an empty file has lost nothing; one that has started has.
    const bool started = first != nullptr && !bytes->empty();
    if (started && label.error().pm_code == pm_err::E_NODATA) {
      label.error() = {.what = "label is cut short", .pm_code = pm_err::E_LABEL};
    }
    return fail(damage_error(from.path, label.error()));
  }
  if (first != nullptr && !same_recording(*label, *first)) {
    return fail(damage_error(from.path, {.what = "label differs from that of the first volume",
                                         .pm_code = pm_err::E_LABEL}));
  }
  volume.label_ = *std::move(label);
  return volume;
}

std::optional<Stamp> Volume::last_good_stamp() {
  RecordLayout scratch;
  const Version version = label_.version;
  const uint64_t first = label_bytes(version);
  if (size() < first + 4) return std::nullopt;
  const auto trailer = window_.at(size() - 4, 4);
  if (!trailer || trailer->size() < 4) return std::nullopt;
  const uint64_t last_bytes = load_be<uint32_t>(trailer->data());
  if (last_bytes <= size() - first) {
    const auto head = sound_record(window_.record_at(size() - last_bytes), version, scratch);
    if (head && head->bytes.size() == last_bytes) return head->stamp;
  }
  // The tail is damaged, as after a crash: the way to the last whole record leads from the front.
  std::optional<Stamp> stamp;
  for (uint64_t at = first; at < size();) {
    const auto head = sound_record(window_.record_at(at), version, scratch);
    if (!head) break;
    stamp = head->stamp;
    at += head->bytes.size();
  }
  return stamp;
}

}  // namespace pmjit
