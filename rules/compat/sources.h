// ArchiveSources: the archives of -a by host, as the reader of rules asks for metrics and as tasks
// fetch them. Source: spec rules-language.md §16, §17.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "compiler/compat/pmie/rule_reader.h"
#include "runtime/client/archive_context/archive_context.h"
#include "runtime/client/context.h"
#include "runtime/client/deriver.h"

namespace pmjit::pmie {

// Why an archive is none of the sources: as everybody is told, and as pmie prints it before it
// ends.
struct NotAdded {
  Error error;
  std::string in_pmie;
};

class ArchiveSources final : public RuleMetrics {
 public:
  explicit ArchiveSources(DerivedMetrics& derived) : derived_(derived) {}

  // `names`: as given with one -a: a source each, with commas between. The first is the default.
  [[nodiscard]] std::expected<void, NotAdded> add(std::string_view names);
  // All of `names` is one source.
  [[nodiscard]] std::expected<void, NotAdded> add_one(const std::string& names);
  // Archives that are open, of a host that no other has; `connection`: what %c prints.
  void add(std::unique_ptr<Archives> archives, const std::string& connection);

  [[nodiscard]] Result<uint32_t> source(std::string_view host) override;
  [[nodiscard]] std::string host(uint32_t source) const override { return hosts_[source]; }
  [[nodiscard]] std::string title(uint32_t source) const override;
  [[nodiscard]] OrPmError<PmId> look_up(uint32_t source, std::string_view name) override;
  [[nodiscard]] OrPmError<Desc> describe(uint32_t source, PmId pmid) override;
  [[nodiscard]] OrPmError<std::vector<Catalog::Instance>> instances(uint32_t source,
                                                                    InDomId indom) override;

  [[nodiscard]] size_t size() const { return members_.size(); }
  [[nodiscard]] const Archives& archives(uint32_t source) const {
    return *members_[source].archives;
  }
  // Of each source: the host (%h), and what it was named by (%c).
  [[nodiscard]] const std::vector<std::string>& hosts() const { return hosts_; }
  [[nodiscard]] const std::vector<std::string>& connections() const { return connections_; }
  // A context of one task, whose fetches are for times `step` apart.
  [[nodiscard]] std::unique_ptr<Context> open_context(uint32_t source, Stamp start,
                                                      ReplayStep step);

 private:
  struct Member {
    std::unique_ptr<Archives> archives;
    std::unique_ptr<Context> context;  // for metadata
  };

  [[nodiscard]] std::unique_ptr<Context> with_derived(std::unique_ptr<ArchiveContext> archive);
  [[nodiscard]] std::unique_ptr<ArchiveContext> archive_context(uint32_t source) const;

  DerivedMetrics& derived_;
  std::vector<Member> members_;
  std::vector<std::string> hosts_, connections_;
};

}  // namespace pmjit::pmie
