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

}  // namespace pmjit
