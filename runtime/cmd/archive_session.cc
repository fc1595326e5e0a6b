#include "runtime/cmd/archive_session.h"

#include <algorithm>

#include "runtime/cmd/session.h"

namespace pmjit {

namespace {

int code_of(const Error& error) {
  return error.pm_code() != 0 ? error.pm_code() : pm_err::E_LOGREC;
}

}  // namespace

std::unique_ptr<ArchiveSession> ArchiveSession::open(const Options& options, LocalNames which,
                                                     DerivedMetrics& derived, const Clock& clock,
                                                     ToolOutput& out, Messages& messages) {
  const bool archive = options.source == SourceKind::archive;
  if (const std::string_view missing = not_yet(archive); !missing.empty()) {
    messages.complain(missing);
    return nullptr;
  }
  auto archives = Archives::open(options.archives, {.extra_units = derived.extra_units()});
  if (!archives) {
    messages.complain(cannot_open(options.archives, archives.error()));
    return nullptr;
  }
  use_local_names(options, which, **archives);
  ReportZone zone = report_zone(options, (*archives)->label());
  out << zone.note;
  std::unique_ptr<ArchiveSession> context(
      new ArchiveSession(*std::move(archives), std::move(zone.zone), derived));
  context->origin_ = context->archives_->start();
  if (options.has_window()) {
    const auto end = context->archives_->end();
    const auto window = report_micro_window(options, context->origin_, end ? *end : kStampMax,
                                            context->zone_, clock);
    if (!window) {
      messages.complain(invalid_window(window.error()));
      return nullptr;
    }
    context->origin_ = window->origin;
  }
  return context;
}

OrPmError<const FetchedSet*> ArchiveSession::fetch_first(PmId pmid) {
  archive_.replay().set_mode(ReplayMode::forward, origin_);
  const auto recorded = context_.recorded_of({&pmid, 1});
  const bool nowhere = there_ && !recorded.empty() && std::ranges::none_of(recorded, [&](PmId id) {
                         return there_->contains(id);
                       });
  if (nowhere) return pm_fail(pm_err::E_EOL);
  const auto done = context_.fetch({&pmid, 1}, everything_, fetched_);
  if (done) return fetched_.sets.data();
  const int code = code_of(done.error());
  if (code == pm_err::E_EOL && !there_) note_what_is_there();
  return pm_fail(code);
}

// Metrics that were never recorded are looked for through the whole archive: once for all of them.
void ArchiveSession::note_what_is_there() {
  archive_.replay().set_mode(ReplayMode::forward, origin_);
  there_.emplace();
  while (archive_.replay().fetch_record(fetched_, kNullId)) {
    for (const FetchedSet& set : fetched_.sets) there_->insert(set.pmid);
  }
}

}  // namespace pmjit
