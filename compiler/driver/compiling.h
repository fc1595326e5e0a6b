// Compiling: kernels of a program on their way. Shapes are compiled in batches, by one thread or
// several; each that is ready takes its slot, whether the program runs already or not.
//
//   compiling.run(run_jobs);          // all batches, before the program runs
//   compiling.run_until(stop);        // one after the other, while it runs
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "compiler/codegen/codegen.h"
#include "runtime/program/kernel_slot.h"

namespace pmjit {

// Does all jobs, in any order, by one thread or several, and then returns.
using RunJobs = std::function<void(std::span<const std::function<void()>>)>;

class Compiling {
 public:
  struct Batch {
    OptLevel level;
    std::vector<KernelShape> shapes{};
    std::vector<std::shared_ptr<KernelSlot>> slots{};  // one a shape
  };
  struct Figures {
    size_t kernels = 0;
    uint64_t code_bytes = 0;
    double ms = 0;                 // of all threads together
    std::optional<Error> error{};  // the first; kernels without code are interpreted
    std::string llvm_ir{};
  };

  Compiling(std::vector<Batch> batches, const CodegenOptions& options);

  // An empty `jobs`: one after the other.
  void run(const RunJobs& jobs);
  void run_until(const std::stop_token& stop);
  // So far; by any thread.
  [[nodiscard]] Figures figures() const;

 private:
  void compile(const Batch& batch);
  void compile_with(const CodegenModule& module, const Batch& batch);
  bool failed() const;

  std::vector<Batch> batches_;
  CodegenOptions options_;
  mutable std::mutex lock_;
  Figures figures_;
};

}  // namespace pmjit
