#include "rules/cmd/live_chart.h"

#include "runtime/report/unknown_shares.h"

namespace pmjit {

namespace {

constexpr int kRestPerDrawing = 9;  // of the time; drawing takes the tenth part

ResultBlock copy_of(const ResultBlock& block) {
  ResultBlock out{.times = block.times,
                  .hosts = block.hosts,
                  .segments = block.segments,
                  .columns = std::vector<Column>(block.columns.size()),
                  .reasons = block.reasons,
                  .after_gap = block.after_gap};
  for (size_t k = 0; k < block.columns.size(); ++k) {
    const Column& from = block.columns[k];
    out.columns[k].copy_values(from);
    out.columns[k].rows.edit().assign(from.rows.begin(), from.rows.end());
  }
  return out;
}

}  // namespace

void LiveChart::begin(const Schema& schema) {
  Writer::begin(schema);
  if (options_.window != 0) return;
  chart_ = make_plot_writer(text_sink_, options_.plot);
  chart_->begin(schema_);
}

Result<void> LiveChart::write(const ResultBlock& block) {
  if (options_.window == 0) {
    if (auto added = chart_->write(block); !added) return added;
  } else if (!block.times.empty()) {
    blocks_.push_back(copy_of(block));
    forget_before(block.times.back());
  }
  const Instant begin = clock_.now();
  if (not_before_ && begin < *not_before_) return {};
  if (auto drawn = draw(true); !drawn) return drawn;
  const Instant drawn = clock_.now();
  not_before_ = drawn + kRestPerDrawing * (drawn - begin);
  if (use_) use_(text_);
  return {};
}

Result<void> LiveChart::end() {
  if (auto drawn = draw(false); !drawn) return drawn;
  sink_.put(text_);
  return sink_.flush();
}

void LiveChart::forget_before(Stamp newest) {
  const Nanos begin = nanos(newest) - options_.window;
  while (nanos(blocks_.front().times.back()) < begin) blocks_.pop_front();
}

Result<void> LiveChart::draw(bool goes_on) {
  text_.clear();
  ChartFacts facts = facts_;
  if (options_.window != 0) {
    chart_ = make_plot_writer(text_sink_, options_.plot);
    chart_->begin(schema_);
    UnknownShares shares;
    for (const ResultBlock& block : blocks_) {
      if (auto added = chart_->write(block); !added) return added;
      shares.add(block, *schema_.rosters);
    }
    facts.unknown.clear();
    for (size_t k = 0; k < schema_.infos.size(); ++k) facts.unknown.push_back(shares.lines_of(k));
  }
  facts.reload_s = goes_on ? options_.reload_s : 0;
  chart_->set_facts(std::move(facts));
  if (auto drawn = chart_->end(); !drawn) return drawn;
  counts_ = chart_->counts();
  return {};
}

}  // namespace pmjit
