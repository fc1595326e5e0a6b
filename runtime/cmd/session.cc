#include "runtime/cmd/session.h"

#include <fmt/core.h>

#include <algorithm>

#include "runtime/cmd/live_session.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

WindowSpec spec_of(const Options& options) {
  const auto view = [](const std::optional<std::string>& text) {
    return text ? std::optional<std::string_view>(*text) : std::nullopt;
  };
  return {.start = view(options.start),
          .finish = view(options.finish),
          .align = view(options.align),
          .origin = view(options.origin)};
}

int code_of(const Error& error) {
  return error.pm_code() != 0 ? error.pm_code() : pm_err::E_LOGREC;
}

}  // namespace

ReportZone report_zone(const Options& options, const Label& label) {
  if (options.host_zone) {
    return {
        .zone = Zone(label.timezone),
        .note = fmt::format("Note: timezone set to local timezone of host \"{}\" from archive\n\n",
                            label.host)};
  }
  if (options.zone) {
    return {.zone = Zone(*options.zone),
            .note = fmt::format("Note: timezone set to \"TZ={}\"\n\n", *options.zone)};
  }
  return {};
}

Result<Window> report_window(const Options& options, Stamp start, Stamp end, Zone& zone,
                             const Clock& clock) {
  return parse_window(spec_of(options),
                      {.start = start, .end = end, .now = unix_seconds(clock.wall())}, zone);
}

Result<Window> report_micro_window(const Options& options, Stamp start, Stamp end, Zone& zone,
                                   const Clock& clock) {
  return parse_micro_window(spec_of(options),
                            {.start = start, .end = end, .now = unix_seconds(clock.wall())}, zone);
}

std::string_view not_yet(bool archive) {
  if (!archive) return "live hosts are not supported yet: name an archive with -a";
  return {};
}

int end_dropin(ToolOutput& out, Messages& messages, int status) {
  if (!out.flush()) {
    messages.complain("standard output: cannot write all of it");
    status = 1;
  }
  messages.flush();
  return status;
}

std::string cannot_open(const std::string& archive, const Error& error) {
  return fmt::format("Cannot open archive \"{}\": {}", archive, pm_reason(error));
}

std::string invalid_window(const Error& error) {
  return fmt::format("invalid time window.\n{}", error.what());
}

std::string no_end_warning(const std::string& program, const std::string& archive,
                           const Error& error) {
  return fmt::format(
      "{}: Cannot locate end of archive {}: {}\n\n"
      "WARNING: This archive is sufficiently damaged that it may not be possible to\n"
      "         produce complete information.  Continuing and hoping for the best.\n\n",
      program, archive, pm_reason(error));
}

std::unique_ptr<MetricSession> MetricSession::open(const Options& options, LocalNames which,
                                                   DerivedMetrics& derived, const Clock& clock,
                                                   ToolOutput& out, Messages& messages) {
  if (options.source == SourceKind::archive) {
    return ArchiveSession::open(options, which, derived, clock, out, messages);
  }
  constexpr std::string_view kNoLocal = "Cannot make standalone connection on localhost";
  return LiveSession::open(options, kNoLocal, derived, clock, messages);
}

std::unique_ptr<ArchiveSession> ArchiveSession::open(const Options& options, LocalNames which,
                                                     DerivedMetrics& derived, const Clock& clock,
                                                     ToolOutput& out, Messages& messages) {
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

int ArchiveSession::load_domain(InDomId indom) {
  return archives_->metadata().domain(indom) == nullptr ? int{pm_err::E_INDOM_LOG} : 0;
}

std::optional<std::string> ArchiveSession::instance_name(InDomId indom, int32_t instance) const {
  const Domain* const domain = archives_->metadata().domain(indom);
  if (domain == nullptr) return std::nullopt;
  const auto found = domain->name_ever(instance);
  return found ? std::optional<std::string>(*found) : std::nullopt;
}

std::vector<const LabelSet*> ArchiveSession::labels(LabelType type, uint32_t ident) {
  const ArchiveLabels& labels = archives_->metadata().labels;
  if (type == LabelType::instances) return labels.delivered(type, ident, now());
  const LabelSet* const set = labels.find(type, ident, kNoInstance, now());
  return set == nullptr ? std::vector<const LabelSet*>{} : std::vector<const LabelSet*>{set};
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
