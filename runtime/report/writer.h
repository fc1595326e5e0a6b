// Writer: results in, one machine or human format out. The formats stand in one table, formats().
//
//   Sink sink(STDOUT_FILENO);
//   auto writer = find_format("csv")->make(sink, {});
//   writer->begin({.infos = infos, .host = host, .catalog = &catalog, .rosters = &rosters});
//   …                        blocks, as a BlockWriter or a PagedWriter takes them
//   return writer->end();    flushes; an error here or before means that the output is not whole
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/warnings.h"
#include "runtime/model/catalog.h"
#include "runtime/model/results.h"
#include "runtime/report/sink/sink.h"
#include "runtime/report/text/paint.h"
#include "runtime/text/zone.h"

namespace pmjit {

struct Schema {
  std::vector<ResultInfo> infos;
  std::string host;                  // of a run with several hosts: none
  std::vector<std::string> hosts{};  // where there are several; each result has its own
  const Catalog* catalog = nullptr;  // names of instances; outlives the writer
  const Rosters* rosters = nullptr;  // rosters of the blocks; outlives the writer
  std::vector<std::string> only{};   // names of the instances that there may be; empty: all
  bool live = false;                 // instances may come that the catalog does not know yet

  [[nodiscard]] bool several_hosts() const { return !hosts.empty(); }
  // Of a result; empty: it is of all hosts together.
  [[nodiscard]] const std::string& host_of(const ResultInfo& info) const {
    return several_hosts() ? info.host : host;
  }
};

struct ReportLayout;

struct WriterOptions {
  std::optional<int> digits;  // -f N: after the point of floating values; none: shortest text
  bool reasons = false;       // why values are unknown, below the table
  int width = 0;              // columns of the table; 0: $COLUMNS, or 100
  size_t height = 0;          // of the terminal; 0: none, and headings stand once
  Zone zone{"UTC"};           // of the times in the table
  Paint paint{};              // of text for people
  const ReportLayout* layout = nullptr;  // of the format `report`; outlives the writer
};

class Writer {
 public:
  explicit Writer(Sink& sink) : sink_(sink) {}
  virtual ~Writer() = default;
  virtual void begin(const Schema& schema) { schema_ = schema; }
  [[nodiscard]] virtual Result<void> end() { return sink_.flush(); }
  [[nodiscard]] uint64_t values() const { return values_; }  // known values so far
  // What the output lacks, of what came since the last call.
  [[nodiscard]] std::vector<std::string> take_warnings() { return warnings_.take(); }

 protected:
  Sink& sink_;
  Schema schema_;
  uint64_t values_ = 0;
  Warnings warnings_;
};

// A writer that takes block after block; the others are paged (paged_writer.h).
class BlockWriter : public Writer {
 public:
  using Writer::Writer;
  [[nodiscard]] virtual Result<void> write(const ResultBlock& block) = 0;
};

struct Format {
  std::string_view name, what;
  std::unique_ptr<Writer> (*make)(Sink& sink, const WriterOptions& options);
  // Does it say why values are unknown? For that it needs ResultBlock::reasons.
  enum class Reasons : uint8_t { never, on_request, always };
  Reasons reasons = Reasons::never;
  bool at_end = false;    // nothing is printed before
  bool binary = false;    // no text: not for a terminal, and numbers have no digits
  bool laid_out = false;  // needs WriterOptions::layout
};
std::span<const Format> formats();
const Format* find_format(std::string_view name);  // null: no such format

std::unique_ptr<Writer> make_table_writer(Sink& sink, const WriterOptions& options);
std::unique_ptr<Writer> make_columns_writer(Sink& sink, const WriterOptions& options);
std::unique_ptr<Writer> make_report_writer(Sink& sink, const WriterOptions& options);
std::unique_ptr<Writer> make_csv_writer(Sink& sink, const WriterOptions& options);
std::unique_ptr<Writer> make_csv_wide_writer(Sink& sink, const WriterOptions& options);
std::unique_ptr<Writer> make_json_writer(Sink& sink, const WriterOptions& options);
std::unique_ptr<Writer> make_arrow_writer(Sink& sink, const WriterOptions& options);
std::unique_ptr<Writer> make_none_writer(Sink& sink, const WriterOptions& options);

}  // namespace pmjit
