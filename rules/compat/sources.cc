#include "rules/compat/sources.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "runtime/archive/recording/folder.h"
#include "runtime/base/limits.h"
#include "runtime/base/near.h"
#include "runtime/client/derived_context.h"
#include "runtime/model/pm_codes.h"

namespace pmjit::pmie {

std::expected<void, NotAdded> ArchiveSources::add(std::string_view names) {
  for (;;) {
    const size_t comma = names.find(',');
    if (auto added = add_one(std::string(names.substr(0, comma))); !added) return added;
    if (comma == std::string_view::npos) return {};
    names.remove_prefix(comma + 1);
  }
}

std::expected<void, NotAdded> ArchiveSources::add_one(const std::string& names) {
  auto archives = Archives::open(names, {.extra_units = derived_.extra_units()});
  if (!archives) {
    return std::unexpected(
        NotAdded{archives.error(), fmt::format("pmie: cannot open archive {}\n"
                                               "pmNewContext failed: {}\n",
                                               names, pm_reason(archives.error()))});
  }
  const std::string& host = (*archives)->label().host;
  const auto same = std::ranges::find(hosts_, host);
  if (same != hosts_.end()) {
    const auto index = static_cast<size_t>(same - hosts_.begin());
    return std::unexpected(NotAdded{
        Error(Fault::usage,
              fmt::format("its host is {}, like that of {}", host, connections_[index]))
            .at("archive", names)
            .help("for rules each archive is another host; -a FOLDER reads archives of one host in "
                  "turn"),
        fmt::format("pmie: Error: archive {} not legal - archive {} is already open for host {}\n",
                    names, connections_[index], host)});
  }
  opened_(**archives);
  add(*std::move(archives), names);
  return {};
}

namespace {

// To rules of pmie each archive is a host of its own, and the first of them the default.
Error mixed_folder(const std::string& names, const ArchiveFolder& folder) {
  const Error error = several_hosts(names, folder, "rules of pmie run over one");
  return Error(error).help(error.help() +
                           "; rules with a first line `// pmjit: dialect=strict` run over all");
}

}  // namespace

std::expected<std::vector<LeftOutArchive>, NotAdded> ArchiveSources::add_readable(
    const std::string& names) {
  auto added = add(names);
  if (added) return std::vector<LeftOutArchive>();
  auto folder =
      open_folder(names, {.extra_units = derived_.extra_units(), .without_bad_index = true});
  std::error_code unknown;
  if (folder && folder->hosts.size() > 1 && std::filesystem::is_directory(names, unknown)) {
    return std::unexpected(NotAdded{mixed_folder(names, *folder), added.error().in_pmie});
  }
  const bool readable =
      folder && folder->hosts.size() == 1 &&
      std::ranges::find(hosts_, folder->hosts.front()->label().host) == hosts_.end();
  if (!readable) return std::unexpected(std::move(added).error());
  opened_(*folder->hosts.front());
  add(std::move(folder->hosts.front()), names);
  return std::move(folder->left_out);
}

void ArchiveSources::add(std::unique_ptr<Archives> archives, const std::string& connection) {
  hosts_.push_back(archives->label().host);
  connections_.push_back(connection);
  members_.push_back({.recorded = std::make_unique<ArchivesSource>(std::move(archives)),
                      .context = {},
                      .shared = {},
                      .is_named = false});
  members_.back().context =
      with_derived(archive_context(static_cast<uint32_t>(members_.size() - 1)));
}

Result<uint32_t> ArchiveSources::source(std::string_view host) {
  if (host.empty()) return 0;
  const auto found = std::ranges::find(hosts_, host);
  if (found != hosts_.end()) {
    const auto index = static_cast<uint32_t>(found - hosts_.begin());
    members_[index].is_named = true;
    return index;
  }
  return fail(Error(Fault::not_found, "a rule asks for it, and none of the archives is of it")
                  .at("host", host)
                  .help("name an archive of each host with -a"));
}

std::vector<std::string> ArchiveSources::unnamed_hosts() const {
  std::vector<std::string> out;
  for (size_t i = 1; i < members_.size(); ++i) {
    if (!members_[i].is_named) out.push_back(hosts_[i]);
  }
  return out;
}

std::string ArchiveSources::title(uint32_t source) const {
  return fmt::format("archive {} (host {})", connections_[source], hosts_[source]);
}

std::unique_ptr<ArchiveContext> ArchiveSources::archive_context(uint32_t source) const {
  return std::make_unique<ArchiveContext>(archives(source), BadVolumes::pass_over);
}

std::unique_ptr<Context> ArchiveSources::open_context(uint32_t source, Stamp start,
                                                      ReplayStep step) {
  auto archive = archive_context(source);
  archive->replay().set_mode(ReplayMode::interpolated, start, step);
  Member& member = members_[source];
  archive->read_ahead({.recorded = *member.recorded, .reader = reader(member)});
  if (watches_) archive->replay().watch(member.recorded->undescribed());
  return with_derived(std::move(archive));
}

// What is decoded ahead takes some megabytes a thread: one context has that.
const Recording& ArchiveSources::reader(Member& of) {
  const bool alone = executor_ == nullptr || members_.size() > 1 || of.shared != nullptr ||
                     of.recorded->bytes() < limits::kSharedBytesLeast;
  if (alone) return *of.recorded;
  of.shared = std::make_unique<ParallelSource>(*of.recorded, *executor_);
  return *of.shared;
}

OrPmError<PmId> RuleSources::look_up(uint32_t source, std::string_view name) {
  return metadata(source)->look_up(name);
}

OrPmError<Desc> RuleSources::describe(uint32_t source, PmId pmid) {
  auto desc = metadata(source)->describe(pmid);
  // What is wrong with a definition pmie hears each time that it asks.
  if (!desc) metadata(source) = with_derived(bare_context(source));
  return desc;
}

OrPmError<std::vector<Catalog::Instance>> RuleSources::instances(uint32_t source, InDomId indom) {
  return metadata(source)->instances_ever(indom);
}

std::unique_ptr<Context> RuleSources::with_derived(std::unique_ptr<Context> context) {
  return std::make_unique<DerivedContext>(std::move(context), derived_);
}

}  // namespace pmjit::pmie
