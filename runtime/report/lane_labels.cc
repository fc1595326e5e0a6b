#include "runtime/report/lane_labels.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/report/lane_lines.h"
#include "runtime/report/text/quoting.h"

namespace pmjit {

namespace {

// More changed names than these are not looked for among the lanes: all texts are made again.
constexpr size_t kChangedMax = 256;

}  // namespace

std::optional<std::string> instance_text(const Schema& schema, const ResultInfo& info,
                                         int32_t instance, Stamp when) {
  if (info.domain == kNullId || instance == kSingular) return std::nullopt;
  if (auto name = schema.catalog->held_name(info.domain, instance, when)) return name;
  return fmt::format("[{}]", instance & ~kElsewhere);
}

LaneLabels::LaneLabels(const LaneLabels& base, const Stretches& known,
                       const std::vector<std::string>& others)
    : pieces_(base.pieces_), added_(base.added_) {
  size_t bytes = kShortStep, lanes = others.size();
  for (const std::string& text : others) bytes += sizeof(Length) + text.size();
  for (const Stretch& stretch : known) lanes += stretch.count;
  std::string piece;
  piece.reserve(bytes);  // so that the texts stay where they are
  texts_.reserve(lanes);
  auto other = others.begin();
  const auto take_others = [&](size_t until) {
    while (texts_.size() < until) texts_.push_back(put(piece, *other++));
  };
  for (const Stretch& stretch : known) {
    take_others(stretch.to);
    const auto from = base.texts_.begin() + stretch.from;
    texts_.insert(texts_.end(), from, from + stretch.count);
  }
  take_others(lanes);
  if (others.empty()) return;
  add_piece(std::move(piece));
  if (pieces_.size() > kPiecesMax || added_ > kAddedMax * pieces_.front()->size()) move_together();
}

const char* LaneLabels::put(std::string& piece, std::string_view text) {
  const auto length = static_cast<Length>(text.size());
  piece.append(reinterpret_cast<const char*>(&length), sizeof length);
  piece += text;
  return piece.data() + piece.size() - text.size();
}

void LaneLabels::add_piece(std::string piece) {
  piece.append(kShortStep, '\0');
  if (!pieces_.empty()) added_ += piece.size();
  pieces_.push_back(std::make_shared<const std::string>(std::move(piece)));
}

// Pieces of which little is in use any more are let go.
void LaneLabels::move_together() {
  size_t bytes = kShortStep;
  for (size_t lane = 0; lane < size(); ++lane) bytes += sizeof(Length) + (*this)[lane].size();
  std::string piece;
  piece.reserve(bytes);
  for (size_t lane = 0; lane < size(); ++lane) texts_[lane] = put(piece, (*this)[lane]);
  pieces_.clear();
  added_ = 0;
  add_piece(std::move(piece));
}

Labels::Labels(const Schema& schema, Make make)
    : schema_(schema), make_(std::move(make)), columns_(schema.infos.size()) {
  for (size_t k = 0; k < columns_.size(); ++k) {
    const InDomId domain = schema_.infos[k].domain;
    const auto known = std::ranges::find(epochs_, domain, &Epoch::domain);
    columns_[k].domain = static_cast<size_t>(known - epochs_.begin());
    if (known == epochs_.end()) epochs_.push_back({.domain = domain});
  }
}

const std::shared_ptr<const LaneLabels>& Labels::of(size_t column, const Row& row, Stamp when) {
  OfColumn& of_column = columns_[column];
  Entry& newest = of_column.newest;
  const uint64_t epoch = epoch_at(epochs_[of_column.domain], when);
  if (newest.roster != row.roster_id) {
    const auto known = of_column.others.find(key_of(row.roster_id));
    if (known != of_column.others.end()) std::swap(newest, known->second);
  }
  if (newest.roster == row.roster_id && holds(newest, epoch)) return newest.labels;
  const auto instances = schema_.rosters->instances(row.roster_id);
  Entry made = make(schema_.infos[column], newest,
                    {.roster = row.roster_id,
                     .epoch = epoch,
                     .when = when,
                     .instances = {instances.begin(), instances.end()}});
  if (newest.labels && newest.roster != row.roster_id) keep(of_column);
  newest = std::move(made);
  return newest.labels;
}

uint64_t Labels::epoch_at(Epoch& of_domain, Stamp when) const {
  if (of_domain.domain == kNullId) return 0;
  if (of_domain.when != when) {
    of_domain.epoch = schema_.catalog->domain_epoch(of_domain.domain, when);
    of_domain.when = when;
  }
  return of_domain.epoch;
}

bool Labels::holds(const Entry& entry, uint64_t epoch) const {
  return entry.labels && epoch != Catalog::kAskAgain && entry.epoch == epoch;
}

// The newest entry of a column is one among others now.
void Labels::keep(OfColumn& column) {
  lanes_kept_ += column.newest.instances.size();
  if (lanes_kept_ > kLanesKept) {
    for (OfColumn& any : columns_) any.others.clear();
    lanes_kept_ = 0;
  }
  column.others.insert_or_assign(key_of(column.newest.roster), std::move(column.newest));
}

Labels::Entry Labels::make(const ResultInfo& info, const Entry& base, Entry wanted) const {
  const Stretches known = known_in(info, base, wanted);
  std::vector<std::string> others;
  if (known.empty()) others.reserve(wanted.instances.size());
  size_t lane = 0;
  const auto make_until = [&](size_t until) {
    for (; lane < until; ++lane) {
      const int32_t instance = wanted.instances[lane];
      others.push_back(make_(info, instance_text(schema_, info, instance, wanted.when)));
    }
  };
  for (const Stretch& stretch : known) {
    make_until(stretch.to);
    lane += stretch.count;
  }
  make_until(wanted.instances.size());
  const LaneLabels nothing;
  wanted.labels =
      std::make_shared<const LaneLabels>(base.labels ? *base.labels : nothing, known, others);
  return wanted;
}

// The lanes whose text is one of `base`. Lists mostly ascend; of others not all are found, and made
// again.
Stretches Labels::known_in(const ResultInfo& info, const Entry& base, const Entry& wanted) const {
  if (!base.labels || info.domain == kNullId) return {};
  const auto changed = schema_.catalog->changed_between(
      info.domain, std::min(base.when, wanted.when), std::max(base.when, wanted.when));
  if (!changed || changed->size() > kChangedMax) return {};
  Stretches out;
  const bool ascends = schema_.rosters->ascending(wanted.roster);
  const auto find = [&](auto from, auto until, int32_t instance) {
    if (!ascends) return std::find(from, until, instance);
    const auto at = std::lower_bound(from, until, instance);
    return at != until && *at == instance ? at : until;
  };
  // But for those lanes whose instance has another name now.
  const auto take = [&](size_t to, size_t from, size_t count) {
    const std::span lanes = std::span(wanted.instances).subspan(to, count);
    for (size_t done = 0; done < count;) {
      auto stop = lanes.end();
      for (const int32_t instance : *changed) {
        stop = find(lanes.begin() + static_cast<std::ptrdiff_t>(done), stop, instance);
      }
      const auto end = static_cast<size_t>(stop - lanes.begin());
      if (end > done) {
        append(out, {static_cast<uint32_t>(to + done), static_cast<uint32_t>(from + done),
                     static_cast<uint32_t>(end - done)});
      }
      done = end + 1;
    }
  };
  walk_both(wanted.instances, base.instances, take, [](size_t, size_t) {}, [](size_t, size_t) {});
  return out;
}

// Row after row, as times go on: so the catalog is asked once a row and instance domain.
LabelSheet::LabelSheet(Labels& labels, const ResultBlock& block) {
  rows = block.times.size();
  labels_.resize(rows * block.columns.size());
  std::vector<const LaneLabels*> last(block.columns.size());
  for (size_t i = 0; i < rows; ++i) {
    for (size_t k = 0; k < block.columns.size(); ++k) {
      const Row& row = block.columns[k].rows[i];
      if (row.status != 0 || row.roster_id == Rosters::kNobodyId) continue;
      const auto& of_row = labels.of(k, row, block.times[i]);
      if (of_row.get() != last[k]) kept_.push_back(of_row);
      last[k] = of_row.get();
      labels_[k * rows + i] = last[k];
    }
  }
}

}  // namespace pmjit
