#include "runtime/model/stretches.h"

#include <algorithm>
#include <cstring>

namespace pmjit {

namespace {

// In one register: the compilers find no vector where neighbours are compared.
typedef int32_t FourLanes __attribute__((vector_size(16)));

FourLanes four_lanes(const int32_t* at) {
  FourLanes out;
  std::memcpy(&out, at, sizeof out);
  return out;
}

// Lanes of a list whose instances ascend.
struct Ascent {
  size_t from, count;
};
using Ascents = std::vector<Ascent>;

void take(InstanceIds list, Ascents& out, Ascent piece) {
  if (!out.empty() && out.back().from + out.back().count == piece.from &&
      list[piece.from - 1] < list[piece.from]) {
    out.back().count += piece.count;
  } else {
    out.push_back(piece);
  }
}

// Both are in order; of equal instances those of `a` come first. What repeats the instance before
// it begins a piece.
Ascents merged(InstanceIds list, Ascents a, Ascents b) {
  Ascents out;
  auto x = a.begin(), y = b.begin();
  while (x != a.end() && y != b.end()) {
    const bool is_x = list[x->from] <= list[y->from];
    Ascent& next = is_x ? *x : *y;
    const int64_t limit = is_x ? int64_t{list[y->from]} + 1 : int64_t{list[x->from]};
    const InstanceIds rest = list.subspan(next.from, next.count);
    const size_t count =
        limit > INT32_MAX ? rest.size() : reach(rest, 0, static_cast<int32_t>(limit));
    take(list, out, {next.from, count});
    next.from += count;
    next.count -= count;
    if (next.count == 0) ++(is_x ? x : y);
  }
  for (; x != a.end(); ++x) take(list, out, *x);
  for (; y != b.end(); ++y) take(list, out, *y);
  return out;
}

}  // namespace

void append(Stretches& out, Stretch more) {
  if (!out.empty()) {
    Stretch& last = out.back();
    if (last.to + last.count == more.to && last.from + last.count == more.from) {
      last.count += more.count;
      return;
    }
  }
  out.push_back(more);
}

// Lists mostly are a few ascending runs, one behind the other: those are merged, two by two.
Stretches ascending_order(InstanceIds list) {
  std::vector<Ascents> runs;
  for (size_t i = 0, end = 0; i < list.size(); i = end) {
    end = ascent_end(list, i);
    runs.push_back({{i, end - i}});
  }
  while (runs.size() > 1) {
    size_t kept = 0;
    for (size_t i = 0; i < runs.size(); i += 2) {
      Ascents next = std::move(runs[i]);
      if (i + 1 < runs.size()) next = merged(list, std::move(next), std::move(runs[i + 1]));
      runs[kept++] = std::move(next);
    }
    runs.resize(kept);
  }
  Stretches out;
  if (runs.empty()) return out;
  uint32_t to = 0;
  const int32_t* last = nullptr;
  for (const auto& [from, count] : runs.front()) {
    const size_t again = last != nullptr && *last == list[from] ? 1 : 0;
    last = &list[from + count - 1];
    const auto lanes = static_cast<uint32_t>(count - again);
    if (lanes == 0) continue;
    append(out, {to, static_cast<uint32_t>(from + again), lanes});
    to += lanes;
  }
  return out;
}

size_t ascent_end(InstanceIds list, size_t from) {
  constexpr size_t kStep = 16;
  size_t end = from + 1;
  for (; end + kStep <= list.size(); end += kStep) {
    FourLanes falls{};
    for (size_t i = 0; i < kStep; i += 4) {
      const int32_t* const at = list.data() + end + i;
      falls |= four_lanes(at) <= four_lanes(at - 1);
    }
    if ((falls[0] | falls[1] | falls[2] | falls[3]) != 0) break;
  }
  while (end < list.size() && list[end] > list[end - 1]) ++end;
  return std::min(end, list.size());
}

size_t equal_length(InstanceIds x, InstanceIds y) {
  constexpr size_t kStep = 64;
  const size_t most = std::min(x.size(), y.size());
  size_t length = 0;
  while (length + kStep <= most &&
         std::memcmp(x.data() + length, y.data() + length, kStep * sizeof(int32_t)) == 0) {
    length += kStep;
  }
  while (length < most && x[length] == y[length]) ++length;
  return length;
}

size_t reach(InstanceIds list, size_t from, int32_t limit) {
  size_t step = 1;
  while (from + step < list.size() && list[from + step] < limit) step *= 2;
  const auto begin = list.begin() + static_cast<std::ptrdiff_t>(from + step / 2);
  const auto end =
      list.begin() + static_cast<std::ptrdiff_t>(std::min(from + step + 1, list.size()));
  return static_cast<size_t>(std::lower_bound(begin, end, limit) - list.begin());
}

}  // namespace pmjit
