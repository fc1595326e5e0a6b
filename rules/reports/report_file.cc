#include "rules/reports/report_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "rules/daemon_config/toml_tree.h"
#include "runtime/base/blanks.h"
#include "runtime/base/near.h"
#include "runtime/text/parse_units.h"

namespace pmjit {
namespace {

constexpr size_t kColumnsMax = 200;
constexpr int64_t kWidthMax = 100, kReportDigitsMax = 9;
constexpr auto kReportKeys =
    std::to_array<std::string_view>({"what", "rows", "instance", "column"});
constexpr auto kColumnKeys =
    std::to_array<std::string_view>({"header", "expr", "unit", "digits", "width", "group"});
constexpr auto kRowsWords = std::to_array<std::string_view>({"time", "instance", "block"});

std::string near_text(const std::string& name, std::span<const std::string_view> names) {
  return near_names_text(near_names(name, {names.begin(), names.end()}));
}

// The file up to the end of the value, which stands within `span`, with blanks before it. None: it
// does not stand there as it is read, for it has escapes.
std::optional<SourceText> in_place(const SourceText& file, Span span, std::string_view value) {
  const size_t found = std::string_view(file.text).substr(0, span.end).find(value, span.begin);
  if (found == std::string_view::npos) return std::nullopt;
  SourceText out = file;
  out.text.resize(found + value.size());
  std::ranges::replace_if(
      out.text.begin(), out.text.begin() + static_cast<std::ptrdiff_t>(found),
      [](char c) { return c != '\n'; }, ' ');
  return out;
}

// What other programs call it.
struct OtherKey {
  std::string_view other, ours;
};
constexpr auto kOtherKeys = std::to_array<OtherKey>({{"title", "header"},
                                                     {"name", "header"},
                                                     {"label", "header"},
                                                     {"heading", "header"},
                                                     {"metric", "expr"},
                                                     {"formula", "expr"},
                                                     {"value", "expr"},
                                                     {"precision", "digits"},
                                                     {"decimals", "digits"},
                                                     {"title", "what"},
                                                     {"description", "what"},
                                                     {"name", "what"}});

bool is_other_key(std::string_view other, std::string_view ours) {
  return std::ranges::any_of(
      kOtherKeys, [&](const OtherKey& one) { return one.other == other && one.ours == ours; });
}

std::string near_key(const std::string& key, std::span<const std::string_view> keys) {
  const auto ours =
      std::ranges::find_if(keys, [&](std::string_view one) { return is_other_key(key, one); });
  std::vector<std::string> near = ours == keys.end() ? near_names(key, {keys.begin(), keys.end()})
                                                     : std::vector{std::string(*ours)};
  std::ranges::replace(near, "column", "[[column]]");
  return near_names_text(near);
}

// Is a key that nobody knows nearly this one? Then all has been said.
template <size_t kCount>
bool is_near_entry(const TomlNode& table, const std::array<std::string_view, kCount>& keys,
                   std::string_view wanted) {
  return std::ranges::any_of(table.entries, [&](const TomlEntry& entry) {
    return std::ranges::find(keys, entry.key) == keys.end() &&
           (is_other_key(entry.key, wanted) ||
            !near_names(entry.key, {std::string(wanted)}).empty());
  });
}

class ReportReader {
 public:
  ReportReader(uint32_t source, ConfigProblems& problems) : source_(source), problems_(problems) {}

  std::optional<NamedReport> read() {
    const TomlNode root = read_toml(source_, problems_);
    if (problems_.has_errors()) return std::nullopt;
    out_.file = problems_.source(source_);
    check_keys(root, kReportKeys, "a report");
    if (const auto* what = text_of(root, "what")) out_.what = what->text;
    if (const auto* instance = text_of(root, "instance")) {
      out_.layout.instance_header = instance->text;
    }
    if (const auto* rows = text_of(root, "rows")) read_rows(*rows);
    read_columns(root);
    if (problems_.has_errors()) return std::nullopt;
    return std::move(out_);
  }

 private:
  template <size_t kCount>
  void check_keys(const TomlNode& table, const std::array<std::string_view, kCount>& keys,
                  std::string_view whose) {
    for (const TomlEntry& entry : table.entries) {
      if (std::ranges::find(keys, entry.key) != keys.end()) continue;
      const bool of_column = whose == "a report" && table.find("column") == nullptr &&
                             std::ranges::find(kColumnKeys, entry.key) != kColumnKeys.end();
      const std::string near = of_column ? fmt::format(
                                               "{} is of a column: write [[column]] before "
                                               "it",
                                               entry.key)
                                         : near_key(entry.key, keys);
      problems_.add(ProblemCode::unknown_key, entry.place, entry.key)
          .help(near.empty() ? fmt::format("{} has {}", whose, fmt::join(keys, ", ")) : near);
    }
  }

  // Null: it is not there, or has another type.
  const TomlNode* of_kind(const TomlNode& table, std::string_view key, TomlNode::Kind kind,
                          std::string_view wanted, const std::string& help) {
    const TomlEntry* const entry = table.find(key);
    if (entry == nullptr) return nullptr;
    if (entry->value.kind == kind) return &entry->value;
    problems_
        .add(ProblemCode::wrong_type, entry->value.place, fmt::format("`{}`", key),
             kind_text(entry->value.kind), wanted)
        .help(help);
    return nullptr;
  }

  // Texts without control characters: they are printed.
  const TomlNode* text_of(const TomlNode& table, std::string_view key) {
    const auto* node =
        of_kind(table, key, TomlNode::Kind::text, "a text", fmt::format("write {} = \"…\"", key));
    if (node == nullptr || key == "expr") return node;
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' '; };
    if (std::ranges::none_of(node->text, is_control)) return node;
    problems_.add(ProblemCode::out_of_range, node->place,
                  fmt::format("`{}` has control characters", key));
    return nullptr;
  }

  std::optional<int> number_of(const TomlNode& table, std::string_view key, int64_t most) {
    const TomlEntry* const entry = table.find(key);
    const auto meant = entry == nullptr ? std::nullopt : number_in_quotes(entry->value);
    const auto* node = of_kind(table, key, TomlNode::Kind::integer, "an integer",
                               fmt::format("write {} = {}", key, meant.value_or("2")));
    if (node == nullptr) return std::nullopt;
    if (node->integer >= 0 && node->integer <= most) return static_cast<int>(node->integer);
    problems_
        .add(ProblemCode::out_of_range, node->place,
             fmt::format("`{}` is {}, not 0 to {}", key, node->integer, most))
        .help(node->integer > most
                  ? fmt::format("write {} = {}, the most there is", key, most)
                  : fmt::format("leave {} out, and pmjit chooses by what it prints", key));
    return std::nullopt;
  }

  void read_rows(const TomlNode& node) {
    using enum ReportLayout::Rows;
    constexpr std::array kRows = {time, instance, block};
    const auto found = std::ranges::find(kRowsWords, node.text);
    if (found != kRowsWords.end()) {
      out_.layout.rows = kRows.at(static_cast<size_t>(found - kRowsWords.begin()));
      return;
    }
    auto& problem = problems_.add(
        ProblemCode::out_of_range, node.place,
        fmt::format("`rows` is \"{}\", not one of {}", node.text, fmt::join(kRowsWords, ", ")));
    if (std::string near = near_text(node.text, kRowsWords); !near.empty()) problem.help(near);
  }

  void read_columns(const TomlNode& root) {
    const TomlEntry* const columns = root.find("column");
    const ConfigPlace nowhere{source_, {0, 0}};
    const auto is_of_column = [](const TomlEntry& entry) {
      return std::ranges::find(kColumnKeys, entry.key) != kColumnKeys.end();
    };
    const bool is_told = is_near_entry(root, kReportKeys, "column") ||
                         std::ranges::any_of(root.entries, is_of_column);
    if (columns == nullptr && is_told) return;
    if (columns == nullptr) {
      problems_.add(ProblemCode::missing_key, nowhere, "a report", "[[column]]")
          .help(
              "write [[column]], and below it header = \"r/s\" and expr = "
              "'rate(disk.all.read)'");
      return;
    }
    if (!columns->value.is_list_of_tables()) {
      problems_
          .add(ProblemCode::wrong_type, columns->place, "`column`", kind_text(columns->value.kind),
               "a list of tables")
          .help("write [[column]], with two brackets");
      return;
    }
    if (columns->value.items.size() > kColumnsMax) {
      problems_.add(ProblemCode::out_of_range, columns->place,
                    fmt::format("more than {} columns", kColumnsMax));
      return;
    }
    for (const TomlNode& item : columns->value.items) read_column(item);
  }

  void read_column(const TomlNode& table) {
    check_keys(table, kColumnKeys, "a column");
    for (const std::string_view key : {"header", "expr"}) {
      if (table.find(key) != nullptr || is_near_entry(table, kColumnKeys, key)) continue;
      problems_.add(ProblemCode::missing_key, table.place, "a column", key)
          .help(key == "expr" ? "write expr = 'rate(disk.all.read)'" : "write header = \"r/s\"");
    }
    const TomlNode* const header = text_of(table, "header");
    const TomlNode* const expr = text_of(table, "expr");
    const TomlNode* const unit = text_of(table, "unit");
    const TomlNode* const group = text_of(table, "group");
    const auto digits = number_of(table, "digits", kReportDigitsMax);
    const auto width = number_of(table, "width", kWidthMax);
    if (header == nullptr || expr == nullptr) return;
    check_header(*header);
    if (unit != nullptr) check_unit(*unit);
    out_.layout.columns.push_back({.header = header->text,
                                   .group = group == nullptr ? "" : group->text,
                                   .width = static_cast<size_t>(width.value_or(0)),
                                   .digits = digits});
    add_expr(*expr, unit);
  }

  // Results are called by it.
  void check_header(const TomlNode& header) {
    if (header.text.empty()) {
      problems_.add(ProblemCode::out_of_range, header.place, "`header` is empty")
          .help("write header = \"r/s\": CSV and JSON name columns by their headers");
      return;
    }
    for (const ReportColumn& column : out_.layout.columns) {
      if (column.header != header.text) continue;
      problems_
          .add(ProblemCode::out_of_range, header.place,
               fmt::format("two columns have the header \"{}\"", header.text))
          .help("CSV and JSON name columns by their headers: choose another one");
      return;
    }
  }

  void check_unit(const TomlNode& unit) {
    const auto units = parse_units(unit.text, ExtraUnits::known);
    const bool has_factor = units && units->multiplier != 1;
    if (units && !has_factor) return;
    problems_
        .add(ProblemCode::out_of_range, unit.place, fmt::format("\"{}\" is not a unit", unit.text))
        .help(near_unit_text(unit.text).empty()
                  ? "units are written as in \"Kbyte\", \"count / sec\", \"millisec\""
                  : near_unit_text(unit.text));
  }

  void add_expr(const TomlNode& expr, const TomlNode* unit) {
    const std::string_view text = without_blanks(expr.text);
    if (text.empty()) {
      problems_.add(ProblemCode::out_of_range, expr.place, "`expr` is empty")
          .help("write expr = 'rate(disk.all.read)'");
    }
    const SourceText& file = problems_.source(source_);
    auto source = in_place(file, expr.place.span, text);
    ReportExpr out{.text = std::string(text), .has_place = source.has_value(), .place = expr.place};
    out.source = source ? *std::move(source)
                        : SourceText{.name = file.name,
                                     .text = out.text,
                                     .first_line = line_column(file, expr.place.span.begin).line};
    if (unit != nullptr) {
      out.unit = unit->text;
      out.unit_place = unit->place;
    }
    out_.exprs.push_back(std::move(out));
  }

  uint32_t source_;
  ConfigProblems& problems_;
  NamedReport out_;
};

}  // namespace

std::optional<NamedReport> read_report(uint32_t source, ConfigProblems& problems) {
  return ReportReader(source, problems).read();
}

}  // namespace pmjit
