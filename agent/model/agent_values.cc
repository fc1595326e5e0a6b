#include "agent/model/agent_values.h"

#include <bit>
#include <span>

#include "runtime/base/result.h"
#include "runtime/model/fetched_values.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

size_t bytes_of(int pm_type) {
  switch (pm_type) {
    case pm_type::i32:
    case pm_type::u32:
    case pm_type::f32: return 4;
    default: return 8;
  }
}

// The bits of a number in the metric's own type; from the first byte on in host byte order.
uint64_t bits_of(int pm_type, uint64_t whole) {
  switch (pm_type) {
    case pm_type::i32:
    case pm_type::u32: return static_cast<uint32_t>(whole);
    case pm_type::f32: return std::bit_cast<uint32_t>(static_cast<float>(whole));
    case pm_type::f64: return std::bit_cast<uint64_t>(static_cast<double>(whole));
    default: return whole;
  }
}

}  // namespace

void AgentValues::start(const Desc& desc) {
  desc_ = desc;
  status_ = 0;
  cells_.clear();
  texts_.clear();
}

void AgentValues::add_whole(int32_t instance, uint64_t value) {
  check(desc_.pm_type != pm_type::string, "agent: a number for a metric of texts");
  cells_.push_back({.instance = instance, .bits = bits_of(desc_.pm_type, value)});
}

void AgentValues::add_number(int32_t instance, double value) {
  if (desc_.pm_type == pm_type::f32) {
    cells_.push_back(
        {.instance = instance, .bits = std::bit_cast<uint32_t>(static_cast<float>(value))});
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
                    .bits = texts_.size(),
                    .bytes = static_cast<uint32_t>(text.size() + 1)});
  texts_.append(text).push_back('\0');
}

Value AgentValues::value_of(const ValueCell& cell) const {
  Value out{.instance = cell.instance, .type = static_cast<uint8_t>(desc_.pm_type)};
  if (format_of(desc_) == ValueFormat::in_place) {
    out.word = static_cast<uint32_t>(cell.bits);
  } else if (desc_.pm_type == pm_type::string) {
    out.block = std::as_bytes(std::span(texts_)).subspan(cell.bits, cell.bytes);
  } else {
    out.block = std::as_bytes(std::span(&cell.bits, 1)).first(bytes_of(desc_.pm_type));
  }
  return out;
}

void AgentValues::give(FetchedSet& set, const std::function<bool(int32_t)>& keeps) const {
  static_assert(std::endian::native == std::endian::little);  // of bits, the first bytes count
  set.pmid = desc_.pmid;
  set.format = format_of(desc_);
  set.values.clear();
  if (status_ >= 0) {
    for (const ValueCell& cell : cells_) {
      if (cell.instance == kSingular || keeps(cell.instance)) set.values.push_back(value_of(cell));
    }
  }
  set.count = status_ < 0 ? status_ : static_cast<int32_t>(set.values.size());
}

}  // namespace pmjit
