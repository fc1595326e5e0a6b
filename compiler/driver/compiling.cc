#include "compiler/driver/compiling.h"

#include <iterator>
#include <utility>

#include "compiler/codegen/load.h"

namespace pmjit {

Compiling::Compiling(std::vector<Batch> batches, const CodegenOptions& options)
    : options_(options) {
  add(std::move(batches));
}

void Compiling::add(std::vector<Batch> batches) {
  const std::scoped_lock hold(lock_);
  std::ranges::move(batches, std::back_inserter(batches_));
}

void Compiling::run(const RunJobs& jobs) {
  std::deque<Batch> batches;
  {
    const std::scoped_lock hold(lock_);
    batches.swap(batches_);
  }
  std::vector<std::function<void()>> work;
  for (const Batch& batch : batches) work.push_back([this, &batch] { compile(batch); });
  if (jobs && work.size() > 1) return jobs(work);
  for (const auto& job : work) job();
}

bool Compiling::compile_next() {
  Batch batch;
  {
    const std::scoped_lock hold(lock_);
    if (batches_.empty()) return false;
    batch = std::move(batches_.front());
    batches_.pop_front();
  }
  compile(batch);
  return true;
}

bool Compiling::waits() const {
  const std::scoped_lock hold(lock_);
  return !batches_.empty();
}

Compiling::Figures Compiling::figures() const {
  const std::scoped_lock hold(lock_);
  return figures_;
}

bool Compiling::failed() const {
  const std::scoped_lock hold(lock_);
  return figures_.error.has_value();
}

void Compiling::compile(const Batch& batch) {
  if (failed()) return;
  const auto module = load_codegen();
  if (module) return compile_with(**module, batch);
  const std::scoped_lock hold(lock_);
  figures_.error = module.error();
}

void Compiling::compile_with(const CodegenModule& module, const Batch& batch) {
  CodegenOptions how = options_;
  how.level = batch.level;
  auto made = module.compile(batch.shapes, how);
  size_t first = 0;  // that their slots have
  for (size_t i = 0; made && i < batch.slots.size(); ++i) {
    first += batch.slots[i]->now().compiled ? 0 : 1;
    batch.slots[i]->replace(made->kernels[i], made->owner);
  }
  const std::scoped_lock hold(lock_);
  if (!made) {
    figures_.error = made.error();
    return;
  }
  figures_.kernels += first;
  figures_.adapted += batch.adapted ? batch.slots.size() : 0;
  figures_.code_bytes += made->code_bytes;
  figures_.ms += made->compile_ms;
  figures_.llvm_ir += made->llvm_ir;
}

}  // namespace pmjit
