#include "runtime/sched/assembly_line.h"

#include "runtime/sched/hand_over.h"

namespace pmjit {

void AssemblyLine::run_alone() {
  while (auto job = make()) {
    work(*job);
    if (auto taken = take(std::move(job))) finish(std::move(taken));
  }
}

AssemblyLine::Job* AssemblyLine::make_one() {
  take_over(&made_);
  Job* const job = make().release();
  hand_over(&made_);
  if (job != nullptr) hand_over(job);
  return job;
}

void AssemblyLine::do_one(Job& job) {
  take_over(&job);
  work(job);
  hand_over(&job);
}

AssemblyLine::Job* AssemblyLine::take_one(Job* job) {
  take_over(job);
  take_over(&taken_);
  Job* const taken = take(std::unique_ptr<Job>(job)).release();
  hand_over(&taken_);
  if (taken != nullptr) hand_over(taken);
  return taken;
}

void AssemblyLine::finish_one(Job* job) {
  if (job == nullptr) return;
  take_over(job);
  finish(std::unique_ptr<Job>(job));
}

void AssemblyLine::run(Executor& executor, unsigned jobs_at_once) {
  if (executor.threads() == 1) return run_alone();
  hand_over(&made_);
  hand_over(&taken_);
  run_pipeline(executor, jobs_at_once);
  take_over(&made_);
  take_over(&taken_);
}

}  // namespace pmjit
