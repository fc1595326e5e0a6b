// Wide CSV: a row a time, a column a metric and instance. All columns have to be known before the
// first row, so there is one for every instance that the domain ever had, delivered or not. Where a
// value's instance is in no domain there is no column for it, and that is an error: nothing is left
// out silently.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "runtime/report/clock.h"
#include "runtime/report/csv_field.h"
#include "runtime/report/paged_writer.h"
#include "runtime/report/values.h"

namespace pmjit {

namespace {

using Cells = std::vector<uint32_t>;  // of each lane: which value of the row it is

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
  uint64_t format(const ResultBlock& block, const Sheet& sheet, RowRange rows,
                  TextBuffer& out) const override;

 private:
  static constexpr size_t kRostersKept = 64;
  static constexpr uint64_t kEmpty = UINT64_MAX;

  struct Group {  // the columns of one expression
    uint32_t first = 0, count = 0;
    std::unordered_map<int32_t, uint32_t> by_instance{};  // all that have a column
    std::unordered_map<uint32_t, std::shared_ptr<const Cells>> by_roster{};
  };

  void add_instances(const ResultInfo& info, Group& group, std::string& header);
  void add_guests(const ResultInfo& info, Group& group, std::string& header);
  [[nodiscard]] Result<std::shared_ptr<const Cells>> cells_of(size_t k, RosterId roster);
  [[nodiscard]] Result<void> settle_row(const ResultBlock& block, size_t i, CellSheet& sheet);
  // `values`: of each cell, an index or kEmpty.
  uint64_t put_row(const ResultBlock& block, const std::vector<uint64_t>& values,
                   TextBuffer& out) const;

  std::optional<int> digits_;
  std::vector<Group> groups_;
  size_t cells_ = 0;
};

void CsvWideWriter::begin(const Schema& schema) {
  Writer::begin(schema);
  std::string header = "time";
  for (const ResultInfo& info : schema_.infos) {
    Group& group = groups_.emplace_back();
    group.first = static_cast<uint32_t>(cells_);
    if (info.domain == kNullId) {
      header += "," + csv_field(info.name);
      group.count = 1;
    } else {
      add_instances(info, group, header);
    }
    cells_ += group.count;
  }
  sink_.put(header + "\n");
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
    group.by_instance[id] = group.first + group.count++;
    const std::string which = uses[name] == 1 ? name : fmt::format("{}#{}", name, id);
    header += "," + csv_field(fmt::format("{}[{}]", info.name, which));
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
    const auto [found, is_new] = column_of.try_emplace(name, group.first + group.count);
    group.by_instance[id] = found->second;
    if (!is_new) continue;
    ++group.count;
    header += "," + csv_field(fmt::format("{}[{}]", info.name, name));
  }
}

Result<std::shared_ptr<const Cells>> CsvWideWriter::cells_of(size_t k, RosterId roster) {
  Group& group = groups_[k];
  const auto known = group.by_roster.find(roster.index);
  if (known != group.by_roster.end()) return known->second;
  Cells cells;
  for (const int32_t instance : schema_.rosters->instances(roster)) {
    if (schema_.infos[k].domain == kNullId) {
      cells.push_back(group.first);
      continue;
    }
    const auto found = group.by_instance.find(instance);
    if (found == group.by_instance.end()) {
      return fail(Error(Fault::unsupported,
                        fmt::format("instance {} of {} is in no instance domain of the archive",
                                    instance, schema_.infos[k].name))
                      .help("-o csv has no need to know its columns beforehand"));
    }
    cells.push_back(found->second);
  }
  if (group.by_roster.size() >= kRostersKept) group.by_roster.clear();
  return group.by_roster[roster.index] = std::make_shared<const Cells>(std::move(cells));
}

Result<void> CsvWideWriter::settle_row(const ResultBlock& block, size_t i, CellSheet& sheet) {
  for (size_t k = 0; k < groups_.size(); ++k) {
    const std::vector<Row>& rows = block.columns[k].rows;
    std::vector<const Cells*>& of_rows = sheet.cells[k];
    if (rows[i].status != 0 || rows[i].roster_id == Rosters::kNobodyId) {
      of_rows.push_back(nullptr);
    } else if (i > 0 && of_rows.back() != nullptr && rows[i].roster_id == rows[i - 1].roster_id) {
      of_rows.push_back(of_rows.back());
    } else {
      auto cells = cells_of(k, rows[i].roster_id);
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

uint64_t CsvWideWriter::put_row(const ResultBlock& block, const std::vector<uint64_t>& values,
                                TextBuffer& out) const {
  uint64_t known = 0;
  for (size_t k = 0; k < groups_.size(); ++k) {
    const Column& column = block.columns[k];
    const PutNumber put = put_of(column.elem);
    for (uint32_t cell = 0; cell < groups_[k].count; ++cell) {
      const uint64_t i = values[groups_[k].first + cell];
      char* at = out.room(kNumberBytes + 1);
      *at++ = ',';
      if (i != kEmpty && put != nullptr) at = put(at, column.values.data(), i, digits_);
      out.advance(at);
      if (i == kEmpty) continue;
      ++known;
      if (put == nullptr) out.put(csv_field(text_of(column, i)));
    }
  }
  out.put("\n");
  return known;
}

uint64_t CsvWideWriter::format(const ResultBlock& block, const Sheet& sheet, RowRange rows,
                               TextBuffer& out) const {
  const auto& cells = static_cast<const CellSheet&>(sheet).cells;
  IsoClock clock;
  std::vector<uint64_t> values(cells_);
  uint64_t known = 0;
  for (size_t i = rows.begin; i < rows.end; ++i) {
    std::ranges::fill(values, kEmpty);
    for (size_t k = 0; k < groups_.size(); ++k) {
      const Column& column = block.columns[k];
      if (cells[k][i] == nullptr) continue;
      uint64_t at = column.rows[i].offset;
      for (const uint32_t cell : *cells[k][i]) {
        if (column.is_valid(at)) values[cell] = at;
        ++at;
      }
    }
    out.put(clock.text(block.times[i]));
    known += put_row(block, values, out);
  }
  return known;
}

}  // namespace

std::unique_ptr<Writer> make_csv_wide_writer(Sink& sink, const WriterOptions& options) {
  return std::make_unique<CsvWideWriter>(sink, options);
}

}  // namespace pmjit
