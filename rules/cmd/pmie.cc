// The drop-in pmie over archives. Source: spec rules-language.md §18, §20.
#include "rules/cmd/pmie_session.h"
#include "runtime/cmd/dropin.h"
#include "runtime/cmd/session.h"

namespace pmjit {

namespace {

int work(pmie::PmieSession& session) {
  if (session.options().agent) {
    session.complain("-x feeds an agent of live hosts, and is not supported yet");
    return 1;
  }
  if (!session.open()) return 1;
  const pmie::PmieOptions& options = session.options();
  std::vector<std::string> files = options.files;
  if (files.empty() && !options.interactive) files.emplace_back();
  for (const std::string& file : files) {
    if (!session.read_rules(file)) return 1;
  }
  if (options.check) return session.are_right() ? 0 : 1;
  if (!session.stomp_is_there()) return 1;
  if (options.interactive) return pmie::Interactive(session).run();
  return session.run(session.start(), session.end()) ? 0 : 1;
}

}  // namespace

int run_pmie(int argc, const char* const* argv, DerivedMetrics& derived, const Clock& clock) {
  OptionReader reader(pmie::pmie_options(), argc, argv, derived);
  auto options = pmie::read_pmie_options(reader);
  if (!options) return reader.usage();
  ToolOutput out;
  std::optional<pmie::LogFile> log;
  if (options->log) log.emplace(*options->log, reader.messages(), clock);
  if (log && !log->is_open()) return 1;
  pmie::PmieSession session(*std::move(options), derived, clock, out, reader.messages());
  const int status = work(session);
  return end_dropin(out, reader.messages(), status);
}

}  // namespace pmjit
