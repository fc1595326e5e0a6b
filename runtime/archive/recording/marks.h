// Marks: where a recording is interrupted: at its marks, and behind the last record of an archive
// that another follows. Read as far as somebody asks.
//
//   auto marks = Marks::of(archives_source, rosters);
//   marks->last_between(before, stamp)
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "runtime/archive/recording/archives_source.h"

namespace pmjit {

class Marks {
 public:
  // Both outlive it.
  [[nodiscard]] static Result<std::unique_ptr<Marks>> of(const ArchivesSource& recorded,
                                                         Rosters& rosters);

  [[nodiscard]] bool any();
  // All of them, ascending: the whole recording is read. Fails where it is damaged.
  [[nodiscard]] Result<std::vector<Stamp>> all();
  // Those that all() gave.
  [[nodiscard]] static Result<std::unique_ptr<Marks>> of(std::vector<Stamp> all) {
    return std::unique_ptr<Marks>(new Marks(nullptr, std::move(all)));
  }
  // The last one behind `from` and not behind `until`. Damage ends them: whoever reads values there
  // says so.
  [[nodiscard]] std::optional<Stamp> last_between(Stamp from, Stamp until);

 private:
  Marks(std::unique_ptr<Cursor> cursor, std::vector<Stamp> borders)
      : cursor_(std::move(cursor)), borders_(std::move(borders)) {}
  void read_block();
  void read_until(Stamp time);

  std::unique_ptr<Cursor> cursor_;  // over no metrics: of these records, marks are all there is
  Block block_;
  std::vector<Stamp> borders_;  // both ascending
  std::vector<Stamp> read_;
  std::optional<Error> damage_;  // that ended them
};

}  // namespace pmjit
