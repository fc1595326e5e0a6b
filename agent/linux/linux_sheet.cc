#include "agent/linux/linux_sheet.h"

#include <algorithm>
#include <charconv>

#include "runtime/base/blanks.h"
#include "runtime/base/result.h"

namespace pmjit {

namespace {

constexpr LinuxSource kSources[] = {
#define SOURCE(name, path, shape, skip, key, separators) \
  {#name, path, SheetShape::shape, skip, key, separators},
#include "agent/linux/linux_sources.def"
#undef SOURCE
};

constexpr std::string_view kBlanks = " \t";

std::vector<std::string_view> words_of(std::string_view line, std::string_view separators) {
  std::vector<std::string_view> out;
  const auto ends = [&](char c) {
    return kBlanks.find(c) != std::string_view::npos ||
           separators.find(c) != std::string_view::npos;
  };
  for (size_t at = 0; at < line.size();) {
    const size_t begin = at;
    while (at < line.size() && !ends(line[at])) ++at;
    if (at > begin) out.push_back(line.substr(begin, at - begin));
    ++at;
  }
  return out;
}

template <class T>
std::optional<T> number_of(std::string_view text) {
  T out{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  // "1024 KB" of /proc/cpuinfo is a number, too.
  if (error != std::errc() || (end != text.data() + text.size() && *end != ' ')) return {};
  return out;
}

std::optional<std::string_view> cell_of(const LinuxSheet& sheet, const PlaceTerm& term,
                                        std::string_view instance) {
  const std::string_view row = term.of_instance ? instance : std::string_view(term.row);
  if (term.column == 0) return sheet.cell(row, std::string_view(term.column_name));
  return sheet.cell(row, term.column);
}

PlaceTerm parse_term(std::string_view text, bool minus) {
  PlaceTerm out{.minus = minus};
  if (const size_t sign = text.find_first_of("*/"); sign != std::string_view::npos) {
    const auto factor = whole_number(text.substr(sign + 1));
    check(factor && *factor != 0, "linux: a factor of a place is no number");
    (text[sign] == '*' ? out.times : out.over) = *factor;
    text = text.substr(0, sign);
  }
  const size_t dot = text.find('.');
  check(dot != std::string_view::npos, "linux: a place without a column");
  out.row = text.substr(0, dot);
  out.of_instance = out.row == "@";
  out.column_name = text.substr(dot + 1);
  out.column = whole_number(out.column_name).value_or(0);
  return out;
}

PlaceSum parse_sum(std::string_view text) {
  PlaceSum out;
  for (bool minus = false; !text.empty();) {
    const size_t sign = std::min(text.find_first_of("+-"), text.size());
    out.push_back(parse_term(text.substr(0, sign), minus));
    if (sign == text.size()) break;
    minus = text[sign] == '-';
    text = text.substr(sign + 1);
  }
  return out;
}

}  // namespace

std::span<const LinuxSource> linux_sources() { return kSources; }
const LinuxSource& source_of(LinuxSourceId id) { return kSources[static_cast<size_t>(id)]; }

LinuxSheet::LinuxSheet(const LinuxSource& source, std::string text)
    : text_(std::make_unique<std::string>(std::move(text))) {
  std::string_view rest = *text_;
  for (int line_number = 0; !rest.empty(); ++line_number) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    if (line_number >= source.skip) read_line(source, rest.substr(0, end));
    rest = rest.substr(std::min(end + 1, rest.size()));
  }
}

LinuxSheet::SheetRow& LinuxSheet::add_row(std::string_view name) {
  names_.push_back(name);
  by_name_.emplace(name, rows_.size());  // the first of a name counts
  return rows_.emplace_back();
}

void LinuxSheet::read_line(const LinuxSource& source, std::string_view line) {
  if (source.shape == SheetShape::blocks) return read_block_line(line);
  std::vector<std::string_view> words = words_of(line, source.separators);
  const auto skipped = static_cast<size_t>(source.key + 1);
  if (words.size() < skipped || words.empty()) return;
  const std::string_view name = source.key < 0 ? "" : words[skipped - 1];
  words.erase(words.begin(), words.begin() + static_cast<ptrdiff_t>(skipped));
  if (source.shape == SheetShape::pairs && by_name_.contains(name)) {
    SheetRow& row = rows_[by_name_[name]];
    if (row.cells.empty()) row.cells = std::move(words);
    return;
  }
  SheetRow& row = add_row(name);
  (source.shape == SheetShape::pairs ? row.columns : row.cells) = std::move(words);
}

void LinuxSheet::read_block_line(std::string_view line) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const std::string_view name = without_blanks(line.substr(0, colon));
  const std::string_view value = without_blanks(line.substr(colon + 1));
  if (name == "processor") {
    made_.push_back(std::make_unique<std::string>("cpu" + std::string(value)));
    add_row(*made_.back());
  }
  if (rows_.empty()) return;
  rows_.back().columns.push_back(name);
  rows_.back().cells.push_back(value);
}

std::optional<std::string_view> LinuxSheet::cell(std::string_view row, size_t column) const {
  const auto found = by_name_.find(row);
  if (found == by_name_.end() || column == 0) return {};
  const SheetRow& at = rows_[found->second];
  if (column > at.cells.size()) return {};
  return at.cells[column - 1];
}

std::optional<std::string_view> LinuxSheet::cell(std::string_view row,
                                                 std::string_view column) const {
  const auto found = by_name_.find(row);
  if (found == by_name_.end()) return {};
  const SheetRow& at = rows_[found->second];
  const auto name = std::ranges::find(at.columns, column);
  const auto index = static_cast<size_t>(name - at.columns.begin());
  if (name == at.columns.end() || index >= at.cells.size()) return {};
  return at.cells[index];
}

std::vector<PlaceSum> parse_place(std::string_view text) {
  std::vector<PlaceSum> out;
  for (;;) {
    const size_t end = std::min(text.find(';'), text.size());
    out.push_back(parse_sum(text.substr(0, end)));
    if (end == text.size()) return out;
    text = text.substr(end + 1);
  }
}

std::optional<uint64_t> whole_at(const LinuxSheet& sheet, const PlaceSum& sum,
                                 std::string_view instance) {
  uint64_t plus = 0, minus = 0;
  for (const PlaceTerm& term : sum) {
    const auto cell = cell_of(sheet, term, instance);
    const auto value = cell ? whole_number(*cell) : std::nullopt;
    if (!value) return {};
    (term.minus ? minus : plus) += *value * term.times / term.over;
  }
  return plus > minus ? plus - minus : 0;
}

std::optional<double> number_at(const LinuxSheet& sheet, const PlaceSum& sum,
                                std::string_view instance) {
  double out = 0;
  for (const PlaceTerm& term : sum) {
    const auto cell = cell_of(sheet, term, instance);
    const auto value = cell ? number_of<double>(*cell) : std::nullopt;
    if (!value) return {};
    const double scaled = *value * static_cast<double>(term.times) / static_cast<double>(term.over);
    out += term.minus ? -scaled : scaled;
  }
  return out;
}

std::optional<std::string_view> text_at(const LinuxSheet& sheet, const PlaceSum& sum,
                                        std::string_view instance) {
  check(sum.size() == 1, "linux: a text is one cell");
  return cell_of(sheet, sum.front(), instance);
}

std::optional<uint64_t> whole_number(std::string_view text) {
  if (!text.starts_with('-')) return number_of<uint64_t>(text);
  const auto negative = number_of<int64_t>(text);
  if (!negative) return {};
  return static_cast<uint64_t>(*negative);
}

}  // namespace pmjit
