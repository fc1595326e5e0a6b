// TBB's pipeline around the four stations of an assembly line. Compiled without the thread
// sanitizer: TBB's headers put parts of its library here, and how these meet the rest is not seen.
#include <tbb/parallel_pipeline.h>

#include "runtime/sched/arena.h"
#include "runtime/sched/assembly_line.h"

namespace pmjit {

void AssemblyLine::run_pipeline(Executor& executor, unsigned jobs_at_once) {
  using tbb::filter_mode;
  const auto make =
      tbb::make_filter<void, Job*>(filter_mode::serial_in_order, [this](tbb::flow_control& flow) {
        Job* const job = make_one();
        if (job == nullptr) flow.stop();
        return job;
      });
  const auto work = tbb::make_filter<Job*, Job*>(filter_mode::parallel, [this](Job* job) {
    do_one(*job);
    return job;
  });
  const auto take = tbb::make_filter<Job*, Job*>(filter_mode::serial_in_order,
                                                 [this](Job* job) { return take_one(job); });
  const auto finish =
      tbb::make_filter<Job*, void>(filter_mode::parallel, [this](Job* job) { finish_one(job); });
  executor.arena().arena.execute(
      [&] { tbb::parallel_pipeline(jobs_at_once, make & work & take & finish); });
}

}  // namespace pmjit
