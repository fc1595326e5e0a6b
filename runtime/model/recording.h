// Recording: a fetch plan in, batches out; it has an end, and can be read from anywhere. Archives,
// a grid over them and the memory of a test are recordings; what arrives while it happens is a
// Feed (feed.h).
//
//   auto cursor = source.open({.metrics = {pmid_a, pmid_b}}, rosters);
//   Block block;
//   while (auto more = (*cursor)->next(block)) { if (!*more) break; use(block); }
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/base/bytes.h"
#include "runtime/base/result.h"
#include "runtime/model/catalog.h"
#include "runtime/model/column.h"
#include "runtime/model/desc.h"

namespace pmjit {

// Recorded values are what they are; `between` is for a source that makes others.
struct WantedMetric {
  WantedMetric(PmId id) : pmid(id) {}
  WantedMetric(PmId id, Between how, bool holds) : pmid(id), between(how), discrete(holds) {}

  PmId pmid;
  Between between = Between::exact;
  bool discrete = false;  // a value holds until the next one, however old it gets
};

struct FetchPlan {
  std::vector<WantedMetric> metrics{};  // column i of every block is metric i
  // Records of other metrics are checked as a whole, too.
  bool checks_others = false;
  // Records outside [from, to] are skipped where the source can do so cheaply.
  Stamp from = kStampMin, to = kStampMax;
  // Records a block at most, and about how many bytes a piece; 0: those of limits.h.
  uint32_t rows_max = 0, piece_bytes = 0;
  // Pieces are decoded by several threads: what can be read there is not read before.
  bool for_threads = false;
};

class Cursor {
 public:
  virtual ~Cursor() = default;
  // Fills `block` (cleared first) with the next records, one at least. False: the end. An error
  // comes after every record before the damage has been delivered.
  [[nodiscard]] virtual Result<bool> next(Block& block) = 0;
  // 0 … 1, for progress bars.
  [[nodiscard]] virtual double done() const = 0;
  // Those of rows that it has read and not given out yet.
  virtual void keep_rosters(Rosters& /*rosters*/) const {}
};

// Some records of a recording, found but not decoded: what one thread decodes while another finds
// more.
class Piece {
 public:
  enum class State : uint8_t {
    more,    // the block is full, and the piece goes on
    spent,   // all of the piece is in blocks
    ended,   // the same, and the plan ends here in its part of the source
    astray,  // the same, but what was read next does not follow it: Pieces::go_on_behind()
  };
  virtual ~Piece() = default;
  // Parts count from 0: the archives, where a source is several.
  [[nodiscard]] virtual uint32_t part() const = 0;
  // Clears `block` and gives it the plan's columns.
  virtual void prepare(Block& block) = 0;
  // Appends records until the block is full. An error comes once, when every record before the
  // damage is in the block.
  [[nodiscard]] virtual Result<State> decode(Block& block) = 0;
};

// The records of a plan, a piece after the other; only for one thread at a time. Pieces may be
// decoded by others meanwhile, each by one.
class Pieces {
 public:
  virtual ~Pieces() = default;
  // Room for a piece of these records, spent; rosters of the rows that it decodes are ids in
  // `rosters`. Its bytes go into `bytes`, which pieces share that are read and decoded one after
  // the other, so that a processor has them at hand. Both outlive it.
  [[nodiscard]] virtual std::unique_ptr<Piece> make_piece(Rosters& rosters,
                                                          Buffer& bytes) const = 0;
  // Makes `piece` the next one. False: the end.
  [[nodiscard]] virtual Result<bool> read(Piece& piece) = 0;
  // Starts anew behind `piece`, the last that the source had guessed right.
  [[nodiscard]] virtual Result<void> go_on_behind(const Piece& piece) = 0;
  // The part that is being read, and: nothing more of a part is wanted.
  [[nodiscard]] virtual uint32_t part() const = 0;
  virtual void pass_over(uint32_t part) = 0;
  [[nodiscard]] virtual double done() const = 0;  // 0 … 1
};

class Recording {
 public:
  virtual ~Recording() = default;
  [[nodiscard]] virtual const Catalog& catalog() const = 0;
  [[nodiscard]] virtual std::string host() const = 0;
  // Of the host, as Zone takes it; empty: not known.
  [[nodiscard]] virtual std::string timezone() const { return {}; }
  [[nodiscard]] virtual Stamp start() const = 0;
  [[nodiscard]] virtual Stamp end() const = 0;  // last record; kStampMax: not known
  // Bytes of records, for estimates; 0: not known.
  [[nodiscard]] virtual uint64_t bytes() const { return 0; }
  // A recording of several hosts has a source for each: marks interrupt their own source alone.
  [[nodiscard]] virtual uint32_t sources() const { return 1; }
  [[nodiscard]] virtual uint32_t source_of(PmId /*metric*/) const { return 0; }
  // What its readers should be told, although it can be read: a sentence each.
  [[nodiscard]] virtual std::vector<std::string> warnings() const { return {}; }
  // `rosters` outlives the cursor; rosters of rows are ids in it.
  [[nodiscard]] virtual Result<std::unique_ptr<Cursor>> open(const FetchPlan& plan,
                                                             Rosters& rosters) const = 0;
  // The same records for readers with several threads. Null: this source has no pieces.
  [[nodiscard]] virtual Result<std::unique_ptr<Pieces>> open_pieces(const FetchPlan& plan) const;
};

// A source that gives another's records in its own way. What is known of them is the other's.
class RecordingOver : public Recording {
 public:
  [[nodiscard]] const Catalog& catalog() const override { return under_.catalog(); }
  [[nodiscard]] std::string host() const final { return under_.host(); }
  [[nodiscard]] std::string timezone() const final { return under_.timezone(); }
  [[nodiscard]] Stamp start() const final { return under_.start(); }
  [[nodiscard]] Stamp end() const final { return under_.end(); }
  [[nodiscard]] uint64_t bytes() const final { return under_.bytes(); }
  [[nodiscard]] uint32_t sources() const final { return under_.sources(); }
  [[nodiscard]] uint32_t source_of(PmId metric) const final { return under_.source_of(metric); }
  [[nodiscard]] std::vector<std::string> warnings() const final { return under_.warnings(); }

 protected:
  // `under` outlives it.
  explicit RecordingOver(const Recording& under) : under_(under) {}
  [[nodiscard]] const Recording& under() const { return under_; }

 private:
  const Recording& under_;
};

// The cursor of whoever decodes pieces where it reads them.
[[nodiscard]] std::unique_ptr<Cursor> cursor_over(std::unique_ptr<Pieces> pieces, Rosters& rosters);

}  // namespace pmjit
