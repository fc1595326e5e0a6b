// Writing archives, for libpcp_import, which Python loads for pmrep. Its caller opens the files
// with
// __pmLogCreate(), writes labels, then metadata, records and entries of the index in the order that
// it wants.
#include <unistd.h>

#include <string>
#include <string_view>
#include <vector>

#include "runtime/archive/writer/encode.h"
#include "runtime/model/stamp.h"
#include "runtime/pmapi/convert.h"
#include "runtime/pmapi/internal.h"
#include "runtime/pmapi/log_files.h"

using namespace pmjit;

namespace {

Version version_of(const SharedArchive& archive) {
  return is_version_3(archive.log->label) ? Version::v3 : Version::v2;
}

template <class Encode>
int put_meta(SharedArchive* archive, Encode&& encode) {
  if (archive == nullptr || archive->log == nullptr) return -EINVAL;
  return at_c_border([&] { return write_bytes(archive->log->meta, encode(version_of(*archive))); });
}

// Where the file ends so far; 0: it is closed.
uint64_t place_in(SharedFile* file) {
  const long at = __pmFtell(file);
  return at < 0 ? 0 : static_cast<uint64_t>(at);
}

std::string link_of(const char* path) {
  char target[PATH_MAX];
  const ssize_t bytes = ::readlink(path, target, sizeof target);
  return bytes < 0 ? "" : std::string(target, static_cast<size_t>(bytes));
}

// The zone of this machine as the tz database names it.
std::string zone_name() {
  const std::string target = link_of("/etc/localtime");
  constexpr std::string_view kFolder = "zoneinfo/";
  const size_t at = target.find(kFolder);
  return at == std::string::npos ? "" : ":" + target.substr(at + kFolder.size());
}

std::vector<std::byte> stored_places(const pmLabelSet& set) {
  ByteWriter out;
  for (int i = 0; i < set.nlabels && set.labels != nullptr; ++i) {
    const pmLabel& label = set.labels[i];
    out.u16(static_cast<uint16_t>(label.name));
    out.u8(static_cast<uint8_t>(label.namelen));
    out.u8(static_cast<uint8_t>(label.flags));
    out.u16(static_cast<uint16_t>(label.value));
    out.u16(static_cast<uint16_t>(label.valuelen));
  }
  return out.take();
}

int put_record(SharedArchive* archive, const void* buffer) {
  if (archive == nullptr || archive->log == nullptr || buffer == nullptr) return -EINVAL;
  return at_c_border([&] {
    const auto record = record_in(buffer);
    const int sts = write_bytes(archive->volume, record);
    return sts < 0 ? sts : static_cast<int>(record.size());
  });
}

}  // namespace

int __pmLogCreate(const char* host, const char* base, int version, SharedArchive* archive) {
  if (host == nullptr || base == nullptr || archive == nullptr || archive->log == nullptr) {
    return -EINVAL;
  }
  return at_c_border([&] {
    SharedLog& log = *archive->log;
    log.meta = log.index = archive->volume = nullptr;
    if ((log.index = __pmLogNewFile(base, -2)) == nullptr ||
        (log.meta = __pmLogNewFile(base, -1)) == nullptr ||
        (archive->volume = __pmLogNewFile(base, 0)) == nullptr) {
      const int error = errno;
      close_file(log.index);
      close_file(log.meta);
      return -error;
    }
    const char* zone = std::getenv("TZ");
    log.label.magic = PM_LOG_MAGIC | version;
    log.label.pid = ::getpid();
    log.label.host = give_text(host);
    log.label.timezone = give_text(zone == nullptr || *zone == '\0' ? "UTC" : zone);
    log.label.zoneinfo = give_text(zone_name());
    return 0;
  });
}

void __pmLogClose(SharedArchive* archive) {
  if (archive == nullptr || archive->log == nullptr) return;
  close_file(archive->log->index);
  close_file(archive->log->meta);
  close_file(archive->volume);
}

int __pmLogPutDesc(SharedArchive* archive, const pmDesc* desc, int count, char** names) {
  if (desc == nullptr || count < 0 || (count > 0 && names == nullptr)) return -EINVAL;
  return put_meta(archive, [&](Version) {
    return encode_desc(std::vector<std::string_view>(names, names + count), desc_of(*desc));
  });
}

int __pmLogPutInDom(SharedArchive* archive, int type, const SharedInDom* domain) {
  if (domain == nullptr || domain->count < 0) return -EINVAL;
  return put_meta(archive, [&](Version version) {
    std::vector<ListedInstance> list;
    for (int i = 0; i < domain->count; ++i) {
      ListedInstance& listed = list.emplace_back(domain->ids[i]);
      if (domain->names[i] != nullptr) listed.name = domain->names[i];
    }
    const Stamp stamp = stamp_of(domain->stamp);
    return type == static_cast<int>(MetaRecord::indom_delta)
               ? encode_indom_delta(stamp, domain->indom, list)
               : encode_indom(version, stamp, domain->indom, list);
  });
}

int __pmLogPutText(SharedArchive* archive, unsigned ident, unsigned type, const char* text, int) {
  if (text == nullptr) return -EINVAL;
  return put_meta(archive, [&](Version) { return encode_text(type, ident, text); });
}

int __pmLogPutLabels(SharedArchive* archive, unsigned type, unsigned ident, int count,
                     const pmLabelSet* sets, const SharedStamp* stamp) {
  if (stamp == nullptr || count < 0 || (count > 0 && sets == nullptr)) return -EINVAL;
  return put_meta(archive, [&](Version version) {
    std::vector<std::vector<std::byte>> places;
    std::vector<LabelSet> list;
    for (int i = 0; i < count; ++i) places.push_back(stored_places(sets[i]));
    for (int i = 0; i < count; ++i) {
      const pmLabelSet& set = sets[i];
      list.push_back({.instance = static_cast<int32_t>(set.inst),
                      .count = set.nlabels,
                      .json = {set.json == nullptr ? "" : set.json,
                               set.json == nullptr ? 0 : size_t{set.jsonlen}},
                      .entries = places[static_cast<size_t>(i)]});
    }
    return encode_labels(version, stamp_of(*stamp), static_cast<LabelType>(type), ident, list);
  });
}

// Where the files end now.
int __pmLogPutIndex(SharedArchive* archive, const SharedStamp* stamp) {
  if (archive == nullptr || archive->log == nullptr || stamp == nullptr) return -EINVAL;
  return at_c_border([&] {
    const SharedLog& log = *archive->log;
    if (log.index == nullptr) return 0;
    (void)__pmFflush(log.meta);
    (void)__pmFflush(archive->volume);
    const int sts =
        write_bytes(log.index, encode_index_entry(version_of(*archive), stamp_of(*stamp), 0,
                                                  place_in(log.meta), place_in(archive->volume)));
    (void)__pmFflush(log.index);
    return sts;
  });
}

int __pmLogPutResult2(SharedArchive* archive, const void* buffer) {
  return put_record(archive, buffer);
}
int __pmLogPutResult3(SharedArchive* archive, const void* buffer) {
  return put_record(archive, buffer);
}

int __pmLogWriteMark(SharedArchive* archive, const SharedStamp* last, const SharedStamp* more) {
  if (archive == nullptr || archive->log == nullptr || last == nullptr) return -EINVAL;
  return at_c_border([&] {
    constexpr int kSecond = 1'000'000'000;
    Stamp stamp = stamp_of(*last);
    if (more != nullptr) {
      stamp.sec += more->sec;
      stamp.nsec += more->nsec;
      if (stamp.nsec >= kSecond) stamp.nsec -= kSecond, ++stamp.sec;
    }
    return write_bytes(archive->volume, encode_mark(version_of(*archive), stamp));
  });
}
