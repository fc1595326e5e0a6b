// CSV: time,host,metric,instance,value; RFC 4180 quoting with line feeds. One row a known value:
// unknown and vacant values have none. All but the time and the value is made once a lane.
#include "runtime/report/clock.h"
#include "runtime/report/copy_short.h"
#include "runtime/report/csv_field.h"
#include "runtime/report/label_sheet.h"
#include "runtime/report/values.h"

namespace pmjit {

namespace {

class CsvWriter final : public PagedWriter {
 public:
  CsvWriter(Sink& sink, const WriterOptions& options)
      : PagedWriter(sink), digits_(options.digits) {}

  void begin(const Schema& schema) override {
    Writer::begin(schema);
    sink_.put("time,host,metric,instance,value\n");
    labels_.emplace(schema_, [host = csv_field(schema_.host)](const ResultInfo& info,
                                                              const auto& instance) {
      return "," + host + "," + csv_field(info.name) + "," + csv_field(instance.value_or("")) + ",";
    });
  }

  std::unique_ptr<Sheet> settle(const ResultBlock& block) override {
    return std::make_unique<LabelSheet>(*labels_, block);
  }

  uint64_t format(const ResultBlock& block, const Sheet& sheet, RowRange rows,
                  TextBuffer& out) const override {
    const auto& labels = static_cast<const LabelSheet&>(sheet);
    IsoClock clock;
    uint64_t known = 0;
    for (size_t i = rows.begin; i < rows.end; ++i) {
      const std::string_view time = clock.text(block.times[i]);
      for (size_t k = 0; k < block.columns.size(); ++k) {
        if (const LaneLabels* of_row = labels.of(k, i)) {
          known += put_row(block.columns[k], block.columns[k].rows[i], *of_row, time, out);
        }
      }
    }
    return known;
  }

 private:
  uint64_t put_row(const Column& column, const Row& row, const LaneLabels& labels,
                   std::string_view time, TextBuffer& out) const {
    const PutNumber put = put_of(column.elem);
    uint64_t known = 0;
    for (size_t lane = 0; lane < labels.size(); ++lane) {
      const uint64_t i = row.offset + lane;
      if (!column.is_valid(i)) continue;
      ++known;
      const std::string_view label = labels[lane];
      char* at = out.room(time.size() + label.size() + kNumberBytes + 1);
      at = copy_short(copy_short(at, time), label);
      if (put != nullptr) {
        at = put(at, column.values.data(), i, digits_);
      } else {
        out.advance(at);
        out.put(csv_field(text_of(column, i)));
        at = out.room(1);
      }
      *at++ = '\n';
      out.advance(at);
    }
    return known;
  }

  std::optional<int> digits_;
  std::optional<Labels> labels_;
};

}  // namespace

std::unique_ptr<Writer> make_csv_writer(Sink& sink, const WriterOptions& options) {
  return std::make_unique<CsvWriter>(sink, options);
}

}  // namespace pmjit
