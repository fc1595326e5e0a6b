#include "runtime/cmd/pmdumplog/record_printer.h"

#include <fmt/core.h>

#include <bit>
#include <charconv>

#include "runtime/model/bulk.h"
#include "runtime/model/pm_codes.h"
#include "runtime/text/float_text.h"
#include "runtime/text/print_value.h"

namespace pmjit {

namespace {

constexpr size_t kNumberBytesMax = kFloatTextMax;
constexpr uint32_t kPairBytes = 8, kBlockOf8 = 12;

char* write_integer(char* to, auto value) {
  return std::to_chars(to, to + kNumberBytesMax, value).ptr;
}

}  // namespace

RecordPrinter::RecordPrinter(Dump& dump, const std::vector<PmId>& metrics)
    : dump_(dump), texts_(dump.metadata()) {
  for (const PmId pmid : metrics) slots_.emplace(pmid, slots_.size());
}

bool RecordPrinter::wants(const ReplayRecord& record, const RecordLayout& layout) {
  shown_.clear();
  if (record.mark) return slots_.empty() || dump_.request.marks;
  if (slots_.empty()) {
    for (const ValueSet& set : layout.sets) shown_.push_back(&set);
    return true;
  }
  shown_.resize(slots_.size());
  for (const ValueSet& set : layout.sets) {
    const auto slot = slots_.find(set.pmid);
    if (slot != slots_.end() && shown_[slot->second] == nullptr) shown_[slot->second] = &set;
  }
  std::erase(shown_, nullptr);
  return !shown_.empty();
}

// As if the shown sets were all of the record.
uint64_t RecordPrinter::size_of(const ReplayRecord& record, const RecordLayout& layout) const {
  uint64_t bytes = 4 + stamp_bytes(record.version) + 4 + 4;
  for (const ValueSet* set : shown_) {
    bytes += 8;
    if (set->count <= 0) continue;
    const auto count = static_cast<uint32_t>(set->count);
    bytes += 4 + uint64_t{count} * kPairBytes;
    if (set->in_place) continue;
    for (uint32_t i = 0; i < count; ++i) {
      bytes += padded_length(set->header != 0 ? set->header : layout.spots[set->first + i].header);
    }
  }
  return bytes;
}

void RecordPrinter::print(const ReplayRecord& record, const RecordLayout& layout) {
  ToolOutput& out = dump_.out;
  out << '\n';
  if (dump_.request.sizes) out.print("[{} bytes]\n", size_of(record, layout));
  out << dump_.stamps(record.stamp);
  if (record.mark) {
    out << "  <mark>\n";
    return;
  }
  out.print(" {} metric{}\n", shown_.size(), shown_.size() == 1 ? "" : "s");
  arena_.clear();
  for (size_t i = 0; i < shown_.size(); ++i) {
    print_set(record, layout, *shown_[i], texts_.of(shown_[i]->pmid, i));
  }
}

void RecordPrinter::print_set(const ReplayRecord& record, const RecordLayout& layout,
                              const ValueSet& set, MetricText& metric) {
  ToolOutput& out = dump_.out;
  if (set.count == 0) {
    out << metric.head() << " No values returned!\n";
  } else if (set.count < 0) {
    out << metric.head() << ' ' << pm_error_text(set.count) << '\n';
  } else if (is_event_type(metric.type())) {
    print_events(record, layout, set, metric);
  } else {
    const std::byte* pairs = record.head.bytes.data() + set.pairs;
    metric.set_instances(pairs, static_cast<uint32_t>(set.count), record.stamp);
    out << metric.head() << (set.count == 1 ? ' ' : '\n');
    if (!print_numbers(record.head, set, metric)) print_one_by_one(record, layout, set, metric);
  }
}

// `write(to, i)` writes value i and returns the end of it.
template <class Write>
void RecordPrinter::print_lines(const ValueSet& set, const MetricText& metric, Write&& write) {
  for (uint32_t i = 0; i < static_cast<uint32_t>(set.count); ++i) {
    const std::string_view before = set.count == 1 ? metric.before_value(i) : metric.line(i);
    char* at = dump_.out.room(before.size() + kNumberBytesMax + 1);
    std::memcpy(at, before.data(), before.size());
    at = write(at + before.size(), i);
    *at++ = '\n';
    dump_.out.used(at);
  }
}

// False: these are no numbers, or not all of one kind.
bool RecordPrinter::print_numbers(const RecordHead& head, const ValueSet& set,
                                  const MetricText& metric) {
  const std::byte* words = head.bytes.data() + set.pairs + 4;
  const auto word = [&](uint32_t i) { return load_be<uint32_t>(words + size_t{i} * kPairBytes); };
  const std::byte* blocks = head.bytes.data() + set.first + 4;
  const auto block = [&](uint32_t i) { return load_be<uint64_t>(blocks + size_t{i} * kBlockOf8); };
  const int type = metric.type();
  if (!set.in_place && set.header != block_header(static_cast<uint32_t>(type), 8)) return false;
  if (set.in_place && type == pm_type::i32) {
    print_lines(set, metric, [&](char* to, uint32_t i) {
      return write_integer(to, static_cast<int32_t>(word(i)));
    });
  } else if (set.in_place && type == pm_type::u32) {
    print_lines(set, metric, [&](char* to, uint32_t i) { return write_integer(to, word(i)); });
  } else if (!set.in_place && type == pm_type::i64) {
    print_lines(set, metric, [&](char* to, uint32_t i) {
      return write_integer(to, static_cast<int64_t>(block(i)));
    });
  } else if (!set.in_place && type == pm_type::u64) {
    print_lines(set, metric, [&](char* to, uint32_t i) { return write_integer(to, block(i)); });
  } else if (!set.in_place && type == pm_type::f64) {
    print_lines(set, metric, [&](char* to, uint32_t i) {
      return write_f64(to, std::bit_cast<double>(block(i)));
    });
  } else {
    return false;
  }
  return true;
}

void RecordPrinter::print_one_by_one(const ReplayRecord& record, const RecordLayout& layout,
                                     const ValueSet& set, const MetricText& metric) {
  take_set(record.head, layout, set, arena_, fetched_, [](int32_t) { return true; });
  int type = metric.type();
  if (type == MetricText::kNoType) type = set.in_place ? pm_type::i32 : pm_type::aggregate;
  std::string text;
  for (uint32_t i = 0; i < fetched_.values.size(); ++i) {
    text = set.count == 1 ? metric.before_value(i) : metric.line(i);
    append_value(text, fetched_.format, type, fetched_.values[i], {.zone = dump_.stamps.zone()});
    dump_.out << text << '\n';
  }
}

MetricText::MetricText(const Metadata& metadata, PmId pmid)
    : head_(fmt::format("    {} ({}):", pmid_text(pmid), names_of(metadata, pmid, "<nonames>"))) {
  const Desc* desc = metadata.desc(pmid);
  if (desc == nullptr) return;
  type_ = desc->pm_type;
  singular_ = desc->indom == kNullId;
  domain_ = metadata.domain(desc->indom);
}

void MetricText::set_instances(const std::byte* pairs, uint32_t count, Stamp when) {
  const uint64_t epoch = domain_ == nullptr ? 0 : domain_->sets_until(when);
  const bool same = instances_.size() == count && epoch == epoch_ &&
                    (singular_ || bulk::instances_equal(pairs, instances_));
  if (same) return;
  epoch_ = epoch;
  instances_.resize(count);
  bulk::instances(pairs, count, instances_.data());
  texts_.clear();
  starts_.assign(1, 0);
  for (const int32_t instance : instances_) {
    texts_ += kIndent;
    if (!singular_) texts_ += fmt::format("inst [{}] ", instance_text(domain_, instance, when));
    texts_ += "value ";
    starts_.push_back(texts_.size());
  }
}

std::string MetricText::head_of(int32_t instance, Stamp when) const {
  const std::string_view open_ended = std::string_view(head_).substr(0, head_.size() - 2);
  const std::string which =
      singular_ ? "" : fmt::format("[{}]", instance_text(domain_, instance, when));
  return fmt::format("{}{}): ", open_ended, which);
}

std::string instance_text(const Domain* domain, int32_t instance, Stamp when) {
  const auto name = domain == nullptr ? std::nullopt : domain->name(instance, when);
  return name ? fmt::format("{} or \"{}\"", instance, *name) : fmt::format("{} or ???", instance);
}

MetricText& MetricTexts::of(PmId pmid, size_t position) {
  if (position < seen_.size() && seen_[position].pmid == pmid && seen_[position].text != nullptr) {
    return *seen_[position].text;
  }
  const auto [found, added] = texts_.try_emplace(pmid, metadata_, pmid);
  if (position >= seen_.size()) seen_.resize(position + 1);
  seen_[position] = {.pmid = pmid, .text = &found->second};
  return found->second;
}

}  // namespace pmjit
