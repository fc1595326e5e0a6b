#include "agent/linux/linux_interrupts.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace pmjit {

namespace {

constexpr std::string_view kOnCpu = "::cpu";

// "CPU2" of the first line.
std::optional<uint32_t> processor_of(std::string_view heading) {
  if (!heading.starts_with("CPU")) return {};
  const auto number = whole_number(heading.substr(3));
  if (!number) return {};
  return static_cast<uint32_t>(*number);
}

}  // namespace

InterruptTable::InterruptTable(const LinuxSheet& sheet) {
  for (size_t i = 0; i < sheet.rows().size(); ++i) {
    const std::string_view name = sheet.rows()[i];
    if (name.ends_with(':')) {
      add_row(name.substr(0, name.size() - 1), sheet.cells_of(i));
    } else if (const auto first = processor_of(name)) {
      processors_ = {*first};
      for (const std::string_view heading : sheet.cells_of(i)) {
        if (const auto next = processor_of(heading)) processors_.push_back(*next);
      }
    }
  }
}

void InterruptTable::add_row(std::string_view name, std::span<const std::string_view> cells) {
  if (name == "ERR" || name == "MIS") return;
  InterruptRow row{.name = name, .counts = {}, .what = {}};
  for (const std::string_view cell : cells) {
    const bool may_count = row.counts.size() < processors_.size() && row.what.empty();
    const auto count = may_count ? whole_number(cell) : std::nullopt;
    if (count) {
      row.counts.push_back(*count);
    } else {
      if (!row.what.empty()) row.what += ' ';
      row.what += cell;
    }
  }
  rows_.push_back(std::move(row));
}

const InterruptRow* InterruptTable::find(std::string_view name) const {
  const auto found = std::ranges::find(rows_, name, &InterruptRow::name);
  return found == rows_.end() ? nullptr : &*found;
}

std::string interrupt_on_cpu(std::string_view kind, uint32_t processor) {
  return fmt::format("{}{}{}", kind, kOnCpu, processor);
}

InterruptPlace interrupt_place(std::string_view instance) {
  const size_t at = instance.rfind(kOnCpu);
  if (at == std::string_view::npos) return {.kind = instance, .processor = {}};
  return {.kind = instance.substr(0, at), .processor = instance.substr(at + kOnCpu.size())};
}

}  // namespace pmjit
