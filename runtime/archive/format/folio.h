// Folio: a text file that lists archives with their hosts, as recording tools write it. Source:
// spec archives.md §21.
//
//   PCPFolio
//   Version: 1
//   Archive:        HOST                    BASENAME
//
// The text of an error is the one that PCP's tools print behind their name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace pmjit {

struct FolioEntry {
  std::string host,
      archive;  // the archive's path: the folio's folder and the name that it has there
};

[[nodiscard]] Result<std::vector<FolioEntry>> read_folio(const std::string& path);

[[nodiscard]] bool starts_as_folio(std::string_view text);

}  // namespace pmjit
