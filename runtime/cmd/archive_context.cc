#include "runtime/cmd/archive_context.h"

#include "runtime/cmd/always_there.h"
#include "runtime/cmd/session.h"
#include "runtime/model/pm_type.h"

namespace pmjit {

namespace {

int code_of(const Error& error) {
  return error.pm_code() != 0 ? error.pm_code() : pm_err::E_LOGREC;
}

}  // namespace

std::unique_ptr<ArchiveContext> ArchiveContext::open(const Options& options, LocalNames which,
                                                     Output& out, Messages& messages) {
  const bool archive = options.source == SourceKind::archive;
  if (const std::string_view missing = not_yet(options, archive); !missing.empty()) {
    messages.complain(missing);
    return nullptr;
  }
  auto archives = Archives::open(options.archives);
  if (!archives) {
    messages.complain(cannot_open(options.archives, archives.error()));
    return nullptr;
  }
  use_local_names(options, which, **archives);
  ReportZone zone = report_zone(options, (*archives)->label());
  out << zone.note;
  std::unique_ptr<ArchiveContext> context(
      new ArchiveContext(*std::move(archives), std::move(zone.zone)));
  context->origin_ = context->archives_->start();
  if (options.has_window()) {
    const auto end = context->archives_->end();
    const auto window =
        report_micro_window(options, context->origin_, end ? *end : kStampMax, context->zone_);
    if (!window) {
      messages.complain(invalid_window(window.error()));
      return nullptr;
    }
    context->origin_ = window->origin;
  }
  return context;
}

std::optional<std::vector<NameSpace::Leaf>> ArchiveContext::leaves(std::string_view name) const {
  auto found = metadata().names.leaves(name);
  for (const AlwaysThere& metric : kAlwaysThere) {
    const bool below = name.empty() || metric.name == name ||
                       (metric.name.starts_with(name) && metric.name[name.size()] == '.');
    if (!below) continue;
    if (!found) found.emplace();
    found->push_back({.name = metric.name, .pmid = metric.pmid});
  }
  return found;
}

OrPmError<PmId> ArchiveContext::look_up(std::string_view name) const {
  if (const auto pmid = always_there(name)) return *pmid;
  const auto found = metadata().names.look_up(name);
  if (!found) return pm_fail(found.error());
  return *found;
}

std::vector<std::string_view> ArchiveContext::names(PmId pmid) const {
  if (const AlwaysThere* metric = always_there(pmid)) return {metric->name};
  return metadata().names.names(pmid);
}

OrPmError<Desc> ArchiveContext::describe(PmId pmid) const {
  if (always_there(pmid) != nullptr) {
    return Desc{.pmid = pmid, .pm_type = pm_type::u32, .semantics = Semantics::discrete};
  }
  const Desc* desc = metadata().desc(pmid);
  if (desc == nullptr) return pm_fail(pm_err::E_PMID_LOG);
  return *desc;
}

OrPmError<const FetchedSet*> ArchiveContext::fetch_first(PmId pmid) {
  context_.set_mode(ReplayMode::forward, origin_);
  if (always_there(pmid) != nullptr) return fetch_nothing(pmid);
  if (there_ && !there_->contains(pmid)) return pm_fail(pm_err::E_EOL);
  const auto done = context_.fetch({&pmid, 1}, everything_, fetched_);
  if (done) return fetched_.sets.data();
  const int code = code_of(done.error());
  if (code == pm_err::E_EOL && !there_) note_what_is_there();
  return pm_fail(code);
}

// A record is read for such a metric too: the context's time moves, and damage shows.
OrPmError<const FetchedSet*> ArchiveContext::fetch_nothing(PmId pmid) {
  do {
    if (const auto read = context_.fetch_record(fetched_, kNullId); !read) {
      return pm_fail(code_of(read.error()));
    }
  } while (fetched_.sets.empty());
  fetched_.sets.assign(1, {.pmid = pmid});
  return fetched_.sets.data();
}

// Metrics that were never recorded are looked for through the whole archive: once for all of them.
void ArchiveContext::note_what_is_there() {
  context_.set_mode(ReplayMode::forward, origin_);
  there_.emplace();
  while (context_.fetch_record(fetched_, kNullId)) {
    for (const FetchedSet& set : fetched_.sets) there_->insert(set.pmid);
  }
}

}  // namespace pmjit
