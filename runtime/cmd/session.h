// What a tool does between its options and its work: the zone of what it reports, and the part of
// the archive it is about. Source: spec pmapi.md §20.3, archives.md §9, §16, §17.
//
//   ReportZone zone = report_zone(options, archives.label());
//   out << zone.note;
//   auto window = report_window(options, archives.start(), *archives.end(), zone.zone, clock);
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "runtime/archive/format/label.h"
#include "runtime/base/clock.h"
#include "runtime/client/archive_context/archive_context.h"
#include "runtime/client/connection.h"
#include "runtime/client/derived_context.h"
#include "runtime/cmd/options.h"
#include "runtime/cmd/output.h"
#include "runtime/model/pm_codes.h"
#include "runtime/text/window.h"
#include "runtime/text/zone.h"

namespace pmjit {

struct ReportZone {
  Zone zone;
  std::string note;  // for standard output: -Z and -z are answered with a line
};
[[nodiscard]] ReportZone report_zone(const Options& options, const Label& label);

// `end` kStampMax: nobody knows it.
[[nodiscard]] Result<Window> report_window(const Options& options, Stamp start, Stamp end,
                                           Zone& zone, const Clock& clock);
// For tools whose times are microseconds from the start.
[[nodiscard]] Result<Window> report_micro_window(const Options& options, Stamp start, Stamp end,
                                                 Zone& zone, const Clock& clock);

// What no drop-in can do yet; empty: nothing of it. `archive`: values come from one.
[[nodiscard]] std::string_view not_yet(bool archive);

// The end of a tool's main(): everything is written out. Its exit status, 1 where that fails.
[[nodiscard]] int end_dropin(ToolOutput& out, Messages& messages, int status);

// What is said when these fail, without the program's name.
[[nodiscard]] std::string cannot_open(const std::string& archive, const Error& error);
[[nodiscard]] std::string invalid_window(const Error& error);
// That the end of an archive cannot be found; with the program's name, and an empty line behind.
[[nodiscard]] std::string no_end_warning(const std::string& program, const std::string& archive,
                                         const Error& error);

// MetricSession: what pminfo and pmprobe print of, be it archives (below), a host or agents
// in this process (live_session.h).
class MetricSession {
 public:
  // Null: it cannot be read, or something else is asked for; the user has been told. The note about
  // the zone goes to `out`.
  [[nodiscard]] static std::unique_ptr<MetricSession> open(const Options& options, LocalNames which,
                                                           DerivedMetrics& derived,
                                                           const Clock& clock, ToolOutput& out,
                                                           Messages& messages);

  virtual ~MetricSession() = default;
  MetricSession(const MetricSession&) = delete;
  MetricSession& operator=(const MetricSession&) = delete;

  // Null: a host, which has none beforehand.
  [[nodiscard]] virtual const Metadata* metadata() const = 0;
  [[nodiscard]] virtual std::string host() const = 0;
  [[nodiscard]] virtual Stamp now() const = 0;
  // Names, descriptors and texts, those of derived metrics too.
  [[nodiscard]] virtual Context& metrics() = 0;
  // The first values there are; they live until the next call.
  [[nodiscard]] virtual OrPmError<const FetchedSet*> fetch_first(PmId pmid) = 0;
  // Before instance_name(): 0, or why the domain has no instances.
  [[nodiscard]] virtual int load_domain(InDomId indom) = 0;
  [[nodiscard]] virtual std::optional<std::string> instance_name(InDomId indom,
                                                                 int32_t instance) const = 0;
  // The labels of one level: a set, or of LabelType::instances one each; of the time of now().
  // They live until the next call for this level.
  [[nodiscard]] virtual std::vector<const LabelSet*> labels(LabelType type, uint32_t ident) = 0;
  // These are asked for next, in this order: a host fetches them together.
  virtual void fetch_together(std::span<const PmId> metrics) = 0;
  // An archive has no PDUs.
  [[nodiscard]] virtual ClientPduCounts pdu_counts() const { return {}; }
  [[nodiscard]] bool live() const { return metadata() == nullptr; }
  [[nodiscard]] Zone& zone() { return zone_; }

 protected:
  MetricSession() = default;
  Zone zone_;
};

// ArchiveSession: the archives of -a as pminfo and pmprobe see them: a name space, descriptors, and
// of every metric the values of the first record at or after the origin that has it. Source: spec
// pmapi.md §6, §10, §24.1, §24.3.
//
//   const auto context = ArchiveSession::open(options, which, derived, clock, out, messages);
//   if (context == nullptr) return 1;             the user has been told why
//   const auto set = context->fetch_first(pmid);  from the origin, each time
//
// The time of the context is the archive's start until something is fetched, then the record's.
class ArchiveSession final : public MetricSession {
 public:
  // Null: they cannot be read, or something else is asked for; it is told. The note about the zone
  // goes to `out`.
  [[nodiscard]] static std::unique_ptr<ArchiveSession> open(const Options& options,
                                                            LocalNames which,
                                                            DerivedMetrics& derived,
                                                            const Clock& clock, ToolOutput& out,
                                                            Messages& messages);

  [[nodiscard]] const Metadata* metadata() const override { return &archives_->metadata(); }
  [[nodiscard]] std::string host() const override { return archives_->label().host; }
  [[nodiscard]] Stamp now() const override { return archive_.replay().now(); }
  [[nodiscard]] Context& metrics() override { return context_; }
  // PM_ERR_EOL: no record has the metric; others: what is wrong with the archive before one was
  // found.
  [[nodiscard]] OrPmError<const FetchedSet*> fetch_first(PmId pmid) override;
  [[nodiscard]] int load_domain(InDomId indom) override;
  [[nodiscard]] std::optional<std::string> instance_name(InDomId indom,
                                                         int32_t instance) const override;
  [[nodiscard]] std::vector<const LabelSet*> labels(LabelType type, uint32_t ident) override;
  void fetch_together(std::span<const PmId>) override {}

 private:
  ArchiveSession(std::unique_ptr<Archives> archives, Zone zone, DerivedMetrics& derived)
      : ArchiveSession(std::make_unique<ArchiveContext>(*archives, BadVolumes::pass_over),
                       derived) {
    archives_ = std::move(archives);
    zone_ = std::move(zone);
  }
  ArchiveSession(std::unique_ptr<ArchiveContext> archive, DerivedMetrics& derived)
      : archive_(*archive), context_(std::move(archive), derived) {}
  void note_what_is_there();

  std::unique_ptr<Archives> archives_;
  ArchiveContext& archive_;
  DerivedContext context_;
  Stamp origin_{};
  Fetched fetched_;
  Profile everything_;
  // What the records from the origin on have; known once a metric was looked for in vain.
  std::optional<std::unordered_set<PmId>> there_;
};

}  // namespace pmjit
