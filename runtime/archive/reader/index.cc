#include "runtime/archive/reader/index.h"

#include "runtime/archive/format/label.h"

namespace pmjit {

namespace {

// As in the file, where load_stamp() would refuse what is no time.
Stamp raw_stamp(ByteReader& in, Version version) {
  Stamp stamp;
  if (version == Version::v2) {
    stamp.sec = in.i32();
    stamp.nsec = static_cast<int32_t>(in.u32() * 1000);
  } else {
    const uint64_t low = in.u32(), high = in.u32();
    stamp.sec = static_cast<int64_t>(high << 32 | low);
    stamp.nsec = in.i32();
  }
  return stamp;
}

}  // namespace

std::vector<IndexEntry> read_index(Bytes file, Version version) {
  std::vector<IndexEntry> out;
  const size_t label = label_bytes(version), bytes = index_entry_bytes(version);
  if (file.size() < label) return out;
  ByteReader in(file.subspan(label));
  out.reserve(in.left() / bytes);
  while (in.left() >= bytes) {
    IndexEntry entry{.stamp = raw_stamp(in, version), .volume = in.i32()};
    entry.meta_offset = version == Version::v2 ? in.i32() : in.i64();
    entry.data_offset = version == Version::v2 ? in.i32() : in.i64();
    out.push_back(entry);
  }
  return out;
}

}  // namespace pmjit
