#include "runtime/archive/recording/records.h"

namespace pmjit {

namespace {

// The first record that is not sound, from the front: a tail is damaged from there on.
std::optional<Error> first_damage(const Archives& archives, RecordPosition from) {
  RecordReader reader(archives, BadVolumes::refuse);
  reader.move_to(from);
  for (;;) {
    const auto step = reader.next();
    if (!step) return step.error();
    if (!*step || reader.position().member != from.member) return std::nullopt;
  }
}

}  // namespace

std::optional<Error> damaged_tail(const Archives& archives) {
  for (size_t member = 0; member < archives.size(); ++member) {
    const Archive& archive = archives[member];
    const size_t last = archive.volumes().size() - 1;
    const auto volume = enter_volume(archive, last, BadVolumes::refuse);
    if (!volume) return volume.error();
    const uint64_t front = label_bytes(archive.label().version);
    if (!*volume || (*volume)->size() <= front) continue;
    RecordReader reader(archives, BadVolumes::refuse);
    reader.move_to({.member = member, .volume = last, .offset = (*volume)->size()});
    if (reader.previous()) continue;
    if (auto damage = first_damage(archives, {.member = member, .volume = last, .offset = front}))
      return damage;
  }
  return std::nullopt;
}

}  // namespace pmjit
