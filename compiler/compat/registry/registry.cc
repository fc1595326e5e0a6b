#include "compiler/compat/registry/registry.h"

#include <fmt/format.h>

namespace pmjit {

namespace {

constexpr uint32_t kDomain = 511, kItems = 1023, kClusters = 2048;
constexpr size_t kMetricsMax = size_t{kClusters} * kItems;

struct AlwaysThere {
  std::string_view name, one_line, help;
};
constexpr AlwaysThere kAlwaysThere[] = {
    {"event.flags", "Flags for event records",
     "An anonymous derived metric that is used to encode the event flags\n"
     "associated with event records.   See pmUnpackEventRecords(3)."},
    {"event.missed", "Count of missed event records",
     "An anonymous derived metric that is used to encode the number of\n"
     "event records missed because either the PMDA could not keep up\n"
     "or the PMAPI client did not collect the event records fast\n"
     "enough.  See pmUnpackEventRecords(3)."},
};

// 511.0.1, 511.0.2 … 511.0.1023, 511.1.1 …
PmId pmid_of(size_t number) {
  const auto cluster = static_cast<uint32_t>(number / kItems);
  const auto item = static_cast<uint32_t>(number % kItems) + 1;
  return kDomain << 22 | cluster << 10 | item;
}

}  // namespace

Registry::Registry(Dialect dialect, bool late) : dialect_(dialect) {
  if (!late) add_always_there();
}

void Registry::add_always_there() {
  for (const AlwaysThere& metric : kAlwaysThere) {
    if (by_name_.contains(metric.name)) continue;
    DerivedMetric& added = append(metric.name);
    added.always_there = true;
    ++always_there_;
    added.one_line = metric.one_line;
    added.help = metric.help;
  }
}

DerivedMetric& Registry::append(std::string_view name) {
  metrics_.push_back(
      {.name = std::string(name), .pmid = pmid_of(metrics_.size()), .dialect = dialect_});
  by_name_.emplace(metrics_.back().name, metrics_.size() - 1);
  return metrics_.back();
}

const DerivedMetric* Registry::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &metrics_[found->second];
}

size_t Registry::number(PmId pmid) {
  return size_t{pmid >> 10 & 4095} * kItems + (pmid & 1023) - 1;
}

const DerivedMetric* Registry::find(PmId pmid) const {
  const uint32_t item = pmid & 1023, cluster = pmid >> 10 & 4095;
  if (pmid >> 22 != kDomain || item == 0 || cluster >= kClusters) return nullptr;
  if (number(pmid) >= metrics_.size() || metrics_[number(pmid)].removed) return nullptr;
  return &metrics_[number(pmid)];
}

DerivedMetric* Registry::find_to_change(std::string_view name) {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &metrics_[found->second];
}

std::optional<pcp::SyntaxError> Registry::no_room_for(std::string_view name, size_t others) const {
  const size_t own = metrics_.size() - always_there_ - removed_ + others;
  if (limit >= 0 && own >= static_cast<size_t>(limit)) {
    return pcp::SyntaxError{.message = "Too many global derived metrics"};
  }
  if (by_name_.contains(name)) {
    return pcp::SyntaxError{.message = "Duplicate global derived metric name"};
  }
  if (metrics_.size() + others >= kMetricsMax) {
    return pcp::SyntaxError{.message = "global PMID space exhausted"};
  }
  return std::nullopt;
}

std::optional<pcp::SyntaxError> Registry::add(std::string_view name, std::string_view expression) {
  auto wrong = try_to_add(name, expression);
  last_message_ = wrong ? wrong->message : "";
  return wrong;
}

std::optional<pcp::SyntaxError> Registry::try_to_add(std::string_view name,
                                                     std::string_view expression) {
  if (auto wrong = no_room_for(name, 0)) return wrong;
  auto ast = pcp::parse(expression, dialect_, in_pattern_);
  if (!ast) return ast.error();
  append(name).expression = std::make_shared<const Ast>(*std::move(ast));
  return std::nullopt;
}

bool Registry::remove(std::string_view name) {
  const auto found = by_name_.find(name);
  if (found == by_name_.end() || metrics_[found->second].always_there) return false;
  metrics_[found->second].removed = true;
  ++removed_;
  by_name_.erase(found);
  return true;
}

OrPmError<void> add_text(DerivedMetric& metric, TextKind kind, std::string_view text) {
  auto& place = kind == TextKind::one_line ? metric.one_line : metric.help;
  if (place) return pm_fail(pm_err::E_TEXT);
  place = text;
  return {};
}

void Registry::add_strict(const StrictDefinition& definition, const std::string& file) {
  DerivedMetric& added = append(definition.name);
  added.dialect = Dialect::strict;
  added.place = fmt::format("{}:{}", file, definition.line);
  added.one_line = definition.one_line;
  added.help = definition.help;
}

}  // namespace pmjit
