// JSON lines. The first object is the metadata, then one object a value:
//   {"host":"app1","metrics":[
//     {"name":"a.b","type":"u32","semantics":"counter","units":"count","indom":"60.1"}]}
//   {"time":"2023-11-14T22:13:20Z","metric":"a.b","instance":"sda","value":17}
// A singular value has the instance null. An unknown value is null, with the "reason"; where the
// whole set is unknown there is one object for it. JSON has no NaN: it, inf and -inf are strings.
#include <cmath>
#include <cstring>

#include "runtime/report/clock.h"
#include "runtime/report/json_text.h"
#include "runtime/report/labels.h"
#include "runtime/report/metric_json.h"
#include "runtime/report/reason.h"
#include "runtime/report/values.h"

namespace pmjit {

namespace {

class JsonWriter final : public Writer {
 public:
  JsonWriter(Sink& sink, const WriterOptions& options) : Writer(sink), digits_(options.digits) {}

  void begin(const Schema& schema) override {
    Writer::begin(schema);
    sink_.put("{\"host\":" + json_text(schema_.host) +
              ",\"metrics\":" + metrics_json(schema_.infos) + "}\n");
    labels_.emplace(schema_, [](const ResultInfo& info, const auto& instance) {
      return ",\"metric\":" + json_text(info.name) +
             ",\"instance\":" + (instance ? json_text(*instance) : "null") + ",\"value\":";
    });
  }

  Result<void> write(const ResultBlock& block) override {
    for (size_t i = 0; i < block.times.size(); ++i) {
      time_ = clock_.text(block.times[i]);
      for (size_t k = 0; k < block.columns.size(); ++k) {
        const Row& row = block.columns[k].rows[i];
        if (row.status != 0) {
          write_unknown(schema_.infos[k], row.status);
        } else if (row.roster_id != Rosters::kNobodyId) {
          write_row(block, k, row, labels_->of(k, row, block.times[i]).texts);
        }
      }
    }
    return sink_.status();
  }

 private:
  void write_unknown(const ResultInfo& info, int32_t status) {
    sink_.put("{\"time\":\"");
    sink_.put(time_);
    sink_.put("\",\"metric\":" + json_text(info.name) + ",\"instance\":null,\"value\":null" +
              reason(status) + "}\n");
  }

  static std::string reason(int32_t status) {
    return ",\"reason\":" + json_text(reason_text(status));
  }

  void write_row(const ResultBlock& block, size_t k, const Row& row,
                 std::span<const std::string> labels) {
    const Column& column = block.columns[k];
    for (size_t lane = 0; lane < labels.size(); ++lane) {
      char* at = put(sink_.room(time_.size() + labels[lane].size() + 16), "{\"time\":\"");
      at = put(put(put(at, time_), "\""), labels[lane]);
      sink_.advance(at);
      if (column.is_valid(row.offset + lane)) {
        write_value(column, row.offset + lane);
      } else {
        sink_.put("null" +
                  (block.reasons.empty() ? "" : reason(block.reasons[k].at(row.offset + lane))));
      }
      sink_.put("}\n");
    }
  }

  void write_value(const Column& column, uint64_t i) {
    ++values_;
    if (column.elem == Elem::text || column.elem == Elem::bytes)
      return sink_.put(json_text(text_of(column, i)));
    char* at = sink_.room(kNumberBytes + 2);
    const bool as_text = is_float(column.elem) && !std::isfinite(*number_of(column, i));
    if (as_text) *at++ = '"';
    at = put_number(at, column, i, digits_);
    if (as_text) *at++ = '"';
    sink_.advance(at);
  }

  static char* put(char* at, std::string_view text) {
    std::memcpy(at, text.data(), text.size());
    return at + text.size();
  }

  std::optional<int> digits_;
  std::optional<Labels> labels_;
  IsoClock clock_;
  std::string_view time_;
};

}  // namespace

std::unique_ptr<Writer> make_json_writer(Sink& sink, const WriterOptions& options) {
  return std::make_unique<JsonWriter>(sink, options);
}

}  // namespace pmjit
