// A folder of archives as people have them: of several hosts, and some that cannot be read.
//
//   auto folder = open_folder("/var/log/pcp/pmlogger", {});
//   for (const auto& [name, why] : folder->left_out) warn(name, why);
//   folder->hosts[0]->host() …                     in the order of their first archive's name
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/archive/recording/archives.h"

namespace pmjit {

struct ArchiveFolder {
  std::vector<std::unique_ptr<Archives>> hosts;  // at least one
  // That cannot be read, begin before another of their host ends, or contradict it.
  std::vector<LeftOutArchive> left_out;
};

// `names`: as expand_archive_names() takes them. Where none of them is a folder, nothing is left
// out: what is wrong with an archive is an error, as with Archives::open_hosts().
[[nodiscard]] Result<ArchiveFolder> open_folder(const std::string& names,
                                                const ArchiveOptions& options);

// Archives of several hosts, for a reader of one: which, and what to type for each. `who`: "rules
// of pmie run over one".
[[nodiscard]] Error several_hosts(const std::string& names, const ArchiveFolder& folder,
                                  const std::string& who);

}  // namespace pmjit
