#include "agent/model/agent_values.h"

#include <algorithm>
#include <bit>

#include "runtime/base/result.h"
#include "runtime/model/fetched_values.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

constexpr size_t kPairBytes = sizeof(uint64_t);

int32_t instance_of(Bytes pair) { return static_cast<int32_t>(load_be<uint32_t>(pair.data())); }

uint64_t float_bits(float value) { return std::bit_cast<uint32_t>(value); }

bool wanted(int32_t instance, const AgentValues::Keeps& keeps) {
  return !keeps || instance == kSingular || keeps(instance);
}

}  // namespace

void AgentValues::start(const Desc& desc) {
  desc_ = desc;
  is_whole_32_ = format_of(desc) == ValueFormat::in_place;
  status_ = 0;
  pairs_.clear();
  cells_.clear();
  texts_.clear();
}

void AgentValues::add_other(int32_t instance, uint64_t value) {
  check(desc_.pm_type != pm_type::string, "agent: a number for a metric of texts");
  if (desc_.pm_type == pm_type::f32) {
    cells_.push_back({.instance = instance, .bits = float_bits(static_cast<float>(value))});
  } else if (desc_.pm_type == pm_type::f64) {
    add_number(instance, static_cast<double>(value));
  } else {
    cells_.push_back({.instance = instance, .bits = value});
  }
}

void AgentValues::add_number(int32_t instance, double value) {
  if (desc_.pm_type == pm_type::f32) {
    cells_.push_back({.instance = instance, .bits = float_bits(static_cast<float>(value))});
  } else if (desc_.pm_type == pm_type::f64) {
    cells_.push_back({.instance = instance, .bits = std::bit_cast<uint64_t>(value)});
  } else {
    add_whole(instance, value <= 0 ? 0 : static_cast<uint64_t>(value));
  }
}

void AgentValues::add_text(int32_t instance, std::string_view text) {
  check(desc_.pm_type == pm_type::string, "agent: a text for a metric of numbers");
  text = text.substr(0, text.find('\0'));
  cells_.push_back({.instance = instance,
                    .bytes = static_cast<uint32_t>(text.size() + 1),
                    .bits = texts_.size()});
  texts_.append(text).push_back('\0');
}

void AgentValues::give(FetchedSet& set, const Keeps& keeps) const {
  static_assert(std::endian::native == std::endian::little);  // of bits, the first bytes count
  set.pmid = desc_.pmid;
  set.format = format_of(desc_);
  set.values.clear();
  set.count = status_;
  if (status_ < 0) return;
  set.values.resize(size());
  Value* to = set.values.data();
  // Field by field: a value that is made first and then copied costs several times as much.
  for (Bytes left = pairs_.written(); !left.empty(); left = left.subspan(kPairBytes)) {
    if (!wanted(instance_of(left), keeps)) continue;
    to->instance = instance_of(left);
    to->type = static_cast<uint8_t>(desc_.pm_type);
    to++->word = load_be<uint32_t>(left.data() + sizeof(uint32_t));
  }
  const bool is_text = desc_.pm_type == pm_type::string;
  const size_t number_bytes = desc_.pm_type == pm_type::f32 ? sizeof(float) : sizeof(uint64_t);
  for (const ValueCell& cell : cells_) {
    if (!wanted(cell.instance, keeps)) continue;
    const void* const bits = &cell.bits;
    const auto* const number = static_cast<const std::byte*>(bits);
    to->instance = cell.instance;
    to->type = static_cast<uint8_t>(desc_.pm_type);
    to++->block = is_text ? std::as_bytes(std::span(texts_)).subspan(cell.bits, cell.bytes)
                          : Bytes(number, number_bytes);
  }
  set.values.resize(static_cast<size_t>(to - set.values.data()));
  set.count = static_cast<int32_t>(set.values.size());
}

size_t AgentValues::count(const Keeps& keeps) const {
  size_t out = 0;
  for (Bytes left = pairs_.written(); !left.empty(); left = left.subspan(kPairBytes)) {
    if (!keeps) return left.size() / kPairBytes;
    if (wanted(instance_of(left), keeps)) ++out;
  }
  return out;
}

void AgentValues::give_words(std::span<std::byte> to, const Keeps& keeps) const {
  if (!keeps) return void(std::ranges::copy(pairs_.written(), to.begin()));
  for (Bytes left = pairs_.written(); !left.empty(); left = left.subspan(kPairBytes)) {
    if (!wanted(instance_of(left), keeps)) continue;
    std::ranges::copy(left.first(kPairBytes), to.begin());
    to = to.subspan(kPairBytes);
  }
}

}  // namespace pmjit
