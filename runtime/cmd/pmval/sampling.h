// The samples of pmval, one after another, and what it says between them. Source: spec pmapi.md
// §24.2 "Loop".
#pragma once

#include "runtime/client/archive_context/archive_context.h"
#include "runtime/client/net/network.h"
#include "runtime/cmd/output.h"
#include "runtime/cmd/pmval/columns.h"

namespace pmjit {

// Where the samples are from: an archive, agents in this process, or a host, whose network works
// while pmval waits.
struct ValSource {
  Context& context;  // over it, with derived metrics
  const Clock& clock;
  ArchiveContext* archive = nullptr;
  Network* network = nullptr;

  [[nodiscard]] const Metadata* metadata() const {
    return archive == nullptr ? nullptr : &archive->metadata();
  }
};

class ValSampling {
 public:
  ValSampling(const ValSource& source, const ValSeries& series, const ValRequest& request,
              const ValPlan& plan, Zone& zone, ToolOutput& out, Messages& messages);

  // False: reading ended with an error, which the messages tell.
  [[nodiscard]] bool run();

 private:
  // `failure`: an error code stands for the values; `error`: there is no sample at all.
  enum class Got : uint8_t { values, nothing, failure, mark, end, error };

  Got fetch(Fetched& into);
  Got fetch_values(Fetched& into);
  Got fetch_record(Fetched& into);
  // The end, or what it is `otherwise`, and the messages say why.
  Got judge(int code, std::string_view call, Got otherwise);
  // One line, or two where a counter starts anew.
  Got round();
  Got report(Got got);
  void put_heading();
  void pause();
  void wait_for_tick();
  void say(Stamp stamp, std::string_view what);
  [[nodiscard]] Result<void> put();
  Got refuse(const Error& error);

  const ValSeries& series_;
  const ValRequest& request_;
  const ValPlan& plan_;
  Zone& zone_;
  ToolOutput& out_;
  Messages& messages_;
  ValSource source_;
  std::optional<Instant> next_tick_{};  // of what is live
  Profile profile_;
  ValColumns columns_;
  Fetched now_;
  bool has_before_ = false;
  Stamp before_;            // when the sample was that rates are taken from
  bool had_none_ = false;   // when it started last
  bool had_rates_ = false;  // since the last mark
  bool events_;
  std::string line_;
};

}  // namespace pmjit
