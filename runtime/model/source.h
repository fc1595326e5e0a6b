// Source: a fetch plan in, batches out. An archive, a host and the memory of a test look the same
// from here.
//
//   auto cursor = source.open({.metrics = {pmid_a, pmid_b}}, rosters);
//   Block block;
//   while (auto more = (*cursor)->next(block)) { if (!*more) break; use(block); }
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/model/block.h"
#include "runtime/model/catalog.h"

namespace pmjit {

struct FetchPlan {
  std::vector<PmId> metrics{};  // column i of every block is metric i
  // Records outside [from, to] are skipped where the source can do so cheaply.
  Stamp from = kStampMin, to = kStampMax;
  uint32_t rows_max = 0;  // records a block at most; 0: the limits of limits.h
};

class Cursor {
 public:
  virtual ~Cursor() = default;
  // Fills `block` (cleared first) with the next records. False: the end. An error comes after every
  // record before the damage has been delivered.
  [[nodiscard]] virtual Result<bool> next(Block& block) = 0;
  // 0 … 1, for progress bars.
  [[nodiscard]] virtual double done() const = 0;
};

class Source {
 public:
  virtual ~Source() = default;
  [[nodiscard]] virtual const Catalog& catalog() const = 0;
  [[nodiscard]] virtual std::string host() const = 0;
  // Of the host, as Zone takes it; empty: not known.
  [[nodiscard]] virtual std::string timezone() const { return {}; }
  [[nodiscard]] virtual Stamp start() const = 0;
  [[nodiscard]] virtual Stamp end() const = 0;  // last record; kStampMax: not known
  // Bytes of records, for estimates; 0: not known.
  [[nodiscard]] virtual uint64_t bytes() const { return 0; }
  // What its readers should be told, although it can be read: a sentence each.
  [[nodiscard]] virtual std::vector<std::string> warnings() const { return {}; }
  // `rosters` outlives the cursor; rosters of rows are ids in it.
  [[nodiscard]] virtual Result<std::unique_ptr<Cursor>> open(const FetchPlan& plan,
                                                             Rosters& rosters) const = 0;
};

}  // namespace pmjit
