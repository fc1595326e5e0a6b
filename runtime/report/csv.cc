// CSV: time,host,metric,instance,value; RFC 4180 quoting with line feeds. One row a known value:
// unknown and vacant values have none. All but the time and the value is made once a lane.
#include <cstring>

#include "runtime/report/clock.h"
#include "runtime/report/csv_field.h"
#include "runtime/report/labels.h"
#include "runtime/report/values.h"

namespace pmjit {

namespace {

class CsvWriter final : public Writer {
 public:
  CsvWriter(Sink& sink, const WriterOptions& options) : Writer(sink), digits_(options.digits) {}

  void begin(const Schema& schema) override {
    Writer::begin(schema);
    sink_.put("time,host,metric,instance,value\n");
    labels_.emplace(schema_, [host = csv_field(schema_.host)](const ResultInfo& info,
                                                              const auto& instance) {
      return "," + host + "," + csv_field(info.name) + "," + csv_field(instance.value_or("")) + ",";
    });
  }

  Result<void> write(const ResultBlock& block) override {
    for (size_t i = 0; i < block.times.size(); ++i) {
      const std::string_view time = clock_.text(block.times[i]);
      for (size_t k = 0; k < block.columns.size(); ++k) {
        write_row(block.columns[k], block.columns[k].rows[i], labels_row(k, block, i), time);
      }
    }
    return sink_.status();
  }

 private:
  std::span<const std::string> labels_row(size_t k, const ResultBlock& block, size_t i) {
    const Row& row = block.columns[k].rows[i];
    if (row.status != 0 || row.roster_id == Rosters::kNobodyId) return {};
    return labels_->of(k, row, block.times[i]).texts;
  }

  void write_row(const Column& column, const Row& row, std::span<const std::string> labels,
                 std::string_view time) {
    const bool is_text = column.elem == Elem::text || column.elem == Elem::bytes;
    for (size_t lane = 0; lane < labels.size(); ++lane) {
      const uint64_t i = row.offset + lane;
      if (!column.is_valid(i)) continue;
      ++values_;
      const std::string& label = labels[lane];
      const std::string text = is_text ? csv_field(text_of(column, i)) : std::string();
      char* at = sink_.room(time.size() + label.size() + text.size() + kNumberBytes + 1);
      std::memcpy(at, time.data(), time.size());
      at += time.size();
      std::memcpy(at, label.data(), label.size());
      at += label.size();
      if (is_text) {
        std::memcpy(at, text.data(), text.size());
        at += text.size();
      } else {
        at = put_number(at, column, i, digits_);
      }
      *at++ = '\n';
      sink_.advance(at);
    }
  }

  std::optional<int> digits_;
  std::optional<Labels> labels_;
  IsoClock clock_;
};

}  // namespace

std::unique_ptr<Writer> make_csv_writer(Sink& sink, const WriterOptions& options) {
  return std::make_unique<CsvWriter>(sink, options);
}

}  // namespace pmjit
