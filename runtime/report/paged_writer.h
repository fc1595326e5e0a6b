// PagedWriter: a writer whose blocks become text in pages, which several threads can do at once.
//
//   auto sheet = writer.settle(block);                    block after block, as they are evaluated
//   for (first = 0; first < sheet->rows; first = rows.end) {
//     RowRange rows = page_at(block, *sheet, first);      so much that its text stays in the caches
//     known = writer.format(block, *sheet, rows, text);   any thread
//     writer.put(text, known);                            page after page
//   }
//   if (sheet->failure) …                                 what is wrong with the row behind
#pragma once

#include <memory>
#include <optional>

#include "runtime/report/writer.h"

namespace pmjit {

// What a writer knows of a block beside its values: looked up while the evaluation stands still,
// and never changed.
struct Sheet {
  virtual ~Sheet() = default;
  size_t rows = 0;                 // that can be written
  std::optional<Error> failure{};  // why the next one cannot
};

struct RowRange {
  size_t begin = 0, end = 0;
};
RowRange page_at(const ResultBlock& block, const Sheet& sheet, size_t begin);

class PagedWriter : public Writer {
 public:
  using Writer::Writer;
  [[nodiscard]] virtual std::unique_ptr<Sheet> settle(const ResultBlock& block) = 0;
  // Appends whole lines to `out`; how many known values stand in them.
  virtual uint64_t format(const ResultBlock& block, const Sheet& sheet, RowRange rows,
                          TextBuffer& out) const = 0;
  [[nodiscard]] Result<void> put(const TextBuffer& text, uint64_t values);
  // All of it, page after page.
  [[nodiscard]] Result<void> write(const ResultBlock& block) final;

 private:
  TextBuffer page_;
};

}  // namespace pmjit
