// FileSet: which files make up an archive, by their names alone. Source: spec archives.md §1.
//
//   "foo", "foo.meta", "foo.0.xz", "foo.index"  all name the archive foo with all its volumes
//
// Lists, folders and folios of archives are names.h.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace pmjit {

struct FileSet {
  std::string base{};                        // path without .meta, .0 …
  std::string meta{};                        // paths, compressed ones with all of their name
  std::string index{};                       // empty: there is none
  std::map<int32_t, std::string> volumes{};  // by number; holes are legal
};

// Of a member that is there in several forms, the plain one wins, then the order of compression.h.
[[nodiscard]] Result<FileSet> find_files(const std::string& name);

// The base name of a physical file ("dir/foo.3.xz" → "dir/foo"); empty if no archive file is called
// so.
[[nodiscard]] std::string base_of(std::string_view file_name);

}  // namespace pmjit
