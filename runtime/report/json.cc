// JSON lines. The first object is the metadata, then one object a value:
//   {"host":"app1","metrics":[
//     {"name":"a.b","type":"u32","semantics":"counter","units":"count","indom":"60.1"}]}
//   {"time":"2023-11-14T22:13:20Z","metric":"a.b","instance":"sda","value":17}
// A singular value has the instance null. An unknown value is null, with the "reason"; where the
// whole set is unknown there is one object for it. JSON has no NaN: it, inf and -inf are strings.
#include <cmath>

#include "runtime/report/clock.h"
#include "runtime/report/copy_short.h"
#include "runtime/report/json_text.h"
#include "runtime/report/label_sheet.h"
#include "runtime/report/metric_json.h"
#include "runtime/report/reason.h"
#include "runtime/report/values.h"

namespace pmjit {

namespace {

class JsonWriter final : public PagedWriter {
 public:
  JsonWriter(Sink& sink, const WriterOptions& options)
      : PagedWriter(sink), digits_(options.digits) {}

  void begin(const Schema& schema) override {
    Writer::begin(schema);
    sink_.put("{\"host\":" + json_text(schema_.host) +
              ",\"metrics\":" + metrics_json(schema_.infos) + "}\n");
    labels_.emplace(schema_, [](const ResultInfo& info, const auto& instance) {
      return ",\"metric\":" + json_text(info.name) +
             ",\"instance\":" + (instance ? json_text(*instance) : "null") + ",\"value\":";
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
        const Row& row = block.columns[k].rows[i];
        if (row.status != 0) {
          put_unknown(schema_.infos[k], row.status, time, out);
        } else if (const LaneLabels* of_row = labels.of(k, i)) {
          known += put_row(block, k, row, *of_row, time, out);
        }
      }
    }
    return known;
  }

 private:
  static void put_unknown(const ResultInfo& info, int32_t status, std::string_view time,
                          TextBuffer& out) {
    out.put("{\"time\":\"");
    out.put(time);
    out.put("\",\"metric\":" + json_text(info.name) + ",\"instance\":null,\"value\":null" +
            reason(status) + "}\n");
  }

  static std::string reason(int32_t status) {
    return ",\"reason\":" + json_text(reason_text(status));
  }

  uint64_t put_row(const ResultBlock& block, size_t k, const Row& row, const LaneLabels& labels,
                   std::string_view time, TextBuffer& out) const {
    const Column& column = block.columns[k];
    const PutNumber put = put_of(column.elem);
    uint64_t known = 0;
    for (size_t lane = 0; lane < labels.size(); ++lane) {
      const uint64_t i = row.offset + lane;
      const std::string_view label = labels[lane];
      char* at = out.room(time.size() + label.size() + 4 * kShortStep);
      at = copy_short(at, kTime);
      at = copy_short(at, time);
      *at++ = '"';
      out.advance(copy_short(at, label));
      if (column.is_valid(i)) {
        ++known;
        put_value(column, put, i, out);
      } else {
        out.put("null" + (block.reasons.empty() ? "" : reason(block.reasons[k].at(i))));
      }
      out.put("}\n");
    }
    return known;
  }

  void put_value(const Column& column, PutNumber put, uint64_t i, TextBuffer& out) const {
    if (put == nullptr) return out.put(json_text(text_of(column, i)));
    char* at = out.room(kNumberBytes + 2);
    const bool as_text = is_float(column.elem) && !std::isfinite(*number_of(column, i));
    if (as_text) *at++ = '"';
    at = put(at, column.values.data(), i, digits_);
    if (as_text) *at++ = '"';
    out.advance(at);
  }

  static constexpr char kTimeText[kShortStep] = "{\"time\":\"";
  static constexpr std::string_view kTime{kTimeText, 9};

  std::optional<int> digits_;
  std::optional<Labels> labels_;
};

}  // namespace

std::unique_ptr<Writer> make_json_writer(Sink& sink, const WriterOptions& options) {
  return std::make_unique<JsonWriter>(sink, options);
}

}  // namespace pmjit
