#include "runtime/model/hosts.h"

#include <algorithm>
#include <optional>

#include "runtime/base/limits.h"
#include "runtime/model/results.h"

namespace pmjit {

namespace {

std::vector<HostsCatalog::Part> catalogs_of(const std::vector<HostsRecording::Part>& parts) {
  std::vector<HostsCatalog::Part> out;
  for (const auto& part : parts) {
    out.push_back({.name = part.name, .catalog = &part.recording->catalog()});
  }
  return out;
}

// One host: its cursor, and the block that is being given out.
struct HostCursor {
  std::string name{};
  std::vector<uint32_t> columns{};  // of all hosts' plan, by column of this one's
  std::vector<WantedMetric> metrics{};
  std::vector<Elem> elems{};
  std::unique_ptr<Cursor> cursor{};  // none: nothing is wanted of it
  Block block{};
  uint32_t record = 0;               // the next one
  std::vector<uint32_t> next_row{};  // of each column
  bool begun = false, ended = false;
  bool is_over = false;  // ended as it should, and nobody knows yet
  Stamp last{};          // of its records, once it has begun
  Stamp start{}, end{};

  [[nodiscard]] bool exhausted() const { return record == block.records.size(); }
  [[nodiscard]] const Record& next() const { return block.records[record]; }
};

class MergingCursor final : public Cursor {
 public:
  // `grid`: its part at which some host has values (times_within).
  MergingCursor(std::vector<HostCursor> hosts, size_t columns, const FetchPlan& plan,
                const std::optional<FeedTimes>& grid)
      : hosts_(std::move(hosts)),
        columns_(columns),
        rows_max_(plan.rows_max != 0 ? plan.rows_max : limits::kBlockRowsMax),
        grid_(grid),
        due_(grid ? grid->origin : Stamp{}) {}

  Result<bool> next(Block& block) override {
    block.clear();
    block.columns.resize(columns_);
    while (block.records.size() < rows_max_) {
      refill(block);
      const std::optional<uint32_t> first = earliest();
      if (grid_ && nobody_has(due_, first)) {
        take_time(due_, block);
        continue;
      }
      if (!first) break;
      if (!grid_ && tell_ends(hosts_[*first].next().stamp, block)) continue;
      if (grid_ && !hosts_[*first].next().mark) {
        take_time(hosts_[*first].next().stamp, block);
      } else {
        take(*first, block);
      }
    }
    if (!block.records.empty()) return true;
    if (failure_) return fail(*failure_);
    return false;
  }

  [[nodiscard]] double done() const override {
    double sum = 0;
    for (const HostCursor& host : hosts_) sum += host.cursor ? host.cursor->done() : 1;
    return sum / static_cast<double>(hosts_.size());
  }

  void keep_rosters(Rosters& rosters) const override {
    for (const HostCursor& host : hosts_) {
      for (const Column& column : host.block.columns) {
        for (const Row& row : column.rows) rosters.keep(row.roster_id);
      }
    }
  }

 private:
  // Whichever host has given out its block reads the next one. One that fails ends there, and the
  // others go on.
  void refill(Block& out) {
    for (HostCursor& host : hosts_) {
      if (host.ended || !host.exhausted()) continue;
      host.record = 0;
      std::ranges::fill(host.next_row, 0);
      const auto more = host.cursor->next(host.block);
      out.bytes += host.block.bytes;
      out.alike += host.block.alike;
      if (!more) note_failure(host, more.error(), out);
      host.is_over = more && !*more && host.begun;
      if (!more || !*more) {
        host.ended = true;
        host.block.records.clear();
      }
      for (size_t i = 0; i < host.columns.size() && i < host.block.columns.size(); ++i) {
        out.columns[host.columns[i]].elem = host.block.columns[i].elem;
        host.elems[i] = host.block.columns[i].elem;
      }
    }
    for (const HostCursor& host : hosts_) {
      for (size_t i = 0; i < host.columns.size(); ++i) {
        if (out.columns[host.columns[i]].rows.empty()) {
          out.columns[host.columns[i]].elem = host.elems[i];
        }
      }
    }
  }

  // A mark: what was known of the host does not hold any longer.
  void note_failure(const HostCursor& host, const Error& error, Block& out) {
    if (!failure_) failure_ = Error(error).at("host", host.name);
    const auto index = static_cast<uint32_t>(&host - hosts_.data());
    if (host.begun) out.records.push_back({.stamp = host.last, .mark = true, .source = index});
  }

  // A mark behind a recording that others outlast: its values do not hold any longer.
  bool tell_ends(Stamp next, Block& out) {
    const auto over = [&](const HostCursor& host) { return host.is_over && host.end < next; };
    bool any = false;
    for (auto host = std::ranges::find_if(hosts_, over); host != hosts_.end();
         host = std::ranges::find_if(hosts_, over)) {
      const auto index = static_cast<uint32_t>(host - hosts_.begin());
      out.records.push_back({.stamp = host->end, .mark = true, .source = index});
      host->is_over = false;
      any = true;
    }
    return any;
  }

  [[nodiscard]] std::optional<uint32_t> earliest() const {
    std::optional<uint32_t> first;
    for (uint32_t i = 0; i < hosts_.size(); ++i) {
      if (hosts_[i].exhausted()) continue;
      if (!first || hosts_[i].next().stamp < hosts_[*first].next().stamp) first = i;
    }
    return first;
  }

  void take(uint32_t index, Block& out) {
    HostCursor& host = hosts_[index];
    host.begun = true;
    Record record = host.next();
    record.source = index;
    host.last = record.stamp;
    const auto number = static_cast<uint32_t>(out.records.size());
    out.records.push_back(record);
    for (size_t i = 0; i < host.columns.size(); ++i) {
      const Column& from = host.block.columns[i];
      uint32_t& row = host.next_row[i];
      if (row == from.rows.size() || from.rows[row].record != host.record) continue;
      const uint64_t end = row + 1 < from.rows.size() ? from.rows[row + 1].offset : from.count;
      Column& to = out.columns[host.columns[i]];
      to.append_row(from, from.rows[row], end - from.rows[row].offset);
      to.rows.edit().back().record = number;
      ++row;
    }
    ++host.record;
  }

  // A time of the grid between hosts that have ended and those that begin later. Behind damage no
  // time is made up.
  [[nodiscard]] bool nobody_has(Stamp due, const std::optional<uint32_t>& first) const {
    if (first) return due < hosts_[*first].next().stamp;
    return !failure_ && due <= grid_->end;
  }

  // A time of the grid: what every host has then, or that it has nothing.
  void take_time(Stamp when, Block& out) {
    due_ = stamp_from_nanos(nanos(when) + grid_->step);
    for (uint32_t i = 0; i < hosts_.size(); ++i) {
      HostCursor& host = hosts_[i];
      bool there = false;
      while (!host.exhausted() && host.next().stamp == when) {
        there = there || !host.next().mark;
        take(i, out);
      }
      if (there || !host.cursor) continue;
      const int32_t status = host.begun || when > host.end ? kHostDown : kNotYetLogged;
      const auto number = static_cast<uint32_t>(out.records.size());
      out.records.push_back({.stamp = when, .source = i});
      for (const uint32_t column : host.columns) {
        out.columns[column].rows.push_back(Row{.stamp = when,
                                               .roster_id = Rosters::kNobodyId,
                                               .status = status,
                                               .record = number,
                                               .offset = out.columns[column].grow(0)});
      }
    }
  }

  std::vector<HostCursor> hosts_;
  size_t columns_;
  uint32_t rows_max_;
  std::optional<FeedTimes> grid_;
  Stamp due_;  // the next time of the grid
  std::optional<Error> failure_;
};

// From the first time that a host may have to the last one that is not behind all of them.
FeedTimes times_within(const std::vector<HostCursor>& hosts, FeedTimes grid) {
  Stamp start = kStampMax, end = kStampMin;
  for (const HostCursor& host : hosts) {
    if (!host.cursor) continue;
    start = std::min(start, host.start);
    end = std::max(end, host.end);
  }
  if (start > end) return {.origin = grid.origin, .step = grid.step, .end = kStampMin};
  const Nanos late = nanos(start) - nanos(grid.origin);
  if (late > 0) {
    const Nanos steps = (late + grid.step - 1) / grid.step;
    grid.origin = stamp_from_nanos(nanos(grid.origin) + steps * grid.step);
  }
  // The last host itself has the time at its end.
  grid.end = std::min(grid.end, stamp_from_nanos(nanos(end) - 1));
  return grid;
}

}  // namespace

HostsRecording::HostsRecording(std::vector<Part> parts, const HostsRecordingOptions& options)
    : parts_(std::move(parts)),
      options_(options),
      own_catalog_(std::make_unique<const HostsCatalog>(catalogs_of(parts_))),
      catalog_(*own_catalog_) {}

HostsRecording::HostsRecording(std::vector<Part> parts, const HostsCatalog& catalog,
                               const HostsRecordingOptions& options)
    : parts_(std::move(parts)), options_(options), catalog_(catalog) {}

Stamp HostsRecording::start() const {
  Stamp out = kStampMax;
  for (const Part& part : parts_) out = std::min(out, part.recording->start());
  return out;
}

Stamp HostsRecording::end() const {
  Stamp out = kStampMin;
  for (const Part& part : parts_) out = std::max(out, part.recording->end());
  return out;
}

uint64_t HostsRecording::bytes() const {
  uint64_t out = 0;
  for (const Part& part : parts_) out += part.recording->bytes();
  return out;
}

std::vector<std::string> HostsRecording::warnings() const {
  std::vector<std::string> out;
  for (const Part& part : parts_) {
    for (const std::string& warning : part.recording->warnings()) {
      out.push_back(part.name + ": " + warning);
    }
  }
  return out;
}

Result<std::unique_ptr<Cursor>> HostsRecording::open(const FetchPlan& plan,
                                                     Rosters& rosters) const {
  std::vector<HostCursor> hosts(parts_.size());
  for (uint32_t i = 0; i < plan.metrics.size(); ++i) {
    const HostsCatalog::Own own = catalog_.metric(plan.metrics[i].pmid);
    hosts[own.host].columns.push_back(i);
    hosts[own.host].metrics.push_back(plan.metrics[i]);
    hosts[own.host].metrics.back().pmid = own.id;
  }
  for (uint32_t h = 0; h < hosts.size(); ++h) {
    HostCursor& host = hosts[h];
    host.name = parts_[h].name;
    host.ended = host.metrics.empty() && !plan.metrics.empty();
    if (host.ended) continue;
    FetchPlan own = plan;
    own.metrics = host.metrics;
    auto cursor = parts_[h].recording->open(own, rosters);
    if (!cursor) return fail(cursor.error().at("host", host.name));
    host.cursor = *std::move(cursor);
    host.start = parts_[h].recording->start();
    host.end = parts_[h].recording->end();
    host.next_row.resize(host.columns.size());
    host.elems.resize(host.columns.size(), Elem::f64);
  }
  std::optional<FeedTimes> grid = options_.grid;
  if (grid) grid = times_within(hosts, *grid);
  return std::make_unique<MergingCursor>(std::move(hosts), plan.metrics.size(), plan, grid);
}

}  // namespace pmjit
