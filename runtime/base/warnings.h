// Warnings of a run that goes on: what its readers should know, handed over from time to time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pmjit {

// Memory is bounded however often something happens and however rarely somebody asks.
class Warnings {
 public:
  void add(std::string text);
  // Those since the last call, at most limits::kWarningsMax of them; where there were more, a last
  // line says how many.
  [[nodiscard]] std::vector<std::string> take();

 private:
  std::vector<std::string> kept_;
  uint64_t left_out_ = 0;
};

}  // namespace pmjit
