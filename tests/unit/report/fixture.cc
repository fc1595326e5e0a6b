#include "tests/unit/report/fixture.h"

#include <gtest/gtest.h>

#include "runtime/report/paged_writer.h"

namespace pmjit {

std::optional<std::string> Disks::instance_name(InDomId, int32_t instance, Stamp) const {
  const auto it = names.find(instance);
  return it == names.end() ? std::nullopt : std::optional(it->second);
}

std::vector<Catalog::Instance> Disks::instances(InDomId) const {
  std::vector<Instance> out;
  for (const auto& [id, name] : names) out.push_back({id, name});
  return out;
}

size_t Lab::add_column(ResultInfo info) {
  block.columns.emplace_back().elem = info.elem;
  infos.push_back(std::move(info));
  return infos.size() - 1;
}

void Lab::add_texts(size_t column, const std::vector<std::string>& texts) {
  std::vector<uint32_t> values;
  for (const std::string& text : texts)
    values.push_back(block.columns[column].dictionary.add(text));
  add_row(column, Rosters::kSingularId, values);
}

void Lab::give(Writer& writer) {
  writer.begin(
      {.infos = infos, .host = "app1", .catalog = &catalog, .rosters = &rosters, .only = only});
  EXPECT_TRUE(write(writer, block));
  EXPECT_TRUE(writer.end());
}

Result<void> write(Writer& writer, const ResultBlock& block) {
  auto* paged = dynamic_cast<PagedWriter*>(&writer);
  if (paged == nullptr) return dynamic_cast<BlockWriter&>(writer).write(block);
  const auto sheet = paged->settle(block);
  PageCut cut = paged->cut();
  cut.begin(block, sheet->rows);
  Page page;
  while (const auto range = cut.next()) {
    page.clear();
    paged->format(block, *sheet, *range, page);
    if (auto ok = paged->put(page); !ok) return ok;
  }
  if (sheet->failure) return fail(*sheet->failure);
  return {};
}

std::string Lab::print(std::string_view format, const WriterOptions& options) {
  std::string out;
  Sink sink(out);
  give(*find_format(format)->make(sink, options));
  return out;
}

}  // namespace pmjit
