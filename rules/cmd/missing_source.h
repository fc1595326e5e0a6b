// Where neither -a nor -h is given: which of the arguments may be meant for an archive.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pmjit {

// For Command::wrong. `hosts`: the verb has -h.
[[nodiscard]] std::string missing_source(const std::vector<std::string>& arguments, bool hosts);

// What is to be done with a file or an archive that stands in the place of a verb; empty: it is
// neither.
[[nodiscard]] std::string verb_of_file(const std::string& name);

// Likewise, of a verb that wants files: one of them is an archive.
[[nodiscard]] std::string archive_for_file(const std::vector<std::string>& files);

// Likewise, where an expression is one, behind others: `-a web1 web2 disk.dev.read`.
[[nodiscard]] std::string archive_as_expression(const std::vector<std::string>& expressions);

// Likewise, where the only host is an archive: `-h web1`.
[[nodiscard]] std::string archive_as_host(const std::vector<std::string>& hosts);

// Likewise, of `-h USER@HOST`, which is a host behind a proxy.
[[nodiscard]] std::string user_as_host(const std::vector<std::string>& hosts);

// localhost, web1:44321, pcp://web1, where there is no such archive or file: a host.
[[nodiscard]] bool means_host(const std::string& name);

// Likewise, of an archive of -a that is a host, or may be one: `-a localhost`.
[[nodiscard]] std::string host_as_archive(const std::vector<std::string>& archives);

// Likewise, of a time in the place of a file, which `option` takes: `22:58`.
[[nodiscard]] std::string time_as_file(const std::vector<std::string>& files,
                                       std::string_view option);

// Likewise, where the file and the archive are the wrong way round: `run web1 -a rules.pmie`.
[[nodiscard]] std::string turned_source(const std::vector<std::string>& files,
                                        const std::vector<std::string>& archives);

// In place of a name with *, ? or [ that is no file: the bases of the archives that it matches,
// with commas, as a folder stands for those in it. What is wrong, or nothing.
[[nodiscard]] std::string expand_archive_patterns(std::vector<std::string>& names);

}  // namespace pmjit
