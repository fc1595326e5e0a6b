// PagedWriter: a writer whose blocks become text in pages, which several threads can do at once.
//
//   PageCut cut = writer.cut();
//   auto sheet = writer.settle(block);                 block after block, as they are evaluated
//   cut.begin(block, sheet->rows);
//   while (auto range = cut.next()) {
//     writer.format(block, *sheet, *range, page);      any thread
//     writer.put(page);                                page after page
//   }
//   if (sheet->failure) …                              what is wrong with the row behind
#pragma once

#include <memory>
#include <optional>

#include "runtime/report/sink/page_cut.h"
#include "runtime/report/text/values.h"
#include "runtime/report/writer.h"

namespace pmjit {

// What a writer knows of a block beside its values: looked up while the evaluation stands still,
// and never changed.
struct Sheet {
  virtual ~Sheet() = default;
  size_t rows = 0;                 // that can be written
  std::optional<Error> failure{};  // why the next one cannot
};

struct Page {
  TextBuffer text;
  uint64_t values = 0;       // known ones in it
  size_t whole = 0;          // where the last row ends in it: bytes from its beginning
  RepeatedReals repeated{};  // stays from page to page

  // For another page; memory that an unusually large text took is given back.
  void clear();
};

class PagedWriter : public Writer {
 public:
  using Writer::Writer;
  // For blocks of the schema that it began with.
  [[nodiscard]] PageCut cut() const { return {columns(), *schema_.rosters}; }
  [[nodiscard]] virtual std::unique_ptr<Sheet> settle(const ResultBlock& block) = 0;
  // Fills an empty page.
  virtual void format(const ResultBlock& block, const Sheet& sheet, const PageRange& range,
                      Page& page) const = 0;
  [[nodiscard]] Result<void> put(const Page& page);

 private:
  // What each column of a block puts into a row.
  [[nodiscard]] virtual std::vector<ColumnText> columns() const = 0;
};

}  // namespace pmjit
