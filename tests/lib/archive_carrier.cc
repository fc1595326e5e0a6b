#include "tests/lib/archive_carrier.h"

#include "runtime/client/archive_context/grid_source.h"
#include "runtime/sched/parallel_source.h"
#include "runtime/sched/tbb_executor.h"
#include "runtime/testing/case_recording.h"

namespace pmjit::cases {

std::shared_ptr<const Recording> by_two_threads(std::shared_ptr<const Recording> archive) {
  struct Shared {
    std::shared_ptr<const Recording> archive;
    TbbExecutor executor{2};
    ParallelSource source{*archive, executor, 1};
  };
  const auto shared = std::make_shared<Shared>(std::move(archive));
  return {shared, &shared->source};
}

Result<std::shared_ptr<const Recording>> on_grid(std::unique_ptr<Archive> archive, Nanos step,
                                                 GridReading reading) {
  std::vector<std::unique_ptr<Archive>> one;
  one.push_back(std::move(archive));
  auto archives = Archives::of(std::move(one));
  if (!archives) return fail(archives.error());
  struct Shared {
    Shared(std::unique_ptr<Archives> archives, const TimeGrid& grid, GridReading reading)
        : recorded(std::move(archives)),
          source(recorded, grid_within(recorded, grid),
                 reading == GridReading::by_two_threads ? &by_threads : nullptr) {}

    ArchivesSource recorded;
    TbbExecutor executor{2};
    ParallelSource by_threads{recorded, executor, 1};
    GridSource source;
  };
  const Stamp each = stamp_from_nanos(step);
  const auto shared = std::make_shared<Shared>(
      *std::move(archives), TimeGrid{.origin = kEpoch, .step = {each.sec, each.nsec}}, reading);
  return std::shared_ptr<const Recording>(shared, &shared->source);
}

}  // namespace pmjit::cases
