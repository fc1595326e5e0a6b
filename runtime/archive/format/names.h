// What a user says for -a, as the archives that are meant: names with commas between them, folders
// (every archive in it, one level deep) and folios. Source: spec archives.md §10, §21.
//
//   auto names = expand_archive_names("monday,tuesday");   // {"monday", "tuesday"}
//   auto names = expand_archive_names("/var/log/pcp/host");
//
// A name is kept as written, for find_files() to say which files it means.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace pmjit {

// At least one name, each once, in the order of the text; those of a folder in alphabetical order.
// PM_ERR_LOGFILE: nothing was named, or folders have no archives in them.
[[nodiscard]] Result<std::vector<std::string>> expand_archive_names(std::string_view spec);

// Folio: a text file that lists archives with their hosts, as recording tools write it. Source:
// spec archives.md §21.
//
//   PCPFolio
//   Version: 1
//   Archive:        HOST                    BASENAME
//
// The text of an error is the one that PCP's tools print behind their name.
struct FolioEntry {
  std::string host,
      archive;  // the archive's path: the folio's folder and the name that it has there
};

[[nodiscard]] Result<std::vector<FolioEntry>> read_folio(const std::string& path);

[[nodiscard]] bool starts_as_folio(std::string_view text);

// FileSet: which files make up an archive, by their names alone. Source: spec archives.md §1.
//
//   "foo", "foo.meta", "foo.0.xz", "foo.index"  all name the archive foo with all its volumes
//
// Lists, folders and folios of archives are names.h.
struct FileSet {
  std::string base{};                        // path without .meta, .0 …
  std::string meta{};                        // paths, compressed ones with all of their name
  std::string index{};                       // empty: there is none
  std::map<int32_t, std::string> volumes{};  // by number; holes are legal
};

// Of a member that is there in several forms, the plain one wins, then the order of decompressor.h.
[[nodiscard]] Result<FileSet> find_files(const std::string& name);

// The base name of a physical file ("dir/foo.3.xz" → "dir/foo"); empty if no archive file is called
// so.
[[nodiscard]] std::string base_of(std::string_view file_name);

}  // namespace pmjit
