// Compiling: kernels of a program on their way. Shapes are compiled in batches, by one thread or
// several; each that is ready takes its slot, whether the program runs already or not.
//
//   compiling.run(run_jobs);             // all batches, before the program runs
//   while (compiling.compile_next()) {}  // one after the other, while it runs
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "compiler/codegen/codegen.h"
#include "runtime/program/kernel.h"

namespace pmjit {

// Does all jobs, in any order, by one thread or several, and then returns.
using RunJobs = std::function<void(std::span<const std::function<void()>>)>;

class Compiling {
 public:
  struct Batch {
    OptLevel level;
    std::vector<KernelShape> shapes{};
    std::vector<std::shared_ptr<KernelSlot>> slots{};  // one a shape
    bool adapted = false;                              // not chosen before the program ran
  };
  struct Figures {
    size_t kernels = 0;  // slots that have one
    size_t adapted = 0;  // of batches that are
    uint64_t code_bytes = 0;
    double ms = 0;                 // of all threads together
    std::optional<Error> error{};  // the first; kernels without code are interpreted
    std::string llvm_ir{};
  };

  Compiling(std::vector<Batch> batches, const CodegenOptions& options);

  // An empty `jobs`: one after the other.
  void run(const RunJobs& jobs);
  // By any thread, one at a time, for a slot may come in two batches. False: nothing waits.
  bool compile_next();
  // By any thread.
  void add(std::vector<Batch> batches);
  [[nodiscard]] bool waits() const;
  [[nodiscard]] bool failed() const;      // and nothing is compiled any more
  [[nodiscard]] Figures figures() const;  // so far

 private:
  void compile(const Batch& batch);
  void compile_with(const CodegenModule& module, const Batch& batch);

  CodegenOptions options_;
  mutable std::mutex lock_;  // what follows
  std::deque<Batch> batches_;
  Figures figures_;
};

}  // namespace pmjit
