// Labels: for each lane of a result the text that does not change from row to row
// ("host,metric,instance,"). Made for a roster, and once more when the domain's names change; but
// from those of the row before, so that one instance that comes or goes costs one text.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/report/writer.h"

namespace pmjit {

// The instance's name at that time; none for a singular result. "[17]" where the source has no name
// for it.
std::optional<std::string> instance_text(const Schema& schema, const ResultInfo& info,
                                         int32_t instance, Stamp when);

// A text a lane, for copy_short(). Never changed, so any thread may read it. Texts stand in pieces
// of memory which those share that have them from one another.
class LaneLabels {
 public:
  // Texts of `base` where stretches have them, between them the next ones of `others`.
  LaneLabels(const LaneLabels& base, const Stretches& known,
             const std::vector<std::string>& others);
  LaneLabels() = default;
  [[nodiscard]] size_t size() const { return texts_.size(); }
  [[nodiscard]] std::string_view operator[](size_t lane) const {
    Length length;
    std::memcpy(&length, texts_[lane] - sizeof length, sizeof length);
    return {texts_[lane], length};
  }

 private:
  // More pieces, or so many times the texts of the first one, are moved together.
  static constexpr size_t kPiecesMax = 128, kAddedMax = 4;
  using Length = uint32_t;                           // stands before a text
  using Piece = std::shared_ptr<const std::string>;  // with kShortStep bytes behind its texts

  static const char* put(std::string& piece, std::string_view text);
  void add_piece(std::string piece);
  void move_together();

  std::vector<const char*> texts_;
  std::vector<Piece> pieces_;
  size_t added_ = 0;  // bytes of all pieces but the first
};

class Labels {
 public:
  // Makes the text of one lane; no instance: a singular result.
  using Make =
      std::function<std::string(const ResultInfo&, const std::optional<std::string>& instance)>;

  Labels(const Schema& schema, Make make);
  // One text a lane of the row. The same object, the same texts. The reference is valid until the
  // next call for this column.
  const std::shared_ptr<const LaneLabels>& of(size_t column, const Row& row, Stamp when);

 private:
  static constexpr size_t kLanesKept = 64u << 10;  // of all columns, beside the newest of each
  struct Entry {
    RosterId roster{};
    uint64_t epoch = 0;
    Stamp when{};
    std::vector<int32_t> instances{};
    std::shared_ptr<const LaneLabels> labels{};  // null: there is nothing
  };
  struct OfColumn {
    size_t domain = 0;  // of epochs_
    Entry newest{};
    std::unordered_map<uint64_t, Entry> others{};  // by roster
  };
  // What the catalog said last; most columns of a row have one domain.
  struct Epoch {
    InDomId domain = kNullId;
    std::optional<Stamp> when{};
    uint64_t epoch = 0;
  };
  uint64_t epoch_at(Epoch& of_domain, Stamp when) const;
  [[nodiscard]] bool holds(const Entry& entry, uint64_t epoch) const;
  void keep(OfColumn& column);
  [[nodiscard]] Entry make(const ResultInfo& info, const Entry& base, Entry wanted) const;
  [[nodiscard]] Stretches known_in(const ResultInfo& info, const Entry& base,
                                   const Entry& wanted) const;

  const Schema& schema_;
  Make make_;
  std::vector<OfColumn> columns_;
  std::vector<Epoch> epochs_;
  size_t lanes_kept_ = 0;
};

}  // namespace pmjit
