#include "runtime/archive/recording/archives_source.h"

#include "runtime/archive/reader/record_piece.h"

namespace pmjit {

namespace {

std::string names_of(const Archives& archives) {
  std::string out;
  for (size_t i = 0; i < archives.size(); ++i) out += (i == 0 ? "" : ",") + archives[i].name();
  return out;
}

Result<std::unique_ptr<Pieces>> open_member(const Archives& archives, size_t member,
                                            const FetchPlan& plan, UndescribedMetrics& undescribed,
                                            MarkScan::Place first = {}) {
  const Archive& archive = archives[member];
  return open_record_pieces(plan,
                            {.name = archive.name(),
                             .label = archive.label(),
                             .volumes = archive.volumes(),
                             .undescribed = &undescribed,
                             .first = first},
                            archives.metadata());
}

class ChainPieces final : public Pieces {
 public:
  // `first`: of the member.
  ChainPieces(const Archives& archives, FetchPlan plan, std::unique_ptr<Pieces> first,
              size_t member, UndescribedMetrics& undescribed)
      : archives_(archives),
        plan_(std::move(plan)),
        pieces_(std::move(first)),
        member_(member),
        undescribed_(undescribed) {
    for (size_t i = 0; i < archives.size(); ++i) {
      bytes_all_ += archives[i].bytes();
      if (i < member) bytes_before_ += archives[i].bytes();
    }
  }

  std::unique_ptr<Piece> make_piece(Rosters& rosters, Buffer& bytes) const override {
    return pieces_->make_piece(rosters, bytes);
  }

  Result<bool> read(Piece& piece) override {
    for (;;) {
      auto more = pieces_->read(piece);
      static_cast<RecordPiece&>(piece).set_part(part());
      if (!more || *more) return more;
      if (member_ + 1 == archives_.size() || archives_[member_ + 1].start() > plan_.to) {
        return false;
      }
      if (auto crossed = cross(); !crossed) return std::unexpected(crossed.error());
      // The mark has the time of the archive behind it: no record there is earlier.
      const Stamp border = archives_[member_].start();
      if (border < plan_.from) continue;
      static_cast<RecordPiece&>(piece).become_mark(border);
      static_cast<RecordPiece&>(piece).set_part(part());
      return true;
    }
  }

  Result<void> go_on_behind(const Piece& piece) override {
    if (auto there = enter(piece.part()); !there) return there;
    return pieces_->go_on_behind(piece);
  }

  uint32_t part() const override { return static_cast<uint32_t>(member_); }
  void pass_over(uint32_t part) override {
    if (part == this->part()) pieces_->pass_over(0);
  }

  double done() const override {
    if (bytes_all_ == 0) return 1;
    const auto here = static_cast<double>(archives_[member_].bytes());
    return (static_cast<double>(bytes_before_) + here * pieces_->done()) /
           static_cast<double>(bytes_all_);
  }

 private:
  Result<void> cross() {
    if (auto end = archives_.end_before_next(member_); !end) return std::unexpected(end.error());
    if (auto fine = archives_.refuse_overlap(member_); !fine) return fine;
    return enter(member_ + 1);
  }

  Result<void> enter(size_t member) {
    if (member == member_) return {};
    auto opened = open_member(archives_, member, plan_, undescribed_);
    if (!opened) return std::unexpected(opened.error());
    member_ = member;
    bytes_before_ = 0;
    for (size_t i = 0; i < member; ++i) bytes_before_ += archives_[i].bytes();
    pieces_ = *std::move(opened);
    return {};
  }

  const Archives& archives_;
  FetchPlan plan_;
  std::unique_ptr<Pieces> pieces_;  // of the archive that is being read
  size_t member_;
  UndescribedMetrics& undescribed_;
  uint64_t bytes_before_ = 0, bytes_all_ = 0;
};

}  // namespace

ArchivesSource::ArchivesSource(std::unique_ptr<Archives> archives)
    : archives_(std::move(archives)),
      name_(names_of(*archives_)),
      catalog_(archives_->metadata(), name_) {}

Stamp ArchivesSource::end() const {
  std::call_once(end_found_, [this] { end_ = archives_->end().value_or(kStampMax); });
  return end_;
}

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
  auto pieces = open_pieces(plan);
  if (!pieces) return fail(pieces.error());
  return cursor_over(*std::move(pieces), rosters);
}

Result<std::unique_ptr<Pieces>> ArchivesSource::open_pieces(const FetchPlan& plan) const {
  // Archives that end before the plan begins are passed over, unless one is to be refused.
  size_t member = 0;
  while (member + 1 < archives_->size() && (*archives_)[member + 1].start() < plan.from &&
         archives_->refuse_overlap(member)) {
    ++member;
  }
  return open_pieces_at({.member = member}, plan);
}

Result<std::unique_ptr<Pieces>> ArchivesSource::open_pieces_at(const Place& place,
                                                               const FetchPlan& plan) const {
  auto first = open_member(*archives_, place.member, plan, undescribed_, place.record);
  if (!first || archives_->size() == 1) return first;
  return std::make_unique<ChainPieces>(*archives_, plan, *std::move(first), place.member,
                                       undescribed_);
}

}  // namespace pmjit
