#include "tests/unit/archive/meta_file.h"

#include <gtest/gtest.h>

#include <string>

#include "runtime/archive/writer/encode.h"

namespace pmjit::test {

MetaFile::MetaFile() : bytes_(encode_label({}, kMetaVolume)) {}

MetaFile& MetaFile::record(ByteVector payload) {
  ByteWriter length;
  length.u32(static_cast<uint32_t>(payload.size()) + 8);
  const ByteVector word = length.take();
  for (const ByteVector* part : {&word, &std::as_const(payload), &word}) {
    bytes_.insert(bytes_.end(), part->begin(), part->end());
  }
  return *this;
}

MetaFile& MetaFile::desc(std::vector<std::string_view> names, PmId pmid, InDomId indom) {
  ByteWriter out;
  for (const uint32_t word : {1u, pmid, 1u, indom, 3u, 0u, static_cast<uint32_t>(names.size())}) {
    out.u32(word);
  }
  for (const std::string_view name : names) {
    out.u32(static_cast<uint32_t>(name.size()));
    out.text(name);
  }
  return record(out.take());
}

MetaFile& MetaFile::indom(Stamp stamp, InDomId indom,
                          std::vector<std::pair<int32_t, std::string_view>> instances, bool delta) {
  ByteWriter out;
  std::string names;
  out.u32(delta ? 6 : 5);
  put_stamp(out, stamp, Version::v3);
  out.u32(indom);
  out.u32(static_cast<uint32_t>(instances.size()));
  for (const auto& [id, name] : instances) out.u32(static_cast<uint32_t>(id));
  for (const auto& [id, name] : instances) {
    out.u32(name == "-" ? UINT32_MAX : static_cast<uint32_t>(names.size()));
    if (name != "-") names.append(name).push_back('\0');
  }
  out.text(names);
  return record(out.take());
}

MetaFile& MetaFile::labels(Stamp stamp, LabelType type, uint32_t ident,
                           const std::vector<Set>& sets) {
  ByteWriter out;
  out.u32(7);
  put_stamp(out, stamp, Version::v3);
  out.u32(static_cast<uint32_t>(type));
  out.u32(ident);
  out.u32(static_cast<uint32_t>(sets.size()));
  for (const Set& set : sets) {
    std::string json = "{";
    ByteWriter entries;
    for (const auto& [name, value] : set.labels) {
      if (json.size() > 1) json += ',';
      const auto at = static_cast<uint32_t>(json.size() + 1);
      json.append("\"").append(name).append("\":");
      entries.u32(at << 16 | static_cast<uint32_t>(name.size()) << 8 | static_cast<uint32_t>(type));
      entries.u32(static_cast<uint32_t>(json.size()) << 16 | static_cast<uint32_t>(value.size()));
      json += value;
    }
    json += '}';
    out.u32(static_cast<uint32_t>(set.instance));
    out.u32(static_cast<uint32_t>(json.size()));
    out.text(json);
    out.u32(static_cast<uint32_t>(set.labels.size()));
    const ByteVector index = entries.take();
    out.text({reinterpret_cast<const char*>(index.data()), index.size()});
  }
  return record(out.take());
}

MetaFile& MetaFile::text(uint32_t type, uint32_t ident, std::string_view text) {
  ByteWriter out;
  out.u32(4);
  out.u32(type);
  out.u32(ident);
  out.text(text);
  out.fill(1, '\0');
  return record(out.take());
}

Metadata MetaFile::metadata() const {
  auto read = this->read();
  EXPECT_TRUE(read.has_value()) << read.error().what;
  return read ? *std::move(read) : Metadata{};
}

}  // namespace pmjit::test
