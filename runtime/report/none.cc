// Counts the known values and prints nothing.
#include "runtime/report/known_lanes.h"
#include "runtime/report/writer.h"

namespace pmjit {

namespace {

class NoneWriter final : public BlockWriter {
 public:
  using BlockWriter::BlockWriter;
  Result<void> write(const ResultBlock& block) override {
    KnownLanes known(*schema_.rosters);
    for (const Column& column : block.columns) {
      if (column.valid.empty()) {
        values_ += known.of(column.rows).lanes;
      } else {
        for (const Row& row : column.rows) count(column, row);
      }
    }
    return {};
  }

 private:
  void count(const Column& column, const Row& row) {
    if (row.status != 0) return;
    const uint64_t lanes = schema_.rosters->size(row.roster_id);
    for (uint64_t i = 0; i < lanes; ++i) values_ += column.is_valid(row.offset + i);
  }
};

}  // namespace

std::unique_ptr<Writer> make_none_writer(Sink& sink, const WriterOptions&) {
  return std::make_unique<NoneWriter>(sink);
}

}  // namespace pmjit
