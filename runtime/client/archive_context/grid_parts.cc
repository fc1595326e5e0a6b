#include "runtime/client/archive_context/grid_parts.h"

#include <utility>

#include "runtime/archive/reader/record_piece.h"

namespace pmjit {

Result<void> add_metrics(const FetchPlan& plan, GridParts& parts) {
  const Archives& archives = parts.recorded.archives();
  const auto& descs = archives.metadata().descs;
  std::vector<PmId> texts;
  for (const WantedMetric& wanted : plan.metrics) {
    const auto elem = column_elem(wanted.pmid, descs, archives[0].name());
    if (!elem) return fail(elem.error());
    const Desc& desc = descs.at(wanted.pmid);
    Gridded& gridded =
        parts.metrics.emplace_back(Gridded{.wanted = wanted, .desc = desc, .elem = *elem});
    if (!is_number(*elem) || wanted.between == Between::as_pcp) texts.push_back(wanted.pmid);
    if (is_number(*elem) && desc.indom != kNullId) {
      auto [place, is_new] = parts.domains.try_emplace(desc.indom);
      if (is_new) place->second = GridDomain::of(archives, desc.indom);
      gridded.domain = &place->second;
    }
  }
  if (texts.size() > 1) parts.notes = std::make_unique<RecordNotes>(std::move(texts));
  return {};
}

bool open_columns(GridParts& parts, const Recording& reader, const GridWindow::Times& times,
                  bool goes_on) {
  GridWindow::Wanted read;
  std::unordered_map<PmId, uint32_t> column_of;  // a metric may be wanted in two ways
  for (Gridded& gridded : parts.metrics) {
    if (!is_number(gridded.elem) || gridded.silent) continue;
    const auto [place, is_new] =
        column_of.try_emplace(gridded.wanted.pmid, static_cast<uint32_t>(read.metrics.size()));
    if (is_new) {
      read.metrics.push_back(gridded.wanted);
      read.domains.push_back(gridded.domain);
    }
    GridColumnOptions options{.desc = gridded.desc,
                              .elem = gridded.elem,
                              .exact = gridded.wanted.between == Between::exact,
                              .column = place->second,
                              .marks = parts.marks.get()};
    options.goes_on = options.exact && goes_on;
    options.certain = times.certain;
    if (times.certain) {
      options.asked_from = seconds_between(stamp_from_nanos(nanos(times.from) - times.step),
                                           parts.recorded.archives().start());
    }
    if (gridded.domain != nullptr) {
      options.instances = static_cast<uint32_t>(gridded.domain->instances.size());
    }
    gridded.column.emplace(options);
  }
  if (read.metrics.empty()) return false;
  auto window = GridWindow::open(parts.recorded, reader, std::move(read), times);
  if (window) {
    parts.window = *std::move(window);
  } else {
    for (Gridded& gridded : parts.metrics) gridded.column.reset();
  }
  return window.has_value();
}

void find_silent(GridParts& parts) {
  FetchPlan plan;
  std::vector<Gridded*> numbers;
  for (Gridded& gridded : parts.metrics) {
    if (!is_number(gridded.elem)) continue;
    numbers.push_back(&gridded);
    plan.metrics.push_back(gridded.wanted);
  }
  Rosters rosters;
  const auto cursor = parts.recorded.open(plan, rosters);
  if (!cursor) return;
  std::vector<bool> speaks(numbers.size());
  Block block;
  auto more = (*cursor)->next(block);
  for (; more && *more; more = (*cursor)->next(block)) {
    for (size_t i = 0; i < numbers.size(); ++i) {
      speaks[i] = speaks[i] || block.columns[i].count != 0;
    }
    if (rosters.crowded()) rosters.forget_others();
  }
  for (size_t i = 0; more && i < numbers.size(); ++i) numbers[i]->silent = !speaks[i];
}

}  // namespace pmjit
