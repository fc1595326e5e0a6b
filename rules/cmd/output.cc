#include "rules/cmd/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include "rules/cmd/interrupt.h"
#include "runtime/base/file.h"
#include "runtime/report/paged_writer.h"

namespace pmjit {

namespace {

// The first `left` evaluations of a block (-s).
void cut(ResultBlock& block, uint64_t left) {
  if (block.times.size() <= left) return;
  block.times.resize(left);
  if (!block.segments.empty()) block.segments.resize(left);
  if (!block.after_gap.empty()) block.after_gap.resize(left);
  for (Column& column : block.columns) column.rows.edit().resize(left);
}

Result<void> put_pages(PagedWriter& writer, const ResultBlock& block, Page& page) {
  const auto sheet = writer.settle(block);
  PageCut cut = writer.cut();
  cut.begin(block, sheet->rows);
  while (const auto range = cut.next()) {
    page.clear();
    writer.format(block, *sheet, *range, page);
    if (auto put = writer.put(page); !put) return put;
  }
  if (sheet->failure) return fail(*sheet->failure);
  return {};
}

}  // namespace

Result<bool> Output::arrive(ResultBlock& block) {
  if (sink_ == nullptr) {
    try {
      return evaluation_.next(block);
    } catch (const ReadingStopped&) {
      return false;
    }
  }
  while (interrupted() == 0) {
    const auto next = evaluation_.next_wave(block);
    if (!next) return fail(next.error());
    if (*next != Feed::Next::nothing_yet) return *next == Feed::Next::wave;
    wait_(evaluation_.due());
  }
  return false;
}

Result<bool> Output::next(ResultBlock& block) {
  if (left_ == 0 || interrupted()) return false;
  auto more = arrive(block);
  if (!more || !*more) return more;
  cut(block, left_);
  left_ -= block.times.size();
  times_ += block.times.size();
  if (!block.times.empty()) last_time_ = block.times.back();
  if (filter_ != nullptr) filter_->apply(block, infos_);
  shares_.add(block, rosters_);
  if (also_ == nullptr) return true;
  const Stopwatch watch(clock_, stats_.gather_s);
  if (auto written = also_->write(block); !written) return fail(written.error());
  return true;
}

// A time after the other, by this thread: each is written whole before the next one is waited for.
Result<void> Output::run_live() {
  auto* const paged = dynamic_cast<PagedWriter*>(&writer_);
  ResultBlock block;
  Page page;
  for (;;) {
    auto more = next(block);
    if (!more) return fail(more.error());
    if (!*more) return {};
    const Stopwatch watch(clock_, stats_.format_s);
    if (paged == nullptr) {
      if (auto put = dynamic_cast<BlockWriter&>(writer_).write(block); !put) return put;
    } else if (auto put = put_pages(*paged, block, page); !put) {
      return put;
    }
    if (auto gone = sink_->flush(); !gone) return gone;
  }
}

Result<void> Output::run(Executor& executor) {
  if (sink_ != nullptr) return run_live();
  if (auto* paged = dynamic_cast<PagedWriter*>(&writer_)) {
    return run_paged(*paged, executor);
  }
  auto& writer = dynamic_cast<BlockWriter&>(writer_);
  ResultBlock block;
  for (;;) {
    auto more = next(block);
    if (!more) return fail(more.error());
    if (!*more) return {};
    const Stopwatch watch(clock_, stats_.format_s);
    if (auto written = writer.write(block); !written) return written;
    progress_.update(evaluation_.done());
  }
}

// It need not stop where -s did: the first unknown lanes are looked at.
void Output::explain_unknown(Evaluation& again, const Rosters& rosters, InstanceFilter* filter) {
  ResultBlock block;
  while (shares_.wants_reasons() && interrupted() == 0) {
    const auto more = again.next(block);
    if (!more || !*more) return;  // the first evaluation has said what is wrong
    if (filter != nullptr) filter->apply(block, infos_);
    shares_.explain(block, rosters);
  }
}

Result<void> check_output(const Format& format, bool has_digits) {
  if (!format.binary) return {};
  if (has_digits) {
    return fail(
        Error(Fault::usage, fmt::format("-f: {} has numbers, not their digits", format.name))
            .help("leave -f out, or -o csv"));
  }
  if (isatty(STDOUT_FILENO) != 0) {
    return fail(
        Error(Fault::usage, fmt::format("-o {} is binary, nothing for a terminal", format.name))
            .help(fmt::format("send it to a file or a reader: > results.{}s", format.name)));
  }
  return {};
}

}  // namespace pmjit
