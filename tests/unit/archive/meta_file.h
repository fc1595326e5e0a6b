// A V3 metadata file, record by record, for tests of what is made of it.
//
//   const MetaFile meta = MetaFile().desc({"a.b"}, 1).text(5, 1, "help");
//   const auto read = meta.read();
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/archive/reader/metadata.h"
#include "runtime/archive/writer/encode.h"

namespace pmjit::test {

class MetaFile {
 public:
  MetaFile();
  MetaFile& desc(std::vector<std::string_view> names, PmId pmid, InDomId indom = kNullId);
  // A name of "-": the instance is deleted (of a delta).
  MetaFile& indom(Stamp stamp, InDomId indom,
                  std::vector<std::pair<int32_t, std::string_view>> instances, bool delta = false);
  struct Set {
    int32_t instance;
    std::vector<std::pair<std::string_view, std::string_view>> labels;
  };
  MetaFile& labels(Stamp stamp, LabelType type, uint32_t ident, const std::vector<Set>& sets);
  MetaFile& text(uint32_t type, uint32_t ident, std::string_view text);

  // The bytes stay ours.
  [[nodiscard]] OrDamage<Metadata> read() const {
    return read_metadata(bytes_, Version::v3, ExtraUnits::known);
  }
  // Of what must be readable.
  [[nodiscard]] Metadata metadata() const;

 private:
  MetaFile& record(ByteVector payload);
  ByteVector bytes_;
};

}  // namespace pmjit::test
