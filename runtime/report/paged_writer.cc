#include "runtime/report/paged_writer.h"

namespace pmjit {

void Page::clear() {
  text.clear(4 * PageCut::kPageBytes);
  values = 0;
  whole = 0;
}

Result<void> PagedWriter::put(const Page& page) {
  values_ += page.values;
  sink_.put_page(page.text.text(), page.whole);
  return sink_.status();
}

Result<void> PagedWriter::write(const ResultBlock& block) {
  const auto sheet = settle(block);
  PageCut pages = cut();
  pages.begin(block, sheet->rows);
  while (const auto range = pages.next()) {
    page_.clear();
    format(block, *sheet, *range, page_);
    if (auto ok = put(page_); !ok) return ok;
  }
  if (sheet->failure) return fail(*sheet->failure);
  return sink_.status();
}

}  // namespace pmjit
