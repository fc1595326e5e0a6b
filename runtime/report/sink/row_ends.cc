#include "runtime/report/sink/row_ends.h"

namespace pmjit {

namespace {

// A quote within quotes is two: it ends them and begins them again.
size_t csv_row_end(std::string_view text, size_t from) {
  bool quoted = false;
  for (size_t i = from; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (text[i] == '\n' && !quoted) return i + 1;
  }
  return text.npos;
}

}  // namespace

size_t last_row_end(RowEnds how, std::string_view text) {
  switch (how) {
    case RowEnds::messages: return 0;
    case RowEnds::lines: return text.rfind('\n') + 1;  // npos + 1 is 0
    case RowEnds::csv: break;
  }
  size_t last = 0;
  for (size_t end = 0; end != text.npos; end = csv_row_end(text, last)) last = end;
  return last;
}

size_t row_end_behind(RowEnds how, std::string_view text, size_t at) {
  if (how == RowEnds::messages) return text.npos;
  if (how == RowEnds::lines) {
    const size_t newline = text.find('\n', at);
    return newline == text.npos ? newline : newline + 1;
  }
  size_t end = 0;
  while (end != text.npos && end <= at) end = csv_row_end(text, end);
  return end;
}

}  // namespace pmjit
