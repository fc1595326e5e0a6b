// A folder of archives as people have them: of several hosts, and some that cannot be read.
//
//   auto folder = open_folder("/var/log/pcp/pmlogger", {});
//   for (const std::string& text : folder->left_out) warn(text);
//   folder->hosts[0]->host() …                     in the order of their first archive's name
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/archive/recording/archives.h"

namespace pmjit {

struct ArchiveFolder {
  std::vector<std::unique_ptr<Archives>> hosts;  // at least one
  // A sentence for each archive that cannot be read, or goes on after the next of its host began.
  std::vector<std::string> left_out;
};

// `names`: as expand_archive_names() takes them. Where none of them is a folder, nothing is left
// out: what is wrong with an archive is an error, as with Archives::open_hosts().
[[nodiscard]] Result<ArchiveFolder> open_folder(const std::string& names,
                                                const ArchiveOptions& options);

}  // namespace pmjit
