#include "compiler/driver/compiling.h"

#include "compiler/codegen/load.h"

namespace pmjit {

Compiling::Compiling(std::vector<Batch> batches, const CodegenOptions& options)
    : batches_(std::move(batches)), options_(options) {}

void Compiling::run(const RunJobs& jobs) {
  if (!jobs || batches_.size() < 2) {
    for (const Batch& batch : batches_) compile(batch);
    return;
  }
  std::vector<std::function<void()>> work;
  for (const Batch& batch : batches_) work.push_back([this, &batch] { compile(batch); });
  jobs(work);
}

void Compiling::run_until(const std::stop_token& stop) {
  for (const Batch& batch : batches_) {
    if (stop.stop_requested()) return;
    compile(batch);
  }
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
  if (made) {
    for (size_t i = 0; i < batch.slots.size(); ++i) {
      batch.slots[i]->replace(made->kernels[i], made->owner);
    }
  }
  const std::scoped_lock hold(lock_);
  if (!made) {
    figures_.error = made.error();
    return;
  }
  figures_.kernels += made->kernels.size();
  figures_.code_bytes += made->code_bytes;
  figures_.ms += made->compile_ms;
  figures_.llvm_ir += made->llvm_ir;
}

}  // namespace pmjit
