#include "runtime/archive/recording/marks.h"

#include <algorithm>
#include <iterator>

namespace pmjit {

namespace {

// Of ascending stamps.
std::optional<Stamp> last_of(const std::vector<Stamp>& stamps, Stamp from, Stamp until) {
  const auto behind = std::ranges::upper_bound(stamps, until);
  if (behind == stamps.begin() || *std::prev(behind) <= from) return std::nullopt;
  return *std::prev(behind);
}

}  // namespace

Result<std::unique_ptr<Marks>> Marks::of(const ArchivesSource& recorded, Rosters& rosters) {
  auto cursor = recorded.open({}, rosters);
  if (!cursor) return fail(cursor.error());
  const Archives& archives = recorded.archives();
  std::vector<Stamp> borders;
  for (size_t i = 0; i + 1 < archives.size(); ++i) {
    const auto end = archives.end_before_next(i);
    if (end) borders.push_back(stamp_from_nanos(nanos(*end) + 1));
  }
  return std::unique_ptr<Marks>(new Marks(*std::move(cursor), std::move(borders)));
}

std::optional<Stamp> Marks::last_between(Stamp from, Stamp until) {
  read_until(until);
  const auto mark = last_of(read_, from, until), border = last_of(borders_, from, until);
  return mark && border ? std::max(mark, border) : mark ? mark : border;
}

bool Marks::any() {
  if (cursor_ != nullptr && read_.empty()) read_block();
  return !read_.empty() || !borders_.empty();
}

Result<std::vector<Stamp>> Marks::all() {
  read_until(kStampMax);
  if (damage_) return fail(*damage_);
  std::vector<Stamp> out;
  std::ranges::merge(read_, borders_, std::back_inserter(out));
  return out;
}

void Marks::read_until(Stamp time) {
  while (cursor_ != nullptr && (read_.empty() || read_.back() <= time)) read_block();
}

void Marks::read_block() {
  const auto more = cursor_->next(block_);
  if (!more) damage_ = more.error();
  if (!more || !*more) return cursor_.reset();
  for (const Record& record : block_.records) read_.push_back(record.stamp);
}

}  // namespace pmjit
