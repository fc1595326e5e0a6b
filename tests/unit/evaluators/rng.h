// Rng: a small seeded generator with the same sequence everywhere, unlike the standard
// distributions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace pmjit::tests {

class Rng {
 public:
  explicit Rng(uint64_t seed) : state_(seed) {}
  uint64_t bits() {  // splitmix64
    uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  size_t below(size_t bound) { return bits() % bound; }
  bool one_in(size_t n) { return below(n) == 0; }
  template <class T>
  const T& of(std::span<const T> items) {
    return items[below(items.size())];
  }

 private:
  uint64_t state_;
};

}  // namespace pmjit::tests
