// Arrow IPC stream: a row a known value, in the order of `-o csv`:
//
//   time                       timestamp[ns, UTC]
//   host, metric, instance     texts, by dictionaries; no instance, or of several hosts: null
//   value …                    value_columns.h; the field's metadata say which metrics stand in it
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "runtime/report/arrow/batch.h"
#include "runtime/report/arrow/messages.h"
#include "runtime/report/arrow/names.h"
#include "runtime/report/arrow/value_columns.h"
#include "runtime/report/lane_labels.h"
#include "runtime/report/metric_json.h"
#include "runtime/report/text/quoting.h"
#include "runtime/report/writer.h"

namespace pmjit {

namespace {

using arrow::Batch;
using arrow::Field;

Result<void> check_text(const Column& texts, uint64_t i) {
  const std::string_view text = texts.dictionary[texts.values.as<uint32_t>()[i]];
  if (!is_utf8(text)) return fail(arrow::not_utf8("the text", text));
  return {};
}

class ArrowWriter final : public BlockWriter {
 public:
  using BlockWriter::BlockWriter;
  void begin(const Schema& schema) override;
  Result<void> write(const ResultBlock& block) override;
  Result<void> end() override;

 private:
  enum DictionaryId : int64_t { kHosts, kMetrics, kInstances };
  static constexpr size_t kRostersKept = 16;  // a result

  [[nodiscard]] Result<void> name_results();
  void put_head();
  [[nodiscard]] Result<void> take(int64_t time, size_t k, const ResultBlock& block, size_t i);
  [[nodiscard]] Result<std::span<const int32_t>> codes_of(size_t k, const Row& row, Stamp when);
  void put_batch();

  std::vector<arrow::ValueColumn> columns_;
  std::vector<size_t> column_of_;                   // of each result
  std::vector<int32_t> metric_codes_, host_codes_;  // of each result
  arrow::NameDictionary hosts_, metrics_, instances_;
  std::optional<Labels> labels_;
  // Of instances, by their labels.
  std::unordered_map<std::shared_ptr<const LaneLabels>, std::vector<int32_t>> codes_;
  std::optional<Batch> batch_;
  std::optional<Error> refused_;  // before anything was written
};

void ArrowWriter::begin(const Schema& schema) {
  Writer::begin(schema);
  sink_.rows_end(RowEnds::messages);
  columns_ = arrow::value_columns(schema_.infos);
  column_of_.resize(schema_.infos.size());
  for (size_t c = 0; c < columns_.size(); ++c) {
    for (const uint32_t k : columns_[c].results) column_of_[k] = c;
  }
  // A name begins with a sign, for there are empty ones; without an instance there is not even
  // that.
  labels_.emplace(schema_, [](const ResultInfo&, const auto& instance) {
    return instance ? "=" + *instance : std::string();
  });
  if (const auto named = name_results(); !named) {
    refused_ = named.error();
    return;
  }
  batch_.emplace(columns_);
  put_head();
}

Result<void> ArrowWriter::name_results() {
  for (const ResultInfo& info : schema_.infos) {
    const std::string& name = schema_.host_of(info);
    const bool of_all = schema_.several_hosts() && name.empty();
    const auto host = of_all ? Result<int32_t>(arrow::kNoName) : hosts_.code(name);
    if (!host) return fail(host.error());
    host_codes_.push_back(*host);
    const auto code = metrics_.code(info.name);
    if (!code) return fail(code.error());
    metric_codes_.push_back(*code);
  }
  return {};
}

void ArrowWriter::put_head() {
  std::vector<Field> fields{
      {.name = "time", .elem = Elem::i64, .timestamp = true},
      {.name = "host",
       .elem = Elem::text,
       .nullable = schema_.several_hosts(),
       .dictionary = kHosts},
      {.name = "metric", .elem = Elem::text, .dictionary = kMetrics},
      {.name = "instance", .elem = Elem::text, .nullable = true, .dictionary = kInstances}};
  for (const arrow::ValueColumn& column : columns_) {
    std::vector<ResultInfo> infos;
    for (const uint32_t k : column.results) infos.push_back(schema_.infos[k]);
    fields.push_back({.name = column.name,
                      .elem = column.elem,
                      .nullable = columns_.size() > 1,
                      .metadata = {{"metrics", metrics_json(infos)}}});
  }
  const std::string hosts = fmt::format("{}", fmt::join(schema_.hosts, ","));
  arrow::put_schema(
      sink_, fields,
      {schema_.several_hosts() ? std::pair<std::string, std::string>{"hosts", hosts}
                               : std::pair<std::string, std::string>{"host", schema_.host}});
}

Result<void> ArrowWriter::write(const ResultBlock& block) {
  if (refused_) return fail(*refused_);
  for (size_t i = 0; i < block.times.size(); ++i) {
    const Nanos time = nanos(block.times[i]);
    if (time < INT64_MIN || time > INT64_MAX) {
      return fail(Error(Fault::unsupported, iso_utc(block.times[i]) +
                                                " is beyond the times of Arrow: 64 bits of "
                                                "nanoseconds are the years 1678 to 2262")
                      .help("-o csv has no such bound"));
    }
    for (size_t k = 0; k < block.columns.size(); ++k) {
      if (auto taken = take(static_cast<int64_t>(time), k, block, i); !taken) return taken;
    }
  }
  // Readers of what arrives wait for it.
  if (schema_.live && !batch_->empty()) put_batch();
  return sink_.status();
}

// The known values of one result at one time.
Result<void> ArrowWriter::take(int64_t time, size_t k, const ResultBlock& block, size_t i) {
  const Column& from = block.columns[k];
  const Row& row = from.rows[i];
  if (row.status != 0 || row.roster_id == Rosters::kNobodyId) return {};
  const bool singular = schema_.infos[k].domain == kNullId;
  const size_t lanes =
      row.roster_id == Rosters::kSingularId ? 1 : schema_.rosters->size(row.roster_id);
  std::span<const int32_t> codes;
  for (size_t lane = 0; lane < lanes;) {
    const uint64_t first = row.offset + lane;
    if (!from.is_valid(first)) {
      ++lane;
      continue;
    }
    if (batch_->room(column_of_[k]) == 0) {
      put_batch();
      codes = {};  // they may be others now
    }
    if (codes.empty() && !singular) {
      const auto found = codes_of(k, row, block.times[i]);
      if (!found) return fail(found.error());
      codes = *found;
    }
    size_t count = std::min(lanes - lane, batch_->room(column_of_[k]));
    if (!from.valid.empty()) {
      const size_t most = count;
      for (count = 1; count < most && from.is_valid(first + count);) ++count;
    }
    if (from.elem == Elem::text) {
      if (auto fits = check_text(from, first); !fits) {
        return fail(fits.error().at("metric", schema_.infos[k].name));
      }
    }
    batch_->take({.time = time,
                  .host = host_codes_[k],
                  .metric = metric_codes_[k],
                  .instances = singular ? codes : codes.subspan(lane, count),
                  .column = column_of_[k],
                  .from = from,
                  .first = first,
                  .count = count});
    values_ += count;
    lane += count;
  }
  return {};
}

Result<std::span<const int32_t>> ArrowWriter::codes_of(size_t k, const Row& row, Stamp when) {
  const std::shared_ptr<const LaneLabels>& names = labels_->of(k, row, when);
  if (const auto known = codes_.find(names); known != codes_.end()) return known->second;
  if (codes_.size() >= kRostersKept * schema_.infos.size()) codes_.clear();
  std::vector<int32_t> codes;
  for (size_t lane = 0; lane < names->size(); ++lane) {
    const std::string_view name = (*names)[lane];
    if (name.empty()) {
      codes.push_back(arrow::kNoName);
      continue;
    }
    const auto code = instances_.code(name.substr(1));
    if (!code) return fail(code.error().at("instance of", schema_.infos[k].name));
    codes.push_back(*code);
  }
  return codes_[names] = std::move(codes);
}

// Readers want every dictionary before the first batch, and none without one.
void ArrowWriter::put_batch() {
  if (hosts_.grown()) {
    hosts_.put(sink_, kHosts);
    metrics_.put(sink_, kMetrics);
  }
  if (instances_.grown()) {
    if (instances_.renumber(batch_->instances())) codes_.clear();
    instances_.put(sink_, kInstances);
  }
  batch_->put(sink_);
}

Result<void> ArrowWriter::end() {
  if (refused_) return fail(*refused_);
  if (!batch_->empty()) put_batch();
  arrow::put_end(sink_);
  return Writer::end();
}

}  // namespace

std::unique_ptr<Writer> make_arrow_writer(Sink& sink, const WriterOptions&) {
  return std::make_unique<ArrowWriter>(sink);
}

}  // namespace pmjit
