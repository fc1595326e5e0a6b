// dump_raw: every numeric metric of an archive as our reader sees it, one file a metric, in the
// line format of `pmval -r -U ARCHIVE -XX -Z UTC -w WIDTH -f DIGITS METRIC` without its headings.
// tests/shown/raw_values compares the two.
//
//   dump_raw ARCHIVE FOLDER WIDTH DIGITS      prints "metrics N values M"; exit 1 where the archive
//   is refused
//
// Files are numbered in the order of FOLDER/names, which has one metric name a line. A reading
// error ends each file with a line "damaged".
#include <fmt/core.h>

#include <charconv>
#include <cstdio>
#include <ctime>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/archive/archive.h"

namespace {

using namespace pmjit;

struct Output {
  std::string name;
  Desc desc;
  std::map<int32_t, size_t> place;  // of an instance among the values of a line
  std::unique_ptr<FILE, int (*)(FILE*)> file{nullptr, fclose};
};

struct Format {
  int width, digits;
};

std::string time_text(Stamp stamp) {
  const time_t seconds = stamp.sec;
  tm parts{};
  gmtime_r(&seconds, &parts);
  char head[64], year[16];
  if (strftime(head, sizeof head, "%a %b %e %H:%M:%S", &parts) == 0 ||
      strftime(year, sizeof year, "%Y", &parts) == 0)
    return "?";
  return fmt::format("{}.{:09} {}", head, stamp.nsec, year);
}

std::string value_text(const Column& column, uint64_t i, bool counter, Format format) {
  const auto number = [&](double value) {
    if (value < 0 && counter) return fmt::format("{:>{}}", "!", format.width);
    return fmt::format("{:>{}.{}f}", value, format.width, format.digits);
  };
  switch (column.elem) {
    case Elem::i32: return fmt::format("{:{}}", column.values.as<int32_t>()[i], format.width);
    case Elem::u32: return fmt::format("{:{}}", column.values.as<uint32_t>()[i], format.width);
    case Elem::i64: return fmt::format("{:{}}", column.values.as<int64_t>()[i], format.width);
    case Elem::u64: return fmt::format("{:{}}", column.values.as<uint64_t>()[i], format.width);
    case Elem::f32: return number(static_cast<double>(column.values.as<float>()[i]));
    case Elem::f64: return number(column.values.as<double>()[i]);
    default: return "";
  }
}

std::string row_text(const Row& row, const Column& column, const Rosters& rosters,
                     const Output& output, Format format) {
  const std::string time = time_text(row.stamp);
  const auto instances = rosters.instances(row.roster_id);
  if (row.status < 0) return "";  // pmval has a message on standard error for it
  if (instances.empty()) return time + "  No values available\n";
  const bool counter = output.desc.semantics == Semantics::counter;
  if (output.desc.indom == kNullId) {
    return time + value_text(column, row.offset, counter, format) + "\n";
  }
  std::vector<std::string> fields(output.place.size(), fmt::format("{:>{}}", "?", format.width));
  std::string strangers;
  for (size_t lane = 0; lane < instances.size(); ++lane) {
    const std::string text = value_text(column, row.offset + lane, counter, format);
    if (const auto found = output.place.find(instances[lane]); found != output.place.end()) {
      fields[found->second] = text;
    } else {
      strangers += fmt::format("stranger {}\n", instances[lane]);
    }
  }
  std::string line = time;
  for (const std::string& field : fields) line += field + " ";
  return line + "\n" + strangers;
}

void write(const Output& output, const std::string& text) {
  (void)fwrite(text.data(), 1, text.size(), output.file.get());
}

// Rows of a column and marks, in the order of records.
void dump_block(const Block& block, const Rosters& rosters, std::vector<Output>& outputs,
                Format format) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Column& column = block.columns[i];
    size_t row = 0;
    for (uint32_t record = 0; record < block.records.size(); ++record) {
      if (block.records[record].mark) {
        write(outputs[i], time_text(block.records[record].stamp) + "  Archive logging suspended\n");
      } else if (row < column.rows.size() && column.rows[row].record == record) {
        write(outputs[i], row_text(column.rows[row++], column, rosters, outputs[i], format));
      }
    }
  }
}

std::vector<Output> open_outputs(const Archive& archive, const std::string& folder) {
  std::vector<Output> outputs;
  std::map<PmId, bool> taken;
  FILE* names = fopen((folder + "/names").c_str(), "w");
  for (const std::string& name : archive.catalog().leaves("")) {
    const PmId pmid = *archive.metadata().names.find(name);
    const Desc& desc = archive.metadata().descs.at(pmid);
    const auto elem = elem_from_pm(desc.pm_type);
    if (!elem || !is_number(*elem) || std::exchange(taken[pmid], true)) continue;
    Output output{.name = name, .desc = desc, .place = {}};
    for (const auto& instance : archive.catalog().instances(desc.indom)) {
      output.place.emplace(instance.id, output.place.size());
    }
    output.file.reset(fopen(fmt::format("{}/{}", folder, outputs.size()).c_str(), "w"));
    fmt::print(names, "{}\n", name);
    outputs.push_back(std::move(output));
  }
  fclose(names);
  return outputs;
}

int dump(const std::string& name, const std::string& folder, Format format) {
  auto archive = Archive::open(name);
  if (!archive) {
    fmt::print(stderr, "dump_raw: {}\n", archive.error().text());
    return 1;
  }
  auto outputs = open_outputs(**archive, folder);
  FetchPlan plan;
  for (const Output& output : outputs) plan.metrics.push_back(output.desc.pmid);
  Rosters rosters;
  auto cursor = (*archive)->open(plan, rosters);
  if (!cursor) {
    fmt::print(stderr, "dump_raw: {}\n", cursor.error().text());
    return 1;
  }
  Block block;
  uint64_t values = 0;
  for (;;) {
    auto more = (*cursor)->next(block);
    if (!more) {
      fmt::print(stderr, "dump_raw: {}\n", more.error().text());
      for (const Output& output : outputs) write(output, "damaged\n");
      break;
    }
    if (!*more) break;
    for (const Column& column : block.columns) values += column.count;
    dump_block(block, rosters, outputs, format);
  }
  fmt::print("metrics {} values {}\n", outputs.size(), values);
  return 0;
}

int number(const char* text) {
  int value = 0;
  std::from_chars(text, text + std::string_view(text).size(), value);
  return value;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    fmt::print(stderr, "usage: dump_raw ARCHIVE FOLDER WIDTH DIGITS\n");
    return 2;
  }
  return dump(argv[1], argv[2], {.width = number(argv[3]), .digits = number(argv[4])});
}
