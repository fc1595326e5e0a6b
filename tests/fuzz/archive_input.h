// What the archive targets make of arbitrary bytes: the files of one archive or two.
//
// A file starts where its label does, that is at the four bytes of the magic number less four. The
// bytes before the first label are parameters of the target. So a golden archive's files, one
// behind the other, are a seed, and so is each of them alone: what is missing is a small sound
// file. A second metadata file starts a second archive.
#pragma once

#include <memory>
#include <vector>

#include "runtime/archive/archive.h"
#include "runtime/base/bytes.h"

namespace pmjit {
class Archives;
}

namespace pmjit::fuzz {

struct InputFile {
  int32_t number = 0;  // as its label says: kMetaVolume …
  Version version = Version::v3;
  Bytes bytes{};
};

struct ArchiveInput {
  Bytes parameters{};
  std::vector<InputFile> files{};  // as they follow each other in the input
  // The i-th parameter, 0 where there are fewer.
  [[nodiscard]] uint32_t parameter(size_t i) const;
};

[[nodiscard]] ArchiveInput take_apart_input(Bytes all);
// The first archive of the input, with sound files for those that are missing.
[[nodiscard]] ArchiveFiles archive_files(const ArchiveInput& input);
// One archive, or two as one context; null: what they are is refused.
[[nodiscard]] std::unique_ptr<Archives> open_archives(const ArchiveInput& input);

}  // namespace pmjit::fuzz
