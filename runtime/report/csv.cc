// CSV: time,host,metric,instance,value; RFC 4180 quoting with line feeds. One row a known value:
// unknown and vacant values have none.
#include "runtime/report/lane_lines.h"
#include "runtime/report/text/quoting.h"
#include "runtime/report/text/values.h"

namespace pmjit {

namespace {

class CsvLine {
 public:
  static constexpr RowEnds kRowEnds = RowEnds::csv;
  explicit CsvLine(const WriterOptions& options) : digits_(options.digits) {}

  std::string begin(const Schema& schema) {
    if (!schema.several_hosts()) host_ = "," + csv_field(schema.host) + ",";
    return "time,host,metric,instance,value\n";
  }

  std::string label(const ResultInfo& info, const std::optional<std::string>& instance) const {
    const std::string host = host_.empty() ? "," + csv_field(info.host) + "," : host_;
    std::string text;
    text.reserve(host.size() + info.name.size() + (instance ? instance->size() : 0) + 2);
    text.append(host).append(csv_field(info.name)) += ',';
    if (instance) text += csv_field(*instance);
    return text += ',';
  }

  static void put_unknown(const ResultInfo&, int32_t, std::string_view, TextBuffer&) {}

  uint64_t put(const LanePart& part, std::string_view time, Page& page) const {
    TextBuffer& out = page.text;
    const NumberForm form{.digits = digits_, .repeated = page.repeated};
    const Column& column = part.block.columns[part.k];
    const PutNumber put = put_of(column.elem);
    uint64_t known = 0;
    for (size_t lane = part.first; lane < part.last; ++lane) {
      const uint64_t i = part.row.offset + lane;
      if (!column.is_valid(i)) continue;
      ++known;
      const std::string_view label = part.labels[lane];
      char* at = out.room(time.size() + label.size() + kNumberBytes + 1);
      at = copy_short(copy_short(at, time), label);
      if (put != nullptr) {
        at = put(at, column.values.data(), i, form);
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

 private:
  std::optional<int> digits_;
  std::string host_;  // of all results; empty: each has its own
};

}  // namespace

std::unique_ptr<Writer> make_csv_writer(Sink& sink, const WriterOptions& options) {
  return std::make_unique<LaneLines<CsvLine>>(sink, options);
}

}  // namespace pmjit
