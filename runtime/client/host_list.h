// Lists of hosts as users write them: many names in one text, and files with a line a host.
// Source: spec alerting.md §2.3.
//
//   web[01-40]        web01 … web40: as many digits as the first number has
//   db[a,b].fra       dba.fra dbb.fra
//   r[1-2]n[1-3,7]    r1n1 r1n2 r1n3 r1n7 r2n1 …: the last one is the fastest
//   [fe80::1]:44321   one name: brackets with a colon in them are an address
//
//   const auto names = expand_hosts("web[1-40]");
//   if (!names) return complain(names.error());
//
// A line of a file: NAME [SPEC] [label=value …], from # on a comment. NAME may be a list, and SPEC
// says how each is reached: %n is its name, %{label} the value of a label, any other % stands for
// itself.
//
//   const HostFile file = read_host_lines(text);
#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pmjit {

struct HostListProblem {
  size_t offset = 0;  // within the text, of what is wrong
  size_t length = 0;  // 0: a place between two bytes
  std::string what, help;
};

// At least one name, at most limits::kListedHostsMax.
[[nodiscard]] std::expected<std::vector<std::string>, HostListProblem> expand_hosts(
    std::string_view text);

using ListedLabels = std::map<std::string, std::string, std::less<>>;

struct ListedHost {
  std::string name;
  std::string spec;  // as written; empty: none was
  ListedLabels labels{};
  size_t offset = 0, length = 0;  // of NAME in the text, as written
};

struct HostFile {
  std::vector<ListedHost> hosts;          // in the order of the lines; a name may come again
  std::vector<HostListProblem> problems;  // of lines that are left out
};
[[nodiscard]] HostFile read_host_lines(std::string_view text);

// How a host is reached.
[[nodiscard]] std::expected<std::string, HostListProblem> fill_host_spec(
    std::string_view spec, std::string_view name, const ListedLabels& labels);

}  // namespace pmjit
