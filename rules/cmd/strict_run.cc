#include "rules/cmd/strict_run.h"

#include "compiler/cmd/block_rows.h"
#include "compiler/cmd/common.h"
#include "compiler/cmd/expected.h"
#include "rules/strict/strict_replay.h"

namespace pmjit {

Result<void> replay_strict(const strict::RuleSet& rules, const std::string& archives,
                           const StrictWindow& window, EventWriter& writer,
                           const std::function<bool()>& stop) {
  const CommonOptions common{.archives = {archives}};
  const auto source = open_source(common, ExtraUnits::known);
  if (!source) return fail(source.error());
  strict::TaskOptions options{
      .origin = window.origin, .end = window.end, .compile = compile_options(common, **source)};
  options.expect = [&](Nanos step) {
    return expected_work(**source, {.from = window.origin, .to = window.end, .step = step});
  };
  options.block_rows = [&](const Program& program) {
    return result_rows(program, **source, window.origin);
  };
  const auto replay = strict::StrictReplay::open(rules, **source, options, archives);
  if (!replay) {
    say(replay.error().what());
    return fail(Error(Fault::usage, "the rules have errors: none of them runs"));
  }
  return (*replay)->run(writer, stop);
}

}  // namespace pmjit
