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

std::string meaning(const Desc& desc, int pm_code) {
  switch (pm_code) {
    case pm_err::E_LOGCHANGETYPE: return fmt::format("the type {}", pm_type_text(desc.pm_type));
    case pm_err::E_LOGCHANGESEM:
      return fmt::format("the semantics {}", semantics_text(desc.semantics));
    case pm_err::E_LOGCHANGEINDOM:
      return desc.indom == kNullId ? std::string("no instances")
                                   : fmt::format("instance domain {}", indom_text(desc.indom));
    default: break;
  }
  const std::string unit = units_text(desc.units);
  return unit.empty() ? "no unit" : "the unit " + unit;
}

Error described_differently(const Archive& archive, const DescConflict& conflict,
                            const Archive& other) {
  const auto meaning_in = [&](const Archive& which) {
    return meaning(which.metadata().descs.at(conflict.pmid), conflict.pm_code);
  };
  const auto names = archive.metadata().names.names(conflict.pmid);
  return Error(Fault::format,
               fmt::format("metric {} has {} here, and {} in {}",
                           names.empty() ? pmid_text(conflict.pmid) : std::string(names.front()),
                           meaning_in(archive), meaning_in(other), other.name()))
      .at("archive", archive.name())
      .pm_code(conflict.pm_code)
      .help("read them one by one; PCP's pmlogrewrite can give the metric one meaning");
}

// For those who want one host.
Error of_another_host(const Archive& archive, const std::string& host, const std::string& first) {
  return Error(refused(archive,
                       fmt::format("it is of host {}, and {} is of host {}", archive.host(), first,
                                   host),
                       pm_err::E_LOGHOST))
      .help(
          fmt::format("name the archives of one host, such as {}; eval and run take an -a for each "
                      "host, and pmjit info FOLDER lists the hosts",
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

// What the first archives say of a metric counts, and a later one is refused.
Result<void> Archives::add(std::unique_ptr<Archive> member) {
  const auto at = std::ranges::lower_bound(members_, member->start(), {},
                                           [](const auto& archive) { return archive->start(); });
  const bool same_start = at != members_.end() && (*at)->start() == member->start();
  if (same_start && (*at)->name() == member->name()) return {};
  if (!members_.empty()) {
    if (const auto conflict = find_desc_conflict(metadata(), member->metadata())) {
      const auto other = std::ranges::find_if(members_, [&](const auto& known) {
        return known->metadata().desc(conflict->pmid) != nullptr;
      });
      return fail(described_differently(*member, *conflict, **other));
    }
    if (same_start) {
      return fail(refused(*member, fmt::format("starts when {} starts", (*at)->name()),
                          pm_err::E_LOGOVERLAP));
    }
    if (merged_ == nullptr) merged_ = std::make_unique<Metadata>(metadata());
    merge_metadata(*merged_, member->metadata());
  }
  members_.insert(at, std::move(member));
  return {};
}

Result<std::unique_ptr<Archives>> Archives::of(std::vector<std::unique_ptr<Archive>> members,
                                               std::vector<LeftOutArchive>* left_out) {
  std::unique_ptr<Archives> archives(new Archives);
  const std::string host = members.front()->host(), first = members.front()->name();
  for (auto& member : members) {
    if (member->host() != host) return fail(of_another_host(*member, host, first));
    const std::string name = member->name();
    const auto added = archives->add(std::move(member));
    if (!added && left_out == nullptr) return fail(added.error());
    if (!added) left_out->push_back({.name = name, .why = added.error().what()});
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
