#include "runtime/sched/assembly_line.h"

#include <tbb/parallel_pipeline.h>

#include "runtime/sched/arena.h"
#include "runtime/sched/hand_over.h"

namespace pmjit {

void AssemblyLine::run_alone() {
  while (auto job = make()) {
    work(*job);
    take(std::move(job));
  }
}

void AssemblyLine::run(Executor& executor, unsigned jobs_at_once) {
  if (executor.threads() == 1) return run_alone();
  using tbb::filter_mode;
  char made = 0, taken = 0;  // what one thread hands over to the next who makes, or takes
  const auto make_one = tbb::make_filter<void, Job*>(filter_mode::serial_in_order,
                                                     [&](tbb::flow_control& flow) -> Job* {
                                                       take_over(&made);
                                                       Job* const job = make().release();
                                                       hand_over(&made);
                                                       if (job == nullptr) {
                                                         flow.stop();
                                                         return nullptr;
                                                       }
                                                       hand_over(job);
                                                       return job;
                                                     });
  const auto do_one = tbb::make_filter<Job*, Job*>(filter_mode::parallel, [&](Job* job) {
    take_over(job);
    work(*job);
    hand_over(job);
    return job;
  });
  const auto take_one = tbb::make_filter<Job*, void>(filter_mode::serial_in_order, [&](Job* job) {
    take_over(job);
    take_over(&taken);
    take(std::unique_ptr<Job>(job));
    hand_over(&taken);
  });
  hand_over(&made);
  hand_over(&taken);
  executor.arena().arena.execute(
      [&] { tbb::parallel_pipeline(jobs_at_once, make_one & do_one & take_one); });
  take_over(&made);
  take_over(&taken);
}

}  // namespace pmjit
