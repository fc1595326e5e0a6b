// Wide CSV: a row a time, a column a metric and instance. All columns have to be known before the
// first row, so there is one for every instance that the domain ever had, delivered or not. Where a
// value's instance is in no domain there is no column for it, and that is an error: nothing is left
// out silently. Of a live host the columns are those of the instances at the start, by name; of one
// that comes later the values are left out, and a warning says so.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "runtime/report/paged_writer.h"
#include "runtime/report/text/quoting.h"
#include "runtime/report/text/values.h"

namespace pmjit {

namespace {

// Of a roster's lanes: which cell of the expression each is.
struct Cells {
  std::vector<uint32_t> of_lane{};
  bool ascending = true;

  // The lanes that may be in cells [first, last).
  [[nodiscard]] std::pair<size_t, size_t> lanes(uint32_t first, uint32_t last) const {
    if (!ascending) return {0, of_lane.size()};
    const auto begin = std::ranges::lower_bound(of_lane, first);
    const auto end = std::lower_bound(begin, of_lane.end(), last);
    return {begin - of_lane.begin(), end - of_lane.begin()};
  }
};

// Of every expression and row; null: no value is known.
struct CellSheet final : Sheet {
  std::vector<std::vector<const Cells*>> cells{};  // by expression
  std::vector<std::shared_ptr<const Cells>> kept{};
};

class CsvWideWriter final : public PagedWriter {
 public:
  CsvWideWriter(Sink& sink, const WriterOptions& options)
      : PagedWriter(sink), digits_(options.digits) {}

  void begin(const Schema& schema) override;
  std::unique_ptr<Sheet> settle(const ResultBlock& block) override;
  void format(const ResultBlock& block, const Sheet& sheet, const PageRange& range,
              Page& page) const override;

 private:
  static constexpr size_t kRostersKept = 64;
  static constexpr uint64_t kEmpty = UINT64_MAX;

  struct Group {  // the columns of one expression
    uint32_t count = 0;
    std::unordered_map<int32_t, uint32_t> by_instance{};  // all that have a column: which
    std::unordered_map<std::string, uint32_t> by_name{};  // the same; of a live host only
    std::set<std::string> left_out{};                     // names
    uint64_t epoch = Catalog::kAskAgain;                  // of the names in by_roster
    std::unordered_map<uint64_t, std::shared_ptr<const Cells>> by_roster{};
  };

  void add_instances(const ResultInfo& info, Group& group, std::string& header);
  void add_guests(const ResultInfo& info, Group& group, std::string& header);
  [[nodiscard]] Result<std::shared_ptr<const Cells>> cells_of(size_t k, RosterId roster,
                                                              Stamp when);
  [[nodiscard]] std::optional<uint32_t> cell_of(size_t k, int32_t instance, Stamp when);
  void leave_out(size_t k, const std::string& name);
  [[nodiscard]] Result<void> settle_row(const ResultBlock& block, size_t i, CellSheet& sheet);
  std::vector<ColumnText> columns() const override;
  // `values`: of each of these cells an index or kEmpty.
  void put_cells(const Column& column, std::span<const uint64_t> values, Page& page) const;

  static constexpr uint32_t kNoCell = UINT32_MAX;

  std::optional<int> digits_;
  std::vector<Group> groups_;
};

void CsvWideWriter::begin(const Schema& schema) {
  Writer::begin(schema);
  std::string header = "time";
  for (const ResultInfo& info : schema_.infos) {
    Group& group = groups_.emplace_back();
    if (info.domain == kNullId) {
      header += "," + csv_field(name_with_host(info));
      group.count = 1;
    } else {
      add_instances(info, group, header);
    }
  }
  sink_.rows_end(RowEnds::csv);
  header += '\n';
  sink_.put(header);
}

// Names are not unique: an instance that comes back may have another identifier.
void CsvWideWriter::add_instances(const ResultInfo& info, Group& group, std::string& header) {
  const auto instances = schema_.catalog->instances(info.domain);
  std::unordered_map<std::string_view, uint32_t> uses;
  for (const auto& instance : instances) ++uses[instance.name];
  for (const auto& [id, name] : instances) {
    if (!schema_.only.empty() && std::ranges::find(schema_.only, name) == schema_.only.end()) {
      continue;
    }
    if (schema_.live && uses[name] == 1) group.by_name[name] = group.count;
    group.by_instance[id] = group.count++;
    const std::string which = uses[name] == 1 ? name : fmt::format("{}#{}", name, id);
    header += "," + csv_field(fmt::format("{}[{}]", name_with_host(info), which));
  }
  if (!info.met.empty()) add_guests(info, group, header);
}

// A guest is no one whom the domain has at that time: who bears its name at others can spare it the
// column.
void CsvWideWriter::add_guests(const ResultInfo& info, Group& group, std::string& header) {
  std::unordered_map<std::string, uint32_t> column_of;
  for (const auto& [id, name] : schema_.catalog->instances(info.domain)) {
    const auto found = group.by_instance.find(id);
    if (found != group.by_instance.end()) column_of.try_emplace(name, found->second);
  }
  for (const auto& [id, name] : schema_.catalog->guests(info.domain)) {
    if (!schema_.only.empty() && std::ranges::find(schema_.only, name) == schema_.only.end()) {
      continue;
    }
    const auto [found, is_new] = column_of.try_emplace(name, group.count);
    group.by_instance[id] = found->second;
    if (!is_new) continue;
    ++group.count;
    header += "," + csv_field(fmt::format("{}[{}]", name_with_host(info), name));
  }
}

// Of a live host an identifier may get another name, and names that have come are in no header.
std::optional<uint32_t> CsvWideWriter::cell_of(size_t k, int32_t instance, Stamp when) {
  Group& group = groups_[k];
  if (schema_.live) {
    const auto name = schema_.catalog->held_name(schema_.infos[k].domain, instance, when);
    const auto named = group.by_name.find(name.value_or(""));
    if (name && named != group.by_name.end()) return named->second;
    const auto repeated = group.by_instance.find(instance);
    const auto by_name = [&](const auto& entry) { return entry.second == repeated->second; };
    if (repeated != group.by_instance.end() && std::ranges::none_of(group.by_name, by_name)) {
      return repeated->second;
    }
    leave_out(k, name.value_or(fmt::format("{}", instance)));
    return kNoCell;
  }
  const auto found = group.by_instance.find(instance);
  return found == group.by_instance.end() ? std::nullopt : std::optional(found->second);
}

void CsvWideWriter::leave_out(size_t k, const std::string& name) {
  if (!groups_[k].left_out.insert(name).second) return;
  warnings_.add(
      fmt::format("{}[{}] came after the header was written, so csv-wide has no "
                  "column for it\n  help: -o csv has its values",
                  name_with_host(schema_.infos[k]), name));
}

Result<std::shared_ptr<const Cells>> CsvWideWriter::cells_of(size_t k, RosterId roster,
                                                             Stamp when) {
  Group& group = groups_[k];
  if (schema_.live && schema_.infos[k].domain != kNullId) {
    const uint64_t epoch = schema_.catalog->domain_epoch(schema_.infos[k].domain, when);
    if (epoch != std::exchange(group.epoch, epoch) || epoch == Catalog::kAskAgain) {
      group.by_roster.clear();
    }
  }
  const auto known = group.by_roster.find(key_of(roster));
  if (known != group.by_roster.end()) return known->second;
  Cells cells;
  for (const int32_t instance : schema_.rosters->instances(roster)) {
    if (schema_.infos[k].domain == kNullId) {
      cells.of_lane.push_back(0);
      continue;
    }
    const auto cell = cell_of(k, instance, when);
    if (!cell) {
      return fail(Error(Fault::unsupported,
                        fmt::format("instance {} of {} is in no instance domain of the archive",
                                    instance, schema_.infos[k].name))
                      .help("-o csv has no need to know its columns beforehand"));
    }
    cells.ascending &= cells.of_lane.empty() || cells.of_lane.back() <= *cell;
    cells.of_lane.push_back(*cell);
  }
  if (group.by_roster.size() >= kRostersKept) group.by_roster.clear();
  return group.by_roster[key_of(roster)] = std::make_shared<const Cells>(std::move(cells));
}

Result<void> CsvWideWriter::settle_row(const ResultBlock& block, size_t i, CellSheet& sheet) {
  for (size_t k = 0; k < groups_.size(); ++k) {
    const RowList& rows = block.columns[k].rows;
    std::vector<const Cells*>& of_rows = sheet.cells[k];
    if (rows[i].status != 0 || rows[i].roster_id == Rosters::kNobodyId) {
      of_rows.push_back(nullptr);
    } else if (i > 0 && of_rows.back() != nullptr && rows[i].roster_id == rows[i - 1].roster_id) {
      of_rows.push_back(of_rows.back());
    } else {
      auto cells = cells_of(k, rows[i].roster_id, block.times[i]);
      if (!cells) return std::unexpected(cells.error());
      of_rows.push_back(cells->get());
      sheet.kept.push_back(*std::move(cells));
    }
  }
  return {};
}

std::unique_ptr<Sheet> CsvWideWriter::settle(const ResultBlock& block) {
  auto sheet = std::make_unique<CellSheet>();
  sheet->cells.resize(groups_.size());
  for (; sheet->rows < block.times.size(); ++sheet->rows) {
    if (auto settled = settle_row(block, sheet->rows, *sheet); !settled) {
      sheet->failure = settled.error();
      break;
    }
  }
  return sheet;
}

std::vector<ColumnText> CsvWideWriter::columns() const {
  constexpr uint32_t kCellBytes = 16;
  std::vector<ColumnText> out;
  for (const Group& group : groups_) out.push_back({.bytes = kCellBytes, .lanes = group.count});
  return out;
}

void CsvWideWriter::put_cells(const Column& column, std::span<const uint64_t> values,
                              Page& page) const {
  const PutNumber put = put_of(column.elem);
  TextBuffer& out = page.text;
  const NumberForm form{.digits = digits_, .repeated = page.repeated};
  for (const uint64_t i : values) {
    char* at = out.room(kNumberBytes + 1);
    *at++ = ',';
    if (i != kEmpty && put != nullptr) at = put(at, column.values.data(), i, form);
    out.advance(at);
    if (i == kEmpty) continue;
    ++page.values;
    if (put == nullptr) out.put(csv_field(text_of(column, i)));
  }
}

void CsvWideWriter::format(const ResultBlock& block, const Sheet& sheet, const PageRange& range,
                           Page& page) const {
  const auto& cells = static_cast<const CellSheet&>(sheet).cells;
  IsoClock clock;
  std::vector<uint64_t> values;
  range.walk(
      groups_.size(),
      [&](const BlockPlace& at) {
        if (at == BlockPlace{.row = at.row}) page.text.put(clock.text(block.times[at.row]));
      },
      [&](size_t i, size_t k, size_t begin, size_t end) {
        const auto first = static_cast<uint32_t>(begin);
        const auto last = static_cast<uint32_t>(std::min<size_t>(end, groups_[k].count));
        values.assign(last - first, kEmpty);
        const Column& column = block.columns[k];
        if (const Cells* of_row = cells[k][i]) {
          const auto [from, to] = of_row->lanes(first, last);
          for (size_t lane = from; lane < to; ++lane) {
            const uint32_t cell = of_row->of_lane[lane] - first;
            const uint64_t at = column.rows[i].offset + lane;
            if (cell < values.size() && column.is_valid(at)) values[cell] = at;
          }
        }
        put_cells(column, values, page);
      },
      [&](size_t, bool whole) {
        if (!whole) return;
        page.text.put("\n");
        page.whole = page.text.size();
      });
}

}  // namespace

std::unique_ptr<Writer> make_csv_wide_writer(Sink& sink, const WriterOptions& options) {
  return std::make_unique<CsvWideWriter>(sink, options);
}

}  // namespace pmjit
