// Wide CSV: a row a time, a column a metric and instance. All columns have to be known before the
// first row, so there is one for every instance that the domain ever had, delivered or not. Where a
// value's instance is in no domain there is no column for it, and that is an error: nothing is left
// out silently.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "runtime/report/clock.h"
#include "runtime/report/csv_field.h"
#include "runtime/report/values.h"
#include "runtime/report/writer.h"

namespace pmjit {

namespace {

class CsvWideWriter final : public Writer {
 public:
  CsvWideWriter(Sink& sink, const WriterOptions& options) : Writer(sink), digits_(options.digits) {}

  void begin(const Schema& schema) override;
  Result<void> write(const ResultBlock& block) override;

 private:
  static constexpr size_t kRostersKept = 64;
  static constexpr uint64_t kEmpty = UINT64_MAX;
  using Cells = std::vector<uint32_t>;  // of each lane, in cells_

  struct Group {  // the columns of one expression
    uint32_t first = 0, count = 0;
    std::unordered_map<int32_t, uint32_t> by_instance{};  // all that have a column
    std::unordered_map<uint32_t, Cells> by_roster{};
  };

  void add_instances(const ResultInfo& info, Group& group, std::string& header);
  void add_guests(const ResultInfo& info, Group& group, std::string& header);
  [[nodiscard]] Result<const Cells*> cells_of(size_t k, RosterId roster);
  [[nodiscard]] Result<void> take(size_t k, const Column& column, const Row& row);
  void put_row(std::string_view time, const ResultBlock& block);

  std::optional<int> digits_;
  std::vector<Group> groups_;
  std::vector<uint64_t> cells_;  // of the row at hand: indices of values
  IsoClock clock_;
};

void CsvWideWriter::begin(const Schema& schema) {
  Writer::begin(schema);
  std::string header = "time";
  for (const ResultInfo& info : schema_.infos) {
    Group& group = groups_.emplace_back();
    group.first = static_cast<uint32_t>(cells_.size());
    if (info.domain == kNullId) {
      header += "," + csv_field(info.name);
      group.count = 1;
    } else {
      add_instances(info, group, header);
    }
    cells_.resize(cells_.size() + group.count);
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

Result<const CsvWideWriter::Cells*> CsvWideWriter::cells_of(size_t k, RosterId roster) {
  Group& group = groups_[k];
  const auto known = group.by_roster.find(roster.index);
  if (known != group.by_roster.end()) return &known->second;
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
  return &(group.by_roster[roster.index] = std::move(cells));
}

// The known values of one expression into the cells of the row.
Result<void> CsvWideWriter::take(size_t k, const Column& column, const Row& row) {
  if (row.status != 0 || row.roster_id == Rosters::kNobodyId) return {};
  const auto cells = cells_of(k, row.roster_id);
  if (!cells) return std::unexpected(cells.error());
  for (size_t lane = 0; lane < (*cells)->size(); ++lane) {
    if (column.is_valid(row.offset + lane)) cells_[(**cells)[lane]] = row.offset + lane;
  }
  return {};
}

void CsvWideWriter::put_row(std::string_view time, const ResultBlock& block) {
  sink_.put(time);
  for (size_t k = 0; k < groups_.size(); ++k) {
    const Column& column = block.columns[k];
    const bool is_text = column.elem == Elem::text || column.elem == Elem::bytes;
    for (uint32_t cell = 0; cell < groups_[k].count; ++cell) {
      const uint64_t i = cells_[groups_[k].first + cell];
      char* at = sink_.room(kNumberBytes + 1);
      *at++ = ',';
      if (i != kEmpty && !is_text) at = put_number(at, column, i, digits_);
      sink_.advance(at);
      if (i == kEmpty) continue;
      ++values_;
      if (is_text) sink_.put(csv_field(text_of(column, i)));
    }
  }
  sink_.put("\n");
}

Result<void> CsvWideWriter::write(const ResultBlock& block) {
  for (size_t i = 0; i < block.times.size(); ++i) {
    std::ranges::fill(cells_, kEmpty);
    for (size_t k = 0; k < groups_.size(); ++k) {
      const Column& column = block.columns[k];
      if (auto taken = take(k, column, column.rows[i]); !taken) return taken;
    }
    put_row(clock_.text(block.times[i]), block);
  }
  return sink_.status();
}

}  // namespace

std::unique_ptr<Writer> make_csv_wide_writer(Sink& sink, const WriterOptions& options) {
  return std::make_unique<CsvWideWriter>(sink, options);
}

}  // namespace pmjit
