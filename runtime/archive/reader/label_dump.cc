#include "runtime/archive/reader/label_dump.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace pmjit {

namespace {

constexpr std::array kTypeOrder = {LabelType::context, LabelType::domain, LabelType::cluster,
                                   LabelType::item,    LabelType::indom,  LabelType::instances};

size_t rank(LabelType type) {
  return static_cast<size_t>(std::ranges::find(kTypeOrder, type) - kTypeOrder.begin());
}

bool has_label(const LabelSet& set, std::string_view name, std::string_view value) {
  for (size_t i = 0; i < set.size(); ++i) {
    const LabelEntry entry = set.entry(i);
    if (set.name(entry) == name && set.value(entry) == value) return true;
  }
  return false;
}

// The same names with the same values in any order; how the text is laid out does not matter.
bool say_the_same(const LabelSet& a, const LabelSet& b) {
  if (a.instance != b.instance || a.count != b.count) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    const LabelEntry entry = a.entry(i);
    if (!has_label(b, a.name(entry), a.value(entry))) return false;
  }
  return true;
}

bool repeats(const LabelSet& set, std::span<const LabelSet> before) {
  return std::ranges::any_of(before,
                             [&set](const LabelSet& old) { return say_the_same(set, old); });
}

}  // namespace

std::vector<DumpedLabels> label_dump(const Labels& labels) {
  std::vector<DumpedLabels> out;
  for (uint32_t number = 0; number < labels.records().size(); ++number) {
    const LabelRecord& record = labels.records()[number];
    if (rank(record.type) == kTypeOrder.size()) continue;
    const auto history = labels.history(record.type, record.ident);
    const auto at = std::ranges::find(history, number);
    const auto before = at == history.begin() ? std::span<const LabelSet>{}
                                              : labels.sets(labels.records()[*std::prev(at)]);
    DumpedLabels kept{.stamp = record.stamp, .type = record.type, .ident = record.ident};
    for (const LabelSet& set : labels.sets(record)) {
      if (!repeats(set, before)) kept.sets.push_back(&set);
    }
    if (!kept.sets.empty()) out.push_back(std::move(kept));
  }
  const auto order = [](const DumpedLabels& one) {
    return std::tuple(one.stamp, rank(one.type), one.ident);
  };
  std::ranges::stable_sort(out, {}, order);
  for (size_t i = 0; i < out.size(); ++i) {
    out[i].new_stamp = i == 0 || out[i].stamp != out[i - 1].stamp;
  }
  return out;
}

}  // namespace pmjit
