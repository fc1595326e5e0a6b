// JSON lines. The first object is the metadata, then one object a value:
//   {"host":"app1","metrics":[
//     {"name":"a.b","type":"u32","semantics":"counter","units":"count","indom":"60.1"}]}
//   {"time":"2023-11-14T22:13:20Z","host":"app1","metric":"a.b","instance":"sda","value":17}
// Of several hosts "hosts" are a list, and "host" stands with each metric, too; null: of all.
// A singular value has the instance null. An unknown value is null, with the "reason"; where the
// whole set is unknown there is one object for it. JSON has no NaN: it, inf and -inf are strings.
#include <cmath>
#include <optional>
#include <string>

#include "runtime/report/lane_lines.h"
#include "runtime/report/metric_json.h"
#include "runtime/report/reason.h"
#include "runtime/report/text/quoting.h"
#include "runtime/report/text/values.h"

namespace pmjit {

namespace {

class JsonLine {
 public:
  static constexpr RowEnds kRowEnds = RowEnds::lines;
  explicit JsonLine(const WriterOptions& options) : digits_(options.digits) {}

  std::string begin(const Schema& schema) {
    if (!schema.several_hosts()) host_ = schema.host;
    std::string hosts = "\"host\":" + json_text(schema.host);
    if (schema.several_hosts()) {
      hosts = "\"hosts\":[";
      for (const std::string& host : schema.hosts) {
        hosts += (hosts.back() == '[' ? "" : ",") + json_text(host);
      }
      hosts += "]";
    }
    return "{" + hosts + ",\"metrics\":" + metrics_json(schema.infos) + "}\n";
  }

  std::string label(const ResultInfo& info, const std::optional<std::string>& instance) const {
    return host_of(info) + ",\"metric\":" + json_text(info.name) +
           ",\"instance\":" + (instance ? json_text(*instance) : "null") + ",\"value\":";
  }

  void put_unknown(const ResultInfo& info, int32_t status, std::string_view time,
                   TextBuffer& out) const {
    out.put("{\"time\":\"");
    out.put(time);
    out.put("\"" + host_of(info) + ",\"metric\":" + json_text(info.name) +
            ",\"instance\":null,\"value\":null" + reason(status) + "}\n");
  }

  uint64_t put(const LanePart& part, std::string_view time, Page& page) const {
    TextBuffer& out = page.text;
    const NumberForm form{.digits = digits_, .repeated = page.repeated};
    const Column& column = part.block.columns[part.k];
    const std::vector<LaneReasons>& reasons = part.block.reasons;
    const PutNumber put = put_of(column.elem);
    uint64_t known = 0;
    for (size_t lane = part.first; lane < part.last; ++lane) {
      const uint64_t i = part.row.offset + lane;
      const std::string_view label = part.labels[lane];
      char* at = out.room(time.size() + label.size() + 4 * kShortStep);
      at = copy_short(at, kTime);
      at = copy_short(at, time);
      *at++ = '"';
      out.advance(copy_short(at, label));
      if (column.is_valid(i)) {
        ++known;
        put_value(column, put, i, form, out);
      } else {
        out.put("null" + (reasons.empty() ? "" : reason(reasons[part.k].at(i))));
      }
      out.put("}\n");
    }
    return known;
  }

 private:
  [[nodiscard]] std::string host_of(const ResultInfo& info) const {
    const std::string& host = host_ ? *host_ : info.host;
    return ",\"host\":" + (host.empty() ? "null" : json_text(host));
  }

  static std::string reason(int32_t status) {
    return ",\"reason\":" + json_text(reason_text(status));
  }

  static void put_value(const Column& column, PutNumber put, uint64_t i, const NumberForm& form,
                        TextBuffer& out) {
    if (put == nullptr) return out.put(json_text(text_of(column, i)));
    char* at = out.room(kNumberBytes + 2);
    const bool as_text = is_float(column.elem) && !std::isfinite(*number_of(column, i));
    if (as_text) *at++ = '"';
    at = put(at, column.values.data(), i, form);
    if (as_text) *at++ = '"';
    out.advance(at);
  }

  static constexpr char kTimeText[kShortStep] = "{\"time\":\"";
  static constexpr std::string_view kTime{kTimeText, 9};

  std::optional<int> digits_;
  std::optional<std::string> host_;  // none: several
};

}  // namespace

std::unique_ptr<Writer> make_json_writer(Sink& sink, const WriterOptions& options) {
  return std::make_unique<LaneLines<JsonLine>>(sink, options);
}

}  // namespace pmjit
