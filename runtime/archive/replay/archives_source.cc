#include "runtime/archive/replay/archives_source.h"

#include <algorithm>
#include <optional>

#include "runtime/archive/reader/cursor.h"

namespace pmjit {

namespace {

std::string names_of(const Archives& archives) {
  std::string out;
  for (size_t i = 0; i < archives.size(); ++i) out += (i == 0 ? "" : ",") + archives[i].name();
  return out;
}

Result<std::unique_ptr<Cursor>> open_member(const Archives& archives, size_t member,
                                            const FetchPlan& plan, Rosters& rosters) {
  const Archive& archive = archives[member];
  return open_cursor(
      plan, {.name = archive.name(), .label = archive.label(), .volumes = archive.volumes()},
      archives.metadata().descs, rosters);
}

class ChainCursor final : public Cursor {
 public:
  ChainCursor(const Archives& archives, FetchPlan plan, Rosters& rosters,
              std::unique_ptr<Cursor> first)
      : archives_(archives), plan_(std::move(plan)), rosters_(rosters), cursor_(std::move(first)) {
    for (size_t i = 0; i < archives.size(); ++i) bytes_all_ += archives[i].bytes();
  }

  Result<bool> next(Block& block) override {
    while (!failure_) {
      auto more = cursor_->next(block);
      if (!more || *more) return more;
      if (member_ + 1 == archives_.size() || archives_[member_ + 1].start() > plan_.to) {
        return false;
      }
      if (auto crossed = cross(); !crossed) {
        failure_ = crossed.error();
        break;
      }
      // The mark has the time of the archive behind it: no record there is earlier.
      const Stamp border = archives_[member_].start();
      if (border < plan_.from) continue;
      block.records.push_back({.stamp = border, .mark = true});
      return true;
    }
    return fail(*failure_);
  }

  double done() const override {
    if (bytes_all_ == 0) return 1;
    const auto here = static_cast<double>(archives_[member_].bytes());
    return (static_cast<double>(bytes_before_) + here * cursor_->done()) /
           static_cast<double>(bytes_all_);
  }

 private:
  Result<void> cross() {
    if (auto end = archives_[member_].last_record(); !end) return std::unexpected(end.error());
    if (auto fine = archives_.refuse_overlap(member_); !fine) return fine;
    auto opened = open_member(archives_, member_ + 1, plan_, rosters_);
    if (!opened) return std::unexpected(opened.error());
    bytes_before_ += archives_[member_++].bytes();
    cursor_ = *std::move(opened);
    return {};
  }

  const Archives& archives_;
  FetchPlan plan_;
  Rosters& rosters_;
  std::unique_ptr<Cursor> cursor_;
  size_t member_ = 0;
  uint64_t bytes_before_ = 0, bytes_all_ = 0;
  std::optional<Error> failure_;
};

}  // namespace

ArchivesSource::ArchivesSource(std::unique_ptr<Archives> archives)
    : archives_(std::move(archives)),
      name_(names_of(*archives_)),
      catalog_(archives_->metadata(), name_) {}

Stamp ArchivesSource::end() const { return archives_->end().value_or(kStampMax); }

uint64_t ArchivesSource::bytes() const {
  uint64_t total = 0;
  for (size_t i = 0; i < archives_->size(); ++i) total += (*archives_)[i].bytes();
  return total;
}

std::vector<std::string> ArchivesSource::warnings() const {
  std::vector<std::string> out;
  for (size_t i = 0; i < archives_->size(); ++i) {
    const Archive& archive = (*archives_)[i];
    for (const std::string& warning : archive.warnings()) {
      out.push_back(archive.name() + ": " + warning);
    }
  }
  return out;
}

Result<std::unique_ptr<Cursor>> ArchivesSource::open(const FetchPlan& plan,
                                                     Rosters& rosters) const {
  auto first = open_member(*archives_, 0, plan, rosters);
  if (!first || archives_->size() == 1) return first;
  return std::make_unique<ChainCursor>(*archives_, plan, rosters, *std::move(first));
}

}  // namespace pmjit
