#include "compiler/driver/adaptive_choice.h"

#include <utility>

#include "compiler/driver/kernel_batches.h"

namespace pmjit {

namespace {

// What a compiler and a module cost, however few kernels are made by them: below that much gain it
// waits for more.
constexpr double kBatchMs = 3;

}  // namespace

Adapting::Adapting(Choice choice, Slots slots, TierRule rule, std::shared_ptr<Compiling> compiling)
    : shapes_(std::move(choice.shapes)),
      slots_(std::move(slots)),
      seen_(slots_.size(), 0),
      rule_(rule),
      opened_(choice.pays),
      compiling_(std::move(compiling)) {}

void Adapting::look() {
  double gain_ms = 0;
  std::vector<size_t> due;
  std::vector<WantedKernel> wanted;
  for (size_t i = 0; i < shapes_.size(); ++i) {
    const ChosenShape& shape = shapes_[i];
    const auto lanes = static_cast<double>(slots_[i]->lanes() - seen_[i]);
    const auto ms = expected_ms(shape, lanes, shape.tier);
    const Tier best = best_tier(ms, rule_);
    if (best <= shape.tier) continue;
    const double gain = ms[static_cast<size_t>(shape.tier)] - ms[static_cast<size_t>(best)];
    gain_ms += gain;
    due.push_back(i);
    wanted.push_back({.shape = shape.shape, .slot = slots_[i], .tier = best, .gain_ms = gain});
  }
  if (gain_ms <= (opened_ ? kBatchMs : kLoadMs) || compiling_->failed()) return;
  opened_ = true;
  for (size_t k = 0; k < due.size(); ++k) {
    shapes_[due[k]].tier = wanted[k].tier;
    seen_[due[k]] = slots_[due[k]]->lanes();
  }
  auto batches = batches_of(wanted);
  for (Compiling::Batch& batch : batches) batch.adapted = true;
  compiling_->add(std::move(batches));
}

}  // namespace pmjit
