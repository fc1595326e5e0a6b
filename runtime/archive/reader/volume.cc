#include "runtime/archive/reader/volume.h"

#include "runtime/archive/format/label.h"
#include "runtime/archive/reader/record.h"

namespace pmjit {

namespace {

std::optional<RecordHead> sound_record(Bytes rest, Version version, RecordLayout& scratch) {
  const auto head = read_record_head(rest, version);
  if (!head || !read_value_sets(*head, version, scratch) || !place_blocks(*head, scratch)) {
    return std::nullopt;
  }
  return *head;
}

}  // namespace

Result<Bytes> whole_file(const File& file, const std::string& path) {
  auto bytes = file.view(0, static_cast<size_t>(file.size()));
  if (!bytes) return fail(bytes.error().at("file", path));
  return *bytes;
}

std::optional<Stamp> last_good_stamp(Bytes volume, Version version) {
  RecordLayout scratch;
  const size_t first = label_bytes(version);
  if (volume.size() < first + 4) return std::nullopt;
  const size_t last_bytes = load_be<uint32_t>(volume.data() + volume.size() - 4);
  if (last_bytes <= volume.size() - first) {
    const auto head = sound_record(volume.last(last_bytes), version, scratch);
    if (head && head->bytes.size() == last_bytes) return head->stamp;
  }
  // The tail is damaged, as after a crash: the way to the last whole record leads from the front.
  std::optional<Stamp> stamp;
  for (size_t at = first; at < volume.size();) {
    const auto head = sound_record(volume.subspan(at), version, scratch);
    if (!head) break;
    stamp = head->stamp;
    at += head->bytes.size();
  }
  return stamp;
}

}  // namespace pmjit
