#include "runtime/archive/recording/archives.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/archive/format/names.h"
#include "runtime/archive/reader/metadata.h"

namespace pmjit {

namespace {

Error refused(const Archive& archive, std::string what, int pm_code) {
  return Error(Fault::format, std::move(what))
      .at("archive", archive.name())
      .pm_code(pm_code)
      .help("read them one by one");
}

// For those who want one host.
Error of_another_host(const Archive& archive, const std::string& host, const std::string& first) {
  return Error(refused(archive,
                       fmt::format("it is of host {}, and {} is of host {}", archive.host(), first,
                                   host),
                       pm_err::E_LOGHOST))
      .help(
          fmt::format("name the archives of one host, such as {}; eval and run take several hosts, "
                      "each with its own -a, and pmjit info FOLDER lists them",
                      first));
}

Result<std::vector<std::unique_ptr<Archive>>> open_all(const std::string& names,
                                                       const ArchiveOptions& options) {
  auto list = expand_archive_names(names);
  if (!list) return std::unexpected(list.error());
  std::vector<std::unique_ptr<Archive>> members;
  for (const std::string& name : *list) {
    auto archive = Archive::open(name, options);
    if (!archive) return std::unexpected(archive.error());
    members.push_back(*std::move(archive));
  }
  return members;
}

}  // namespace

Result<std::unique_ptr<Archives>> Archives::open(const std::string& names,
                                                 const ArchiveOptions& options) {
  auto members = open_all(names, options);
  if (!members) return std::unexpected(members.error());
  return of(*std::move(members));
}

Result<std::vector<std::unique_ptr<Archives>>> Archives::open_hosts(const std::string& names,
                                                                    const ArchiveOptions& options) {
  auto members = open_all(names, options);
  if (!members) return std::unexpected(members.error());
  std::vector<std::vector<std::unique_ptr<Archive>>> of_hosts;
  for (auto& member : *members) {
    const auto same = std::ranges::find_if(
        of_hosts, [&](const auto& others) { return others.front()->host() == member->host(); });
    (same == of_hosts.end() ? of_hosts.emplace_back() : *same).push_back(std::move(member));
  }
  std::vector<std::unique_ptr<Archives>> out;
  for (auto& of_host : of_hosts) {
    auto archives = of(std::move(of_host));
    if (!archives) return std::unexpected(archives.error());
    out.push_back(*std::move(archives));
  }
  return out;
}

Result<std::unique_ptr<Archives>> Archives::of(std::vector<std::unique_ptr<Archive>> members) {
  std::unique_ptr<Archives> archives(new Archives);
  const std::string host = members.front()->host(), first = members.front()->name();
  // In the order of the names: whose description of a metric counts, and who is refused.
  for (auto& member : members) {
    if (member->host() != host) {
      return fail(of_another_host(*member, host, first));
    }
    auto& sorted = archives->members_;
    const auto at = std::ranges::lower_bound(sorted, member->start(), {},
                                             [](const auto& archive) { return archive->start(); });
    const bool same_start = at != sorted.end() && (*at)->start() == member->start();
    if (same_start && (*at)->name() == member->name()) continue;
    if (!sorted.empty()) {
      if (archives->merged_ == nullptr) {
        archives->merged_ = std::make_unique<Metadata>(sorted.front()->metadata());
      }
      if (auto merged = merge_metadata(*archives->merged_, member->metadata()); !merged) {
        return fail(damage_error(member->name() + ".meta", merged.error()));
      }
    }
    if (same_start) {
      return fail(refused(*member, fmt::format("starts when {} starts", (*at)->name()),
                          pm_err::E_LOGOVERLAP));
    }
    sorted.insert(at, std::move(member));
  }
  return archives;
}

void Archives::use_names(NameSpace names, std::shared_ptr<const void> owner) {
  if (merged_ == nullptr) merged_ = std::make_unique<Metadata>(metadata());
  merged_->names = std::move(names);
  names_owner_ = std::move(owner);
}

Result<void> Archives::refuse_overlap(size_t earlier) const {
  const Archive &from = *members_[earlier], &into = *members_[earlier + 1];
  const auto end = end_before_next(earlier);
  if (!end || seconds_between(*end, into.start()) <= 0) return {};
  return fail(refused(from, fmt::format("this archive goes on after {} has started", into.name()),
                      pm_err::E_LOGOVERLAP));
}

}  // namespace pmjit
