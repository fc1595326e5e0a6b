// RuleSources: hosts by number, as the reader of rules asks for their metrics and as tasks fetch
// them. ArchiveSources are the archives of -a; live hosts are HostSources (host_sources.h). Source:
// spec rules-language.md §17.
#pragma once

#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compiler/compat/pmie/rule_reader.h"
#include "runtime/archive/recording/archives_source.h"
#include "runtime/client/archive_context/archive_context.h"
#include "runtime/client/context.h"
#include "runtime/client/deriver.h"
#include "runtime/sched/parallel_source.h"

namespace pmjit::pmie {

// Why an archive is none of the sources: as everybody is told, and as pmie prints it before it
// ends.
struct NotAdded {
  Error error;
  std::string in_pmie;
};

class RuleSources : public RuleMetrics {
 public:
  [[nodiscard]] std::string host(uint32_t source) const override { return hosts_[source]; }
  [[nodiscard]] OrPmError<PmId> look_up(uint32_t source, std::string_view name) override;
  [[nodiscard]] OrPmError<Desc> describe(uint32_t source, PmId pmid) override;
  [[nodiscard]] OrPmError<std::vector<Catalog::Instance>> instances(uint32_t source,
                                                                    InDomId indom) override;
  // A context of one task. Of archives its fetches are for times `step` apart.
  [[nodiscard]] virtual std::unique_ptr<Context> open_context(uint32_t source, Stamp start,
                                                              ReplayStep step) = 0;
  // What became of a fetch that was due at a time, in seconds.
  virtual void note_fetch(uint32_t, double /*when*/, const Result<void>&) {}
  // Nothing was fetched at that time, for no metric of the source is known yet.
  virtual void note_wait(uint32_t, double /*when*/) {}
  // Of a fetch: the status of a metric; below 0: it has no values.
  virtual void note_metric(uint32_t, PmId, const std::string& /*name*/, int32_t /*status*/) {}
  // Live: did the source answer when it was asked last?
  [[nodiscard]] virtual bool answers(uint32_t) const { return true; }
  // Live: has_moved() of one of them, until RuleReader::bind_waiting() has looked.
  [[nodiscard]] virtual bool any_moved() { return false; }
  virtual void settle_moved() {}
  // Live: its contexts know only what was asked ahead, but for fetches.
  [[nodiscard]] virtual bool never_waits() const { return false; }
  // Live: fetches that begin from now on are those of this time, in seconds, which is due every
  // `delta`. Others who want values of a host at that time share its answer.
  virtual void set_tick(double /*due*/, double /*delta*/) {}
  // Live: what is asked from now on, but for fetches that begin, waits so many seconds altogether.
  virtual void set_patience(double) {}

  [[nodiscard]] size_t size() const { return hosts_.size(); }
  // Of each source: the host (%h), and what it was named by (%c).
  [[nodiscard]] const std::vector<std::string>& hosts() const { return hosts_; }
  [[nodiscard]] const std::vector<std::string>& connections() const { return connections_; }

 protected:
  // `derived` outlives it.
  explicit RuleSources(DerivedMetrics& derived) : derived_(derived) {}
  [[nodiscard]] std::unique_ptr<Context> with_derived(std::unique_ptr<Context> context);
  // For metadata.
  [[nodiscard]] virtual std::unique_ptr<Context>& metadata(uint32_t source) = 0;
  // Anew, without derived metrics.
  [[nodiscard]] virtual std::unique_ptr<Context> bare_context(uint32_t source) = 0;

  DerivedMetrics& derived_;
  std::vector<std::string> hosts_, connections_;
};

class ArchiveSources final : public RuleSources {
 public:
  explicit ArchiveSources(DerivedMetrics& derived) : RuleSources(derived) {}

  // `names`: as given with one -a: a source each, with commas between. The first is the default.
  [[nodiscard]] std::expected<void, NotAdded> add(std::string_view names);
  // All of `names` is one source.
  [[nodiscard]] std::expected<void, NotAdded> add_one(const std::string& names);
  // Archives that are open, of a host that no other has; `connection`: what %c prints.
  void add(std::unique_ptr<Archives> archives, const std::string& connection);
  // The same without those of a folder that cannot be read, if the others are of one host. Returns
  // what is left out.
  [[nodiscard]] std::expected<std::vector<LeftOutArchive>, NotAdded> add_readable(
      const std::string& names);
  // Records of large archives are decoded by its threads from now on; it outlives the contexts.
  void read_with(Executor& executor) { executor_ = &executor; }
  // Contexts that are opened from now on watch their records (ArchivesSource::undescribed()), and
  // refuse values of another type than their metric, which pmie takes as they are.
  void watch() { watches_ = true; }
  // Called with each that is opened from now on.
  void on_open(std::function<void(Archives&)> opened) { opened_ = std::move(opened); }

  [[nodiscard]] Result<uint32_t> source(std::string_view host) override;
  // Hosts beside the default one that no rule has named up to now.
  [[nodiscard]] std::vector<std::string> unnamed_hosts() const;
  [[nodiscard]] std::string title(uint32_t source) const override;
  [[nodiscard]] const Archives& archives(uint32_t source) const {
    return members_[source].recorded->archives();
  }
  [[nodiscard]] const ArchivesSource& recorded(uint32_t source) const {
    return *members_[source].recorded;
  }
  // Of the archives of a source: what is missing, or is not used.
  [[nodiscard]] std::vector<std::string> warnings(uint32_t source) const {
    return members_[source].recorded->warnings();
  }
  // Without derived metrics.
  [[nodiscard]] const Catalog& catalog(uint32_t source) const {
    return members_[source].recorded->catalog();
  }
  [[nodiscard]] std::unique_ptr<Context> open_context(uint32_t source, Stamp start,
                                                      ReplayStep step) override;

 private:
  struct Member {
    std::unique_ptr<ArchivesSource> recorded;
    std::unique_ptr<Context> context;        // for metadata
    std::unique_ptr<ParallelSource> shared;  // decoded by several threads
    bool is_named = false;                   // by a rule, `:host`
  };

  [[nodiscard]] std::unique_ptr<Context>& metadata(uint32_t source) override {
    return members_[source].context;
  }
  [[nodiscard]] std::unique_ptr<Context> bare_context(uint32_t source) override {
    return archive_context(source);
  }
  [[nodiscard]] std::unique_ptr<ArchiveContext> archive_context(uint32_t source) const;

  [[nodiscard]] const Recording& reader(Member& of);

  std::function<void(Archives&)> opened_ = [](Archives&) {};
  std::vector<Member> members_;
  Executor* executor_ = nullptr;
  bool watches_ = false;
};

}  // namespace pmjit::pmie
