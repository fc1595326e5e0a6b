// What a user says for -a, as the archives that are meant: names with commas between them, folders
// (every archive in it, one level deep) and folios. Source: spec archives.md §10, §21.
//
//   auto names = expand_archive_names("monday,tuesday");   // {"monday", "tuesday"}
//   auto names = expand_archive_names("/var/log/pcp/host");
//
// A name is kept as written, for find_files() to say which files it means.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace pmjit {

// At least one name, each once, in the order of the text; those of a folder in alphabetical order.
// PM_ERR_LOGFILE: nothing was named, or folders have no archives in them.
[[nodiscard]] Result<std::vector<std::string>> expand_archive_names(std::string_view spec);

}  // namespace pmjit
