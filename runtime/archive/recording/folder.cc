#include "runtime/archive/recording/folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <ranges>
#include <set>
#include <sstream>
#include <utility>

#include "runtime/archive/format/names.h"
#include "runtime/base/near.h"

namespace pmjit {

namespace {

using ArchivesOfHost = std::vector<std::unique_ptr<Archive>>;

// An archive, and whether it is named itself, or stands in a folder that is.
struct FoundName {
  std::string name;
  bool in_folder = false;
};

// Where it is, however it is named; "" where nobody knows.
std::filesystem::path place_of(const FoundName& found) {
  std::string base = found.name;  // in a folder it is one
  if (!found.in_folder) {
    if (const auto files = find_files(base)) base = files->base;
  }
  std::error_code unknown;
  const auto path = std::filesystem::absolute(base, unknown);
  return std::filesystem::weakly_canonical(path, unknown);
}

// One that is named in two ways, as by itself and by its folder, is there once.
Result<std::vector<FoundName>> find_names(const std::string& names) {
  std::vector<FoundName> out;
  std::set<std::filesystem::path> places;
  std::istringstream in(names);
  std::error_code unknown;
  for (std::string item; std::getline(in, item, ',');) {
    const auto found = expand_archive_names(item);
    if (!found) return std::unexpected(found.error());
    const bool in_folder = std::filesystem::is_directory(item, unknown);
    for (const std::string& name : *found) {
      const auto place = place_of({name, in_folder});
      if (place.empty() || places.insert(place).second) out.push_back({name, in_folder});
    }
  }
  return out;
}

// Without what stands beside it already, and without the help, which is about one archive.
LeftOutArchive left_out_for(const std::string& name, const Error& error) {
  std::string why = error.text();
  why.erase(std::min(why.find('\n'), why.size()));
  const std::string place = "archive " + name + ": ";
  if (why.starts_with(place)) why.erase(0, place.size());
  return {.name = name, .why = why};
}

// In the order of time. Two archives of one time cannot be one series: the one that began first
// stays.
ArchivesOfHost in_series(ArchivesOfHost members, std::vector<LeftOutArchive>& left_out) {
  std::ranges::stable_sort(members, {}, [](const auto& member) { return member->start(); });
  ArchivesOfHost out;
  for (auto& member : members) {
    if (!out.empty() && member->name() == out.back()->name()) continue;
    const bool same_start = !out.empty() && member->start() == out.back()->start();
    if (same_start || (!out.empty() && member->start() < out.back()->end())) {
      left_out.push_back({.name = member->name(),
                          .why = fmt::format("it begins before {} ends", out.back()->name())});
      continue;
    }
    out.push_back(std::move(member));
  }
  return out;
}

// What makes a folder of one host's archives.
std::string own_folder_text(const Archives& archives) {
  const std::string& host = archives.label().host;
  std::error_code unknown;
  std::string files;
  for (size_t i = 0; i < archives.size(); ++i) {
    files += fmt::format(" {}.*", std::filesystem::absolute(archives[i].name(), unknown).string());
  }
  return fmt::format(
      "make a folder for a host, as with `mkdir {0} && ln -s{1} {0}`, and write "
      "-a {0}",
      host, files);
}

}  // namespace

Error several_hosts(const std::string& names, const ArchiveFolder& folder, const std::string& who) {
  constexpr size_t kNamed = 3;
  std::vector<std::string> hosts, alone;
  for (const auto& archives : folder.hosts) {
    hosts.push_back(archives->label().host);
    if (archives->size() > 1 || alone.size() == kNamed) continue;
    alone.push_back(fmt::format("-a {} for {}", (*archives)[0].name(), archives->label().host));
  }
  return Error(Fault::usage, fmt::format("it has archives of {} hosts, {}, and {}", hosts.size(),
                                         first_few_text(hosts), who))
      .at("folder", names)
      .help(alone.empty() ? own_folder_text(*folder.hosts.front())
                          : fmt::format("write {}", fmt::join(alone, ", or ")));
}

Result<ArchiveFolder> open_folder(const std::string& names, const ArchiveOptions& options) {
  ArchiveFolder out;
  const auto list = find_names(names);
  if (!list) return std::unexpected(list.error());
  if (std::ranges::none_of(*list, &FoundName::in_folder)) {
    const auto as_named = std::views::transform(*list, &FoundName::name);
    auto hosts = Archives::open_hosts(fmt::format("{}", fmt::join(as_named, ",")), options);
    if (!hosts) return std::unexpected(hosts.error());
    out.hosts = *std::move(hosts);
    return out;
  }
  std::vector<ArchivesOfHost> of_hosts;
  for (const auto& [name, in_folder] : *list) {
    auto archive = Archive::open(name, options);
    if (!archive && !in_folder) return std::unexpected(archive.error());
    if (!archive) {
      out.left_out.push_back(left_out_for(name, archive.error()));
      continue;
    }
    const auto same = std::ranges::find_if(of_hosts, [&](const ArchivesOfHost& others) {
      return others.front()->host() == (*archive)->host();
    });
    (same == of_hosts.end() ? of_hosts.emplace_back() : *same).push_back(*std::move(archive));
  }
  for (ArchivesOfHost& members : of_hosts) {
    auto archives = Archives::of(in_series(std::move(members), out.left_out), &out.left_out);
    if (!archives) return std::unexpected(archives.error());
    out.hosts.push_back(*std::move(archives));
  }
  if (out.hosts.empty()) {
    return fail(
        Error(Fault::format, list->size() == 1
                                 ? std::string("its only archive cannot be read")
                                 : fmt::format("none of its {} archives can be read", list->size()))
            .at("folder", names)
            .help(out.left_out.front().text()));
  }
  return out;
}

}  // namespace pmjit
